#include "solvers/cone/newton_system.h"

#include "math/scalar.h"

// Steps of refinement of the dense backend.
#define DENSE_REFINEMENTS 1
// Steps of refinement in body space.
#define BODY_REFINEMENTS 2
// Relative residual that needs no refinement.
#define BODY_ACCURACY 1e-7
// Mass ratio up to which body space is as accurate as rows.
#define BODY_MASS_RATIO 1e3
// Rows up to which the dense backend is chosen for larger mass ratios.
#define RATIO_ROWS 300
// Rows up to which the dense backend can be used at all.
#define DENSE_ROWS 900
// Time of an operation of a body factorisation, relative to a dense one.
#define BODY_SLOWNESS 2.0
// Floating-point operations of a Gauss-Seidel sweep per row.
#define SWEEP_WORK 400.0
// Problems with at most so many rows, and fewer than six rows per body, are fastest dense.
#define SMALL_ROWS 48

// The largest over the smallest mobility of bodies in their rows: about the mass ratio.
static double mass_ratio(const mo_scaled_problem *problem) {
  double largest = 0.0, smallest = INFINITY;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    for (uint32_t row = block->first_row; row < block->first_row + block->row_count; row++) {
      double scale = problem->scale[row];
      for (uint32_t side = 0; side < 2 * problem->pairs && scale > 0.0; side++) {
        const double *j = problem->jacobian[side] + 6 * (size_t)row;
        double mobility = mo_dense_dot(j, j, 6) / (scale * scale);
        largest = mo_max(largest, mobility);
        smallest = mobility > 0.0 ? mo_min(smallest, mobility) : smallest;
      }
    }
  }
  return largest / smallest;
}

static mo_newton_backend choose_backend(const mo_scaled_problem *problem) {
  if (problem->delassus ||
      (problem->row_count <= SMALL_ROWS && problem->row_count < 6 * problem->body_count) ||
      (problem->row_count <= RATIO_ROWS && mass_ratio(problem) > BODY_MASS_RATIO)) {
    return MO_NEWTON_DENSE;
  }
  return MO_NEWTON_BODY;
}

// Costs in factorisations of the chosen backend.
static void set_costs(mo_newton_system *system) {
  const mo_scaled_problem *problem = system->problem;
  double n = problem->row_count, dense = 2.0 / 3.0 * n * n * n;
  system->unit = dense;
  system->dense_cost = 1.0;
  if (system->backend == MO_NEWTON_BODY) {
    system->unit = BODY_SLOWNESS * mo_newton_body_work(system);
    system->dense_cost = mo_max(dense / system->unit, 1.0);
  }
  system->unit = mo_max(system->unit, SWEEP_WORK * n);
  system->sweep_cost = problem->delassus ? 0.0 : SWEEP_WORK * n / system->unit;
}

mo_result mo_newton_system_create(mo_newton_system *system, const mo_scaled_problem *problem,
                                  uint32_t budget, mo_work *work, mo_ordering_cache *cache,
                                  mo_arena *arena) {
  size_t n = problem->row_count;
  *system = (mo_newton_system){.problem = problem,
                               .arena = arena,
                               .backend = choose_backend(problem),
                               .compliance = MO_COMPLIANCE_OF_MAPS,
                               .work = work,
                               .budget = budget};
  system->a = MO_ARENA_TAKE(arena, double, MO_BLOCK_ROWS *n);
  system->b = MO_ARENA_TAKE(arena, double, MO_BLOCK_ROWS *n);
  system->residual = MO_ARENA_TAKE(arena, double, n);
  system->product = MO_ARENA_TAKE(arena, double, n);
  system->correction = MO_ARENA_TAKE(arena, double, n);
  if (!system->a || !system->b || !system->residual || !system->product || !system->correction) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  bool created = system->backend == MO_NEWTON_DENSE ? mo_newton_dense_create(system)
                                                    : mo_newton_body_create(system, cache);
  if (!created) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  set_costs(system);
  return MO_OK;
}

bool mo_newton_use_dense(mo_newton_system *system) {
  if (system->backend == MO_NEWTON_DENSE || system->out_of_memory ||
      system->problem->row_count > DENSE_ROWS) {
    return false;
  }
  if (!system->lu.matrix && !mo_newton_dense_create(system)) {
    system->out_of_memory = true;
    return false;
  }
  system->backend = MO_NEWTON_DENSE;
  return true;
}

static bool factorise_dense(mo_newton_system *system) {
  if (!mo_newton_may_factorise(system)) {
    return false;
  }
  system->factorisations++;
  mo_newton_spend(system, system->dense_cost);
  return mo_newton_dense_factorise(system);
}

bool mo_newton_factorise(mo_newton_system *system) {
  if (system->backend == MO_NEWTON_BODY) {
    if (!mo_newton_may_factorise(system)) {
      return false;
    }
    system->factorisations++;
    mo_newton_spend(system, 1.0);
    return mo_newton_body_factorise(system);
  }
  return factorise_dense(system);
}

// residual = right - A y - B W y
// @return its largest entry, relative to the largest term of its row
static double find_residual(mo_newton_system *system, const double *right, const double *y) {
  const mo_scaled_problem *problem = system->problem;
  double worst = 0.0;
  mo_scaled_apply(problem, y, system->product);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    for (uint32_t k = 0; k < block->row_count; k++) {
      double sum = right[first + k], largest = fabs(sum);
      for (uint32_t j = 0; j < block->row_count; j++) {
        double ay = *mo_block_entry(system->a, first, k, j) * y[first + j];
        double bw = *mo_block_entry(system->b, first, k, j) * system->product[first + j];
        sum -= ay + bw;
        largest = mo_max(largest, mo_max(fabs(ay), fabs(bw)));
      }
      system->residual[first + k] = sum;
      worst = fabs(sum) > worst * largest ? fabs(sum) / largest : worst;
    }
  }
  return worst;
}

static bool is_finite(const double *x, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    sum += fabs(x[i]);
  }
  return mo_is_finite(sum);
}

static bool solve_dense(mo_newton_system *system, const double *right, double *y) {
  uint32_t n = system->problem->row_count;
  memcpy(y, right, n * sizeof *y);
  mo_newton_dense_solve(system, y);
  for (int pass = 0; pass < DENSE_REFINEMENTS; pass++) {
    find_residual(system, right, y);
    mo_newton_dense_solve(system, system->residual);
    mo_dense_add_scaled(y, 1.0, system->residual, n);
  }
  return is_finite(y, n);
}

static bool solve_body(mo_newton_system *system, const double *right, double *y) {
  uint32_t n = system->problem->row_count;
  mo_newton_body_solve(system, right, y);
  for (int pass = 0; pass < BODY_REFINEMENTS; pass++) {
    double before = find_residual(system, right, y);
    if (before <= BODY_ACCURACY) {
      break;
    }
    mo_newton_body_solve(system, system->residual, system->correction);
    mo_dense_add_scaled(y, 1.0, system->correction, n);
  }
  return is_finite(y, n);
}

bool mo_newton_solve(mo_newton_system *system, const double *right, double *y) {
  if (system->backend == MO_NEWTON_DENSE) {
    return solve_dense(system, right, y);
  }
  return solve_body(system, right, y);
}
