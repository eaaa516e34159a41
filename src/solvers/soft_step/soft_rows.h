/// General rows in soft-step: custom constraints, springs, motors, whatever has no faster form.
/// Scalar, in double, with the Jacobians of the start of the step.
///
/// A row's law for the whole step, w = J v + bias + softening impulse, holds in every substep: the
/// impulse of a substep counts `substeps` times, since the force is meant, and bounds of impulses
/// are shared out evenly. Rows that hold positions should have no correction of C in their bias
/// (mo_constraint_settings.baumgarte = 0): C is followed through the step and removed like the
/// error of a joint, by a soft bias that the relax pass leaves out.
#pragma once

#include "constraints/rows.h"
#include "solvers/soft_step/soft_step.h"

typedef struct mo_soft_rows {
  mo_row_problem *problem; ///< impulses in: the warm start of the whole step; out: the sum over it
  const uint32_t *bodies;  ///< per body of the problem: index of its mo_soft_body, 0 for none
  struct mo_soft_row_blocks *blocks; ///< set by prepare, in the arena of the step
} mo_soft_rows;

/// False without memory.
bool mo_soft_rows_prepare(mo_soft_rows *rows, mo_soft_step *step);
/// Adds the impulses of the last substep to the velocities: before anything is solved.
void mo_soft_rows_warm_start(mo_soft_rows *rows, mo_soft_step *step);
/// One pass, as mo_soft_joints_solve.
void mo_soft_rows_solve(mo_soft_rows *rows, mo_soft_step *step, bool with_bias);
void mo_soft_rows_store(mo_soft_rows *rows, const mo_soft_step *step);
