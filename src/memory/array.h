/// Growing arrays. An array is three fields of its owner: `x`, `x_count`, `x_capacity`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Makes room for `needed` items of `item_size` bytes: grows *items by half and at least to 16,
/// keeps the old content, zeroes the new. False without memory, with the array as it was.
bool mo_array_reserve(void **items, uint32_t *capacity, uint32_t needed, size_t item_size);

/// mo_array_reserve on the fields `owner->name` and `owner->name_capacity`.
#define MO_RESERVE(owner, name, needed)                                                            \
  mo_array_reserve((void **)&(owner)->name, &(owner)->name##_capacity, (needed),                   \
                   sizeof *(owner)->name)
