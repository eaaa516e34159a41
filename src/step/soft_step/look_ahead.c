#include "step/soft_step/look_ahead.h"

// Slops that the bodies of a contact that rolls may move before it is compared again: in every
// step, as the lead supposes. What is kept for some steps is older than that by up to this way.
#define ROLLING_TOLERANCE 0.01
// Fraction of its radius that a body in joints may move until then: these do not let it go on as it
// would alone.
#define MOST_MOTION 0.25
// Slops that a gap may close or open until then: what closes by more lands.
#define MOST_CLOSING 0.5

// m; of what does not move no bound.
static double radius_of(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  return body->type == MO_BODY_DYNAMIC ? body->bounding_radius : INFINITY;
}

static double least_radius(const mo_world *world, const mo_pair *pair) {
  return mo_min(radius_of(world, pair->slot_a), radius_of(world, pair->slot_b));
}

double mo_soft_contact_allowance(const mo_world *world, const mo_contact_reach *reach,
                                 const mo_pair *pair, bool rolls) {
  double most = rolls ? ROLLING_TOLERANCE * reach->slop : 2.0 * reach->near;
  return mo_min(most, MO_MOST_TURN * least_radius(world, pair));
}

// m/s, by which the displacement of a body grows (mo_world_displacement_between).
static double speed_of(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  return body->type == MO_BODY_STATIC
             ? 0.0
             : mo_length(motion->linear_velocity) +
                   0.5 * MO_PI * body->bounding_radius * mo_length(motion->angular_velocity);
}

static bool moves_far(const mo_world *world, const mo_pair *pair, double time) {
  double speed = speed_of(world, pair->slot_a) + speed_of(world, pair->slot_b);
  return time * speed > MOST_MOTION * least_radius(world, pair);
}

double mo_soft_contact_lead(const mo_world *world, const mo_contact_reach *reach,
                            const mo_pair *pair) {
  double time = 0.5 * (reach->dt - reach->substep);
  bool is_held =
      mo_world_is_in_joints(world, pair->slot_a) || mo_world_is_in_joints(world, pair->slot_b);
  return is_held && moves_far(world, pair, time) ? 0.0 : time;
}

static mo_vec3 velocity_at(const mo_motion *motion, mo_vec3 point) {
  mo_vec3 arm = mo_sub(point, motion->center_of_mass);
  return mo_add(motion->linear_velocity, mo_cross(motion->angular_velocity, arm));
}

bool mo_soft_contact_lands(const mo_world *world, const mo_contact_reach *reach,
                           const mo_pair *pair, double time, const mo_manifold *manifold) {
  const mo_motion *a = &world->motions[pair->slot_a], *b = &world->motions[pair->slot_b];
  for (int i = 0; i < manifold->point_count; i++) {
    const mo_manifold_point *point = &manifold->points[i];
    mo_vec3 opens = mo_sub(velocity_at(b, point->point_b), velocity_at(a, point->point_a));
    if (fabs(mo_dot(manifold->normal, opens)) * time > MOST_CLOSING * reach->slop) {
      return true;
    }
  }
  return false;
}

// After a turn that is small: to second order.
static mo_quat turned(mo_quat q, mo_vec3 turn) {
  mo_vec3 half = mo_scale(0.5, turn);
  mo_quat change = mo_quat_mul((mo_quat){half.x, half.y, half.z, 0.0}, q);
  return mo_quat_normalize(
      (mo_quat){q.x + change.x, q.y + change.y, q.z + change.z, q.w + change.w});
}

void mo_soft_move_ahead(const mo_body *body, double time, mo_motion *motion) {
  if (body->type == MO_BODY_STATIC) {
    return;
  }
  mo_vec3 way = mo_scale(time, motion->linear_velocity);
  motion->center_of_mass = mo_add(motion->center_of_mass, way);
  motion->orientation = turned(motion->orientation, mo_scale(time, motion->angular_velocity));
  mo_motion_update_origin(motion, body->mass.center_of_mass);
}
