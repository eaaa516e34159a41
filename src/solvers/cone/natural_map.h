/// The contact laws as equations: F(x) = x - P(x - r u^(x)) = 0, with P the projection on each
/// block's set and u^ = u + friction |u_t| n (De Saxce and Feng 1998; Acary and Brogliato 2008,
/// chapter 13).
#pragma once

#include "solvers/cone/scaled_problem.h"
#include "solvers/friction_cone.h"

/// Friction beyond which Newton's methods use the normal and the tangential law separately, and
/// with which such solves start: F and the interior point divide by friction and lose digits.
#define MO_STEEP_FRICTION 10.0

/// The certificate at x with velocities u: the largest |F_i| of any block at r = 1, times the
/// block's sqrt(d). That is in m/s whatever the scaling. Beyond friction 1 the functions of Alart
/// and Curnier replace F, as in certificate.h; for linear rows it is |velocity|.
/// @param[out] length the root of the sum of the squares over all blocks, m/s; may be null
double mo_natural_error(const mo_scaled_problem *problem, const double *x, const double *u,
                        double *length);

/// F, and A and B with dF = A dx + B du (arrays of MO_BLOCK_ROWS per row; both null if not wanted).
/// @return the largest |F_i| of a block
double mo_natural_map(const mo_scaled_problem *problem, const double *x, const double *u, double r,
                      double *f, double *a, double *b);
