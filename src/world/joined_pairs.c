#include "memory/array.h"
#include "world/world.h"

static bool prevents_contacts(const mo_constraint *constraint) {
  return !constraint->collide_connected && !constraint->class->leaves_contacts &&
         constraint->slot_a != MO_WORLD_SLOT && constraint->slot_b != MO_WORLD_SLOT;
}

bool mo_world_update_joined_pairs(mo_world *world) {
  mo_joined_pairs *joined = &world->joined;
  const mo_id_pool *ids = &world->constraint_ids;
  if (!joined->is_stale) {
    return true;
  }
  uint32_t slots = world->ids.slot_count;
  if (!MO_RESERVE(joined, entries, ids->alive_count) || !MO_RESERVE(joined, firsts, slots + 1)) {
    return false;
  }
  joined->count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (ids->alive[slot] && prevents_contacts(constraint)) {
      joined->entries[joined->count++] = (mo_sort_entry){
          .key = mo_sort_key_of_both(constraint->slot_a, constraint->slot_b), .value = slot};
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
  joined->is_stale = false;
  return true;
}

bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b) {
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
