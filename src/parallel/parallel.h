/// Loops whose ranges may run on several threads at once.
///
/// Without MO_THREADS, which is the default build, a loop is a call. With it, ranges are divided
/// among the threads of the pool (parallel/pool.h). Both give the same bits, because the result of
/// a range must not depend on the bounds of other ranges, on their order or on their threads.
/// Functions of ranges write to disjoint places and read nothing that others write. They call no
/// function of the user, but for that of mo_set_allocator: those of a step allocate nothing, and
/// those of a batch step whole worlds.
#pragma once

#include <stdint.h>

/// Works on the items [first, last) of a loop.
typedef void mo_range_function(void *context, uint32_t first, uint32_t last);

#ifdef MO_THREADS

/// Works on the items [0, count), `grain` at a time, and returns when all are done. A short loop, a
/// loop within a loop, and a loop while another thread runs one, run on the calling thread alone. A
/// range of `grain` items should take a few microseconds.
void mo_parallel_for(uint32_t count, uint32_t grain, mo_range_function *function, void *context);

#else

static inline void mo_parallel_for(uint32_t count, uint32_t grain, mo_range_function *function,
                                   void *context) {
  (void)grain;
  function(context, 0, count);
}

#endif
