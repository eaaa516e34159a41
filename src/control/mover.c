#include "control/mover.h"

#include "collision/convex/distance.h"
#include "collision/narrow/manifold.h"

// Rounds of leaving overlaps: each one leaves the deepest. Corners of three walls take three.
#define LEAVE_ROUNDS 8

double mo_mover_foot(const mo_mover *mover, const mo_shape *shape) {
  const mo_character *character = mover->character;
  mo_shape ground = {.core.kind = MO_CORE_NONE, .normal = mover->up};
  mo_transform pose =
      mo_transform_from_pose((mo_pose){character->position, character->orientation});
  mo_transform world = {mo_mat3_identity(), mo_v3_zero()};
  return mo_distance_to_plane(shape, pose, &ground, world).distance;
}

// Sine of the angle of a surface that is level. It is the round-off of normals of casts.
#define LEVEL 1e-9

// --- casts -----------------------------------------------------------------------------------

// Passes through what carries the character, beside what the program excludes.
static bool is_no_carrier(mo_body_id body, uint32_t shape, void *user) {
  const mo_mover *mover = user;
  const mo_query_filter *filter = &mover->def->filter;
  return !mo_body_id_equals(body, mover->carrier) &&
         (!filter->predicate || filter->predicate(body, shape, filter->user));
}

static mo_query_filter filter_of(mo_mover *mover) {
  mo_query_filter filter = mover->def->filter;
  if (!mo_body_id_is_null(mover->carrier)) {
    filter.predicate = is_no_carrier;
    filter.user = mover;
  }
  return filter;
}

static bool cast(mo_mover *mover, mo_vec3 direction, double distance, bool stops_at_overlap,
                 mo_query_hit *hit) {
  mo_shape_cast query = {
      .shape = mover->def->shape,
      .pose = {mover->character->position, mover->character->orientation},
      .direction = direction,
      .max_distance = distance,
      .stop_at_penetration = stops_at_overlap,
      .filter = filter_of(mover),
  };
  return mo_nearby_cast_shape(&mover->nearby, mover->margin, mover->world, &query, hit);
}

double mo_mover_advance(mo_mover *mover, mo_vec3 direction, double length, mo_query_hit *hit) {
  double offset = mover->def->offset, free = length;
  if (cast(mover, direction, length + offset / MO_GRAZING_SLOPE, false, hit)) {
    double slope = -mo_dot(hit->normal, direction);
    double stop = hit->distance - offset / mo_max(slope, MO_GRAZING_SLOPE);
    free = mo_clamp(stop, 0.0, length);
    if (stop >= length) {
      hit->body = MO_NULL_BODY_ID;
    }
  }
  mo_vec3 *position = &mover->character->position;
  *position = mo_add_scaled(*position, free, direction);
  return free;
}

void mo_mover_leave_overlaps(mo_mover *mover) {
  mo_query_hit hit;
  for (int round = 0; round < LEAVE_ROUNDS && cast(mover, mover->up, 0.0, true, &hit); round++) {
    mo_vec3 *position = &mover->character->position;
    *position = mo_add_scaled(*position, hit.penetration_depth + mover->def->offset, hit.normal);
    mo_mover_touch(mover, &hit);
  }
}

// --- the ground ------------------------------------------------------------------------------

mo_support mo_mover_support(mo_mover *mover, const mo_query_hit *hit) {
  mo_support support = {*hit, hit->normal, mo_mover_height(mover, hit->position)};
  mo_vec3 inwards = mo_neg(mo_mover_horizontal(mover, hit->normal));
  double steepness = mo_length(inwards);
  if (!(steepness > LEVEL)) {
    return support;
  }
  double offset = mover->def->offset;
  mo_ray ray = mo_ray_default();
  ray.origin = mo_add_scaled(hit->position, offset / steepness, inwards);
  ray.origin = mo_add_scaled(ray.origin, 2.0 * offset, mover->up);
  ray.direction = mo_normalize(mo_neg(mover->up));
  ray.max_distance = 4.0 * offset;
  ray.filter = filter_of(mover);
  mo_query_hit behind;
  if (mo_v3_is_finite(ray.origin) &&
      mo_nearby_cast_ray(&mover->nearby, mover->world, &ray, 0.0, &behind) &&
      behind.distance > 0.0) {
    support.normal = behind.normal;
    support.height = mo_mover_height(mover, behind.position);
  }
  return support;
}

bool mo_mover_look_down(mo_mover *mover, double reach, mo_support *support) {
  mo_query_hit hit;
  if (!cast(mover, mo_neg(mover->up), reach, false, &hit)) {
    return false;
  }
  *support = mo_mover_support(mover, &hit);
  return true;
}

// --- contacts --------------------------------------------------------------------------------

void mo_mover_touch(mo_mover *mover, const mo_query_hit *hit) {
  mo_character_contacts *contacts = mover->contacts;
  if (contacts && contacts->count < MO_CHARACTER_CONTACTS) {
    contacts->contacts[contacts->count++] = *hit;
  }
}

// The middle of the contact with a shape: a push at one end of it would turn the body.
static mo_vec3 middle_of_contact(const mo_mover *mover, const mo_query_hit *hit) {
  const mo_world *world = mover->world;
  uint32_t slot = mo_body_id_slot(hit->body);
  const mo_body *body = &world->bodies[slot];
  mo_transform placement = mo_body_visible_transform(body, hit->shape, &world->motions[slot]);
  mo_transform pose =
      mo_transform_from_pose((mo_pose){mover->character->position, mover->character->orientation});
  mo_manifold manifold;
  mo_collide_shapes(body->shapes[hit->shape].shape, placement, mover->def->shape, pose,
                    mover->def->offset / MO_GRAZING_SLOPE, mo_world_metre(world), &manifold);
  mo_vec3 middle = hit->position;
  for (int i = 0; i < manifold.point_count; i++) {
    middle = mo_lerp(middle, manifold.points[i].point_a, 1.0 / (i + 1));
  }
  return middle;
}

// The inverse of the mass that a body has for an impulse at a point along a direction, 1/kg.
static double inverse_mass_at(const mo_world *world, uint32_t slot, mo_vec3 point,
                              mo_vec3 direction) {
  const mo_mass *mass = &world->bodies[slot].mass;
  const mo_motion *motion = &world->motions[slot];
  mo_vec3 turn = mo_cross(mo_sub(point, motion->center_of_mass), direction);
  mo_vec3 local = mo_quat_rotate_inverse(motion->orientation, turn);
  return mass->inverse_mass + mo_dot(local, mo_mat3_mul(mass->inverse_inertia, local));
}

// The velocity that a point of a body will have by the forces that wait for the next step.
static mo_vec3 coming_velocity(const mo_world *world, uint32_t slot, mo_vec3 point, double dt) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  mo_mat3 inverse_inertia = mo_motion_world_tensor(motion, body->mass.inverse_inertia);
  mo_vec3 linear =
      mo_add_scaled(motion->linear_velocity, dt * body->mass.inverse_mass, body->force);
  mo_vec3 angular =
      mo_add_scaled(motion->angular_velocity, dt, mo_mat3_mul(inverse_inertia, body->torque));
  return mo_add(linear, mo_cross(angular, mo_sub(point, motion->center_of_mass)));
}

// By a force over the next step. An impulse at once would act in the first substep alone, where
// friction cannot hold a force that it holds over the step.
void mo_mover_push(mo_mover *mover, const mo_query_hit *hit, mo_vec3 velocity) {
  mo_world *world = mover->world;
  uint32_t slot = mo_body_id_slot(hit->body);
  double most = mover->def->push_force, dt = mover->dt;
  if (!mo_world_is_dynamic(world, slot) || !(most > 0.0) ||
      world->bodies[slot].mass.mass > mover->def->push_mass) {
    return;
  }
  mo_vec3 point = middle_of_contact(mover, hit), direction = mo_neg(hit->normal);
  double slower_by = mo_dot(direction, mo_sub(velocity, coming_velocity(world, slot, point, dt)));
  double force = mo_min(most, slower_by / (dt * inverse_mass_at(world, slot, point, direction)));
  if (force > 0.0) {
    mo_body_apply_force(world, hit->body, mo_scale(force, direction), &point);
  }
}
