#include "memory/array.h"
#include "world/world.h"

// Two bodies whose contacts a constraint may prevent: A and B, or the two that a gear has turn with
// each other, which are B and D.
static void find_pair(const mo_constraint *constraint, uint32_t pair[2]) {
  bool joins_four = mo_constraint_joins_four(constraint);
  pair[0] = joins_four ? constraint->slot_b : constraint->slot_a;
  pair[1] = joins_four ? constraint->slot_d : constraint->slot_b;
}

static bool prevents_contacts(const mo_constraint *constraint) {
  uint32_t pair[2];
  find_pair(constraint, pair);
  return !constraint->collide_connected && !constraint->class->leaves_contacts &&
         pair[0] != MO_WORLD_SLOT && pair[1] != MO_WORLD_SLOT && pair[0] != pair[1];
}

bool mo_world_update_joined_pairs(mo_world *world) {
  mo_joined_pairs *joined = &world->joined;
  const mo_id_pool *ids = &world->constraint_ids;
  if (joined->groups_are_stale) {
    mo_world_update_rigid_groups(world);
  }
  if (!joined->is_stale) {
    return !joined->groups_are_stale;
  }
  uint32_t slots = world->ids.slot_count;
  if (!MO_RESERVE(joined, entries, ids->alive_count) || !MO_RESERVE(joined, firsts, slots + 1)) {
    return false;
  }
  joined->count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (ids->alive[slot] && prevents_contacts(constraint)) {
      uint32_t pair[2];
      find_pair(constraint, pair);
      joined->entries[joined->count++] =
          (mo_sort_entry){.key = mo_sort_key_of_both(pair[0], pair[1]), .value = slot};
    }
  }
  mo_sort(joined->entries, joined->count);
  uint32_t first = 0;
  for (uint32_t slot = 0; slot <= slots; slot++) {
    while (first < joined->count && joined->entries[first].key >> 32 < slot) {
      first++;
    }
    joined->firsts[slot] = first;
  }
  joined->slot_count = slots;
  joined->is_stale = !mo_world_list_carried_pairs(world);
  return !joined->is_stale && !joined->groups_are_stale;
}

bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b) {
  if (mo_joined_pairs_are_rigid(pairs, slot_a, slot_b)) {
    return true;
  }
  uint64_t key = mo_sort_key_of_both(slot_a, slot_b);
  uint32_t lower = slot_a < slot_b ? slot_a : slot_b;
  if (lower >= pairs->slot_count) {
    return false;
  }
  uint32_t low = pairs->firsts[lower], end = pairs->firsts[lower + 1], high = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pairs->entries[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < end && pairs->entries[low].key == key;
}
