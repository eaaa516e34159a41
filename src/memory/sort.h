/// Sorts integer keys in an order that is the same everywhere.
#pragma once

#include <stdint.h>
#include <string.h>

typedef struct mo_sort_entry {
  uint64_t key;
  uint32_t value;
} mo_sort_entry;

/// The key that orders by `first`, then by `second`.
static inline uint64_t mo_sort_key(uint32_t first, uint32_t second) {
  return (uint64_t)first << 32 | second;
}

/// The key of two numbers in either order: by the lower one, then by the higher.
static inline uint64_t mo_sort_key_of_both(uint32_t a, uint32_t b) {
  return a < b ? mo_sort_key(a, b) : mo_sort_key(b, a);
}

/// The key that orders like the numbers, which must not be NaN. The two zeros are equal.
static inline uint64_t mo_sort_key_of_double(double number) {
  double without_minus_zero = number + 0.0;
  uint64_t bits;
  memcpy(&bits, &without_minus_zero, sizeof bits);
  // The bits of positive numbers ascend with them, those of negative ones descend.
  uint64_t sign = (uint64_t)1 << 63;
  return bits & sign ? ~bits : bits | sign;
}

/// The middle of a counting sort. Turns counts, that of group g at starts[g + 1], into the places
/// at which the groups start; starts[0] stays, and starts[group_count] becomes the end.
static inline void mo_sum_counts(uint32_t *starts, uint32_t group_count) {
  for (uint32_t g = 0; g < group_count; g++) {
    starts[g + 1] += starts[g];
  }
}

/// Stands for the group of an item that is left out.
#define MO_NO_GROUP UINT32_MAX
/// Sorts items by their groups, and within a group by number, with a counting sort.
/// @param groups per item
/// @param[in,out] firsts zeros; out, the first place of each group in `order`, and the end of all
/// @param[out] order numbers of items, for which there is room
void mo_sort_by_group(const uint32_t *groups, uint32_t count, uint32_t group_count,
                      uint32_t *firsts, uint32_t *order);

/// Sorts in ascending order of key, then of value. The order is unique as long as no entry occurs
/// twice. In place (heap sort, Williams 1964): the C library's qsort may allocate memory that the
/// allocator here does not count.
void mo_sort(mo_sort_entry *entries, uint32_t count);
