/// Bodies in the broad phase.
#include "geometry/shape_hull.h"
#include "world/world.h"

// m per m of bounding radius: how far the boxes of a body reach beyond what the step needs, so that
// a small body has few neighbours.
#define FAT_PER_RADIUS 0.25
// m: the same for large bodies, for which more would not save time.
#define LARGEST_FAT 0.05

static mo_tree_kind kind_of(mo_body_type type) {
  switch (type) {
  case MO_BODY_STATIC:
    return MO_TREE_STATIC;
  case MO_BODY_KINEMATIC:
    return MO_TREE_KINEMATIC;
  case MO_BODY_DYNAMIC:
    break;
  }
  return MO_TREE_DYNAMIC;
}

mo_tree_kind mo_world_proxy_kind(const mo_body *body, uint32_t shape, mo_body_type type) {
  return body->shapes[shape].sensor ? MO_TREE_SENSOR : kind_of(type);
}

static double fat_of(const mo_world *world, const mo_body *body) {
  if (body->type == MO_BODY_STATIC) {
    return 0.0;
  }
  return mo_min(FAT_PER_RADIUS * body->bounding_radius, LARGEST_FAT * mo_world_metre(world));
}

MO_APART mo_bounds any_bounds_at(const mo_body *body, uint32_t shape, const mo_motion *motion) {
  mo_transform placement = mo_body_visible_transform(body, shape, motion);
  return mo_shape_bounds(body->shapes[shape].shape, &placement);
}

// The same of a box at the origin of its body: the bits of mo_shape_bounds, without a call and a
// matrix in memory.
static inline mo_bounds box_bounds_at(const mo_shape *box, const mo_motion *motion) {
  mo_vec3 half = box->hull->upper;
  mo_mat3 r = mo_quat_to_mat3(motion->orientation);
  mo_vec3 reach =
      mo_add(mo_add(mo_scale(half.x, mo_v3_abs(r.cx)), mo_scale(half.y, mo_v3_abs(r.cy))),
             mo_scale(half.z, mo_v3_abs(r.cz)));
  return mo_bounds_expand(
      (mo_bounds){mo_sub(motion->position, reach), mo_add(motion->position, reach)}, 0.0);
}

// Most bodies are a box or a ball.
static inline mo_bounds bounds_at(const mo_body *body, uint32_t shape, const mo_motion *motion) {
  const mo_shape *of = body->shapes[shape].shape;
  if (body->shapes_are_at_origin && of->class == &mo_box_class) {
    return box_bounds_at(of, motion);
  }
  if (body->shapes_are_at_origin && of->class == &mo_sphere_class) {
    return mo_bounds_expand((mo_bounds){motion->position, motion->position}, of->core.radius);
  }
  return any_bounds_at(body, shape, motion);
}

mo_bounds mo_world_body_bounds(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *motion = &world->motions[slot];
  if (body->shape_count == 0) {
    return (mo_bounds){motion->position, motion->position};
  }
  mo_bounds all = bounds_at(body, 0, motion);
  for (uint32_t i = 1; i < body->shape_count; i++) {
    mo_bounds next = bounds_at(body, i, motion);
    all = (mo_bounds){mo_v3_min(all.lower, next.lower), mo_v3_max(all.upper, next.upper)};
  }
  return all;
}

bool mo_world_reserve_proxies(mo_world *world, mo_body_type type, const mo_placed_shape *shapes,
                              uint32_t count) {
  uint32_t sensors = 0;
  for (uint32_t i = 0; i < count; i++) {
    sensors += shapes[i].sensor;
  }
  return mo_broad_phase_reserve(&world->broad_phase, kind_of(type), count) &&
         (sensors == 0 || mo_broad_phase_reserve(&world->broad_phase, MO_TREE_SENSOR, count));
}

void mo_world_add_proxy(mo_world *world, uint32_t slot, uint32_t shape) {
  mo_body *body = &world->bodies[slot];
  body->proxies[shape] =
      mo_broad_phase_add(&world->broad_phase, mo_world_proxy_kind(body, shape, body->type),
                         bounds_at(body, shape, &world->motions[slot]), fat_of(world, body), slot,
                         shape, mo_body_filter(body, shape));
}

void mo_world_add_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_world_add_proxy(world, slot, i);
  }
}

void mo_world_remove_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_broad_phase_remove(&world->broad_phase, body->proxies[i]);
  }
}

void mo_world_touch_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    world->broad_phase.proxies[body->proxies[i]].filter = mo_body_filter(body, i);
    mo_broad_phase_touch(&world->broad_phase, body->proxies[i]);
  }
}

void mo_world_move_proxies(mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_broad_phase_move(&world->broad_phase, body->proxies[i],
                        bounds_at(body, i, &world->motions[slot]), fat_of(world, body));
  }
  world->box_limits[slot] = 0.0;
}

bool mo_world_set_proxy_kinds(mo_world *world, uint32_t slot, mo_body_type type) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    if (!mo_broad_phase_set_kind(&world->broad_phase, body->proxies[i],
                                 mo_world_proxy_kind(body, i, type))) {
      while (i-- > 0) { // undo for the kinds that had room
        mo_broad_phase_set_kind(&world->broad_phase, body->proxies[i],
                                mo_world_proxy_kind(body, i, body->type));
      }
      return false;
    }
  }
  return true;
}

// The smallest distance from a side of a box to that of the box around it.
static float clearance(const mo_aabb *outer, const mo_aabb *inner) {
  mo_f32x4 below = mo_f32x4_load(inner->lower) - mo_f32x4_load(outer->lower);
  mo_f32x4 above = mo_f32x4_load(outer->upper) - mo_f32x4_load(inner->upper);
  mo_f32x4 sides = mo_f32x4_min(above, mo_f32x4_min(below, mo_f32x4_splat(INFINITY)));
  float least = sides[0];
  least = sides[1] < least ? sides[1] : least;
  return sides[2] < least ? sides[2] : least;
}

// Bounds as vectors. A processor waits for a vector that it reads from memory right after its
// numbers were written there.
typedef struct bound_pairs {
  mo_f64x2 lower_xy, lower_z, upper_xy, upper_z;
} bound_pairs;

static inline bound_pairs pairs_of(mo_bounds bounds) {
  mo_vec3 l = bounds.lower, u = bounds.upper;
  return (bound_pairs){{l.x, l.y}, {l.z, 0.0}, {u.x, u.y}, {u.z, 0.0}};
}

// The same of a box at the origin of its body: box_bounds_at, operation by operation.
static inline bound_pairs box_pairs_at(const mo_shape *box, const mo_motion *motion) {
  mo_vec3 half = box->hull->upper, at = motion->position;
  mo_mat3 r = mo_quat_to_mat3(motion->orientation);
  mo_f64x2 x = mo_f64x2_abs((mo_f64x2){r.cx.x, r.cx.y}),
           y = mo_f64x2_abs((mo_f64x2){r.cy.x, r.cy.y}),
           z = mo_f64x2_abs((mo_f64x2){r.cz.x, r.cz.y});
  mo_f64x2 reach_xy =
      mo_f64x2_splat(half.x) * x + mo_f64x2_splat(half.y) * y + mo_f64x2_splat(half.z) * z;
  mo_f64x2 reach_z = {half.x * fabs(r.cx.z) + half.y * fabs(r.cy.z) + half.z * fabs(r.cz.z), 0.0};
  mo_f64x2 at_xy = {at.x, at.y}, at_z = {at.z, 0.0};
  return (bound_pairs){at_xy - reach_xy, at_z - reach_z, at_xy + reach_xy, at_z + reach_z};
}

static inline bound_pairs bound_pairs_at(const mo_body *body, uint32_t shape,
                                         const mo_motion *motion) {
  const mo_shape *of = body->shapes[shape].shape;
  return body->shapes_are_at_origin && of->class == &mo_box_class
             ? box_pairs_at(of, motion)
             : pairs_of(bounds_at(body, shape, motion));
}

// The box around bounds that reach outwards and then move along a path, m. In vectors, which take
// fewer instructions than the minima one by one.
static inline mo_aabb box_along(bound_pairs of, double reach, mo_vec3 ahead) {
  mo_f64x2 xy = {ahead.x, ahead.y}, z = {ahead.z, 0.0}, none = mo_f64x2_splat(0.0);
  mo_f64x2 to_xy = mo_f64x2_splat(reach), to_z = {reach, 0.0};
  mo_f64x2 lower_xy = of.lower_xy - to_xy - mo_f64x2_max(-xy, none);
  mo_f64x2 lower_z = of.lower_z - to_z - mo_f64x2_max(-z, none);
  mo_f64x2 upper_xy = of.upper_xy + to_xy + mo_f64x2_max(xy, none);
  mo_f64x2 upper_z = of.upper_z + to_z + mo_f64x2_max(z, none);
  mo_aabb box;
  mo_f32x4_store(box.lower, mo_f64x2_round_down(lower_xy, lower_z));
  mo_f32x4_store(box.upper, -mo_f64x2_round_down(-upper_xy, -upper_z));
  return box;
}

double mo_world_cover_body(mo_world *world, uint32_t slot, const mo_motion *motion, double reach,
                           mo_vec3 ahead) {
  const mo_body *body = &world->bodies[slot];
  double free_displacement = INFINITY;
  for (uint32_t i = 0; i < body->shape_count; i++) {
    mo_aabb tight = box_along(bound_pairs_at(body, i, motion), reach, ahead);
    mo_broad_phase_move_box(&world->broad_phase, body->proxies[i], &tight,
                            (float)fat_of(world, body));
    free_displacement = mo_min(
        free_displacement, (double)clearance(&world->broad_phase.boxes[body->proxies[i]], &tight));
  }
  return free_displacement;
}
