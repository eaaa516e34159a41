#include "solvers/cone/splitting.h"

#include "math/scalar.h"
#include "solvers/friction_cone.h"

#include <string.h>

// Counted operations of an iteration per row: its part of the solve, and of Anderson's sums.
#define ITERATION_WORK 500.0
// Anderson's method starts anew where an iteration leaves more than this times the least residual.
#define MOST_GROWTH 2.0
// Of the trace, added to the diagonal of Anderson's normal equations.
#define REGULARISATION 1e-8

mo_result mo_splitting_create(mo_splitting *s, mo_cone_state *state, mo_arena *arena) {
  size_t n = state->problem->row_count;
  *s = (mo_splitting){.state = state};
  double **vectors[] = {&s->w, &s->y, &s->image, &s->f, &s->last_image, &s->last_f};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = MO_ARENA_TAKE_RAW(arena, double, n);
    if (!*vectors[i]) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  s->f_changes = MO_ARENA_TAKE_RAW(arena, double, MO_SPLITTING_MEMORY *n);
  s->image_changes = MO_ARENA_TAKE_RAW(arena, double, MO_SPLITTING_MEMORY *n);
  return s->f_changes && s->image_changes ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

double mo_splitting_work(const mo_splitting *s) {
  return ITERATION_WORK * s->state->problem->row_count;
}

// --- one iteration ------------------------------------------------------------------------------

static bool is_cone(const mo_cone_block *block) {
  return block->kind == MO_CONE_COULOMB || block->kind == MO_CONE_FRICTIONLESS;
}

static bool is_projected(const mo_cone_block *block) {
  return is_cone(block) || block->kind == MO_CONE_INTERVAL;
}

// mu |u_T| with the tangents of two vectors whose difference is u, times `factor`.
static double shift_of(const mo_scaled_problem *problem, const mo_cone_block *block, double factor,
                       double u1, double u2) {
  return is_cone(block) && !problem->convex ? block->friction * factor * sqrt(u1 * u1 + u2 * u2)
                                            : 0.0;
}

// rho + W for projected rows; W for linear ones; 1 for those that do not move.
static bool factorise(mo_splitting *s) {
  const mo_scaled_problem *problem = s->state->problem;
  mo_newton_system *system = &s->state->system;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      bool moves = problem->scale[block->first_row + k] > 0.0;
      bool is_free = is_projected(block) || (block->kind == MO_CONE_LINEAR && moves);
      double a = is_projected(block) ? MO_SPLITTING_RHO : is_free ? 0.0 : 1.0;
      for (uint32_t j = 0; j < block->row_count; j++) {
        *mo_block_entry(system->a, block->first_row, k, j) = j == k ? a : 0.0;
        *mo_block_entry(system->b, block->first_row, k, j) = j == k && is_free ? 1.0 : 0.0;
      }
    }
  }
  s->is_factorised = mo_newton_factorise(system);
  return s->is_factorised;
}

void mo_splitting_start(mo_splitting *s, const double *x) {
  const mo_scaled_problem *problem = s->state->problem;
  double *u = s->state->u;
  mo_scaled_velocity(problem, x, u);
  s->has_last = false;
  memcpy(s->w, x, problem->row_count * sizeof *x);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    if (is_projected(block)) {
      mo_dense_add_scaled(s->w + first, -1.0 / MO_SPLITTING_RHO, u + first, block->row_count);
    }
    if (is_cone(block)) {
      s->w[first] -= shift_of(problem, block, 1.0, u[first + 1], u[first + 2]) / MO_SPLITTING_RHO;
    }
  }
}

// y of a block, and its right-hand side.
static void project_block(const mo_splitting *s, const mo_cone_block *block, double *right) {
  const mo_scaled_problem *problem = s->state->problem;
  const double *w = s->w, *q = problem->free_velocity;
  double *y = s->y, rho = MO_SPLITTING_RHO;
  uint32_t first = block->first_row;
  memcpy(y + first, w + first, block->row_count * sizeof *y);
  if (is_cone(block)) {
    mo_project_friction_cone(w + first, block->friction, y + first, NULL);
  } else if (block->kind == MO_CONE_INTERVAL || block->kind == MO_CONE_FIXED) {
    y[first] = mo_clamp(w[first], block->lower, block->upper);
  }
  for (uint32_t k = first; k < first + block->row_count; k++) {
    bool moves = problem->scale[k] > 0.0;
    right[k] = is_projected(block)                      ? rho * (2.0 * y[k] - w[k]) - q[k]
               : block->kind == MO_CONE_FIXED           ? y[k]
               : block->kind == MO_CONE_LINEAR && moves ? -q[k]
                                                        : 0.0;
  }
  if (is_cone(block)) {
    right[first] -=
        shift_of(problem, block, rho, y[first + 1] - w[first + 1], y[first + 2] - w[first + 2]);
  }
}

static void solve(mo_newton_system *system, const double *right, double *out) {
  if (system->backend == MO_NEWTON_BODY) {
    mo_newton_body_solve(system, right, out);
  } else {
    memcpy(out, right, system->problem->row_count * sizeof *out);
    mo_newton_dense_solve(system, out);
  }
}

// Finds y, f and the image of w. Returns |f|.
static double iterate(mo_splitting *s) {
  const mo_scaled_problem *problem = s->state->problem;
  double *right = s->state->f, *z = s->state->dx, sum = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    project_block(s, &problem->blocks[i], right);
  }
  solve(&s->state->system, right, z);
  for (uint32_t k = 0; k < problem->row_count; k++) {
    s->f[k] = z[k] - s->y[k];
    s->image[k] = s->w[k] + s->f[k];
    sum += s->f[k] * s->f[k];
  }
  mo_newton_spend(&s->state->system, mo_splitting_work(s) / s->state->system.unit);
  return sqrt(sum);
}

// --- acceleration -------------------------------------------------------------------------------

static void restart(mo_splitting *s) {
  s->used = s->next = 0;
  s->has_last = false;
  s->least = INFINITY;
}

static void remember_change(mo_splitting *s) {
  size_t n = s->state->problem->row_count, slot = s->next;
  double *df = s->f_changes + slot * n, *dg = s->image_changes + slot * n;
  for (size_t k = 0; k < n; k++) {
    df[k] = s->f[k] - s->last_f[k];
    dg[k] = s->image[k] - s->last_image[k];
  }
  s->next = (s->next + 1) % MO_SPLITTING_MEMORY;
  s->used = s->used < MO_SPLITTING_MEMORY ? s->used + 1 : MO_SPLITTING_MEMORY;
  for (size_t j = 0; j < s->used; j++) {
    double product = mo_dense_dot(df, s->f_changes + j * n, n);
    s->products[slot][j] = s->products[j][slot] = product;
  }
}

// The factors of the differences with the least |f - sum c df|, by elimination of the normal
// equations.
static void find_factors(const mo_splitting *s, double c[MO_SPLITTING_MEMORY]) {
  double m[MO_SPLITTING_MEMORY][MO_SPLITTING_MEMORY], trace = 0.0;
  uint32_t count = s->used, n = s->state->problem->row_count;
  memcpy(m, s->products, sizeof m);
  for (uint32_t i = 0; i < count; i++) {
    c[i] = mo_dense_dot(s->f_changes + (size_t)i * n, s->f, n);
    trace += m[i][i];
  }
  for (uint32_t i = 0; i < count; i++) {
    m[i][i] += REGULARISATION * trace;
  }
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = i + 1; j < count; j++) {
      double factor = m[i][i] > 0.0 ? m[j][i] / m[i][i] : 0.0;
      mo_dense_add_scaled(m[j] + i, -factor, m[i] + i, count - i);
      c[j] -= factor * c[i];
    }
  }
  for (uint32_t i = count; i-- > 0;) {
    for (uint32_t j = i + 1; j < count; j++) {
      c[i] -= m[i][j] * c[j];
    }
    c[i] = m[i][i] > 0.0 ? c[i] / m[i][i] : 0.0;
  }
}

// The next w (Anderson 1965; Walker and Ni 2011, type II).
static void accelerate(mo_splitting *s) {
  size_t n = s->state->problem->row_count;
  double c[MO_SPLITTING_MEMORY];
  if (s->has_last) {
    remember_change(s);
  }
  memcpy(s->last_f, s->f, n * sizeof *s->f);
  memcpy(s->last_image, s->image, n * sizeof *s->f);
  memcpy(s->w, s->image, n * sizeof *s->w);
  s->has_last = true;
  find_factors(s, c);
  for (uint32_t i = 0; i < s->used; i++) {
    mo_dense_add_scaled(s->w, -c[i], s->image_changes + i * n, (uint32_t)n);
  }
}

uint32_t mo_splitting_run(mo_splitting *s, uint32_t count, double kept) {
  mo_newton_system *system = &s->state->system;
  if (!s->has_last) {
    restart(s);
  }
  double compliance = system->compliance;
  system->compliance = 0.0; // rho bounds what is eliminated
  bool can_run = s->is_factorised || factorise(s);
  system->compliance = compliance;
  uint32_t made = 0;
  for (; can_run && made < count && mo_work_allows(system->work, mo_splitting_work(s) + kept);
       made++) {
    double residual = iterate(s);
    if (s->has_last && !(residual <= MOST_GROWTH * s->least)) {
      memcpy(s->w, s->last_image, s->state->problem->row_count * sizeof *s->w);
      restart(s);
      continue;
    }
    s->least = mo_min(s->least, residual);
    accelerate(s);
  }
  return made;
}
