/// Helper threads for tests of loops that run on several threads. In builds without MO_THREADS
/// there are none, and the tests say the same of one thread.
#pragma once

#include <stdint.h>

#define MOST_HELPERS 8

#ifdef MO_THREADS

#include "parallel/pool.h"

#include <pthread.h>

static pthread_t helpers[MOST_HELPERS];
static uint32_t helper_count;

static void *help(void *number) {
  mo_pool_help((uint32_t)(uintptr_t)number);
  return NULL;
}

/// From now on loops run on `threads` threads, with the calling one.
static inline void start_threads(uint32_t threads) {
  helper_count = threads - 1;
  mo_pool_expect(helper_count, true);
  for (uint32_t i = 0; i < helper_count; i++) {
    pthread_create(&helpers[i], NULL, help, (void *)(uintptr_t)(i + 1));
  }
}

static inline void stop_threads(void) {
  mo_pool_close();
  for (uint32_t i = 0; i < helper_count; i++) {
    pthread_join(helpers[i], NULL);
  }
}

#else

static inline void start_threads(uint32_t threads) { (void)threads; }
static inline void stop_threads(void) {}

#endif
