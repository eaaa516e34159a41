/// Exact contact with Coulomb friction, joints, limits and motors.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Solves a problem by a sequence of methods, as far as the work lasts: semismooth Newton (Alart
/// and Curnier 1991) from the warm start; in body space splitting (splitting.h); interior points
/// with the slip speed as an unknown; Gauss-Seidel sweeps with Newton steps between them; with
/// effort `offline`, pseudo-arclength continuation (Keller 1977), which passes the folds of the
/// central path.
///
/// `problem->impulse` gets the best point (mo_cone_keep) by the certificate, a natural map in m/s
/// (Acary and Brogliato 2008, chapter 13), which is always measured. The status is CONVERGED if it
/// is within `settings->tolerance`, MAX_ITERATIONS if the budget did not pay for all methods,
/// STALLED if no method succeeded, and NONE without rows. Rows that no impulse moves get
/// none. If contacts are redundant the impulses are one of many solutions; only the velocities are
/// determined. The budget counts factorisations of the form in which the problem is solved. Other
/// costly work, such as sweeps and dense factorisations of a world's island, is charged by its
/// operations. Numbers that are not finite give zero impulses and STALLED.
/// @param cache orderings of earlier islands, used and added to; may be null
/// @return MO_ERROR_OUT_OF_MEMORY with nothing written
mo_solve_result mo_cone_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                              mo_ordering_cache *cache, mo_arena *arena);
