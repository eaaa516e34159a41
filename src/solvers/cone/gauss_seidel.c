/// Block Gauss-Seidel sweeps, which help a stagnating Newton method.
#include "math/scalar.h"
#include "solvers/cone/cone_methods.h"

#include <string.h>

// Newton steps for one contact.
#define LOCAL_NEWTON_STEPS 10
// Steps of the fixed-point iteration that replaces them where they fail.
#define LOCAL_FIXED_POINT_STEPS 30
// Residual of one contact, relative to its impulse, that counts as round-off.
#define LOCAL_TOLERANCE 1e-12

// --- one contact --------------------------------------------------------------------------------

typedef struct one_contact {
  double k[9]; // its part of W
  double b[3]; // velocity without impulse
  double friction;
  bool convex;
} one_contact;

// Solves the 3 x 3 system m y = right in place, by elimination with partial pivoting.
static bool solve3(double m[9], double right[3]) {
  for (int k = 0; k < 3; k++) {
    int pivot = k;
    for (int i = k + 1; i < 3; i++) {
      pivot = fabs(m[3 * i + k]) > fabs(m[3 * pivot + k]) ? i : pivot;
    }
    if (!(fabs(m[3 * pivot + k]) > 0.0)) {
      return false;
    }
    for (int j = 0; j < 3 && pivot != k; j++) {
      double kept = m[3 * k + j];
      m[3 * k + j] = m[3 * pivot + j];
      m[3 * pivot + j] = kept;
    }
    double kept = right[k];
    right[k] = right[pivot];
    right[pivot] = kept;
    for (int i = k + 1; i < 3; i++) {
      double factor = m[3 * i + k] / m[3 * k + k];
      for (int j = k; j < 3; j++) {
        m[3 * i + j] -= factor * m[3 * k + j];
      }
      right[i] -= factor * right[k];
    }
  }
  for (int k = 2; k >= 0; k--) {
    for (int j = k + 1; j < 3; j++) {
      right[k] -= m[3 * k + j] * right[j];
    }
    right[k] /= m[3 * k + k];
  }
  return true;
}

// The natural map of one contact. `d` and `slope` (d u^ / d u, tangents of the first row) may be
// null.
static double local_map(const one_contact *c, const double x[3], double r, double f[3], double d[9],
                        double slope[2]) {
  double u[3], p[3];
  for (size_t i = 0; i < 3; i++) {
    u[i] = c->b[i] + c->k[3 * i] * x[0] + c->k[3 * i + 1] * x[1] + c->k[3 * i + 2] * x[2];
  }
  double slip = sqrt(u[1] * u[1] + u[2] * u[2]), mu = c->convex ? 0.0 : c->friction;
  double y[3] = {x[0] - r * (u[0] + mu * slip), x[1] - r * u[1], x[2] - r * u[2]};
  mo_project_friction_cone(y, c->friction, p, d);
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    f[i] = x[i] - p[i];
    sum += f[i] * f[i];
  }
  if (slope) {
    slope[0] = slip > 0.0 ? mu * u[1] / slip : 0.0;
    slope[1] = slip > 0.0 ? mu * u[2] / slip : 0.0;
  }
  return sqrt(sum);
}

// Newton's method on the natural map from x. If it does not converge, x stays as it was.
static bool local_newton(const one_contact *c, double x[3]) {
  double y[3] = {x[0], x[1], x[2]}, f[3], d[9], slope[2];
  for (int step = 0; step <= LOCAL_NEWTON_STEPS; step++) {
    double error = local_map(c, y, 1.0, f, d, slope);
    double size = fabs(y[0]) + fabs(y[1]) + fabs(y[2]);
    if (error <= LOCAL_TOLERANCE * size) {
      memcpy(x, y, 3 * sizeof *x);
      return true;
    }
    double m[9];
    for (size_t i = 0; i < 3; i++) {
      double db[3] = {d[3 * i], d[3 * i + 1] + d[3 * i] * slope[0],
                      d[3 * i + 2] + d[3 * i] * slope[1]};
      for (size_t j = 0; j < 3; j++) {
        m[3 * i + j] = (i == j ? 1.0 : 0.0) - d[3 * i + j] + db[0] * c->k[j] + db[1] * c->k[3 + j] +
                       db[2] * c->k[6 + j];
      }
    }
    if (step == LOCAL_NEWTON_STEPS || !solve3(m, f)) {
      return false;
    }
    for (int i = 0; i < 3; i++) {
      y[i] -= f[i];
    }
    if (!mo_is_finite(y[0] + y[1] + y[2])) {
      return false;
    }
  }
  return false;
}

static void local_fixed_point(const one_contact *c, double x[3]) {
  double r = 1.5 / (c->k[0] + c->k[4] + c->k[8]), f[3];
  for (int step = 0; step < LOCAL_FIXED_POINT_STEPS; step++) {
    double error = local_map(c, x, r, f, NULL, NULL);
    for (int i = 0; i < 3; i++) {
      x[i] -= f[i];
    }
    if (error <= LOCAL_TOLERANCE * fabs(x[0])) {
      return;
    }
  }
}

// The impulse of one contact whose velocity is b + k x: open, sticking, or sliding.
static void solve_contact(const one_contact *c, double x[3]) {
  double slip = sqrt(c->b[1] * c->b[1] + c->b[2] * c->b[2]);
  if (c->b[0] >= (c->convex ? c->friction * slip : 0.0)) {
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  double m[9], stick[3] = {-c->b[0], -c->b[1], -c->b[2]};
  memcpy(m, c->k, sizeof m);
  if (solve3(m, stick) &&
      sqrt(stick[1] * stick[1] + stick[2] * stick[2]) <= c->friction * stick[0]) {
    memcpy(x, stick, sizeof stick);
    return;
  }
  if (!local_newton(c, x)) {
    local_fixed_point(c, x);
  }
}

// --- sweeps -------------------------------------------------------------------------------------

static void velocity_of_rows(const mo_scaled_problem *problem, const mo_cone_block *block,
                             const double *x, double *u) {
  for (uint32_t k = 0; k < block->row_count; k++) {
    size_t row = block->first_row + k;
    double own = problem->free_velocity[row] + problem->softening[row] * x[row];
    u[k] = own +
           (problem->delassus
                ? mo_dense_dot(problem->delassus + row * problem->row_count, x, problem->row_count)
                : mo_scaled_row_velocity(problem, block, row, problem->body_velocity));
  }
}

// x[row] += dx, and the bodies' velocities with it.
static void change(const mo_scaled_problem *problem, const mo_cone_block *block, double *x,
                   uint32_t row, double dx) {
  x[row] += dx;
  if (!problem->delassus && dx != 0.0) {
    mo_scaled_add_row(problem, block, row, dx, problem->body_velocity);
  }
}

// `diagonal` is the block's part of W, softening included.
static void sweep_contact(const mo_scaled_problem *problem, const mo_cone_block *block,
                          double *diagonal, double *x) {
  uint32_t first = block->first_row;
  one_contact c = {.friction = block->friction, .convex = problem->convex};
  velocity_of_rows(problem, block, x, c.b);
  double next[3] = {x[first], x[first + 1], x[first + 2]};
  for (uint32_t k = 0; k < 3; k++) {
    for (uint32_t j = 0; j < 3; j++) {
      c.k[3 * k + j] = *mo_block_entry(diagonal, first, k, j);
      c.b[k] -= c.k[3 * k + j] * x[first + j];
    }
  }
  solve_contact(&c, next);
  for (uint32_t k = 0; k < 3; k++) {
    change(problem, block, x, first + k, next[k] - x[first + k]);
  }
}

// Rows one by one.
static void sweep_rows(const mo_scaled_problem *problem, const mo_cone_block *block,
                       double *diagonal, double *x) {
  for (uint32_t k = 0; k < block->row_count; k++) {
    uint32_t row = block->first_row + k;
    double u[MO_BLOCK_ROWS], mobility = *mo_block_entry(diagonal, block->first_row, k, k);
    if (!(mobility > 0.0)) {
      continue;
    }
    velocity_of_rows(problem, block, x, u);
    double next = x[row] - u[k] / mobility;
    if (block->kind != MO_CONE_LINEAR) {
      next = mo_clamp(next, block->lower, block->upper);
    }
    change(problem, block, x, row, next - x[row]);
  }
}

static void form_diagonal(const mo_scaled_problem *problem, double *diagonal) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      uint32_t row = block->first_row + k;
      for (uint32_t j = 0; j < block->row_count; j++) {
        *mo_block_entry(diagonal, block->first_row, k, j) =
            mo_scaled_entry(problem, block, row, block, block->first_row + j) +
            (j == k ? problem->softening[row] : 0.0);
      }
    }
  }
}

// The sweeps of `wanted` for which the work of the step still suffices.
static uint32_t affordable(const mo_newton_system *system, uint32_t wanted) {
  double left = mo_work_left(system->work), cost = system->sweep_cost * system->unit;
  return left > 0.0 && wanted * cost > left ? (uint32_t)(left / cost) : wanted;
}

double mo_cone_sweep(mo_cone_state *state, double *x, uint32_t sweeps) {
  const mo_scaled_problem *problem = state->problem;
  double *diagonal = state->system.a; // no factorisation uses it now
  sweeps = affordable(&state->system, sweeps);
  mo_newton_spend(&state->system, sweeps * state->system.sweep_cost);
  form_diagonal(problem, diagonal);
  mo_scaled_apply(problem, x, state->u); // sets the bodies' velocities too
  for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
    for (uint32_t i = 0; i < problem->block_count; i++) {
      const mo_cone_block *block = &problem->blocks[i];
      if (block->kind == MO_CONE_COULOMB || block->kind == MO_CONE_FRICTIONLESS) {
        sweep_contact(problem, block, diagonal, x);
      } else if (block->kind != MO_CONE_IMMOVABLE) {
        sweep_rows(problem, block, diagonal, x);
      }
    }
  }
  return mo_cone_measure(state, &state->run, x);
}
