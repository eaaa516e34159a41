/// The rows of joints that the flow includes, for the solve of the step.
#include "step/rows/joint_trial.h"

// Writes a row as it is at the end of the step into the problem.
static void rewrite_row(mo_joint_trial *t, const mo_row_block *block, uint32_t index) {
  mo_joint_stage *s = t->stage;
  mo_row *row = &s->rows->problem.rows[index];
  *row = t->rows.rows[index];
  if (block->pairs) { // at the same place as at the start of the step
    uint32_t pair = block->pairs - 1 + index - block->first_row;
    s->rows->problem.pairs[pair] = t->rows.pairs[pair];
  }
  row->impulse = t->sums[index];
  if (t->integrator->joints == MO_JOINTS_AT_MIDDLE) {
    row->bias -= 0.5 * (t->start_rates[index] +
                        mo_joint_trial_row_rate(s, &s->rows->problem, block, index, t->end));
  }
  row->plastic_bias = row->bias;
  row->gap = t->errors[index] + s->dt * row->bias; // C at the end, without what velocities add
}

static void take_impulse_out(mo_joint_stage *s, uint32_t body_a, uint32_t body_b, const mo_row *row,
                             double impulse) {
  mo_row_body *a = &s->rows->problem.bodies[body_a], *b = &s->rows->problem.bodies[body_b];
  mo_velocity va = {a->free_linear, a->free_angular}, vb = {b->free_linear, b->free_angular};
  mo_row_apply(row, -impulse, a, &va, b, &vb);
  a->free_linear = va.linear;
  a->free_angular = va.angular;
  b->free_linear = vb.linear;
  b->free_angular = vb.angular;
}

// Free velocities from which the impulses found lead to the velocities at the end of the flow.
static void rewrite_bodies(mo_joint_trial *t) {
  mo_joint_stage *s = t->stage;
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    uint32_t slot = s->rows->row_slots[i];
    mo_row_body *body = &s->rows->problem.bodies[i];
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW) {
      s->free->flow[slot] = t->end[slot];
      body->free_linear = t->end[slot].linear_velocity;
      body->free_angular = t->end[slot].angular_velocity;
      body->inverse_inertia = mo_joint_trial_inverse_inertia(s, t->end, slot);
    }
  }
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &t->rows.blocks[i];
    for (uint32_t k = 0; t->takes_part[i] && k < block->row_count; k++) {
      const mo_row *row = &s->rows->problem.rows[block->first_row + k];
      const mo_row_pair *pair = mo_block_pair(&s->rows->problem, block, k);
      take_impulse_out(s, block->body_a, block->body_b, row, row->impulse);
      if (pair) {
        take_impulse_out(s, pair->body_c, pair->body_d, &pair->row, row->impulse);
      }
    }
  }
}

mo_result mo_joint_trial_rewrite_problem(mo_joint_trial *t) {
  mo_joint_stage *s = t->stage;
  mo_constraint_pass pass = mo_joint_trial_pass(t, t->end, s->dt);
  mo_result result =
      mo_world_evaluate_constraints(s->world, &pass, s->rows->constraint_rows, t->errors);
  if (result == MO_OK) {
    result = mo_joint_trial_evaluate_rows(t, t->end, s->dt);
  }
  if (result != MO_OK) {
    return result;
  }
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &t->rows.blocks[i];
    for (uint32_t k = 0; t->takes_part[i] && k < block->row_count; k++) {
      rewrite_row(t, block, block->first_row + k);
    }
  }
  rewrite_bodies(t);
  return MO_OK;
}
