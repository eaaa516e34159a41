/// Pairs of bodies that a joint connects: those that do not collide because of it, and those of
/// which a kinematic body carries the other. Private to src.
#pragma once

#include "memory/sort.h"

#include <stdbool.h>

typedef struct mo_world mo_world;
typedef struct mo_constraint mo_constraint;

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
  uint32_t rigid_count; ///< joints that leave no freedom; 0: no bodies are one because of them
  uint32_t *groups;     ///< per slot: the root of its rigid group
  uint32_t groups_capacity, groups_count;
  uint32_t *roots; ///< of the groups that are made
  uint32_t roots_capacity;
  bool groups_are_stale; ///< without memory they could not be found
  bool is_stale;         ///< a joint was created or destroyed, or a body takes part in another way
} mo_joined_pairs;

/// Updates world->joined. Returns false without memory.
bool mo_world_update_joined_pairs(mo_world *world);
/// Whether joints keep two bodies from colliding: one between them, or fixed joints that make them
/// one (rigid_groups.c).
bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b);

// --- what fixed joints make one (rigid_groups.c) ---------------------------------------------

/// Whether a constraint makes its bodies one.
bool mo_constraint_is_rigid(const mo_constraint *constraint);
/// Finds the groups. Returns false without memory.
bool mo_world_find_rigid_groups(mo_world *world);
/// The same after rigid joints have come or gone. What has come into another group is asked again
/// for its pairs. Without memory the next step tries it again.
void mo_world_update_rigid_groups(mo_world *world);
/// Whether two bodies are of one rigid group.
bool mo_joined_pairs_are_rigid(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b);

// --- what kinematic bodies carry by joints (carried_pairs.c) ---------------------------------

/// Lists these pairs again. Returns false without memory.
bool mo_world_list_carried_pairs(mo_world *world);
/// Part of a step: wakes what hangs from kinematic bodies that move. Returns false without memory
/// for the notes.
bool mo_world_wake_carried(mo_world *world);
/// Whether the carrier of a pair moves.
bool mo_world_carrier_moves(const mo_world *world, const mo_carried_pair *pair);
