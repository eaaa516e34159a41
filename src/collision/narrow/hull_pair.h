/// Two hulls in the frame of A, and the axis of greatest separation between them.
#pragma once

#include "geometry/hull.h"
#include "math/quat.h"

/// A hull as seen from the frame of A.
typedef struct mo_placed_hull {
  const mo_hull *hull;
  mo_transform in_a; ///< of B; A itself needs none
  bool is_b;
} mo_placed_hull;

typedef struct mo_hull_pair {
  mo_placed_hull a, b;
  const mo_transform *placement_a, *placement_b; ///< in the world
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
/// Of the plane of a face whose normal in the frame of A is given.
static inline double mo_placed_offset(const mo_placed_hull *placed, uint32_t face, mo_vec3 normal) {
  return placed->hull->faces[face].offset +
         (placed->is_b ? mo_dot(normal, placed->in_a.translation) : 0.0);
}

/// What makes an axis: also what mo_collision_cache.kind holds.
typedef enum mo_axis_kind {
  MO_AXIS_UNKNOWN = 0,
  MO_AXIS_FACE_A = 1,    ///< the normal of a face of A
  MO_AXIS_FACE_B = 2,    ///< against the normal of a face of B
  MO_AXIS_EDGES = 3,     ///< at right angles to an edge of each
  MO_AXIS_DIRECTION = 4, ///< none of these: where GJK or EPA ended
  MO_AXIS_SIMPLEX = 5,   ///< of a hull and a round shape: the vertices that GJK ended with
} mo_axis_kind;

typedef struct mo_hull_axis {
  mo_axis_kind kind;
  /// Of a face axis: the face of one hull and the deepest vertex of the other. Of an edge axis: the
  /// half-edges.
  uint32_t feature_a, feature_b;
  mo_vec3 normal;    ///< unit, from A to B, frame of A
  double separation; ///< m, of B beyond A along the normal; below zero: they overlap by that
} mo_hull_axis;

/// The axis of a face of A or of B, measured in double.
mo_hull_axis mo_face_axis(const mo_hull_pair *pair, mo_axis_kind kind, uint32_t face);

/// The axis of two edges, given by half-edges, in double. False where they touch no common plane
/// between the hulls (their arcs on the Gauss map do not cross), or are parallel.
bool mo_edge_axis(const mo_hull_pair *pair, uint32_t edge_a, uint32_t edge_b, mo_hull_axis *axis);

/// Whether mo_find_hull_axis is the right way for these two: hulls with many edges are searched
/// faster by GJK and EPA, and single precision must hold the sizes.
bool mo_can_search_axes(const mo_hull_pair *pair);

/// The axis of greatest separation over faces and pairs of edges: minus the penetration depth where
/// the hulls overlap, else a lower bound of the distance (separating axis test, edges pruned by the
/// Gauss map: Gregorius, GDC 2013). Found in single precision, chosen among what is equal to its
/// round-off and measured in double. A face is preferred to edges that are equal. Ends with the
/// first face axis that parts them by `margin`.
/// @return false where nothing could be found: poses that are not numbers
bool mo_find_hull_axis(const mo_hull_pair *pair, double margin, mo_hull_axis *axis);

/// The same for two boxes (hull->is_box): their 15 axes (Gottschalk, Lin and Manocha 1996).
bool mo_find_box_axis(const mo_hull_pair *pair, double margin, mo_hull_axis *axis);
