/// Solves each island of a row problem by the solver that its bodies ask for.
#pragma once

#include "solvers/block_pgs/block_pgs.h"
#include "solvers/block_pgs/split_impulse.h"
#include "solvers/exact/exact.h"

/// The settings of a solve.
typedef struct mo_by_island_settings {
  mo_solver_settings exact;
  mo_solver_settings sweeps; ///< block-pgs
  const bool *due;           ///< per island: those to solve again. Factorisations of earlier solves
                             ///< count against exact.max_iterations. Null: all, for the first time
} mo_by_island_settings;

/// How the islands were solved.
typedef struct mo_by_island {
  mo_island_partition partition;
  mo_island_solution *solutions; ///< per island
  mo_solve_result total;         ///< iterations and factorisations added up
  uint32_t *places;              ///< of mo_island_rows_make
} mo_by_island;

/// Makes the partition. The result lives in the arena.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_by_island_begin(const mo_row_problem *problem, mo_arena *arena, mo_by_island *out);
/// Gives the bodies that block-pgs solves the inertia of taut joints, once per step.
/// @param in_flow per body: whether joints have moved it already, in the smooth motion
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_by_island_stiffen(mo_row_problem *problem, const mo_by_island *by_island,
                               const bool *in_flow, mo_arena *arena);

/// Solves from the warm start in the rows' impulses.
/// @param[out] velocities v* + M^-1 J^T impulse, one per body
/// @return MO_OK, or MO_ERROR_OUT_OF_MEMORY if there is no memory for sweeps; without memory for
/// exact methods the islands are solved by sweeps
mo_result mo_by_island_solve(mo_row_problem *problem, const mo_by_island_settings *settings,
                             mo_exact_workspace *workspace, mo_by_island *by_island,
                             mo_velocity *velocities);

/// Finds the pseudo-velocities that correct positions: by mo_exact_project for contacts and limits
/// where an exact solver worked, and by mo_split_impulse_solve elsewhere.
/// @param velocities solved
/// @param[out] pseudo one per body
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_by_island_correct(const mo_row_problem *problem, const mo_by_island *by_island,
                               const mo_velocity *velocities,
                               const mo_split_impulse_settings *settings,
                               mo_exact_workspace *workspace, mo_arena *arena, mo_velocity *pseudo);
