/// Islands without friction: the exact complementarity problem of contacts, limits and joints.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Solves the mixed complementarity problem w = W x + q + gamma x of bilateral, unilateral and box
/// rows, to round-off: finds which rows are at their bounds, then solves the equations of the
/// others. W may be singular (ERRATA E23): velocities are unique all the same. Mass ratios of 1e6
/// are no obstacle.
///
/// A warm start within the tolerance is returned as it is. Otherwise full steps of the active set
/// come first (all rows that disagree change sides at once: Kostreva 1978, Judice and Pires 1994);
/// of impulses that velocities do not determine, those nearest to the warm start are given. If full
/// steps cycle, an interior point (bounded_qp.h) comes near the solution and tells the set.
/// max_iterations bounds the factorisations, iterations counts the steps of both. The status is
/// judged by the natural map |d x - P(d x - w)| of every row, m/s, d = W_ii + gamma; the best point
/// by it is returned.
///
/// Blocks of MO_BOUND_CONE are solved without friction: their first row as a unilateral one, zero
/// impulses in the other two. Their friction must be zero.
/// @param cache orderings of earlier steps, may be null
mo_solve_result mo_active_set_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                                    mo_ordering_cache *cache, mo_arena *arena);
