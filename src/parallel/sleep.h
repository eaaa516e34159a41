/// Lets a thread sleep until a word changes: by the memory instructions of WebAssembly, and
/// elsewhere by POSIX threads. Private to the pool.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __wasm__

typedef struct mo_sleepers {
  char none;
} mo_sleepers;

#define MO_SLEEPERS_INIT                                                                           \
  { 0 }

static inline void mo_sleep_while(mo_sleepers *sleepers, _Atomic uint32_t *word, uint32_t value) {
  (void)sleepers;
  __builtin_wasm_memory_atomic_wait32((int *)word, (int)value, -1);
}

static inline void mo_wake_all(mo_sleepers *sleepers, _Atomic uint32_t *word) {
  (void)sleepers;
  __builtin_wasm_memory_atomic_notify((int *)word, UINT32_MAX);
}

#else

#include <pthread.h>

/// The threads that sleep on one word.
typedef struct mo_sleepers {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} mo_sleepers;

#define MO_SLEEPERS_INIT                                                                           \
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }

/// Returns when the word has another value, or earlier.
static inline void mo_sleep_while(mo_sleepers *sleepers, _Atomic uint32_t *word, uint32_t value) {
  pthread_mutex_lock(&sleepers->mutex);
  if (atomic_load(word) == value) {
    pthread_cond_wait(&sleepers->changed, &sleepers->mutex);
  }
  pthread_mutex_unlock(&sleepers->mutex);
}

/// Wakes them. Must be called after the word has changed.
static inline void mo_wake_all(mo_sleepers *sleepers, _Atomic uint32_t *word) {
  (void)word;
  pthread_mutex_lock(&sleepers->mutex);
  pthread_cond_broadcast(&sleepers->changed);
  pthread_mutex_unlock(&sleepers->mutex);
}

#endif
