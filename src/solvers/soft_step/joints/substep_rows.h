/// General rows in soft-step: custom constraints, springs, motors, and all else without a faster
/// form. They are solved one by one, in double precision, with the Jacobians of the start of the
/// step. Those of a body on a bent way, or at a limit that turns with it, are made again after
/// every move: by the direction of the start they would let gravity push along the way in the next
/// substeps.
///
/// A row's law for the whole step, w = J v + bias + softening impulse, holds in every substep. The
/// impulse of a substep counts `substeps` times, because the force is meant, and bounds of impulses
/// are divided evenly. Rows that hold positions should have no correction of C in their bias
/// (mo_constraint_settings.baumgarte = 0). C is followed through the step and removed like the
/// error of a joint, by a soft bias that the relax pass leaves out.
#pragma once

#include "constraints/rows.h"
#include "solvers/soft_step/substep.h"

typedef struct mo_substep_rows mo_substep_rows;

/// The most rows of a bend.
#define MO_SUBSTEP_BEND_ROWS MO_CONSTRAINT_ROWS

/// Blocks of rows that follow each other, whose directions change as their bodies move.
typedef struct mo_substep_bend {
  uint32_t first_block, block_count;
} mo_substep_bend;

typedef struct mo_substep_bends {
  mo_substep_bend *items;
  uint32_t count;
  /// Before a pass with bias: sets, per row of the bend, the bias that leads C through the next
  /// substep, m/s. Before another pass: makes the Jacobians of the rows at the present
  /// displacements, and sets C, m.
  void (*follow)(const mo_substep_rows *rows, uint32_t bend, const mo_substep_solver *step,
                 bool with_bias, double *out);
  const void *context; ///< of `follow`
} mo_substep_bends;

struct mo_substep_rows {
  mo_row_problem *problem; ///< impulses in: the warm start of the whole step; out: the sum over it
  const uint32_t *bodies;  ///< per body of the problem: index of its mo_solver_body, 0 for none
  const mo_substep_bends *bends;        ///< null: none
  struct mo_substep_row_blocks *blocks; ///< set by prepare, in the arena of the step
};

/// Returns false without memory.
bool mo_substep_rows_prepare(mo_substep_rows *rows, mo_substep_solver *step);
/// Applies the impulses of the last substep to the velocities, before anything is solved.
void mo_substep_rows_warm_start(mo_substep_rows *rows, mo_substep_solver *step);
/// One pass, like mo_substep_joints_solve.
void mo_substep_rows_solve(mo_substep_rows *rows, mo_substep_solver *step, bool with_bias);
void mo_substep_rows_store(mo_substep_rows *rows, const mo_substep_solver *step);
