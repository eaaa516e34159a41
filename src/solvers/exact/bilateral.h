/// Islands of joints without limits: linear equations.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Solves W x + q + gamma x = 0 for a problem whose blocks are all MO_BOUND_BILATERAL. It uses one
/// sparse factorisation (row_system.h) and proximal steps, each of which is also an iterative
/// refinement. The cost is linear in the links of a chain or tree. The result is far below the
/// tolerance where round-off allows it. The status is judged by the rows' velocities |w|
/// afterwards, in m/s.
///
/// Redundant rows share their load by the least norm (in the rows' scale). If rows contradict each
/// other the status is MO_SOLVE_STALLED. The impulses then leave out the part that contradicts, and
/// the velocities violate the rows least (least squares, in the rows' scale).
///
/// The given impulses are not used. max_iterations limits the steps (one solve each).
/// @param cache orderings of earlier steps, may be null
mo_solve_result mo_bilateral_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                                   mo_ordering_cache *cache, mo_arena *arena);
