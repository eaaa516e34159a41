#include "constraints/rows.h"

#include "math/scalar.h"

double mo_row_coupling(const mo_row *p, const mo_row *q, const mo_row_body *body_a,
                       const mo_row_body *body_b) {
  return body_a->inverse_mass * mo_dot(p->linear_a, q->linear_a) +
         mo_dot(p->angular_a, mo_mat3_mul(body_a->inverse_inertia, q->angular_a)) +
         body_b->inverse_mass * mo_dot(p->linear_b, q->linear_b) +
         mo_dot(p->angular_b, mo_mat3_mul(body_b->inverse_inertia, q->angular_b));
}

double mo_row_pair_velocity(const mo_row_pair *pair, const mo_velocity *velocities) {
  return mo_row_velocity(&pair->row, &velocities[pair->body_c], &velocities[pair->body_d]);
}

void mo_row_pair_apply(const mo_row_pair *pair, double impulse, const mo_row_body *bodies,
                       mo_velocity *velocities) {
  mo_row_apply(&pair->row, impulse, &bodies[pair->body_c], &velocities[pair->body_c],
               &bodies[pair->body_d], &velocities[pair->body_d]);
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

double mo_block_row_coupling(const mo_row_problem *problem, const mo_row_block *block, uint32_t p,
                             uint32_t q) {
  const mo_row_body *bodies = problem->bodies;
  const mo_row_pair *of_p = mo_block_pair(problem, block, p);
  const mo_row_pair *of_q = mo_block_pair(problem, block, q);
  double sum =
      mo_row_coupling(&problem->rows[block->first_row + p], &problem->rows[block->first_row + q],
                      &bodies[block->body_a], &bodies[block->body_b]);
  return of_p ? sum + mo_row_coupling(&of_p->row, &of_q->row, &bodies[of_p->body_c],
                                      &bodies[of_p->body_d])
              : sum;
}
