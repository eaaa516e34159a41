/// Tells the address sanitizer which memory of a block nobody may touch. Without it, nothing.
#pragma once

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MO_IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MO_IS_SANITIZED 1
#endif

#ifdef MO_IS_SANITIZED
#include <sanitizer/asan_interface.h>
/// Bytes between arrays that nobody may touch.
#define MO_RED_ZONE ((size_t)16)
#else
#define MO_RED_ZONE ((size_t)0)
#endif

/// Every access ends the process from now on.
static inline void mo_poison(const void *bytes, size_t count) {
#ifdef MO_IS_SANITIZED
  ASAN_POISON_MEMORY_REGION(bytes, count);
#else
  (void)bytes, (void)count;
#endif
}

/// May be used again.
static inline void mo_unpoison(const void *bytes, size_t count) {
#ifdef MO_IS_SANITIZED
  ASAN_UNPOISON_MEMORY_REGION(bytes, count);
#else
  (void)bytes, (void)count;
#endif
}
