/// Block projected Gauss-Seidel: the contact solver that injects no energy.
#pragma once

#include "solvers/block_pgs/row_groups.h"

/// Solves the rows of a problem from the warm start in their impulses.
///
/// Neighbouring contact points of the same two bodies are solved in one visit. The points of a
/// manifold (mo_row_block.point_contact) are first tried together, with w = 0. If the impulses of
/// that lie within their bounds they obey the contact law. Otherwise each point gets one friction
/// step -w_t / rho, projected on the disc of radius friction * impulse_n, with the scalar rho =
/// lambda_max(K_tt). Then the normal impulses are solved together: 0 <= impulse, w >= 0, one of
/// them 0. A fixed point of this obeys Coulomb's law exactly. The scalar keeps friction opposite to
/// the slip, which K_tt^-1 would not, and the normal step does not see friction, so nothing lifts
/// off. The rows of a bilateral block are solved together, exactly. Rows with bounds take the step
/// -w / K_ii, clamped. Between sweeps, pairs that do not slip are accelerated along conjugate
/// directions (Silcowitz-Hansen, Niebe and Erleben 2010).
/// @param cache may be null
/// @param velocities in: anything; out: v* + M^-1 J^T impulse, one per body
/// @return converged when a sweep changes no row's velocity by more than the tolerance; stalled
/// when the sweeps change little and no longer less, as in a wall of bricks at rest, whose leaning
/// no number of sweeps removes
mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities,
                                   const mo_solver_settings *settings, mo_ordering_cache *cache,
                                   mo_arena *arena);
