#include "solvers/exact/bilateral.h"

#include "math/scalar.h"
#include "solvers/row_system.h"

#include <string.h>

// Fraction of a row's own mobility that is added to it: large enough for redundant rows to have
// pivots well above round-off, and small enough for the proximal steps to converge in one or two if
// the condition number is below 1e10.
#define SHIFT 1e-12
// The same while the part of the rows that contradicts is sought: impulses along it grow by the
// inverse of the shift, and their round-off must stay small.
#define CONTRADICTION_SHIFT 1e-8
// Steps in that search.
#define CONTRADICTION_STEPS 10
// Fraction of the residual to which a step above the tolerance must reduce it, for another one to
// follow: convergence may be slow there.
#define SLOW_PROGRESS 0.9
// The same below the tolerance.
#define PROGRESS 0.5
// Fraction of the tolerance below which no further step is taken.
#define CLOSE_ENOUGH 1e-4
// The most proximal steps of one refinement.
#define MAX_STEPS 20
// Factor by which the largest row velocity of a least-squares point may exceed that of the point
// before, because least squares do not minimise the largest one.
#define WORSE 2.0

typedef struct bilateral {
  mo_row_system system;
  double *x, *best, *w, *step;
  double *found;  // the best point, with the contradictions included
  double *target; // the velocity that cannot be brought to zero
} bilateral;

static mo_result begin(bilateral *s, mo_contact_problem *problem, mo_work *work,
                       mo_ordering_cache *cache, mo_arena *arena) {
  size_t n = problem->row_count;
  s->x = MO_ARENA_TAKE(arena, double, n);
  s->best = MO_ARENA_TAKE(arena, double, n);
  s->w = MO_ARENA_TAKE_RAW(arena, double, n);
  s->step = MO_ARENA_TAKE_RAW(arena, double, n);
  s->found = MO_ARENA_TAKE_RAW(arena, double, n);
  s->target = MO_ARENA_TAKE(arena, double, n);
  if (!s->x || !s->best || !s->w || !s->step || !s->found || !s->target) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  return mo_row_system_init(&s->system, problem, work, cache, arena);
}

static bool factor(bilateral *s, double shift) {
  for (uint32_t i = 0; i < s->system.row_count; i++) {
    s->step[i] = shift;
  }
  return mo_row_system_factor(&s->system, s->step);
}

// The largest |w - target| of the rows, m/s, at the impulses x. Sets w.
static double measure(bilateral *s, const double *x, const double *target) {
  mo_row_system_velocity(&s->system, x, true, s->w);
  double worst = 0.0;
  for (uint32_t i = 0; i < s->system.row_count; i++) {
    double w = s->system.root[i] > 0.0 ? s->system.root[i] * (s->w[i] - target[i])
                                       : s->system.problem->free_velocity[i];
    worst = fabs(w) <= worst ? worst : fabs(w); // NaN stays
  }
  return worst;
}

// Takes proximal steps towards w = target from x = 0. The best point is in s->best; returns its
// residual.
static double refine(bilateral *s, const double *target, double tolerance, uint32_t max_steps,
                     uint32_t *steps) {
  uint32_t n = s->system.row_count;
  memset(s->x, 0, n * sizeof *s->x);
  memset(s->best, 0, n * sizeof *s->best);
  double best = measure(s, s->x, target);
  for (uint32_t k = 0; k < max_steps && best > CLOSE_ENOUGH * tolerance; k++) {
    for (uint32_t i = 0; i < n; i++) {
      s->step[i] = target[i] - s->w[i];
    }
    mo_row_system_solve(&s->system, s->step);
    for (uint32_t i = 0; i < n; i++) {
      s->x[i] += s->step[i];
    }
    ++*steps;
    double residual = measure(s, s->x, target);
    bool progress = residual <= (best > tolerance ? SLOW_PROGRESS : PROGRESS) * best;
    if (residual < best) {
      best = residual;
      memcpy(s->best, s->x, n * sizeof *s->x);
    }
    if (!progress) {
      break;
    }
  }
  return best;
}

// The part of the free velocity that no impulse changes: x - W (W + shift)^-1 x keeps it, and
// reduces the rest.
static void find_contradiction(bilateral *s) {
  uint32_t n = s->system.row_count;
  memcpy(s->target, s->system.free_velocity, n * sizeof *s->target);
  for (int k = 0; k < CONTRADICTION_STEPS; k++) {
    memcpy(s->step, s->target, n * sizeof *s->step);
    mo_row_system_solve(&s->system, s->step);
    mo_row_system_velocity(&s->system, s->step, false, s->w);
    for (uint32_t i = 0; i < n; i++) {
      s->target[i] -= s->w[i];
    }
  }
}

// Solves without the contradiction, unless the result is worse than `found`: then the rows were
// only ill-conditioned.
static double solve_least_squares(bilateral *s, double found, double tolerance, uint32_t *steps) {
  uint32_t n = s->system.row_count;
  memcpy(s->found, s->best, n * sizeof *s->best);
  if (!factor(s, CONTRADICTION_SHIFT)) {
    return found;
  }
  find_contradiction(s);
  refine(s, s->target, tolerance, MAX_STEPS, steps);
  memset(s->target, 0, n * sizeof *s->target);
  double residual = measure(s, s->best, s->target);
  if (residual <= WORSE * found) {
    return residual;
  }
  memcpy(s->best, s->found, n * sizeof *s->best);
  return found;
}

static double solve(bilateral *s, const mo_solver_settings *settings, mo_solve_result *result) {
  uint32_t limit = settings->max_iterations < MAX_STEPS ? settings->max_iterations : MAX_STEPS;
  if (!factor(s, SHIFT)) {
    return measure(s, s->best, s->target);
  }
  double residual = refine(s, s->target, settings->tolerance, limit, &result->iterations);
  if (!(residual <= settings->tolerance)) {
    residual = solve_least_squares(s, residual, settings->tolerance, &result->iterations);
  }
  return residual;
}

mo_solve_result mo_bilateral_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                                   mo_ordering_cache *cache, mo_arena *arena) {
  bilateral s;
  mo_solve_result result = {.result = MO_OK, .status = MO_SOLVE_NONE};
  if (problem->row_count == 0) {
    return result;
  }
  result.result = begin(&s, problem, settings->work, cache, arena);
  if (result.result != MO_OK) {
    return result;
  }
  double residual = solve(&s, settings, &result);
  bool good = residual <= settings->tolerance;
  result.out_of_work = !good && !mo_row_system_may_factor(&s.system);
  result.status = good                 ? MO_SOLVE_CONVERGED
                  : result.out_of_work ? MO_SOLVE_BUDGET
                                       : MO_SOLVE_STALLED;
  result.factorisations = s.system.factorisations;
  if (settings->estimate_condition) {
    result.condition = mo_row_system_condition(&s.system, arena);
    if (result.condition < 0.0) {
      result.result = MO_ERROR_OUT_OF_MEMORY;
      return result;
    }
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    double root = s.system.root[i];
    problem->impulse[i] = root > 0.0 ? s.best[i] / root : 0.0;
  }
  return result;
}
