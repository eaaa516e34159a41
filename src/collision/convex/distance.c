// The distance of two shapes: that of their convex cores by GJK, minus the radii; for a plane it is
// computed directly.
#include "collision/convex/distance.h"

#include "collision/convex/gjk.h"
#include "collision/convex/shape_order.h"
#include "geometry/placed_plane.h"

// Cosine: two planes whose normals are less opposed than this intersect.
#define OPPOSED 1e-12

static mo_distance_result touching(mo_vec3 point) {
  return (mo_distance_result){.point_a = point, .point_b = point};
}

static mo_distance_result distance_of_planes(const mo_shape *a, mo_transform pose_a,
                                             const mo_shape *b, mo_transform pose_b) {
  mo_transform world = {mo_mat3_identity(), mo_v3_zero()};
  mo_placed_plane p = mo_plane_in_frame(&world, a, &pose_a),
                  q = mo_plane_in_frame(&world, b, &pose_b);
  mo_vec3 on_a = mo_scale(p.offset, p.normal);
  double gap = -p.offset - q.offset;
  if (mo_dot(p.normal, q.normal) > OPPOSED - 1.0 || !(gap > 0.0)) {
    return touching(on_a);
  }
  return (mo_distance_result){gap, on_a, mo_add_scaled(on_a, gap, p.normal), p.normal};
}

// The point of a rounded core that is furthest against a normal.
static mo_vec3 lowest_point(const mo_convex *core, mo_vec3 normal) {
  return mo_add_scaled(mo_convex_furthest(core, mo_neg(normal)), -core->radius, normal);
}

mo_distance_result mo_distance_to_plane(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                        mo_transform pose_b) {
  mo_placed_plane plane = mo_plane_in_frame(&pose_a, b, &pose_b);
  mo_vec3 lowest = lowest_point(&a->core, plane.normal);
  double gap = mo_dot(plane.normal, lowest) - plane.offset;
  mo_vec3 on_plane = mo_transform_point(pose_a, mo_add_scaled(lowest, -gap, plane.normal));
  mo_vec3 normal = mo_neg(mo_mat3_mul(pose_a.rotation, plane.normal));
  return (mo_distance_result){gap, mo_transform_point(pose_a, lowest), on_plane, normal};
}

// The same, with nothing below zero.
static mo_distance_result gap_to_plane(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                       mo_transform pose_b) {
  mo_distance_result result = mo_distance_to_plane(a, pose_a, b, pose_b);
  return result.distance > 0.0 ? result : touching(result.point_b);
}

// The distance of two shapes without planes: that of the cores minus the radii.
static mo_distance_result distance_of_cores(const mo_shape *a, mo_transform pose_a,
                                            const mo_shape *b, mo_transform pose_b) {
  mo_minkowski pair = mo_minkowski_create(&a->core, pose_a, &b->core, pose_b);
  double radius_a = a->core.radius, radius_b = b->core.radius;
  mo_gjk_result gjk = mo_gjk(&pair, INFINITY);
  double gap = gjk.distance - radius_a - radius_b;
  if (gjk.status == MO_GJK_OVERLAP || !(gap > 0.0)) {
    // A point in both shapes: up to half of the gap of the cores from A, within both radii.
    double reach = mo_min(radius_a, mo_max(0.5 * gjk.distance, gjk.distance - radius_b));
    return touching(mo_transform_point(pose_a, mo_add_scaled(gjk.point_a, reach, gjk.normal)));
  }
  mo_vec3 on_a = mo_add_scaled(gjk.point_a, radius_a, gjk.normal),
          on_b = mo_add_scaled(gjk.point_b, -radius_b, gjk.normal);
  return (mo_distance_result){gap, mo_transform_point(pose_a, on_a),
                              mo_transform_point(pose_a, on_b),
                              mo_mat3_mul(pose_a.rotation, gjk.normal)};
}

static mo_distance_result distance_ordered(const mo_shape *a, mo_transform pose_a,
                                           const mo_shape *b, mo_transform pose_b) {
  if (b->core.kind == MO_CORE_MANY) {
    return mo_distance_to_pieces(a, pose_a, b, pose_b);
  }
  if (mo_shape_is_unbounded(a)) {
    return distance_of_planes(a, pose_a, b, pose_b);
  }
  return mo_shape_is_unbounded(b) ? gap_to_plane(a, pose_a, b, pose_b)
                                  : distance_of_cores(a, pose_a, b, pose_b);
}

mo_distance_result mo_distance_placed(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                      mo_transform pose_b) {
  if (mo_shape_comes_first(a, &pose_a, b, &pose_b)) {
    return distance_ordered(a, pose_a, b, pose_b);
  }
  mo_distance_result r = distance_ordered(b, pose_b, a, pose_a);
  return (mo_distance_result){r.distance, r.point_b, r.point_a, mo_neg(r.normal)};
}

mo_distance_result mo_distance(const mo_shape *a, mo_pose pose_a, const mo_shape *b,
                               mo_pose pose_b) {
  return mo_distance_placed(a, mo_transform_from_given_pose(pose_a), b,
                            mo_transform_from_given_pose(pose_b));
}
