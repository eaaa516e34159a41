/// Sorts many integers in linear time.
#pragma once

#include <stdint.h>

/// Sorts items by `bit_count` of their bits (1 to 64), from bit `first_bit` on, in ascending order.
/// Equal items keep their order (radix sort from the lowest digit).
/// @param spare room for `count` items; both arrays are overwritten
/// @return `items` or `spare`, whichever holds the result
uint64_t *mo_radix_sort(uint64_t *items, uint64_t *spare, uint32_t count, int first_bit,
                        int bit_count);
