/// Pairs of bodies that do not collide since a joint holds them. Private to src/world.
#pragma once

#include "memory/sort.h"
#include "world/world.h"

typedef struct mo_joined_pairs {
  mo_sort_entry *entries; ///< keys of the lower and the higher slot, ascending
  uint32_t count;
} mo_joined_pairs;

/// Collects them. False without memory.
bool mo_joined_pairs_find(const mo_world *world, mo_arena *arena, mo_joined_pairs *out);
bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b);
