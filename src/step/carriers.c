#include "step/carriers.h"

#include "step/rolling.h"

bool mo_carrier_accelerates(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  return body->type == MO_BODY_KINEMATIC &&
         (mo_length_squared(motion->angular_velocity) > 0.0 ||
          !mo_v3_equal(motion->linear_velocity, body->last_linear_velocity) ||
          !mo_v3_equal(motion->angular_velocity, body->last_angular_velocity));
}

mo_velocity mo_carrier_gain(const mo_world *world, uint32_t slot, double dt, uint32_t n) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  mo_vec3 linear = mo_sub(motion->linear_velocity, body->last_linear_velocity),
          angular = mo_sub(motion->angular_velocity, body->last_angular_velocity);
  double speed = mo_length(linear) + body->bounding_radius * mo_length(angular);
  double part = speed <= mo_world_restitution_threshold(world, dt) ? 2.0 / (n + 1.0) : 0.0;
  return (mo_velocity){mo_scale(part, linear), mo_scale(part, angular)};
}

mo_velocity mo_carrier_end(const mo_world *world, uint32_t slot, double dt) {
  const mo_motion *motion = &world->motions[slot];
  uint32_t n = mo_world_substeps(world, dt);
  mo_velocity gain = mo_carrier_gain(world, slot, dt, n);
  double later = 0.5 * (n - 1.0); // gains after the mean
  return (mo_velocity){mo_add_scaled(motion->linear_velocity, later, gain.linear),
                       mo_add_scaled(motion->angular_velocity, later, gain.angular)};
}

static bool turns(const mo_world *world, uint32_t carrier) {
  return mo_length_squared(world->motions[carrier].angular_velocity) > 0.0 ||
         mo_length_squared(world->bodies[carrier].last_angular_velocity) > 0.0;
}

bool mo_carriers_note(mo_carriers *carriers, mo_world *world, uint32_t slot_a, uint32_t slot_b) {
  bool dynamic_a = mo_world_is_dynamic(world, slot_a);
  uint32_t carrier = dynamic_a ? slot_b : slot_a, carried = dynamic_a ? slot_a : slot_b;
  if (dynamic_a == mo_world_is_dynamic(world, slot_b) || !mo_carrier_accelerates(world, carrier)) {
    return true;
  }
  if (!carriers->of_islands) {
    carriers->of_islands = MO_ARENA_TAKE(&world->step_arena, uint8_t, world->ids.slot_count);
  }
  if (!carriers->of_islands) {
    return false;
  }
  uint8_t *how = &carriers->of_islands[world->islands.names[carried]];
  *how = *how == MO_CARRIED_ROUND || turns(world, carrier) ? MO_CARRIED_ROUND : MO_CARRIED;
  return true;
}

static const mo_shape *shape_of(const mo_world *world, uint32_t slot, uint32_t shape) {
  return world->bodies[slot].shapes[shape].shape;
}

bool mo_carriers_bend(const mo_carriers *carriers, const mo_world *world,
                      const mo_carried_contact *contact) {
  uint32_t a = contact->slot_a, b = contact->slot_b, moving = mo_world_is_dynamic(world, a) ? a : b;
  return carriers->of_islands &&
         carriers->of_islands[world->islands.names[moving]] == MO_CARRIED_ROUND &&
         !mo_shapes_roll(shape_of(world, a, contact->shape_a), shape_of(world, b, contact->shape_b),
                         contact->point_count);
}

mo_vec3 mo_bend_of(mo_vec3 turn, mo_vec3 arm) {
  mo_vec3 way = mo_sub(mo_quat_rotate(mo_quat_exp(turn), arm), arm);
  return mo_sub(way, mo_cross(turn, arm));
}
