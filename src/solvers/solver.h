/// The settings and results of every solver.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

/// Counted operations that take about 5 ms of one core: what a scene that is to be smooth can wait
/// for.
#define MO_SHORT_WORK 2e7

/// Work that the solves of a step share, in floating-point operations. It is not measured by a
/// clock, so the same step ends at the same point on every machine. Initialised with zeros it has
/// no limit.
typedef struct mo_work {
  double limit; ///< 0: none
  double spent;
  bool is_short; ///< an analysis was given up because one factorisation asks for more than is left
} mo_work;

/// Whether so much work is left. `work` may be null, for no limit.
static inline bool mo_work_allows(const mo_work *work, double operations) {
  return !work || work->limit == 0.0 || work->spent + operations <= work->limit;
}
/// The work that is left of a limit; 0 if there is no limit.
static inline double mo_work_left(const mo_work *work) {
  if (!work || work->limit == 0.0) {
    return 0.0;
  }
  double left = work->limit - work->spent;
  return left > 1.0 ? left : 1.0; // less than one operation
}
static inline void mo_work_spend(mo_work *work, double operations) {
  if (work) {
    work->spent += operations;
  }
}

typedef struct mo_solver_settings {
  uint32_t max_iterations; ///< sweeps of block-pgs; factorisations of the exact solvers
  double tolerance;        ///< m/s
  double metre;            ///< in the unit of lengths here; 0 means 1 (mo_solver_metre)
  mo_friction_law friction_law;
  mo_effort effort;
  mo_work *work;           ///< from which an exact solver takes its work; may be null
  bool estimate_condition; ///< exact solvers compute `condition`, at the cost of about ten solves
} mo_solver_settings;

/// A metre in the unit of lengths of the problem.
static inline double mo_solver_metre(const mo_solver_settings *settings) {
  return settings->metre > 0.0 ? settings->metre : 1.0;
}

typedef struct mo_solve_result {
  mo_result result; ///< MO_OK, or MO_ERROR_OUT_OF_MEMORY with nothing changed
  mo_solve_status status;
  uint32_t iterations;     ///< sweeps, or Newton steps
  uint32_t factorisations; ///< of matrices, including failed attempts
  bool out_of_work;        ///< it ended without convergence because the shared work was used up
  double condition; ///< estimated 1-norm condition number of the last matrix, with rows scaled to a
                    ///< unit diagonal; 0: not estimated
} mo_solve_result;
