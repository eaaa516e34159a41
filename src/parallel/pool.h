/// The threads that help with mo_parallel_for. One pool for the whole program, as it has one
/// processor. Part of builds with MO_THREADS only.
///
/// The thread that starts a loop works too. Helpers look for work for some microseconds after the
/// last and sleep then, so that between two steps nothing runs.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Most threads that a loop runs on, with the one that starts it.
#define MO_POOL_THREADS 64u

/// Says that helpers there are or will be. Not while a loop runs.
/// @param helpers below MO_POOL_THREADS; they may also come later
/// @param may_sleep whether the thread that starts a loop may sleep until a helper is done with its
/// last range; a
///        browser's window may not
void mo_pool_expect(uint32_t helpers, bool may_sleep);

/// The life of a helper: does ranges until the pool is closed.
/// @param number from 1 to as many as are expected
void mo_pool_help(uint32_t number);

/// Says that a helper died in the middle of a range, so that the loop never ends: it traps then.
void mo_pool_break(void);

/// Sends the helpers home. Loops run on the calling thread from now on. Not while a loop runs.
void mo_pool_close(void);
