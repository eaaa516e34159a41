/// Block projected Gauss-Seidel: the contact solver that injects no energy.
#pragma once

#include "solvers/solver.h"

/// Solves the rows of a problem from the warm start in their impulses.
///
/// The contact points between two bodies that follow each other in the problem are one visit. Those
/// of a manifold (mo_row_block.point_contact) are first tried as a whole, w = 0; where that takes
/// impulses within their bounds it is the law. Else, per point, one friction step -w_t / rho
/// projected on the disc of radius friction * impulse_n, with the scalar rho = lambda_max(K_tt);
/// then their normal impulses together, 0 <= impulse, w >= 0, one of them 0. A fixed point of this
/// obeys the Coulomb law exactly; the scalar keeps friction against the slip, which K_tt^-1 does
/// not, and the normal step sees no friction, so nothing lifts off. The rows of a bilateral block
/// are solved together, exactly; box rows take the step -w / K_ii, clamped. Between sweeps, pairs
/// that do not slip move on along conjugate directions (Silcowitz-Hansen, Niebe and Erleben 2010).
/// @param velocities in: anything; out: v* + M^-1 J^T impulse, one per body
/// @return converged when a sweep changed no row's velocity by more than the tolerance
mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities,
                                   const mo_solver_settings *settings, mo_arena *arena);
