#include "world/joined_pairs.h"

static uint64_t key_of(uint32_t slot_a, uint32_t slot_b) {
  return slot_a < slot_b ? mo_sort_key(slot_a, slot_b) : mo_sort_key(slot_b, slot_a);
}

static bool parts(const mo_constraint *constraint) {
  return !constraint->collide_connected && constraint->type != MO_CONSTRAINT_CUSTOM &&
         constraint->slot_a != MO_WORLD_SLOT && constraint->slot_b != MO_WORLD_SLOT;
}

bool mo_joined_pairs_find(const mo_world *world, mo_arena *arena, mo_joined_pairs *out) {
  const mo_id_pool *ids = &world->constraint_ids;
  *out = (mo_joined_pairs){.entries = MO_ARENA_TAKE_RAW(arena, mo_sort_entry, ids->alive_count)};
  for (uint32_t slot = 0; out->entries && slot < ids->slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (ids->alive[slot] && parts(constraint)) {
      out->entries[out->count++] =
          (mo_sort_entry){.key = key_of(constraint->slot_a, constraint->slot_b), .value = slot};
    }
  }
  mo_sort(out->entries, out->count);
  return out->entries != NULL;
}

bool mo_joined_pairs_have(const mo_joined_pairs *pairs, uint32_t slot_a, uint32_t slot_b) {
  uint64_t key = key_of(slot_a, slot_b);
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
