/// The threads that help with mo_parallel_for. One pool for the whole program, as it has one
/// processor. Part of builds with MO_THREADS only.
/// The thread that starts a loop works too. Helpers wait for work for some microseconds and then
/// sleep, so that between two steps nothing runs.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The most threads of a loop, including the one that starts it.
#define MO_POOL_THREADS 64u

/// Announces helpers. Must not be called while a loop runs.
/// @param helpers below MO_POOL_THREADS; they may also start later
/// @param may_sleep whether the thread that starts a loop may sleep until a helper has finished its
///   last range; a browser's window may not
void mo_pool_expect(uint32_t helpers, bool may_sleep);

/// Runs a helper: it works on ranges until the pool is closed.
/// @param number from 1 to the number of announced helpers
void mo_pool_help(uint32_t number);

/// Reports that a helper died within a range. The loop would never end, so it traps.
void mo_pool_break(void);

/// Dismisses the helpers. From now on loops run on the calling thread. Must not be called while a
/// loop runs.
void mo_pool_close(void);
