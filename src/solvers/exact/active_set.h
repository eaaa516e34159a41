/// Islands without friction: the exact complementarity problem of contacts, limits and joints.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Solves the mixed complementarity problem w = W x + q + gamma x of bilateral, unilateral and
/// bounded rows, to round-off. It finds which rows are at their bounds, and solves the equations of
/// the others. W may be singular: the velocities are unique all the same. Mass ratios of 1e6 do no
/// harm.
///
/// A warm start within the tolerance is returned as it is. Otherwise full steps of the active set
/// come first: all rows that disagree change sides at once (Kostreva 1978, Judice and Pires 1994).
/// Among impulses that give the same velocities, those nearest to the warm start are chosen. If
/// full steps cycle, an interior point (bounded_qp.h) approaches the solution and shows the set.
/// max_iterations limits the factorisations; iterations counts the steps of both methods. The
/// status is judged by the natural map |d x - P(d x - w)| of every row, m/s, with d = W_ii + gamma.
/// The best point by it is returned.
///
/// Blocks of MO_BOUND_CONE are solved without friction: their first row is unilateral, the impulses
/// of the other two are zero. Their friction must be zero.
/// @param cache orderings of earlier steps, may be null
mo_solve_result mo_active_set_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                                    mo_ordering_cache *cache, mo_arena *arena);
