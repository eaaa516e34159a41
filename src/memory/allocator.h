/// The one door to the heap: every block of the engine is asked for and given back here, and
/// counted.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// `bytes` zeroed bytes aligned for any type (16), or null.
void *mo_allocate(size_t bytes);
/// Gives back a block of mo_allocate. Null is legal.
void mo_release(void *memory);
