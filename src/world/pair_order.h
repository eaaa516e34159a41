/// An order of pairs of shapes that stays the same from step to step, whatever other pairs there
/// are. Private to src.
#pragma once

#include "memory/sort.h"
#include "world/world.h"

#include <stdbool.h>

typedef struct mo_pair_order {
  uint64_t slots;  ///< of the bodies, the lower slot first
  uint64_t shapes; ///< of those bodies, in the same order
} mo_pair_order;

static inline mo_pair_order mo_pair_order_of(uint32_t slot_a, uint32_t shape_a, uint32_t slot_b,
                                             uint32_t shape_b) {
  bool a_is_low = slot_a < slot_b;
  return (mo_pair_order){.slots = mo_sort_key_of_both(slot_a, slot_b),
                         .shapes = a_is_low ? mo_sort_key(shape_a, shape_b)
                                            : mo_sort_key(shape_b, shape_a)};
}

static inline bool mo_pair_order_precedes(mo_pair_order a, mo_pair_order b) {
  return a.slots < b.slots || (a.slots == b.slots && a.shapes < b.shapes);
}

/// A pair in its order.
typedef struct mo_ordered_pair {
  mo_pair_order order;
  uint32_t value; ///< what the caller knows the pair by
} mo_ordered_pair;

mo_ordered_pair mo_ordered_pair_of(const mo_world *world, const mo_pair *pair, uint32_t value);

/// Sorts pairs from the first on. Nearly sorted input needs few moves. Merge sort from the bottom
/// up (von Neumann 1945).
/// @param spare has room for `count`
/// @return where the sorted pairs are: `items` or `spare`
mo_ordered_pair *mo_pair_order_sort(mo_ordered_pair *items, mo_ordered_pair *spare, uint32_t count);
