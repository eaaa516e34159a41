/// The contact laws as equations: F(x) = x - P(x - r u^(x)) = 0, with P the projection on each
/// block's set and u^ = u + friction |u_t| n (de Saxce and Feng 1998; SOLVER 6.4).
#pragma once

#include "solvers/cone/scaled_problem.h"
#include "solvers/friction_cone.h"

/// Friction beyond which Newton's methods take the normal and the tangential law by themselves, and
/// solves begin with this much: F and the interior point divide by friction, and lose its digits.
#define MO_STEEP_FRICTION 10.0

/// The certificate at x with velocities u: the largest |F_i| at r = 1 of any block, times the
/// block's sqrt(d), which makes it m/s whatever the scaling (SOLVER 6.6); beyond friction 1 that of
/// Alart and Curnier's functions, as the certificate has it; of linear rows |velocity|.
double mo_natural_error(const mo_scaled_problem *problem, const double *x, const double *u);

/// F, and A and B with dF = A dx + B du (arrays of MO_BLOCK_ROWS per row; both null: not wanted).
/// @return the largest |F_i| of a block
double mo_natural_map(const mo_scaled_problem *problem, const double *x, const double *u, double r,
                      double *f, double *a, double *b);
