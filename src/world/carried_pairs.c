/// Kinematic bodies and what hangs from them by joints.
///
/// A kinematic body is in no island, so what it carries does not wake with it, and could fall
/// asleep on the way. A step goes over these pairs alone: there are none without kinematic bodies
/// in joints.
#include "memory/array.h"
#include "world/world.h"

static bool list_of(mo_world *world, const mo_constraint *constraint) {
  mo_joined_pairs *joined = &world->joined;
  uint32_t all[MO_ROW_SIDES], count = mo_constraint_slots(constraint, all);
  uint32_t dynamic[MO_ROW_SIDES], moved = mo_world_dynamic_slots(world, constraint, dynamic);
  for (uint32_t i = 0; i < count; i++) {
    if (world->bodies[all[i]].type != MO_BODY_KINEMATIC) {
      continue;
    }
    if (!MO_RESERVE(joined, carried, joined->carried_count + moved)) {
      return false;
    }
    for (uint32_t k = 0; k < moved; k++) {
      joined->carried[joined->carried_count++] = (mo_carried_pair){all[i], dynamic[k]};
    }
  }
  return true;
}

bool mo_world_list_carried_pairs(mo_world *world) {
  const mo_id_pool *ids = &world->constraint_ids;
  world->joined.carried_count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    if (ids->alive[slot] && !list_of(world, &world->constraints[slot])) {
      return false;
    }
  }
  return true;
}

bool mo_world_carrier_moves(const mo_world *world, const mo_carried_pair *pair) {
  const mo_motion *m = &world->motions[pair->carrier];
  return mo_world_is_awake(world, pair->carrier) && (mo_length_squared(m->linear_velocity) > 0.0 ||
                                                     mo_length_squared(m->angular_velocity) > 0.0);
}

bool mo_world_wake_carried(mo_world *world) {
  for (uint32_t i = 0; i < world->joined.carried_count; i++) {
    const mo_carried_pair *pair = &world->joined.carried[i];
    if (mo_world_is_awake(world, pair->carried) || !mo_world_carrier_moves(world, pair)) {
      continue;
    }
    if (!mo_world_reserve_wake(world, pair->carried)) {
      return false;
    }
    mo_world_wake_slot(world, pair->carried);
  }
  return true;
}
