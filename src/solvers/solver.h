/// What every solver takes and gives.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

typedef struct mo_solver_settings {
  uint32_t max_iterations; ///< sweeps of block-pgs; factorisations of the exact solvers
  double tolerance;        ///< m/s
  mo_friction_law friction_law;
  mo_effort effort;
  bool estimate_condition; ///< exact solvers: fill in `condition`, about ten solves more
} mo_solver_settings;

typedef struct mo_solve_result {
  mo_result result; ///< MO_OK, or MO_ERROR_OUT_OF_MEMORY with nothing changed
  mo_solve_status status;
  uint32_t iterations;     ///< sweeps, or Newton steps
  uint32_t factorisations; ///< of matrices, attempts that failed included
  double condition; ///< estimated 1-norm condition number of the last matrix, its rows scaled to a
                    ///< unit diagonal; 0: not estimated
} mo_solve_result;
