/// Penetration depth of two overlapping convex cores by the expanding polytope algorithm.
#pragma once

#include "collision/convex/gjk.h"

typedef struct mo_epa_result {
  bool converged; ///< false: the workspace was full, or round-off stopped the search; `normal` is
                  ///< the best axis found
  double depth;   ///< m, along `normal`; slightly negative if the shapes only touch
  mo_vec3 normal; ///< unit, from A to B: moving B by depth along it separates the two; frame of A
  mo_vec3 point_a, point_b; ///< the origin's projection on the closest face, as points of A and of
                            ///< B (barycentric weights)
  mo_simplex simplex;       ///< that face, with the weights
  int iterations;
} mo_epa_result;

/// The smallest translation that separates A and B (van den Bergen 2001), from the last simplex of
/// GJK. The simplex may have any dimension, and may miss the origin by round-off. A and B must not
/// both be points.
mo_epa_result mo_epa(mo_minkowski *pair, const mo_simplex *simplex);
