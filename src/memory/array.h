/// Growing arrays. An array is three fields of its owner: `x`, `x_count`, `x_capacity`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Makes room for `needed` items of `item_size` bytes. It grows *items by half, or by a quarter
/// while they are few, and to at least a line of the cache, keeps the old content, and zeroes the
/// rest. Returns false without memory, with the array unchanged.
bool mo_array_reserve(void **items, uint32_t *capacity, uint32_t needed, size_t item_size);

/// mo_array_reserve on the fields `owner->name` and `owner->name_capacity`.
#define MO_RESERVE(owner, name, needed)                                                            \
  mo_array_reserve((void **)&(owner)->name, &(owner)->name##_capacity, (needed),                   \
                   sizeof *(owner)->name)
