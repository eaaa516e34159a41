/// Islands of joints without limits: linear equations.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Solves W x + q + gamma x = 0 for a problem whose blocks are all MO_BOUND_BILATERAL, by one
/// sparse factorisation (row_system.h) and proximal steps, each of which is an iterative refinement
/// too: cost linear in the links of a chain or tree. Goes well below the tolerance where round-off
/// allows it; the status is judged by the rows' velocities |w| afterwards, in m/s.
///
/// Redundant rows share their load in the least-norm way (in the rows' scale). Rows that contradict
/// each other: status MO_SOLVE_STALLED, and impulses without the part that contradicts, which
/// leaves the velocities that violate the rows least (least squares, in the rows' scale).
///
/// The impulses given in are not used. max_iterations bounds the steps (each one solve).
/// @param cache orderings of earlier steps, may be null
mo_solve_result mo_bilateral_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                                   mo_ordering_cache *cache, mo_arena *arena);
