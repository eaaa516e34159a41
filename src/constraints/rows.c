#include "constraints/rows.h"

double mo_row_coupling(const mo_row *p, const mo_row *q, const mo_row_body *body_a,
                       const mo_row_body *body_b) {
  return body_a->inverse_mass * mo_dot(p->linear_a, q->linear_a) +
         mo_dot(p->angular_a, mo_mat3_mul(body_a->inverse_inertia, q->angular_a)) +
         body_b->inverse_mass * mo_dot(p->linear_b, q->linear_b) +
         mo_dot(p->angular_b, mo_mat3_mul(body_b->inverse_inertia, q->angular_b));
}
