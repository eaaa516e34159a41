/// Block projected Gauss-Seidel: the contact solver that injects no energy.
#pragma once

#include "solvers/block_pgs/row_groups.h"

/// A problem packed for the sweeps. It serves further problems that differ in free velocities.
typedef struct mo_packed_rows {
  mo_row_groups groups;
  mo_contact_lanes lanes;
  mo_velocity *changes;    ///< of each body by the last sweep
  mo_velocity *directions; ///< of each body, of the acceleration
} mo_packed_rows;

// Of the tolerance: by how much the velocities of the rows of a manifold may miss their targets
// where they are solved together.
#define MO_MISFIT 0.01

/// @return false without memory
bool mo_packed_rows_make(const mo_row_problem *problem, double tolerance, mo_arena *arena,
                         mo_packed_rows *out);
/// mo_block_pgs_solve on a packed problem. Begins with the impulses that are packed; those of
/// contact manifolds stay there.
/// @param problem of which bodies are read, and impulses of other rows written
mo_solve_result mo_packed_rows_solve(mo_packed_rows *packed, mo_row_problem *problem,
                                     mo_velocity *velocities, const mo_solver_settings *settings);
/// Copies the impulses of contact manifolds to their rows.
void mo_packed_rows_write(const mo_packed_rows *packed, mo_row_problem *problem);

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
/// @return converged when a sweep changed no row's velocity by more than the tolerance; stalled
/// when the sweeps change little and no longer less: a wall of bricks that rests leans and bends
/// in ways that no number of sweeps takes out
mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities,
                                   const mo_solver_settings *settings, mo_arena *arena);
