#include "step/carriers.h"

bool mo_carrier_accelerates(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  return body->type == MO_BODY_KINEMATIC &&
         (mo_length_squared(motion->angular_velocity) > 0.0 ||
          !mo_v3_equal(motion->linear_velocity, body->last_linear_velocity) ||
          !mo_v3_equal(motion->angular_velocity, body->last_angular_velocity));
}

mo_velocity mo_carrier_smooth_change(const mo_world *world, uint32_t slot, double dt) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  mo_velocity change = {mo_sub(motion->linear_velocity, body->last_linear_velocity),
                        mo_sub(motion->angular_velocity, body->last_angular_velocity)};
  double speed = mo_length(change.linear) + body->bounding_radius * mo_length(change.angular);
  return speed <= mo_world_restitution_threshold(world, dt)
             ? change
             : (mo_velocity){mo_v3_zero(), mo_v3_zero()};
}

bool mo_carriers_note(mo_carriers *carriers, mo_world *world, uint32_t slot_a, uint32_t slot_b) {
  bool dynamic_a = mo_world_is_dynamic(world, slot_a);
  uint32_t carrier = dynamic_a ? slot_b : slot_a, carried = dynamic_a ? slot_a : slot_b;
  if (dynamic_a == mo_world_is_dynamic(world, slot_b) || !mo_carrier_accelerates(world, carrier)) {
    return true;
  }
  if (!carriers->of_islands) {
    carriers->of_islands = MO_ARENA_TAKE(&world->step_arena, uint32_t, world->ids.slot_count);
  }
  if (!carriers->of_islands) {
    return false;
  }
  uint32_t *of_island = &carriers->of_islands[world->islands.names[carried]];
  *of_island = *of_island ? *of_island : carrier + 1;
  return true;
}

static mo_vec3 turned(mo_vec3 spin, double dt, mo_vec3 arm) {
  return mo_quat_rotate(mo_quat_exp(mo_scale(dt, spin)), arm);
}

// The part, 0 to 1, of a displacement that is due to a body whose velocity made `made` times the
// change of its carrier's. Larger and opposite changes are due to other things.
static double due_part(double made) {
  if (made < 0.0) {
    return 1.0 / (1.0 - made);
  }
  return made > 1.0 ? 1.0 / made : 1.0;
}

// A body's place on its carrier.
typedef struct place {
  const mo_motion *carrier;
  mo_vec3 arm;          // m, from the carrier's centre of mass
  mo_velocity smooth;   // change of the carrier's velocities since the last step
  mo_vec3 spread;       // m/s: the change of the place's velocity by that
  mo_vec3 acceleration; // m/s: the change of the place's velocity
} place;

static place place_of(const mo_world *world, uint32_t carrier, mo_vec3 point, double dt) {
  place p = {.carrier = &world->motions[carrier],
             .smooth = mo_carrier_smooth_change(world, carrier, dt)};
  p.arm = mo_sub(point, p.carrier->center_of_mass);
  mo_vec3 spin = world->bodies[carrier].last_angular_velocity;
  mo_vec3 last_arm = turned(spin, -world->last_step.dt, p.arm);
  mo_vec3 round = mo_cross(spin, mo_sub(p.arm, last_arm));
  p.spread = mo_add(p.smooth.linear, mo_cross(p.smooth.angular, p.arm));
  p.acceleration = mo_add(round, p.spread);
  return p;
}

// From where the tangent leads to the place at the end of the step.
static mo_vec3 tangent_to_circle(const place *p, double dt) {
  mo_vec3 spin = p->carrier->angular_velocity;
  return mo_add_scaled(mo_sub(turned(spin, dt, p->arm), p->arm), -dt, mo_cross(spin, p->arm));
}

// The part of `missing` along a change of velocity that was spread over the substeps, at most a
// step of it. A change that is round-off leaves out nothing.
MO_APART mo_vec3 lag_along(mo_vec3 change, mo_vec3 missing, double dt) {
  double square = mo_length_squared(change);
  double time = square > 0.0 ? mo_dot(missing, change) / square : 0.0;
  return mo_scale(mo_clamp(time, 0.0, dt), change);
}

mo_velocity mo_carriers_lag(const mo_carriers *carriers, const mo_world *world, uint32_t slot,
                            mo_velocity velocity, mo_velocity moved, double dt) {
  mo_velocity lag = {mo_v3_zero(), mo_v3_zero()};
  uint32_t carrier = carriers->of_islands ? carriers->of_islands[world->islands.names[slot]] : 0;
  if (carrier == 0) {
    return lag;
  }
  const mo_motion *start = &world->motions[slot];
  place p = place_of(world, carrier - 1, start->center_of_mass, dt);
  double square = mo_length_squared(p.acceleration);
  if (square > 0.0) {
    mo_velocity missing = {mo_sub(mo_scale(dt, velocity.linear), moved.linear),
                           mo_sub(mo_scale(dt, velocity.angular), moved.angular)};
    double made = mo_dot(mo_sub(velocity.linear, start->linear_velocity), p.acceleration) / square;
    lag.linear = mo_add(mo_scale(mo_clamp(made, 0.0, 1.0), tangent_to_circle(&p, dt)),
                        mo_scale(due_part(made), lag_along(p.spread, missing.linear, dt)));
    lag.angular = mo_scale(due_part(made), lag_along(p.smooth.angular, missing.angular, dt));
  }
  return lag;
}
