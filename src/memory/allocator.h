/// The only use of the heap: every block of the engine is allocated, freed and counted here.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// `bytes` zeroed bytes aligned for any type (16), or null.
void *mo_allocate(size_t bytes);
/// Frees a block of mo_allocate. Null is allowed.
void mo_release(void *memory);
