#include "collision/narrow/shape_cast.h"

#include "collision/convex/core_cast.h"
#include "collision/convex/distance.h"
#include "collision/convex/triangle_shape.h"
#include "collision/narrow/manifold.h"

// m: a gap up to which shapes count as touching at the start. Poses that someone computed to put
// two shapes side by side have the round-off of some products; mo_collide uses the same gap.
#define TOUCHING_AT_START 1e-12
// Cosine of the angle to the normal up to which a motion counts as along the surface. It is the
// round-off of normals of the narrow phase.
#define GRAZING 1e-12

// --- a shape at a plane ----------------------------------------------------------------------

static bool cast_at_plane(const mo_shape *plane, mo_transform placement, const mo_shape *moving,
                          mo_transform pose, mo_vec3 direction, double max_distance, double metre,
                          mo_shape_hit *out) {
  mo_distance_result start = mo_distance_to_plane(moving, pose, plane, placement);
  mo_vec3 normal = mo_neg(start.normal);
  double slope = mo_dot(normal, direction);
  if (start.distance < -TOUCHING_AT_START * metre) {
    *out = (mo_shape_hit){0.0, -start.distance, start.point_b, normal};
    return true;
  }
  bool is_touching = start.distance <= TOUCHING_AT_START * metre;
  double distance = is_touching ? 0.0 : start.distance / -slope;
  // A plane that is hardly approached may be beyond all numbers.
  if (!(slope < (is_touching ? -GRAZING : 0.0)) || !(distance <= max_distance) ||
      !mo_is_finite(distance)) {
    return false;
  }
  *out = (mo_shape_hit){distance, 0.0, mo_add_scaled(start.point_a, distance, direction), normal};
  return true;
}

// --- shapes that touch at the start ----------------------------------------------------------

// The points of a manifold that are deepest to within this, in metres, give the position. It is the
// round-off of depths.
#define SAME_DEPTH 1e-9

// The mean of the deepest points on A, and their depth.
static mo_vec3 deepest_point(const mo_manifold *m, double metre, double *depth) {
  *depth = -INFINITY;
  for (int i = 0; i < m->point_count; i++) {
    *depth = mo_max(*depth, -m->points[i].separation);
  }
  mo_vec3 mean = mo_v3_zero();
  int count = 0;
  for (int i = 0; i < m->point_count; i++) {
    if (-m->points[i].separation >= *depth - SAME_DEPTH * metre) {
      mean = mo_lerp(mean, m->points[i].point_a, 1.0 / ++count);
    }
  }
  return mean;
}

static bool meet_at_start(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                          mo_transform pose, mo_vec3 direction, double touching, double metre,
                          mo_shape_hit *out) {
  mo_manifold manifold;
  // Twice the gap, as the narrow phase and GJK differ by their round-off.
  mo_collide_shapes(target, placement, moving, pose, 2.0 * touching, metre, &manifold);
  if (manifold.point_count == 0) {
    return false;
  }
  double depth;
  mo_vec3 position = deepest_point(&manifold, metre, &depth);
  if (depth <= touching && !(mo_dot(manifold.normal, direction) < -GRAZING)) {
    return false;
  }
  *out = (mo_shape_hit){0.0, mo_max(depth, 0.0), position, manifold.normal};
  return true;
}

// --- two convex shapes -----------------------------------------------------------------------

static bool cast_at_convex(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                           mo_transform pose, mo_vec3 unit_direction, double max_distance,
                           double metre, mo_shape_hit *out) {
  mo_transform start = mo_transform_relative(placement, pose);
  double touching =
      mo_max(mo_cast_touching(&target->core, &moving->core, mo_length(start.translation)),
             TOUCHING_AT_START * metre);
  mo_local_hit hit;
  switch (mo_cast_core(&target->core, &moving->core, start,
                       mo_mat3_mul_transposed(placement.rotation, unit_direction), max_distance,
                       touching, &hit)) {
  case MO_CAST_MISSES:
    return false;
  case MO_CAST_STARTS_TOUCHING:
    return meet_at_start(target, placement, moving, pose, unit_direction, touching, metre, out);
  case MO_CAST_HITS:
    break;
  }
  *out = (mo_shape_hit){hit.distance, 0.0, mo_transform_point(placement, hit.position),
                        mo_mat3_mul(placement.rotation, hit.normal)};
  return mo_is_finite(hit.distance);
}

// --- a convex shape at a mesh ----------------------------------------------------------------

// m: how near the moving shape has to be to a mesh for the normal of a contact there.
#define NORMAL_REACH 1e-6

typedef struct mesh_cast {
  const mo_shape *target, *moving;
  mo_transform placement, pose;
  mo_vec3 direction;
  double max_distance;
  double metre; // in the unit of all lengths here
  bool is_met;
  mo_shape_hit hit;
} mesh_cast;

// Casts at one triangle, without regard to what overlaps at the start.
static bool cast_at_triangle(void *user, uint32_t index) {
  mesh_cast *cast = user;
  mo_triangle at = mo_mesh_triangle(cast->target->mesh, index);
  mo_vec3 normal = mo_mat3_mul(cast->placement.rotation, mo_triangle_normal(&at));
  if (cast->target->mesh->is_one_sided && mo_dot(normal, cast->direction) >= 0.0) {
    return true;
  }
  mo_triangle_shape triangle;
  mo_triangle_shape_make(&at, 0.0, &triangle);
  mo_transform placement = {cast->placement.rotation,
                            mo_transform_point(cast->placement, triangle.centroid)};
  mo_shape_hit hit;
  if (cast_at_convex(&triangle.shape, placement, cast->moving, cast->pose, cast->direction,
                     cast->max_distance, cast->metre, &hit) &&
      hit.distance > 0.0 && (!cast->is_met || hit.distance < cast->hit.distance)) {
    cast->is_met = true;
    cast->hit = hit;
    cast->max_distance = hit.distance;
  }
  return true;
}

// What the moving shape sweeps, in the frame of the mesh.
static mo_bounds swept_box(const mesh_cast *cast) {
  mo_transform start = mo_transform_relative(cast->placement, cast->pose);
  mo_bounds box = mo_shape_bounds(cast->moving, &start);
  double far = mo_min(cast->max_distance,
                      mo_length(start.translation) + cast->target->bounding_radius +
                          mo_length(cast->target->centroid) + cast->moving->bounding_radius);
  mo_vec3 path = mo_scale(far, mo_mat3_mul_transposed(cast->placement.rotation, cast->direction));
  return (mo_bounds){mo_v3_min(box.lower, mo_add(box.lower, path)),
                     mo_v3_max(box.upper, mo_add(box.upper, path))};
}

// The normal of a triangle's edge that its neighbours do not let through is that of a face.
static void take_contact_normal(mesh_cast *cast) {
  mo_transform pose = cast->pose;
  pose.translation = mo_add_scaled(pose.translation, cast->hit.distance, cast->direction);
  mo_manifold manifold;
  mo_collide_shapes(cast->target, cast->placement, cast->moving, pose, NORMAL_REACH * cast->metre,
                    cast->metre, &manifold);
  if (manifold.point_count > 0 && mo_dot(manifold.normal, cast->direction) < 0.0) {
    cast->hit.normal = manifold.normal;
  }
}

static bool cast_at_mesh(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                         mo_transform pose, mo_vec3 direction, double max_distance, double metre,
                         mo_shape_hit *out) {
  mo_transform start = mo_transform_relative(placement, pose);
  double touching =
      mo_max(mo_cast_touching(&target->core, &moving->core, mo_length(start.translation)),
             TOUCHING_AT_START * metre);
  if (meet_at_start(target, placement, moving, pose, direction, touching, metre, out)) {
    return true;
  }
  mesh_cast cast = {.target = target,
                    .moving = moving,
                    .placement = placement,
                    .pose = pose,
                    .direction = direction,
                    .max_distance = max_distance,
                    .metre = metre};
  mo_mesh_search(target->mesh, swept_box(&cast), cast_at_triangle, &cast);
  if (cast.is_met) {
    take_contact_normal(&cast);
    *out = cast.hit;
  }
  return cast.is_met;
}

// --- any two shapes --------------------------------------------------------------------------

static bool cast_one(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                     mo_transform pose, mo_vec3 unit_direction, double max_distance, double metre,
                     mo_shape_hit *out) {
  if (mo_shape_is_unbounded(target)) {
    return cast_at_plane(target, placement, moving, pose, unit_direction, max_distance, metre, out);
  }
  return (mo_shape_is_surface(target) ? cast_at_mesh : cast_at_convex)(
      target, placement, moving, pose, unit_direction, max_distance, metre, out);
}

bool mo_cast_shape(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                   mo_transform pose, mo_vec3 unit_direction, double max_distance, double metre,
                   mo_shape_hit *out) {
  if (!moving->parts) {
    return cast_one(target, placement, moving, pose, unit_direction, max_distance, metre, out);
  }
  bool is_met = false;
  for (uint32_t i = 0; i < moving->part_count; i++) {
    mo_shape_hit hit;
    if (cast_one(target, placement, moving->parts[i].shape,
                 mo_shape_part_placement(&pose, &moving->parts[i]), unit_direction, max_distance,
                 metre, &hit) &&
        (!is_met || hit.distance < out->distance ||
         (hit.distance == out->distance && hit.penetration_depth > out->penetration_depth))) {
      is_met = true;
      *out = hit;
    }
  }
  return is_met;
}
