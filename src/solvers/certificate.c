#include "solvers/certificate.h"

#include "math/scalar.h"
#include "solvers/load_bounds.h"

// Three numbers of a contact along (n, t1, t2): impulses or velocities.
typedef struct triple {
  double n, t1, t2;
} triple;

static double tangent_length(triple x) { return sqrt(x.t1 * x.t1 + x.t2 * x.t2); }

// The nearest point of the cone |t| <= friction n.
static triple project_on_cone(triple y, double friction) {
  double t = tangent_length(y);
  // The polar cone comes first: without friction the axis y.n < 0, t = 0 would also count as inside
  // the cone.
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

MO_APART double row_mobility(const mo_row *row, const mo_row_body *a, const mo_row_body *b) {
  return side_mobility(row->linear_a, row->angular_a, a) +
         side_mobility(row->linear_b, row->angular_b, b);
}

static void add_impulse(mo_velocity *v, const mo_row_body *body, mo_vec3 linear, mo_vec3 angular,
                        double impulse) {
  v->linear = mo_add_scaled(v->linear, impulse * body->inverse_mass, linear);
  v->angular = mo_add(v->angular, mo_mat3_mul(body->inverse_inertia, mo_scale(impulse, angular)));
}

MO_APART void add_row_impulse(mo_velocity *v, const mo_row_body *bodies, uint32_t a, uint32_t b,
                              const mo_row *row, double impulse) {
  add_impulse(&v[a], &bodies[a], row->linear_a, row->angular_a, impulse);
  add_impulse(&v[b], &bodies[b], row->linear_b, row->angular_b, impulse);
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
      const mo_row_pair *pair = mo_block_pair(problem, block, k);
      add_row_impulse(v, problem->bodies, block->body_a, block->body_b, row, row->impulse);
      if (pair) {
        add_row_impulse(v, problem->bodies, pair->body_c, pair->body_d, &pair->row, row->impulse);
      }
    }
  }
  return v;
}

// --- one block -------------------------------------------------------------------------------

// A block's impulses g, velocities w = u (with bias and softening) and mobility d = tr(W_ii) /
// rows.
typedef struct block_state {
  double g[MO_BLOCK_ROWS], u[MO_BLOCK_ROWS];
  double mobility;
} block_state;

// Friction beyond which the natural map is no longer a velocity: an approach u_n may count as
// little as |u_n| / friction, and the slip of a sticking contact counts `friction` times. Below it
// the error is at most a factor of sqrt(2).
#define STEEP_FRICTION 1.0

// The laws of Signorini and Coulomb separately (Alart and Curnier 1991): d g_n = max(d g_n - u_n,
// 0), and d g_t is the nearest point to d g_t - u_t of the disc of radius friction d g_n.
static double steep_cone_error(double d, triple g, triple u, double friction) {
  double normal = mo_min(d * g.n, u.n);
  double s1 = d * g.t1 - u.t1, s2 = d * g.t2 - u.t2;
  double radius = friction * mo_max(d * g.n, 0.0), length = sqrt(s1 * s1 + s2 * s2);
  double part = length > radius ? radius / length : 1.0;
  double e1 = d * g.t1 - part * s1, e2 = d * g.t2 - part * s2;
  return sqrt(normal * normal + e1 * e1 + e2 * e2);
}

static double contact_error(const block_state *s, double friction, bool cone, bool shifts,
                            mo_residual *out) {
  double d = s->mobility;
  triple g = {s->g[0], cone ? s->g[1] : 0.0, cone ? s->g[2] : 0.0};
  triple u = {s->u[0], cone ? s->u[1] : 0.0, cone ? s->u[2] : 0.0};
  // The shift of De Saxce and Feng (1998) turns Coulomb's law into a complementarity of cones.
  double shift = shifts ? friction * tangent_length(u) : 0.0;
  triple shifted = {u.n + shift, u.t1, u.t2};
  triple y = {d * g.n - shifted.n, d * g.t1 - shifted.t1, d * g.t2 - shifted.t2};
  triple p = project_on_cone(y, friction);
  double en = d * g.n - p.n, e1 = d * g.t1 - p.t1, e2 = d * g.t2 - p.t2;

  out->cone = mo_max(out->cone, d * mo_max(0.0, tangent_length(g) - friction * g.n));
  // |mu u_t| - u^_n of the dual cone: with the shift, only the approach remains.
  double dual = friction * tangent_length(u) - shifted.n;
  out->dual = mo_max(out->dual, mo_max(0.0, shifts ? -u.n : dual));
  out->complementarity =
      mo_max(out->complementarity, fabs(g.n * shifted.n + g.t1 * shifted.t1 + g.t2 * shifted.t2));
  return shifts && friction > STEEP_FRICTION ? steep_cone_error(d, g, u, friction)
                                             : sqrt(en * en + e1 * e1 + e2 * e2);
}

static double box_error(const block_state *s, double lower, double upper) {
  double d = s->mobility;
  return fabs(d * s->g[0] - mo_clamp(d * s->g[0] - s->u[0], d * lower, d * upper));
}

static void add_block(const mo_row_block *block, const block_state *s, mo_friction_law law,
                      mo_residual *out, double *sum_of_squares) {
  if (block->bound == MO_BOUND_BILATERAL) {
    for (uint32_t k = 0; k < block->row_count; k++) {
      out->bilateral = mo_max(out->bilateral, fabs(s->u[k]));
    }
    return;
  }
  double error = 0.0;
  // Between two immovable bodies no impulse changes anything.
  if (s->mobility > 0.0) {
    bool cone = block->bound == MO_BOUND_CONE;
    error = block->bound == MO_BOUND_BOX ? box_error(s, block->lower, block->upper)
                                         : contact_error(s, cone ? block->friction : 0.0, cone,
                                                         law == MO_FRICTION_COULOMB, out);
  }
  out->worst = mo_max(out->worst, error);
  *sum_of_squares += error * error;
  out->contacts++;
}

static void finish(double sum_of_squares, mo_residual *out) {
  out->worst = mo_max(out->worst, out->bilateral);
  out->rms = out->contacts > 0 ? sqrt(sum_of_squares / out->contacts) : 0.0;
}

// --- problems of a world ---------------------------------------------------------------------

MO_APART double relative_velocity(const mo_row *row, const mo_velocity *a, const mo_velocity *b) {
  return mo_dot(row->linear_a, a->linear) + mo_dot(row->linear_b, b->linear) +
         mo_dot(row->angular_a, a->angular) + mo_dot(row->angular_b, b->angular);
}

static block_state state_of_rows(const mo_row_problem *problem, const mo_row_block *block,
                                 const mo_velocity *v) {
  block_state s = {.mobility = 0.0};
  for (uint32_t k = 0; k < block->row_count; k++) {
    const mo_row *row = &problem->rows[block->first_row + k];
    const mo_row_pair *pair = mo_block_pair(problem, block, k);
    double relative = relative_velocity(row, &v[block->body_a], &v[block->body_b]);
    double mobility =
        row_mobility(row, &problem->bodies[block->body_a], &problem->bodies[block->body_b]);
    if (pair) {
      relative += relative_velocity(&pair->row, &v[pair->body_c], &v[pair->body_d]);
      mobility +=
          row_mobility(&pair->row, &problem->bodies[pair->body_c], &problem->bodies[pair->body_d]);
    }
    s.g[k] = row->impulse;
    s.u[k] = relative + row->bias + row->softening * row->impulse;
    s.mobility += (row->softening + mobility) / block->row_count;
  }
  return s;
}

mo_result mo_certificate_evaluate(const mo_row_problem *problem, mo_friction_law law,
                                  mo_arena *arena, mo_residual *out) {
  *out = (mo_residual){0};
  mo_velocity *v = recompute_velocities(problem, arena);
  if (!v) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double sum_of_squares = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    block_state s = state_of_rows(problem, block, v);
    mo_row_block bounded = *block;
    if (block->load_count > 0) { // from the loads, not from what a solver made of them
      bounded.upper = mo_load_bound(problem, block);
      bounded.lower = -bounded.upper;
    }
    add_block(&bounded, &s, law, out, &sum_of_squares);
  }
  finish(sum_of_squares, out);
  return MO_OK;
}

// --- problems of one island ------------------------------------------------------------------

mo_residual mo_certificate_of_contact_problem(const mo_contact_problem *problem,
                                              mo_friction_law law, const double *velocities) {
  mo_residual out = {0};
  double sum_of_squares = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    block_state s = {.mobility = 0.0};
    for (uint32_t k = 0; k < block->row_count; k++) {
      uint32_t row = block->first_row + k;
      s.g[k] = problem->impulse[row];
      s.u[k] = velocities[row];
      s.mobility += mo_contact_problem_mobility(problem, row) / block->row_count;
    }
    add_block(block, &s, law, &out, &sum_of_squares);
  }
  finish(sum_of_squares, &out);
  return out;
}

mo_residual mo_certificate_of_impulses(const mo_contact_problem *problem, mo_friction_law law,
                                       mo_arena *arena) {
  double *velocities = MO_ARENA_TAKE_RAW(arena, double, problem->row_count);
  double *work = MO_ARENA_TAKE_RAW(arena, double, 6 * (size_t)problem->body_count);
  if (!velocities || !work) {
    return (mo_residual){.worst = (double)NAN};
  }
  mo_contact_problem_velocities(problem, problem->impulse, velocities, work);
  return mo_certificate_of_contact_problem(problem, law, velocities);
}
