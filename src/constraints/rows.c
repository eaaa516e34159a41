#include "constraints/rows.h"

double mo_row_coupling(const mo_row *p, const mo_row *q, const mo_row_body *body_a,
                       const mo_row_body *body_b) {
  return body_a->inverse_mass * mo_dot(p->linear_a, q->linear_a) +
         mo_dot(p->angular_a, mo_mat3_mul(body_a->inverse_inertia, q->angular_a)) +
         body_b->inverse_mass * mo_dot(p->linear_b, q->linear_b) +
         mo_dot(p->angular_b, mo_mat3_mul(body_b->inverse_inertia, q->angular_b));
}

double mo_row_velocity_of_sides(const mo_row *row, const mo_row_pair *pair,
                                const mo_velocity sides[MO_ROW_SIDES]) {
  double velocity = mo_row_velocity(row, &sides[0], &sides[1]);
  return pair ? velocity + mo_row_velocity(&pair->row, &sides[2], &sides[3]) : velocity;
}

double mo_row_pair_velocity(const mo_row_pair *pair, const mo_velocity *velocities) {
  return mo_row_velocity(&pair->row, &velocities[pair->body_c], &velocities[pair->body_d]);
}

void mo_row_apply_to(const mo_row *row, double impulse, const mo_row_body *bodies, uint32_t a,
                     uint32_t b, mo_velocity *velocities) {
  mo_row_apply(row, impulse, &bodies[a], &velocities[a], &bodies[b], &velocities[b]);
}

void mo_block_row_apply(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                        double impulse, mo_velocity *velocities) {
  mo_row_apply_to(&problem->rows[block->first_row + k], impulse, problem->bodies, block->body_a,
                  block->body_b, velocities);
  if (block->pairs) {
    mo_row_pair_apply(mo_block_pair(problem, block, k), impulse, problem->bodies, velocities);
  }
}

double mo_block_row_velocity(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                             const mo_velocity *velocities) {
  double velocity = mo_row_velocity(&problem->rows[block->first_row + k],
                                    &velocities[block->body_a], &velocities[block->body_b]);
  const mo_row_pair *pair = mo_block_pair(problem, block, k);
  return pair ? velocity + mo_row_pair_velocity(pair, velocities) : velocity;
}

void mo_block_free_velocities(const mo_row_problem *problem, const mo_row_block *block,
                              mo_velocity sides[MO_ROW_SIDES]) {
  uint32_t bodies[MO_ROW_SIDES];
  mo_block_bodies(problem, block, bodies);
  for (int i = 0; i < (block->pairs ? MO_ROW_SIDES : 2); i++) {
    const mo_row_body *body = &problem->bodies[bodies[i]];
    sides[i] = (mo_velocity){body->free_linear, body->free_angular};
  }
}

double mo_row_pair_coupling(const mo_row_pair *p, const mo_row_pair *q, const mo_row_body *bodies) {
  return mo_row_coupling(&p->row, &q->row, &bodies[p->body_c], &bodies[p->body_d]);
}

static mo_vec3 without_axes(mo_vec3 v, uint32_t axes) {
  return mo_v3(axes & 1u ? 0.0 : v.x, axes & 2u ? 0.0 : v.y, axes & 4u ? 0.0 : v.z);
}

void mo_block_lock_axes(mo_row_problem *problem, mo_row_block *block,
                        const uint32_t axes[MO_ROW_SIDES]) {
  if ((axes[0] | axes[1] | axes[2] | axes[3]) == 0) {
    return;
  }
  block->point_contact = false;
  for (uint32_t k = 0; k < block->row_count; k++) {
    mo_row *row = &problem->rows[block->first_row + k];
    row->linear_a = without_axes(row->linear_a, axes[0]);
    row->linear_b = without_axes(row->linear_b, axes[1]);
    if (block->pairs) {
      mo_row *more = &problem->pairs[block->pairs - 1 + k].row;
      more->linear_a = without_axes(more->linear_a, axes[2]);
      more->linear_b = without_axes(more->linear_b, axes[3]);
    }
  }
}
