/// Loops whose ranges may run on several threads at once.
///
/// Without MO_THREADS, which is the default build, a loop is a call. With it, ranges are shared out
/// among the threads of the pool (parallel/pool.h). Results are the same bits either way, since
/// what a range computes may not depend on where other ranges begin or end, on their order or on
/// who computes them: functions of ranges write to disjoint places and read nothing that others
/// write. They allocate nothing and call nothing of the user's.
#pragma once

#include <stdint.h>

/// Does the items [first, last) of a loop.
typedef void mo_range_function(void *context, uint32_t first, uint32_t last);

#ifdef MO_THREADS

/// Does the items [0, count), `grain` at a time, and returns when all are done. A short loop, one
/// within a loop, or one while another thread runs one, runs on the calling thread alone. A range
/// of `grain` items should take a few microseconds.
void mo_parallel_for(uint32_t count, uint32_t grain, mo_range_function *function, void *context);

#else

static inline void mo_parallel_for(uint32_t count, uint32_t grain, mo_range_function *function,
                                   void *context) {
  (void)grain;
  function(context, 0, count);
}

#endif
