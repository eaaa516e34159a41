/// The small dense systems of contact manifolds, two at a time.
#pragma once

#include "solvers/block_pgs/contact_lanes.h"

/// Makes `spread`, `solve` and `solvable` from bodies, frame, points and weights.
///
/// A is the inverse mass of the relative motion at the reference point, 6 by 6. Restricted to the
/// wrenches that the weighted points can make, -A^-1 stops a motion. Distributed over the points
/// with the least sum of squares, it gives the impulses.
/// @param axis local direction of the line of two points; zero in lanes with any other number
void mo_manifold_make_solve(mo_manifold_lanes *m, mo_vec3x2 axis);

/// Makes the data for relaxing point by point.
void mo_point_rows_make(const mo_manifold_lanes *m, mo_point_rows *out);
