/// Exact contact with Coulomb friction, joints, limits and motors.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Solves a problem by a portfolio of Newton methods: semismooth Newton (Alart and Curnier 1991)
/// from the warm start; interior points with the slip speed as an unknown; Gauss-Seidel sweeps with
/// Newton steps between; with effort `offline`, pseudo-arclength continuation (Keller 1977), which
/// passes the folds of the central path.
///
/// `problem->impulse` gets the best point met by the certificate of SOLVER 6.6, a natural map in
/// m/s, which is always measured. The status is CONVERGED if it is within `settings->tolerance`,
/// MAX_ITERATIONS if `settings->max_iterations` factorisations were used up before, STALLED if no
/// method got there, NONE without rows. Rows that no impulse moves get none. Where contacts are
/// redundant the impulses are one of many solutions; the velocities are what is determined. The
/// budget is in factorisations of the form that the problem is solved in; what else costs time, as
/// sweeps and dense factorisations of a world's island, is charged by its operations. Numbers that
/// are not finite get no impulses and STALLED.
/// @param cache orderings of earlier islands, used and added to; may be null
/// @return MO_ERROR_OUT_OF_MEMORY with nothing written
mo_solve_result mo_cone_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                              mo_ordering_cache *cache, mo_arena *arena);
