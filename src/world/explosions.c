/// Explosions: impulses on the bodies near a point.
#include "dynamics/locks.h"
#include "geometry/shape.h"
#include "world/checks.h"

mo_explosion mo_explosion_default(void) {
  return (mo_explosion){
      .filter = {.category = 0xFFFFFFFFu, .mask = 0xFFFFFFFFu, .exclude = MO_NULL_BODY_ID}};
}

// What an explosion does to a body.
typedef struct blast {
  mo_vec3 impulse, angular_impulse;
} blast;

// Whether a body is dynamic and so near that the explosion may reach it.
static bool may_reach(const mo_world *world, const mo_explosion *explosion, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  bool is_excluded = mo_body_id_slot(explosion->filter.exclude) == slot; // null: of no slot
  if (!world->ids.alive[slot] || body->type != MO_BODY_DYNAMIC || is_excluded) {
    return false;
  }
  mo_vec3 apart = mo_sub(world->motions[slot].center_of_mass, explosion->position);
  return mo_length(apart) <= explosion->radius + explosion->falloff + body->bounding_radius;
}

static bool meets(const mo_explosion *explosion, mo_filter filter) {
  return (filter.category & explosion->filter.mask) != 0 &&
         (explosion->filter.category & filter.mask) != 0;
}

static bool is_solid(const mo_body *body) {
  for (uint32_t i = 0; i < body->shape_count; i++) {
    if (!body->shapes[i].sensor) {
      return true;
    }
  }
  return false;
}

// The point nearest to the position of the shapes that the explosion pushes: those that are solid
// and that the filter meets. Returns its distance: 0 inside, infinite if there is no such shape.
static double nearest_point(const mo_body *body, const mo_motion *motion,
                            const mo_explosion *explosion, mo_vec3 *nearest) {
  const mo_shape point = {.class = &mo_sphere_class, .core = mo_convex_point(0.0)};
  const mo_pose pose = {explosion->position, mo_quat_identity()};
  double least = INFINITY;
  for (uint32_t i = 0; i < body->shape_count; i++) {
    if (body->shapes[i].sensor || !meets(explosion, mo_body_filter(body, i))) {
      continue;
    }
    mo_distance_result found =
        mo_distance(&point, pose, body->shapes[i].shape, mo_body_shape_pose(body, i, motion));
    if (found.distance < least) {
      least = found.distance;
      *nearest = found.point_b;
    }
  }
  return least;
}

// A body without solid shapes is its centre of mass, with the filter of the body.
static double nearest_place(const mo_body *body, const mo_motion *motion,
                            const mo_explosion *explosion, mo_vec3 *nearest) {
  *nearest = motion->center_of_mass;
  if (is_solid(body)) {
    return nearest_point(body, motion, explosion, nearest);
  }
  return meets(explosion, body->filter) ? mo_distance_between(*nearest, explosion->position)
                                        : INFINITY;
}

// The part of the impulse that is left at a distance.
static double strength(const mo_explosion *explosion, double distance) {
  double beyond = distance - explosion->radius;
  if (!(beyond > 0.0)) {
    return 1.0;
  }
  return beyond < explosion->falloff ? 1.0 - beyond / explosion->falloff : 0.0;
}

static blast blast_of(const mo_body *body, const mo_motion *motion, const mo_explosion *explosion) {
  mo_vec3 at;
  double distance = nearest_place(body, motion, explosion, &at);
  if (!(distance > 0.0)) {
    at = motion->center_of_mass;
  }
  mo_vec3 away = mo_normalize(mo_sub(at, explosion->position));
  mo_vec3 impulse = mo_scale(explosion->impulse * strength(explosion, distance), away);
  return (blast){impulse, mo_cross(mo_sub(at, motion->center_of_mass), impulse)};
}

static mo_velocity velocity_after(const mo_body *body, const mo_motion *motion, const blast *b) {
  mo_mat3 inverse_inertia = mo_motion_world_tensor(motion, body->mass.inverse_inertia);
  mo_vec3 push = mo_lock_translation(body, b->impulse);
  return (mo_velocity){
      mo_add_scaled(motion->linear_velocity, body->mass.inverse_mass, push),
      mo_add(motion->angular_velocity, mo_mat3_mul(inverse_inertia, b->angular_impulse))};
}

// Pushes the bodies, or only checks whether that is possible.
static bool push_all(mo_world *world, const mo_explosion *explosion, bool only_checks) {
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (!may_reach(world, explosion, slot)) {
      continue;
    }
    mo_motion *motion = &world->motions[slot];
    blast b = blast_of(&world->bodies[slot], motion, explosion);
    mo_velocity after = velocity_after(&world->bodies[slot], motion, &b);
    if (!mo_v3_is_finite(after.linear) || !mo_v3_is_finite(after.angular)) {
      return false;
    }
    if (only_checks || mo_v3_equal(b.impulse, mo_v3_zero())) {
      continue;
    }
    mo_world_wake_slot(world, slot);
    motion->linear_velocity = after.linear;
    motion->angular_velocity = after.angular;
    mo_world_forget_path(world, slot);
    mo_world_publish_slot(world, slot);
  }
  return true;
}

static mo_result check_explosion(mo_world *world, const char *function,
                                 const mo_explosion *explosion) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", explosion->position));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "radius", explosion->radius, 0.0, INFINITY,
                                      "must be finite, 0 or more"));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "falloff", explosion->falloff, 0.0, INFINITY,
                                      "must be finite, 0 or more"));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "impulse", explosion->impulse, -INFINITY,
                                      INFINITY, "must be finite"));
  return mo_body_id_is_null(explosion->filter.exclude)
             ? MO_OK
             : mo_check_body_id(world, function, "exclude", explosion->filter.exclude);
}

mo_result mo_world_explode(mo_world *world, const mo_explosion *explosion) {
  static const char *const function = "mo_world_explode";
  MO_RETURN_IF_REFUSED(check_explosion(world, function, explosion));
  if (!push_all(world, explosion, true)) {
    return mo_world_refuse_text(world, MO_ERROR_NOT_FINITE, function,
                                "a velocity overflows; nothing was changed");
  }
  push_all(world, explosion, false);
  return MO_OK;
}
