/// Pairs of bodies that do not collide because a joint connects them. Private to src.
#pragma once

#include "memory/sort.h"

#include <stdbool.h>

typedef struct mo_world mo_world;

/// Begins as zeros.
typedef struct mo_joined_pairs {
  mo_sort_entry *entries; ///< keys: the lower and the higher slot; ascending
  uint32_t entries_capacity;
  uint32_t count;
  uint32_t *firsts; ///< per lower slot and one more: index of its first entry
  uint32_t firsts_capacity;
  uint32_t slot_count; ///< of `firsts`
  bool is_stale;       ///< a joint was created or destroyed
} mo_joined_pairs;

/// Updates world->joined. Returns false without memory.
bool mo_world_update_joined_pairs(mo_world *world);
bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b);
