#include "step/soft_step/asked_contacts.h"

#include "step/contact_function.h"
#include "step/soft_step/soft_contacts.h"
#include "step/soft_step/soft_problem.h"
#include "world/activity.h"
#include "world/pair_order.h"

// --- which contacts ----------------------------------------------------------------------------

// Lists the contacts about which nobody was asked in this step. Null without memory.
static const mo_ordered_pair *list(mo_world *world, uint32_t *count) {
  const mo_pair_store *pairs = &world->pairs;
  uint32_t most = mo_pair_store_contact_count(pairs);
  mo_ordered_pair *out = MO_ARENA_TAKE_RAW(&world->step_arena, mo_ordered_pair, 2 * most + 1);
  *count = 0;
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; out && (c = mo_pair_store_next(pairs, &walk));) {
    if (!mo_step_has_asked(world, c->pair.contact)) {
      out[(*count)++] = mo_ordered_pair_of(world, &c->pair, c->pair.contact);
    }
  }
  return out ? mo_pair_order_sort(out, &out[most], *count) : NULL;
}

// --- one contact -------------------------------------------------------------------------------

// Takes over what is left of the points, in their order. Returns whether some are gone.
static bool keep_points(const mo_contact *asked, mo_substep_contact *contact) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < contact->point_count; i++) {
    if (kept < asked->point_count &&
        asked->points[kept].feature_id == contact->points[i].feature_id) {
      contact->points[kept] = contact->points[i];
      contact->separations[kept] = contact->separations[i];
      contact->normal_impulses[kept] = contact->normal_impulses[i];
      kept++;
    }
  }
  for (uint32_t i = kept; i < MO_MANIFOLD_POINTS; i++) {
    contact->points[i] = (mo_substep_point){0};
    contact->separations[i] = contact->normal_impulses[i] = 0.0f;
  }
  bool has_lost = kept < contact->point_count;
  contact->point_count = kept;
  return has_lost;
}

// Stores what the function left of a contact. What lost points is compared again.
static bool store(mo_world *world, const mo_contact *asked) {
  const mo_contact_record *record = &world->pairs.records.records[asked->contact];
  mo_substep_contact contact = *mo_pair_store_manifold(&world->pairs, record);
  bool is_part = record->flags & MO_CONTACT_PART;
  contact.friction = (float)asked->friction;
  contact.restitution = (float)asked->restitution;
  bool has_lost = keep_points(asked, &contact);
  if (has_lost && !is_part) {
    contact.pair.allowance = MO_NOT_COMPARED;
  }
  if (!mo_pair_store_reserve_notes(&world->pairs, 1)) {
    return false;
  }
  mo_pair_store_set_contact(&world->pairs, record->place - MO_PLACE_COLOURS, record->index,
                            &contact);
  return !(has_lost && is_part) || mo_soft_compare_whole(world, record, MO_NOT_COMPARED);
}

static bool accept(mo_world *world, const mo_contact *asked, bool *has_woken) {
  bool wakes;
  if (!store(world, asked) || !mo_world_wake_pair(world, asked->slot_a, asked->slot_b, &wakes) ||
      !mo_island_sets_reserve_notes(&world->islands, asked->slot_a, asked->slot_b)) {
    return false;
  }
  mo_world_link(world, asked->slot_a, asked->slot_b);
  *has_woken = *has_woken || wakes;
  return true;
}

static mo_result ask(mo_world *world, uint32_t contact, bool *has_woken) {
  const mo_contact_record *record = &world->pairs.records.records[contact];
  mo_contact asked =
      mo_substep_contact_to_rows(world, mo_pair_store_manifold(&world->pairs, record),
                                 &world->motions[record->slot_a], &world->motions[record->slot_b]);
  // The materials of the last step may be those of the function.
  asked.friction = record->friction;
  asked.restitution = record->restitution;
  asked.surface_velocity = mo_world_surface_velocity(world, record->slot_a, record->slot_b);
  mo_result result = mo_step_ask_contact_function(world, &asked);
  if (result != MO_OK) {
    return result;
  }
  bool has_memory = asked.point_count == 0 ? mo_soft_contact_leave(world, contact, MO_NOT_COMPARED)
                                           : accept(world, &asked, has_woken);
  return has_memory ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

mo_result mo_soft_contacts_ask(mo_world *world) {
  for (;;) {
    uint32_t count;
    const mo_ordered_pair *contacts = list(world, &count);
    bool has_woken = false;
    if (!contacts) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
      mo_result result = ask(world, contacts[i].value, &has_woken);
      if (result != MO_OK) {
        return result;
      }
    }
    // Contacts of bodies that woke come back into the colours.
    if (!has_woken) {
      return MO_OK;
    }
    if (!mo_world_sort_pairs_by_activity(world)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
}
