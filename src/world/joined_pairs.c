#include "memory/array.h"
#include "world/world.h"

static bool parts(const mo_constraint *constraint) {
  return !constraint->collide_connected && constraint->type != MO_CONSTRAINT_CUSTOM &&
         constraint->slot_a != MO_WORLD_SLOT && constraint->slot_b != MO_WORLD_SLOT;
}

bool mo_world_update_joined_pairs(mo_world *world) {
  mo_joined_pairs *joined = &world->joined;
  const mo_id_pool *ids = &world->constraint_ids;
  if (!joined->is_stale) {
    return true;
  }
  if (!MO_RESERVE(joined, entries, ids->alive_count)) {
    return false;
  }
  joined->count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (ids->alive[slot] && parts(constraint)) {
      joined->entries[joined->count++] = (mo_sort_entry){
          .key = mo_sort_key_of_both(constraint->slot_a, constraint->slot_b), .value = slot};
    }
  }
  mo_sort(joined->entries, joined->count);
  joined->is_stale = false;
  return true;
}

bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b) {
  uint64_t key = mo_sort_key_of_both(slot_a, slot_b);
  uint32_t low = 0, high = pairs->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pairs->entries[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < pairs->count && pairs->entries[low].key == key;
}
