/// Pairs of bodies that a joint connects: those that do not collide because of it, and those of
/// which a kinematic body carries the other. Private to src.
#pragma once

#include "memory/sort.h"

#include <stdbool.h>

typedef struct mo_world mo_world;

/// A kinematic body and a dynamic one of a constraint.
typedef struct mo_carried_pair {
  uint32_t carrier, carried; ///< slots
} mo_carried_pair;

/// Begins as zeros.
typedef struct mo_joined_pairs {
  mo_sort_entry *entries; ///< keys: the lower and the higher slot; ascending
  uint32_t entries_capacity;
  uint32_t count;
  uint32_t *firsts; ///< per lower slot and one more: index of its first entry
  uint32_t firsts_capacity;
  uint32_t slot_count; ///< of `firsts`
  mo_carried_pair *carried;
  uint32_t carried_capacity;
  uint32_t carried_count;
  bool is_stale; ///< a joint was created or destroyed, or a body takes part in another way
} mo_joined_pairs;

/// Updates world->joined. Returns false without memory.
bool mo_world_update_joined_pairs(mo_world *world);
bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b);

// --- what kinematic bodies carry by joints (carried_pairs.c) ---------------------------------

/// Lists these pairs again. Returns false without memory.
bool mo_world_list_carried_pairs(mo_world *world);
/// Part of a step: wakes what hangs from kinematic bodies that move. Returns false without memory
/// for the notes.
bool mo_world_wake_carried(mo_world *world);
/// Whether the carrier of a pair moves.
bool mo_world_carrier_moves(const mo_world *world, const mo_carried_pair *pair);
