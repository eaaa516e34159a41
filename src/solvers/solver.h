/// What every solver takes and gives.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

typedef struct mo_solver_settings {
  uint32_t max_iterations;
  double tolerance; ///< m/s
} mo_solver_settings;

typedef struct mo_solve_result {
  mo_result result; ///< MO_OK, or MO_ERROR_OUT_OF_MEMORY with nothing changed
  mo_solve_status status;
  uint32_t iterations;
} mo_solve_result;
