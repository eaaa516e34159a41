/// Takes a contact out of the solver; its pair is compared again.
#include "memory/array.h"
#include "step/soft_step/soft_contacts.h"
#include "world/activity.h"

bool mo_soft_compare_whole(mo_world *world, const mo_contact_record *part, double allowance) {
  mo_pair_store *pairs = &world->pairs;
  uint32_t whole = mo_contact_store_find_whole(&pairs->records, part);
  if (whole == MO_NO_CONTACT) {
    return true;
  }
  if (!mo_pair_store_reserve_notes(pairs, 1)) {
    return false;
  }
  uint32_t index = pairs->records.records[whole].index;
  mo_pair pair = pairs->near[index];
  pair.allowance = allowance;
  mo_pair_store_set_near(pairs, index, &pair);
  return true;
}

// Moves a contact from its colour to the pairs that are near.
static bool leave_colour(mo_world *world, const mo_contact_record *record, double allowance) {
  mo_pair_store *pairs = &world->pairs;
  if (!mo_pair_store_reserve_notes(pairs, 1) || !MO_RESERVE(pairs, near, pairs->near_count + 1)) {
    return false;
  }
  mo_pair pair =
      mo_pair_store_take_contact(pairs, record->place - MO_PLACE_COLOURS, record->index).pair;
  pair.allowance = allowance;
  mo_pair_store_add_near(pairs, &pair);
  return true;
}

bool mo_soft_contact_leave(mo_world *world, uint32_t contact, double allowance) {
  const mo_contact_record *record = &world->pairs.records.records[contact];
  bool is_part = record->flags & MO_CONTACT_PART;
  bool has_left = is_part ? mo_soft_compare_whole(world, record, allowance) &&
                                mo_world_drop_part(world, contact)
                          : leave_colour(world, record, allowance);
  if (!has_left || !mo_island_sets_reserve_notes(&world->islands, record->slot_a, record->slot_b)) {
    return false;
  }
  mo_island_sets_loosen(&world->islands, record->slot_a);
  mo_island_sets_loosen(&world->islands, record->slot_b);
  return true;
}
