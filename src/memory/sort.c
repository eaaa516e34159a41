#include "memory/sort.h"

#include <stdbool.h>

static bool is_less(mo_sort_entry a, mo_sort_entry b) {
  return a.key != b.key ? a.key < b.key : a.value < b.value;
}

// Puts `entry` at `hole` or below it, so that no child in the heap [0, count) is greater than its
// parent.
static void sift_down(mo_sort_entry *entries, uint32_t hole, uint32_t count, mo_sort_entry entry) {
  // count / 2 is the first index without a child, so 2 * hole + 1 cannot overflow
  while (hole < count / 2u) {
    uint32_t child = 2u * hole + 1u;
    if (child + 1u < count && is_less(entries[child], entries[child + 1u])) {
      child++;
    }
    if (!is_less(entry, entries[child])) {
      break;
    }
    entries[hole] = entries[child];
    hole = child;
  }
  entries[hole] = entry;
}

void mo_sort(mo_sort_entry *entries, uint32_t count) {
  for (uint32_t i = count / 2u; i-- > 0;) {
    sift_down(entries, i, count, entries[i]);
  }
  for (uint32_t end = count; end-- > 1;) {
    mo_sort_entry last = entries[end];
    entries[end] = entries[0];
    sift_down(entries, 0, end, last);
  }
}

void mo_sort_by_group(const uint32_t *groups, uint32_t count, uint32_t group_count,
                      uint32_t *firsts, uint32_t *order) {
  for (uint32_t i = 0; i < count; i++) {
    if (groups[i] != MO_NO_GROUP) {
      firsts[groups[i] + 1]++;
    }
  }
  mo_sum_counts(firsts, group_count);
  for (uint32_t i = 0; i < count; i++) {
    if (groups[i] != MO_NO_GROUP) {
      order[firsts[groups[i]]++] = i;
    }
  }
  // Each first is now the end of its group.
  for (uint32_t g = group_count; g > 0; g--) {
    firsts[g] = firsts[g - 1];
  }
  firsts[0] = 0;
}
