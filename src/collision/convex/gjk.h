/// Distance of two convex polyhedra by the Gilbert-Johnson-Keerthi algorithm.
///
/// Everything here lives in the frame of A, so that a pair far from the world's origin loses no
/// digits. The set that is searched is the Minkowski difference A - B: its point closest to the
/// origin is the closest pair of points, and the origin lies inside where A and B overlap.
#pragma once

#include "geometry/hull.h"
#include "math/quat.h"

/// No vertex that a half-edge starts at: the core of a sphere has none.
#define MO_NO_HALF_EDGE UINT32_MAX

/// The pair that is searched. A null hull is the core of a sphere: the single point at the origin
/// of its frame.
typedef struct mo_minkowski {
  const mo_hull *hull_a, *hull_b;
  mo_transform b_in_a;
  uint32_t start_a,
      start_b;  ///< half-edges where the last support search ended: where the next one begins
  double scale; ///< m, what tolerances are relative to: the sizes of both
} mo_minkowski;

/// A vertex of the Minkowski difference and the two vertices that it is made of.
typedef struct mo_minkowski_vertex {
  mo_vec3 difference; ///< point of A minus point of B, frame of A
  uint32_t a, b;      ///< half-edges that start at the two vertices, MO_NO_HALF_EDGE for a point
} mo_minkowski_vertex;

/// At most four vertices, with the weights of a point of their hull.
typedef struct mo_simplex {
  int count;
  mo_minkowski_vertex vertices[4];
  double weights[4];
} mo_simplex;

typedef enum mo_gjk_status {
  MO_GJK_APART,   ///< distance and closest points are set
  MO_GJK_OVERLAP, ///< the origin is in the simplex, or within round-off of it
  MO_GJK_BEYOND,  ///< further apart than the caller cares for: along the normal the distance
                  ///< is a lower bound; nothing else is set
} mo_gjk_status;

typedef struct mo_gjk_result {
  mo_gjk_status status;
  double distance;
  mo_vec3 normal;           ///< unit, from A to B; zero on overlap
  mo_vec3 point_a, point_b; ///< closest points, frame of A; on overlap one point that both have
  mo_simplex simplex;
  int iterations;
} mo_gjk_result;

/// Half of the diagonal of the bounds, metres.
static inline double mo_hull_size(const mo_hull *hull) { return hull->half_diagonal; }

/// The pair from the placement of B in the frame of A.
mo_minkowski mo_minkowski_of(const mo_hull *hull_a, const mo_hull *hull_b, mo_transform b_in_a);
mo_minkowski mo_minkowski_create(const mo_hull *hull_a, mo_transform a, const mo_hull *hull_b,
                                 mo_transform b);
/// A half-edge that starts at the vertex of the hull furthest in `direction`, searched uphill from
/// half-edge `start`. Of a hull that is slightly concave (hull.h) a vertex that is furthest around.
uint32_t mo_hull_climb(const mo_hull *hull, uint32_t start, mo_vec3 direction);
/// The vertex of A - B furthest in `direction` (frame of A).
mo_minkowski_vertex mo_minkowski_support(mo_minkowski *pair, mo_vec3 direction);
/// The vertex of A or of B that a vertex of the difference is made of, frame of A.
mo_vec3 mo_minkowski_point_a(const mo_minkowski *pair, const mo_minkowski_vertex *vertex);
mo_vec3 mo_minkowski_point_b(const mo_minkowski *pair, const mo_minkowski_vertex *vertex);

/// The point of A and the point of B that the weights of a simplex stand for, frame of A.
void mo_minkowski_witnesses(const mo_minkowski *pair, const mo_simplex *simplex, mo_vec3 *point_a,
                            mo_vec3 *point_b);

/// Distance and closest points of A and B (Gilbert, Johnson and Keerthi 1988; the simplex is
/// reduced by signed volumes in the spirit of Montanari, Petrinic and Barbieri 2017).
/// @param max_distance stop as soon as A and B are proven to be further apart than this; infinity
///   for never
mo_gjk_result mo_gjk(mo_minkowski *pair, double max_distance);

/// The same, beginning with the simplex that an earlier search of the two shapes ended with, at
/// another pose: where they have moved little, that is the answer, and one iteration sees it.
/// @param start of its vertices only `a` and `b` are read; at most three. Count 0: none is known
mo_gjk_result mo_gjk_from(mo_minkowski *pair, const mo_simplex *start, double max_distance);
