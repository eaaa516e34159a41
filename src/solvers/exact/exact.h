/// The exact solvers on the islands of a row problem: packing, choice, certificate, fallback.
#pragma once

#include "solvers/island_partition.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// What the exact solvers keep from step to step. Zero-initialised it is empty and usable.
typedef struct mo_exact_workspace {
  mo_arena arena; ///< working memory of one island at a time; its limit decides which are too big
  mo_ordering_cache orderings;
  mo_work work; ///< of the present step
} mo_exact_workspace;

void mo_exact_workspace_free(mo_exact_workspace *workspace);

/// How an island was solved.
typedef struct mo_island_solution {
  mo_solver solver; ///< MO_SOLVER_BLOCK_PGS: left to the caller
  mo_island_event event;
  mo_solve_result solved;
  double residual; ///< m/s: worst of the certificate
  uint32_t spent;  ///< factorisations of this solve and of those before it in the step
} mo_island_solution;

/// Solves the islands whose bodies ask for an exact solver, from the warm start in the rows'
/// impulses. Which one is decided by what the island holds: only bilateral rows, no friction, or
/// friction. An island that does not fit into the workspace's limit, of which nothing finite came
/// out, or for which too little work was left in this step, is left to block-pgs, with that solver
/// and the event that says why.
/// @param[in,out] solutions one per island of the partition; their `spent` counts against
/// max_iterations
void mo_exact_solve(mo_row_problem *problem, const mo_island_partition *partition,
                    const mo_solver_settings *settings, mo_exact_workspace *workspace,
                    mo_island_solution *solutions);

/// Position correction of the islands solved exactly: the smallest displacement, in the metric of
/// the masses, that moves every gap at its target or faster, joints exactly at it (Gear, Gupta and
/// Leimkuhler 1985). Friction has no part in it.
/// @param targets per row of the problem, m/s; those of rows that hold no position are not read
/// @param pseudo one per body, zero for those of the islands solved exactly: their displacement per
/// second is written
void mo_exact_project(const mo_row_problem *problem, const mo_island_partition *partition,
                      const mo_island_solution *solutions, const double *targets,
                      const mo_solver_settings *settings, mo_exact_workspace *workspace,
                      mo_velocity *pseudo);
