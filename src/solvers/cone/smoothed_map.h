/// The natural map with projections smoothed by tau: F_tau(x) = x - P_tau(x - (u + s e)) = 0 holds
/// exactly where x o z = tau^2 e on every cone, which is the central path.
///
/// The slip speed s is measured along x_t - u_t, to which u_t is antiparallel in every solution.
/// Unlike |u_t| it has no kink where sticking contacts pass through zero slip.
#pragma once

#include "solvers/cone/newton_system.h"

/// P_tau of the Lorentz cone in coordinates in which friction is 1.
/// @param[out] d derivative by y, 3 x 3 by rows
/// @param[out] rate derivative by ln tau
void mo_smoothed_projection(const double y[3], double tau, double p[3], double d[9],
                            double rate[3]);

/// F_tau at x with velocities u (both of the scaled problem), A and B with dF = A dx + B du, and
/// dF / d ln tau. F is in Lorentz coordinates.
void mo_smoothed_map(const mo_scaled_problem *problem, const double *x, const double *u, double tau,
                     double *f, double *a, double *b, double *rate);

/// |(|x| + |u| + tau) / tau^2| of a block in Lorentz coordinates. F times this is about the
/// relative error of x o z = tau^2 e.
double mo_smoothed_weight(const mo_cone_block *block, const double *x, const double *u, double tau);

/// |x|^2 of a block in Lorentz coordinates.
double mo_smoothed_size(const mo_cone_block *block, const double *x);

/// Friction of a block in these coordinates: 1 if it has none.
static inline double mo_lorentz_friction(const mo_cone_block *block) {
  return block->kind == MO_CONE_COULOMB ? block->friction : 1.0;
}
