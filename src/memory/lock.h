/// A lock around a few instructions on data of the whole process. Without MO_THREADS it is nothing.
///
/// What it guards takes less time than waking a sleeping thread takes, and a browser's window may
/// not sleep: threads wait by asking again.
#pragma once

#ifdef MO_THREADS

#include <stdatomic.h>

typedef atomic_flag mo_lock;
#define MO_LOCK_INIT ATOMIC_FLAG_INIT

static inline void mo_lock_take(mo_lock *lock) {
  while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) {
  }
}
static inline void mo_lock_give(mo_lock *lock) {
  atomic_flag_clear_explicit(lock, memory_order_release);
}

#else

typedef char mo_lock;
#define MO_LOCK_INIT 0

static inline void mo_lock_take(mo_lock *lock) { (void)lock; }
static inline void mo_lock_give(mo_lock *lock) { (void)lock; }

#endif
