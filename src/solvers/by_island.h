/// Solves each island of a row problem by the solver that its bodies ask for.
#pragma once

#include "solvers/block_pgs/block_pgs.h"
#include "solvers/block_pgs/split_impulse.h"
#include "solvers/exact/exact.h"

/// What to solve with.
typedef struct mo_by_island_settings {
  mo_solver_settings exact;
  mo_solver_settings sweeps; ///< block-pgs
  bool again; ///< what earlier solves of this problem took counts against exact.max_iterations
} mo_by_island_settings;

/// How the islands were solved. All zero where every body asks for block-pgs, which takes the
/// problem as a whole.
typedef struct mo_by_island {
  mo_island_partition partition;
  mo_island_solution *solutions; ///< per island
  mo_packed_rows packed;         ///< where block-pgs takes the problem as a whole
  bool is_packed;        ///< before the solve: `packed` is to go on with, and keeps the impulses
  mo_solve_result total; ///< iterations and factorisations added up, the worst status
} mo_by_island;

/// Makes the partition if an exact solver is asked for. The result lives in the arena.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_by_island_begin(const mo_row_problem *problem, mo_arena *arena, mo_by_island *out);

/// Solves from the warm start in the rows' impulses.
/// @param[out] velocities v* + M^-1 J^T impulse, one per body
/// @return MO_OK, or MO_ERROR_OUT_OF_MEMORY for want of memory in `arena`; the workspace's memory
/// decides how islands are solved
mo_result mo_by_island_solve(mo_row_problem *problem, const mo_by_island_settings *settings,
                             mo_exact_workspace *workspace, mo_arena *arena,
                             mo_by_island *by_island, mo_velocity *velocities);

/// Finds the pseudo-velocities that mend positions: by mo_split_impulse_solve, and by
/// mo_exact_project where an exact solver worked, there of contacts and limits only.
/// @param velocities solved
/// @param[out] pseudo one per body
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_by_island_correct(const mo_row_problem *problem, const mo_by_island *by_island,
                               const mo_velocity *velocities,
                               const mo_split_impulse_settings *settings,
                               mo_exact_workspace *workspace, mo_arena *arena, mo_velocity *pseudo);
