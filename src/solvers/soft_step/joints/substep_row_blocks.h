/// The blocks of rows of a step of soft-step, made for its sweeps. Private to
/// src/solvers/soft_step.
#pragma once

#include "solvers/soft_step/joints/joint_softness.h"
#include "solvers/soft_step/joints/substep_rows.h"

// The data of a row for the sweeps.
typedef struct mo_substep_row {
  mo_velocity *pushes;   // M^-1 J^T, per side of the block; with the reactions of its lock
  double gap;            // m: what J displacement + law_bias time lack of C
  double law_bias;       // bias of the row's own law, without the part that closes a gap; m/s
  double softening;      // per impulse of a substep, 1/kg
  double mobility;       // J M^-1 J^T + softening; of a cone's tangents the larger eigenvalue
  double impulse, total; // of this substep; over the step
} mo_substep_row;

typedef struct mo_substep_block {
  const mo_row_block *block;
  const mo_row_pair *pairs;       // per row; null: the block has two bodies
  uint32_t indices[MO_ROW_SIDES]; // of its bodies in the problem
  uint32_t bodies[MO_ROW_SIDES];  // indices of mo_solver_body
  uint32_t sides;
  // L D L^T of a bilateral block: L below the diagonal, 1/D on it.
  double factor[MO_BLOCK_ROWS][MO_BLOCK_ROWS];
  // Of a block with a bounded row: the bilateral block of its two bodies, whose rows go on holding
  // when this row gets an impulse, and what each of them gives per unit of it. Or null.
  const struct mo_substep_block *lock;
  double reactions[MO_BLOCK_ROWS];
} mo_substep_block;

struct mo_substep_row_blocks {
  mo_substep_block *blocks;
  mo_substep_row *rows;
  mo_joint_softness soft, rigid;
  double h;     // s, of a substep
  double share; // fraction of a step's impulse that belongs to a substep
  double now;   // s since the start of the step
};

static inline bool mo_row_may_open(const mo_row_block *block, uint32_t row) {
  return block->bound == MO_BOUND_UNILATERAL || (block->bound == MO_BOUND_CONE && row == 0);
}

static inline const mo_row_pair *mo_substep_pair_of(const mo_substep_block *block, uint32_t i) {
  return block->pairs ? &block->pairs[i] : NULL;
}

/// x <- (L D L^T)^-1 x of a bilateral block.
void mo_substep_block_solve(const mo_substep_block *block, double *x);
/// The bias of a row's own law.
double mo_substep_law_bias(const mo_substep_rows *rows, const mo_substep_block *block, uint32_t i);
/// Sets what follows from the Jacobians of a block's rows.
void mo_substep_block_aim(mo_substep_rows *rows, uint32_t index);
/// The same where the Jacobians have changed in a substep. Impulses along directions that are not
/// nearly what they were are forgotten.
void mo_substep_block_turn(mo_substep_rows *rows, uint32_t index);
