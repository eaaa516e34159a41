/// Distance of two convex cores by the Gilbert-Johnson-Keerthi algorithm.
///
/// Everything here is in the frame of A, so that a pair far from the world's origin loses no
/// digits. The search is in the Minkowski difference A - B. Its point closest to the origin gives
/// the closest pair of points, and the origin lies inside if A and B overlap.
#pragma once

#include "geometry/convex.h"
#include "math/quat.h"

/// The pair of cores that is searched.
typedef struct mo_minkowski {
  const mo_convex *a, *b;
  mo_transform b_in_a;
  uint32_t start_a, start_b; ///< vertices (mo_convex_support) at which the last search ended
  double scale;              ///< m, the scale of tolerances: the sizes of both
  bool is_rough; ///< the searches only have to find about the normal, which is then refined
} mo_minkowski;

/// A vertex of the Minkowski difference and the two points that it is made of.
typedef struct mo_minkowski_vertex {
  mo_vec3 difference;       ///< point of A minus point of B, frame of A
  mo_vec3 point_a, point_b; ///< both in the frame of A
  uint32_t a, b;            ///< the vertices of the cores, as mo_convex_support names them
} mo_minkowski_vertex;

/// Up to four vertices, with the weights of a point in their hull.
typedef struct mo_simplex {
  int count;
  mo_minkowski_vertex vertices[4];
  double weights[4];
} mo_simplex;

typedef enum mo_gjk_status {
  MO_GJK_APART,   ///< distance and closest points are set
  MO_GJK_OVERLAP, ///< the origin is in the simplex, or within round-off of it
  MO_GJK_BEYOND,  ///< further apart than the caller asks for: the distance along the normal is a
                  ///< lower bound; nothing else is set
} mo_gjk_status;

typedef struct mo_gjk_result {
  mo_gjk_status status;
  double distance;
  mo_vec3 normal;           ///< unit, from A to B; zero on overlap
  mo_vec3 point_a, point_b; ///< closest points, frame of A; on overlap one common point
  mo_simplex simplex;
  int iterations;
} mo_gjk_result;

/// The pair from the placement of B in the frame of A. Both cores must outlive it.
mo_minkowski mo_minkowski_of(const mo_convex *a, const mo_convex *b, mo_transform b_in_a);
mo_minkowski mo_minkowski_create(const mo_convex *a, mo_transform placement_a, const mo_convex *b,
                                 mo_transform placement_b);
/// The vertex of A - B furthest in `direction` (frame of A).
mo_minkowski_vertex mo_minkowski_support(mo_minkowski *pair, mo_vec3 direction);

/// The points of A and of B for the weights of a simplex, frame of A.
void mo_simplex_witnesses(const mo_simplex *simplex, mo_vec3 *point_a, mo_vec3 *point_b);

/// Distance and closest points of A and B (Gilbert, Johnson and Keerthi 1988; the simplex is
/// reduced by signed volumes similar to Montanari, Petrinic and Barbieri 2017).
/// @param max_distance the search ends when A and B are proven to be further apart; infinity for
/// never
mo_gjk_result mo_gjk(mo_minkowski *pair, double max_distance);

/// The same, starting with the last simplex of an earlier search of the two shapes at another pose.
/// If they have moved little that simplex is the answer, and one iteration confirms it.
/// @param start only `a` and `b` of its vertices are read, at most three. Its count is 0 if none is
///   known, as for curved cores, which have no vertices
mo_gjk_result mo_gjk_from(mo_minkowski *pair, const mo_simplex *start, double max_distance);
