/// General rows in soft-step: custom constraints, springs, motors, and all else without a faster
/// form. They are solved one by one, in double precision, with the Jacobians of the start of the
/// step.
///
/// A row's law for the whole step, w = J v + bias + softening impulse, holds in every substep. The
/// impulse of a substep counts `substeps` times, because the force is meant, and bounds of impulses
/// are divided evenly. Rows that hold positions should have no correction of C in their bias
/// (mo_constraint_settings.baumgarte = 0). C is followed through the step and removed like the
/// error of a joint, by a soft bias that the relax pass leaves out.
#pragma once

#include "constraints/rows.h"
#include "solvers/substep/substep_solver.h"

typedef struct mo_substep_rows {
  mo_row_problem *problem; ///< impulses in: the warm start of the whole step; out: the sum over it
  const uint32_t *bodies;  ///< per body of the problem: index of its mo_solver_body, 0 for none
  struct mo_substep_row_blocks *blocks; ///< set by prepare, in the arena of the step
} mo_substep_rows;

/// Returns false without memory.
bool mo_substep_rows_prepare(mo_substep_rows *rows, mo_substep_solver *step);
/// Applies the impulses of the last substep to the velocities, before anything is solved.
void mo_substep_rows_warm_start(mo_substep_rows *rows, mo_substep_solver *step);
/// One pass, like mo_substep_joints_solve.
void mo_substep_rows_solve(mo_substep_rows *rows, mo_substep_solver *step, bool with_bias);
void mo_substep_rows_store(mo_substep_rows *rows, const mo_substep_solver *step);
