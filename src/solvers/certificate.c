#include "solvers/certificate.h"

// Three numbers of a contact along (n, t1, t2): impulses or velocities.
typedef struct triple {
  double n, t1, t2;
} triple;

static double tangent_length(triple x) { return sqrt(x.t1 * x.t1 + x.t2 * x.t2); }

// The nearest point of the cone |t| <= friction n.
static triple project_on_cone(triple y, double friction) {
  double t = tangent_length(y);
  // The polar cone first: without friction the axis y.n < 0, t = 0 would pass for the inside of the
  // cone too.
  if (friction * t <= -y.n) {
    return (triple){0.0, 0.0, 0.0};
  }
  if (t <= friction * y.n) {
    return y;
  }
  double n = (y.n + friction * t) / (1.0 + friction * friction);
  double s = friction * n / t;
  return (triple){n, s * y.t1, s * y.t2};
}

// Velocity change of a body side per unit impulse, squared in the metric of J: J_i M^-1 J_i^T of
// one row.
static double side_mobility(mo_vec3 linear, mo_vec3 angular, const mo_row_body *body) {
  return body->inverse_mass * mo_dot(linear, linear) +
         mo_dot(angular, mo_mat3_mul(body->inverse_inertia, angular));
}

static double row_mobility(const mo_row *row, const mo_row_body *a, const mo_row_body *b) {
  return side_mobility(row->linear_a, row->angular_a, a) +
         side_mobility(row->linear_b, row->angular_b, b);
}

static void add_impulse(mo_velocity *v, const mo_row_body *body, mo_vec3 linear, mo_vec3 angular,
                        double impulse) {
  v->linear = mo_add_scaled(v->linear, impulse * body->inverse_mass, linear);
  v->angular = mo_add(v->angular, mo_mat3_mul(body->inverse_inertia, mo_scale(impulse, angular)));
}

static mo_velocity *recompute_velocities(const mo_row_problem *problem, mo_arena *arena) {
  mo_velocity *v = MO_ARENA_TAKE(arena, mo_velocity, problem->body_count);
  for (uint32_t i = 0; v && i < problem->body_count; i++) {
    v[i] = (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
  for (uint32_t i = 0; v && i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      const mo_row *row = &problem->rows[block->first_row + k];
      add_impulse(&v[block->body_a], &problem->bodies[block->body_a], row->linear_a, row->angular_a,
                  row->impulse);
      add_impulse(&v[block->body_b], &problem->bodies[block->body_b], row->linear_b, row->angular_b,
                  row->impulse);
    }
  }
  return v;
}

static double row_residual_velocity(const mo_row *row, const mo_velocity *a, const mo_velocity *b) {
  return mo_dot(row->linear_a, a->linear) + mo_dot(row->linear_b, b->linear) +
         mo_dot(row->angular_a, a->angular) + mo_dot(row->angular_b, b->angular) + row->bias;
}

// Error of a contact: `rows` points to its normal row, followed by two tangents if it has friction.
// Returns the natural map.
static double contact_error(const mo_row *rows, const mo_row_block *block,
                            const mo_row_body *body_a, const mo_row_body *body_b,
                            const mo_velocity *a, const mo_velocity *b, mo_residual *out) {
  bool cone = block->bound == MO_BOUND_CONE;
  triple g = {rows[0].impulse, cone ? rows[1].impulse : 0.0, cone ? rows[2].impulse : 0.0};
  triple u = {row_residual_velocity(&rows[0], a, b),
              cone ? row_residual_velocity(&rows[1], a, b) : 0.0,
              cone ? row_residual_velocity(&rows[2], a, b) : 0.0};
  double d = row_mobility(&rows[0], body_a, body_b);
  if (cone) {
    d = (d + row_mobility(&rows[1], body_a, body_b) + row_mobility(&rows[2], body_a, body_b)) / 3.0;
  }
  double friction = cone ? block->friction : 0.0;
  if (d == 0.0) {
    return 0.0; // two immovable bodies: no impulse can change anything
  }

  // de Saxce's shift makes the Coulomb law an ordinary complementarity of cones.
  triple shifted = {u.n + friction * tangent_length(u), u.t1, u.t2};
  triple y = {d * g.n - shifted.n, d * g.t1 - shifted.t1, d * g.t2 - shifted.t2};
  triple p = project_on_cone(y, friction);
  double en = d * g.n - p.n, e1 = d * g.t1 - p.t1, e2 = d * g.t2 - p.t2;

  out->cone = mo_max(out->cone, d * mo_max(0.0, tangent_length(g) - friction * g.n));
  // |mu u_t| - u^_n of the dual cone: the shift cancels, and what is left is approach.
  out->dual = mo_max(out->dual, mo_max(0.0, -u.n));
  out->complementarity =
      mo_max(out->complementarity, fabs(g.n * shifted.n + g.t1 * shifted.t1 + g.t2 * shifted.t2));
  return sqrt(en * en + e1 * e1 + e2 * e2);
}

mo_result mo_certificate_evaluate(const mo_row_problem *problem, mo_arena *arena,
                                  mo_residual *out) {
  *out = (mo_residual){0};
  mo_velocity *v = recompute_velocities(problem, arena);
  if (!v) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double sum_of_squares = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    const mo_row *rows = &problem->rows[block->first_row];
    const mo_velocity *a = &v[block->body_a], *b = &v[block->body_b];
    if (block->bound == MO_BOUND_BILATERAL) {
      for (uint32_t k = 0; k < block->row_count; k++) {
        out->bilateral = mo_max(out->bilateral, fabs(row_residual_velocity(&rows[k], a, b)));
      }
      continue;
    }
    double error = contact_error(rows, block, &problem->bodies[block->body_a],
                                 &problem->bodies[block->body_b], a, b, out);
    out->worst = mo_max(out->worst, error);
    sum_of_squares += error * error;
    out->contacts++;
  }
  out->worst = mo_max(out->worst, out->bilateral);
  out->rms = out->contacts > 0 ? sqrt(sum_of_squares / out->contacts) : 0.0;
  return MO_OK;
}
