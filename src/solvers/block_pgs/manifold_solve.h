/// The small dense systems of contact manifolds, two at a time.
#pragma once

#include "solvers/block_pgs/contact_lanes.h"

/// Makes `spread`, `solve` and `solvable` from bodies, frame, points and weights.
///
/// With the inverse mass A of the relative motion at the reference point (6 by 6) and the wrenches
/// that the weighted points can make, minus their A^-1 stops a motion; spread over the points with
/// the least sum of squares it gives the impulses.
/// @param axis local direction of the line of two points; zero in lanes that have not two
void mo_manifold_make_solve(mo_manifold_lanes *m, mo_vec3x2 axis);

/// Makes what relaxing point by point needs.
void mo_point_rows_make(const mo_manifold_lanes *m, mo_point_rows *out);
