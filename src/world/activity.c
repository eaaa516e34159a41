/// Which bodies are awake. Islands fall asleep and wake as a whole.
#include "world/activity.h"

#include "memory/array.h"
#include "world/checks.h"
#include "world/constraints.h"

bool mo_world_reserve_activity(mo_world *world, uint32_t slots) {
  mo_pair_store *pairs = &world->pairs;
  return MO_RESERVE(world, awake, slots) && MO_RESERVE(world, awake_places, slots) &&
         MO_RESERVE(world, still_times, slots) && MO_RESERVE(world, still_places, slots) &&
         MO_RESERVE(world, energy_tanks, slots) && MO_RESERVE(world, constraint_counts, slots) &&
         MO_RESERVE(world, displacements, slots) && MO_RESERVE(world, step_displacements, slots) &&
         MO_RESERVE(world, box_limits, slots) && MO_RESERVE(world, sleep_events, slots) &&
         MO_RESERVE(world, was_awake, slots) && MO_RESERVE(pairs, colour_masks, slots) &&
         MO_RESERVE(pairs, contact_counts, slots) &&
         mo_contact_store_reserve_bodies(&pairs->records, slots) &&
         mo_island_sets_reserve(&world->islands, slots);
}

// --- the list of awake bodies ----------------------------------------------------------------

static void set_not_still(mo_world *world, uint32_t slot) {
  MO_NOTE_ITEM(&world->journal, world->still_times, slot);
  world->still_times[slot] = 0.0f;
}

static void enter(mo_world *world, uint32_t slot) {
  if (mo_world_is_awake(world, slot)) {
    return;
  }
  MO_NOTE_ITEM(&world->journal, world->awake_places, slot);
  world->awake_places[slot] = world->awake_count;
  world->awake[world->awake_count++] = slot;
  world->awake_is_stale = true;
  set_not_still(world, slot);
  world->has_woken = true;
  mo_world_forget_joints(world);
  world->has_activity_changed = true;
}

bool mo_world_reserve_wake(mo_world *world, uint32_t slot) {
  const size_t per_body = MO_NOTE_BYTES(sizeof(uint32_t)) + 2 * MO_NOTE_BYTES(sizeof(float));
  return mo_journal_reserve(&world->journal, mo_island_sets_size(&world->islands, slot) * per_body);
}

void mo_world_leave_awake(mo_world *world, uint32_t slot) {
  if (mo_world_is_awake(world, slot)) {
    world->awake_count--;
    world->awake_places[slot] = MO_NOT_AWAKE;
    world->awake_is_stale = true;
    mo_world_forget_joints(world);
  }
}

void mo_world_list_awake(mo_world *world) {
  if (!world->awake_is_stale) {
    return;
  }
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (mo_world_is_awake(world, slot)) {
      world->awake_places[slot] = count;
      world->awake[count++] = slot;
    }
  }
  world->awake_is_stale = false;
}

void mo_world_link_constraints(mo_world *world) {
  const mo_id_pool *ids = &world->constraint_ids;
  for (uint32_t i = 0; i < ids->slot_count; i++) {
    if (ids->alive[i]) {
      mo_world_link_constraint(world, &world->constraints[i]);
    }
  }
}

// An angle is at most pi times the sine of its half.
double mo_world_displacement_between(const mo_body *body, const mo_motion *from,
                                     const mo_motion *to) {
  mo_quat turn = mo_quat_mul(to->orientation, mo_quat_conjugate(from->orientation));
  double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  return mo_distance_between(from->center_of_mass, to->center_of_mass) +
         (body->shape_count > 0 ? MO_PI * sine * body->bounding_radius : 0.0);
}

// --- bodies ----------------------------------------------------------------------------------

void mo_world_begin_activity(mo_world *world, uint32_t slot) {
  world->awake_places[slot] = MO_NOT_AWAKE;
  world->still_times[slot] = 0.0f;
  world->still_places[slot] = (mo_still_place){mo_v3_zero(), mo_quat_identity()};
  world->energy_tanks[slot] = 0.0f;
  world->constraint_counts[slot] = 0;
  world->displacements[slot] = 0.0;
  world->step_displacements[slot] = 0.0f;
  world->box_limits[slot] = 0.0;
  world->pairs.colour_masks[slot] = 0;
  world->pairs.contact_counts[slot] = 0;
  mo_contact_store_begin_body(&world->pairs.records, slot);
  mo_island_sets_add(&world->islands, slot);
  mo_world_wake_slot(world, slot);
  world->was_awake[slot] = true; // a new body does not count as woken
}

void mo_world_end_activity(mo_world *world, uint32_t slot) {
  mo_island_sets_remove(&world->islands, slot);
  mo_world_leave_awake(world, slot);
  world->was_awake[slot] = false;
}

static void wake_island(mo_world *world, uint32_t slot) {
  uint32_t member = slot;
  do {
    enter(world, member);
    set_not_still(world, member);
    member = world->islands.next[member];
  } while (member != slot);
}

void mo_world_wake_slot(mo_world *world, uint32_t slot) {
  mo_body_type type = world->bodies[slot].type;
  if (!world->bodies[slot].is_enabled) {
    return;
  }
  if (type == MO_BODY_KINEMATIC) {
    enter(world, slot);
  } else if (type == MO_BODY_DYNAMIC && mo_world_is_awake(world, slot)) {
    set_not_still(world, slot); // its island is awake, and stays awake as long as this body
  } else if (type == MO_BODY_DYNAMIC) {
    wake_island(world, slot);
  }
}

// Wakes what touches or holds a body, and takes it out of its contacts and its island.
static void take_out(mo_world *world, uint32_t slot) {
  mo_world_wake_slot(world, slot);
  mo_world_wake_touching(world, slot);
  mo_world_wake_joined(world, slot);
  mo_world_drop_pairs_of(world, slot);
  mo_island_sets_remove(&world->islands, slot);
}

void mo_world_change_enabled(mo_world *world, uint32_t slot, bool is_enabled) {
  take_out(world, slot);
  mo_world_count_acting_of(world, slot, -1);
  world->bodies[slot].is_enabled = is_enabled;
  mo_world_count_acting_of(world, slot, 1);
  mo_world_touch_proxies(world, slot);
  mo_world_forget_joints(world);
  if (!is_enabled) {
    mo_world_leave_awake(world, slot);
  }
  mo_world_link_constraints(world);
  mo_world_silence_constraints(world, slot);
  mo_world_wake_slot(world, slot);
  world->joined.is_stale = true;
}

bool mo_world_change_type(mo_world *world, uint32_t slot, mo_body_type type) {
  if (!mo_world_set_proxy_kinds(world, slot, type)) {
    return false;
  }
  take_out(world, slot);
  world->bodies[slot].type = type;
  world->bodies[slot].last_linear_velocity = world->motions[slot].linear_velocity;
  world->bodies[slot].last_angular_velocity = world->motions[slot].angular_velocity;
  mo_world_forget_joints(world);
  if (type == MO_BODY_STATIC) {
    mo_world_leave_awake(world, slot);
  } else {
    mo_world_wake_slot(world, slot);
  }
  mo_world_link_constraints(world);
  mo_world_silence_constraints(world, slot);
  world->joined.is_stale = true;
  if (type == MO_BODY_DYNAMIC && world->bodies[slot].is_enabled) {
    wake_island(world, slot); // it wakes what is joined to it too
  }
  return true;
}

void mo_world_wake_all(mo_world *world) {
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      mo_world_wake_slot(world, slot);
    }
  }
}

bool mo_world_wake_pair(mo_world *world, uint32_t slot_a, uint32_t slot_b, bool *has_woken) {
  const uint32_t slots[2] = {slot_a, slot_b};
  *has_woken = false;
  for (int i = 0; i < 2; i++) {
    if (!mo_world_is_dynamic(world, slots[i]) || mo_world_is_awake(world, slots[i])) {
      continue;
    }
    if (!mo_world_reserve_wake(world, slots[i])) {
      return false;
    }
    mo_world_wake_slot(world, slots[i]);
    *has_woken = true;
  }
  return true;
}

void mo_world_wake_touching(mo_world *world, uint32_t slot) {
  const mo_contact_store *store = &world->pairs.records;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
    uint32_t other = mo_contact_other_slot(store, edge);
    // An awake body of soft-step continues to count how long it has been still.
    bool wakes = mo_pair_place_has_manifold(record->place) && !mo_world_is_awake(world, other);
    if (wakes || record->manifold_count > 0) {
      mo_world_wake_slot(world, other);
    }
  }
}

mo_result mo_body_wake(mo_world *world, mo_body_id id) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, "mo_body_wake"));
  mo_world_wake_slot(world, mo_body_id_slot(id));
  return MO_OK;
}

// --- pairs -----------------------------------------------------------------------------------

static bool stow_contacts(mo_world *world) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    mo_substep_colour *colour = &pairs->colours[c];
    for (uint32_t i = colour->contacts_count; i-- > 0;) {
      if (mo_world_is_active_pair(world, &colour->contacts[i].pair)) {
        continue;
      }
      if (!MO_RESERVE(pairs, asleep_contacts, pairs->asleep_contacts_count + 1) ||
          !mo_pair_store_reserve_notes(pairs, 1)) {
        return false;
      }
      mo_substep_contact contact = mo_pair_store_take_contact(pairs, c, i);
      mo_pair_store_add_asleep_contact(pairs, &contact);
    }
  }
  return true;
}

static bool stow_near(mo_world *world) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = pairs->near_count; i-- > 0;) {
    if (mo_world_is_active_pair(world, &pairs->near[i])) {
      continue;
    }
    if (!MO_RESERVE(pairs, asleep, pairs->asleep_count + 1) ||
        !mo_pair_store_reserve_notes(pairs, 1)) {
      return false;
    }
    mo_pair pair = mo_pair_store_take_near(pairs, i);
    mo_pair_store_add_asleep(pairs, &pair);
  }
  return true;
}

static bool bring_back_contacts(mo_world *world) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = pairs->asleep_contacts_count; i-- > 0;) {
    const mo_substep_contact *contact = &pairs->asleep_contacts[i];
    bool moves_a = mo_world_is_dynamic(world, contact->pair.slot_a);
    bool moves_b = mo_world_is_dynamic(world, contact->pair.slot_b);
    if (!mo_world_is_active_pair(world, &contact->pair)) {
      continue;
    }
    if (!mo_pair_store_reserve_contact(pairs, &contact->pair, moves_a, moves_b)) {
      return false;
    }
    mo_substep_contact woken = mo_pair_store_take_asleep_contact(pairs, i);
    mo_pair_store_add_contact(pairs, &woken, moves_a, moves_b);
  }
  return true;
}

static bool bring_back_near(mo_world *world) {
  mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = pairs->asleep_count; i-- > 0;) {
    if (!mo_world_is_active_pair(world, &pairs->asleep[i])) {
      continue;
    }
    if (!MO_RESERVE(pairs, near, pairs->near_count + 1) || !mo_pair_store_reserve_notes(pairs, 1)) {
      return false;
    }
    mo_pair pair = mo_pair_store_take_asleep(pairs, i);
    mo_pair_store_add_near(pairs, &pair);
  }
  return true;
}

bool mo_world_sort_pairs_by_activity(mo_world *world) {
  if (world->has_fallen_asleep && !(stow_contacts(world) && stow_near(world))) {
    return false;
  }
  world->has_fallen_asleep = false;
  if (world->has_woken && !(bring_back_contacts(world) && bring_back_near(world))) {
    return false;
  }
  world->has_woken = false;
  return true;
}
