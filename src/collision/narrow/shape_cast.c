#include "collision/narrow/shape_cast.h"

#include "collision/convex/core_cast.h"
#include "collision/convex/distance.h"
#include "collision/narrow/manifold.h"

// m: a gap up to which shapes count as touching at the start. Poses that someone computed to put
// two shapes side by side have the round-off of some products; mo_collide uses the same gap.
#define TOUCHING_AT_START 1e-12
// Cosine of the angle to the normal up to which a motion counts as along the surface. It is the
// round-off of normals of the narrow phase.
#define GRAZING 1e-12

// --- a shape at a plane ----------------------------------------------------------------------

static bool cast_at_plane(const mo_shape *plane, mo_transform placement, const mo_shape *moving,
                          mo_transform pose, mo_vec3 direction, double max_distance,
                          mo_shape_hit *out) {
  mo_distance_result start = mo_distance_to_plane(moving, pose, plane, placement);
  mo_vec3 normal = mo_neg(start.normal);
  double slope = mo_dot(normal, direction);
  if (start.distance < -TOUCHING_AT_START) {
    *out = (mo_shape_hit){0.0, -start.distance, start.point_b, normal};
    return true;
  }
  bool is_touching = start.distance <= TOUCHING_AT_START;
  double distance = is_touching ? 0.0 : start.distance / -slope;
  if (!(slope < (is_touching ? -GRAZING : 0.0)) || !(distance <= max_distance)) {
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
static mo_vec3 deepest_point(const mo_manifold *m, double *depth) {
  *depth = -INFINITY;
  for (int i = 0; i < m->point_count; i++) {
    *depth = mo_max(*depth, -m->points[i].separation);
  }
  mo_vec3 mean = mo_v3_zero();
  int count = 0;
  for (int i = 0; i < m->point_count; i++) {
    if (-m->points[i].separation >= *depth - SAME_DEPTH) {
      mean = mo_lerp(mean, m->points[i].point_a, 1.0 / ++count);
    }
  }
  return mean;
}

static bool meet_at_start(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                          mo_transform pose, mo_vec3 direction, double touching,
                          mo_shape_hit *out) {
  mo_manifold manifold;
  // Twice the gap, as the narrow phase and GJK differ by their round-off.
  mo_collide_shapes(target, placement, moving, pose, 2.0 * touching, &manifold);
  if (manifold.point_count == 0) {
    return false;
  }
  double depth;
  mo_vec3 position = deepest_point(&manifold, &depth);
  if (depth <= touching && !(mo_dot(manifold.normal, direction) < -GRAZING)) {
    return false;
  }
  *out = (mo_shape_hit){0.0, mo_max(depth, 0.0), position, manifold.normal};
  return true;
}

// --- any two shapes --------------------------------------------------------------------------

bool mo_cast_shape(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                   mo_transform pose, mo_vec3 unit_direction, double max_distance,
                   mo_shape_hit *out) {
  if (mo_shape_is_unbounded(target)) {
    return cast_at_plane(target, placement, moving, pose, unit_direction, max_distance, out);
  }
  mo_transform start = mo_transform_relative(placement, pose);
  double touching =
      mo_max(mo_cast_touching(&target->core, &moving->core, mo_length(start.translation)),
             TOUCHING_AT_START);
  mo_local_hit hit;
  switch (mo_cast_core(&target->core, &moving->core, start,
                       mo_mat3_mul_transposed(placement.rotation, unit_direction), max_distance,
                       touching, &hit)) {
  case MO_CAST_MISSES:
    return false;
  case MO_CAST_STARTS_TOUCHING:
    return meet_at_start(target, placement, moving, pose, unit_direction, touching, out);
  case MO_CAST_HITS:
    break;
  }
  *out = (mo_shape_hit){hit.distance, 0.0, mo_transform_point(placement, hit.position),
                        mo_mat3_mul(placement.rotation, hit.normal)};
  return mo_is_finite(hit.distance);
}
