/// Two hulls in the frame of A, and the axis of greatest separation between them.
#pragma once

#include "geometry/hull.h"
#include "math/quat.h"

/// A hull in the frame of A.
typedef struct mo_placed_hull {
  const mo_hull *hull;
  mo_transform in_a; ///< of B; A itself needs none
  bool is_b;
} mo_placed_hull;

typedef struct mo_hull_pair {
  mo_placed_hull a, b;
  const mo_transform *placement_a, *placement_b; ///< in the world
  double face_tolerance;                         ///< m: mo_face_tolerance
  double metre;                                  ///< in the unit of all lengths here
} mo_hull_pair;

static inline mo_vec3 mo_placed_point(const mo_placed_hull *placed, mo_vec3 p) {
  return placed->is_b ? mo_transform_point(placed->in_a, p) : p;
}
static inline mo_vec3 mo_placed_vertex(const mo_placed_hull *placed, uint32_t vertex) {
  return mo_placed_point(placed, placed->hull->vertices[vertex]);
}
/// From the frame of the hull to that of A.
static inline mo_vec3 mo_placed_direction(const mo_placed_hull *placed, mo_vec3 d) {
  return placed->is_b ? mo_mat3_mul(placed->in_a.rotation, d) : d;
}
/// From the frame of A to that of the hull.
static inline mo_vec3 mo_direction_in_hull(const mo_placed_hull *placed, mo_vec3 d) {
  return placed->is_b ? mo_mat3_mul_transposed(placed->in_a.rotation, d) : d;
}
static inline mo_vec3 mo_placed_normal(const mo_placed_hull *placed, uint32_t face) {
  return mo_placed_direction(placed, placed->hull->faces[face].normal);
}
/// The offset of the plane of a face whose normal in the frame of A is given.
static inline double mo_placed_offset(const mo_placed_hull *placed, uint32_t face, mo_vec3 normal) {
  return placed->hull->faces[face].offset +
         (placed->is_b ? mo_dot(normal, placed->in_a.translation) : 0.0);
}

/// The features that define an axis, also used in mo_collision_cache.kind.
typedef enum mo_axis_kind {
  MO_AXIS_UNKNOWN = 0,
  MO_AXIS_FACE_A = 1,    ///< the normal of a face of A
  MO_AXIS_FACE_B = 2,    ///< the reversed normal of a face of B
  MO_AXIS_EDGES = 3,     ///< perpendicular to an edge of each
  MO_AXIS_DIRECTION = 4, ///< none of these: the result of GJK or EPA
  MO_AXIS_SIMPLEX = 5,   ///< of a hull and a round shape: the last vertices of GJK
} mo_axis_kind;

typedef struct mo_hull_axis {
  mo_axis_kind kind;
  /// For a face axis: the face of one hull and the deepest vertex of the other. For an edge axis:
  /// the half-edges.
  uint32_t feature_a, feature_b;
  mo_vec3 normal;    ///< unit, from A to B, frame of A
  double separation; ///< m, of B beyond A along the normal; negative for an overlap
} mo_hull_axis;

/// The axis of a face of A or of B, measured in double.
mo_hull_axis mo_face_axis(const mo_hull_pair *pair, mo_axis_kind kind, uint32_t face);

/// The axis of two edges, given by half-edges, in double. Returns false if they touch no common
/// plane between the hulls (their arcs on the Gauss map do not intersect), or are parallel.
bool mo_edge_axis(const mo_hull_pair *pair, uint32_t edge_a, uint32_t edge_b, mo_hull_axis *axis);

/// Whether mo_find_hull_axis suits these two. GJK and EPA are faster for hulls with many edges, and
/// single precision must hold the sizes.
bool mo_can_search_axes(const mo_hull_pair *pair);

/// The axis of the largest separation over faces and pairs of edges: minus the penetration depth if
/// the hulls overlap, otherwise a lower bound of the distance (separating axis test, edges pruned
/// by the Gauss map: Gregorius, GDC 2013). It is searched in single precision, chosen among the
/// axes that are equal to its round-off, and measured in double. A face is preferred to equal
/// edges. The search ends with the first face axis that separates the hulls by `margin`.
/// @return false if nothing was found, because poses are not numbers
bool mo_find_hull_axis(const mo_hull_pair *pair, double margin, mo_hull_axis *axis);

/// The same for two boxes (hull->is_box): their 15 axes (Gottschalk, Lin and Manocha 1996).
bool mo_find_box_axis(const mo_hull_pair *pair, double margin, mo_hull_axis *axis);
