/// The exact solvers for the islands of a row problem: packing, choice of solver, certificate,
/// fallback.
#pragma once

#include "solvers/island_packing.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Data that the exact solvers keep from step to step. Initialised with zeros it is empty and
/// usable.
typedef struct mo_exact_workspace {
  mo_arena arena;  ///< working memory of one island at a time; its limit decides which islands are
                   ///< too large
  mo_arena sweeps; ///< working memory of one island that block-pgs solves, and of the order
  mo_ordering_cache orderings;
  mo_work work; ///< of the running step
} mo_exact_workspace;

void mo_exact_workspace_free(mo_exact_workspace *workspace);

/// How an island was solved.
typedef struct mo_island_solution {
  mo_solver solver; ///< MO_SOLVER_BLOCK_PGS: the caller must solve it
  mo_island_event event;
  mo_solve_result solved;
  double residual; ///< m/s: the worst error of the certificate
  uint32_t spent;  ///< factorisations of this solve and of earlier ones in the step
} mo_island_solution;

/// Whether sweeps correct the positions of an island: exact methods had no work left for its
/// velocities.
static inline bool mo_island_is_swept(const mo_island_solution *solution) {
  return solution->solver == MO_SOLVER_BLOCK_PGS || solution->solved.out_of_work;
}

/// Sweeps of block-pgs, which `exact` does not know.
typedef struct mo_island_sweeper {
  void *context;
  /// Improves the impulses in the rows of an island by so many sweeps at most.
  /// @return how many were made; without memory none
  uint32_t (*sweep)(void *context, const mo_island_view *island, uint32_t sweeps);
} mo_island_sweeper;

/// Solves the islands whose bodies ask for an exact solver, from the warm start in the rows'
/// impulses. The solver is chosen by the rows of the island: bilateral rows only, no friction, or
/// friction. Some islands are left to block-pgs, with that solver and the event that gives the
/// reason: those that exceed the workspace's limit, and those with no finite result.
///
/// A call uses at most a part of the work that is left in the step. Its islands share that from the
/// smallest to the largest: each may use an equal part of what those before it left. What friction
/// holds begins with sweeps of block-pgs, which are never worse than the warm start in the energy
/// of the error; then the methods of the cone solver follow as far as the work lasts.
/// @param due per island: whether to solve it; null: all of them
/// @param[in,out] solutions one per island of the partition; their `spent` counts against
/// max_iterations
void mo_exact_solve(mo_row_problem *problem, const mo_island_partition *partition, const bool *due,
                    const mo_solver_settings *settings, const mo_island_sweeper *sweeper,
                    mo_exact_workspace *workspace, mo_island_solution *solutions);

/// Position correction of the islands solved exactly: the smallest displacement, in the metric of
/// the masses, that moves every gap at its target or faster, and joints exactly at it (Gear, Gupta
/// and Leimkuhler 1985). Friction has no part in it.
/// @param targets per row of the problem, m/s; those of rows that hold no position are not read
/// @param pseudo one per body, zero for the islands solved exactly; their displacement per second
/// is written
void mo_exact_project(const mo_row_problem *problem, const mo_island_partition *partition,
                      const mo_island_solution *solutions, const double *targets,
                      const mo_solver_settings *settings, mo_exact_workspace *workspace,
                      mo_velocity *pseudo);
