/// The only use of the heap: every block of the engine is allocated, freed and counted here.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Bytes of a line of the cache on x86-64 and most ARM64 processors.
#define MO_CACHE_LINE ((size_t)64)
/// Bytes: arrays of at least this size begin at a line, so that items of one or two lines touch no
/// more. Many small ones would waste much of what they take.
#define MO_LEAST_LINED ((size_t)256)

/// `bytes` zeroed bytes aligned for any type (16), and for MO_LEAST_LINED or more to a line of the
/// cache; or null.
void *mo_allocate(size_t bytes);
/// Frees a block of mo_allocate. Null is allowed.
void mo_release(void *memory);
