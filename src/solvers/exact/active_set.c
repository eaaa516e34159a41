#include "solvers/exact/active_set.h"

#include "math/scalar.h"
#include "solvers/exact/bounded_qp.h"

#include <string.h>

// Fraction of a row's own mobility that is added to it. Redundant rows then get pivots well above
// round-off, and refinement, which converges by shift / eigenvalue, needs few steps at mass ratios
// of 1e6.
#define SHIFT 1e-10
// The most steps of refinement.
#define REFINEMENTS 12
// Refinement ends when a step leaves more than this fraction of the residual.
#define PROGRESS 0.5
// Fraction of the largest impulse and velocity that counts as zero; otherwise rows at rest would
// change sides by their round-off.
#define ROUND_OFF 1e-14
// Fraction of the fastest approach: at the start, rows that open more slowly count as closed,
// because in a stack at rest all but the lowest contact have no velocity at all.
#define NEARLY_CLOSED 1e-2
// Full steps without a new least number of rows that disagree, after which they end.
#define PATIENCE 4
// The same from a point that is nearly the solution.
#define NEAR_PATIENCE 1
// Complementarity of the interior point at which its sides are first tried.
#define FIRST_ATTEMPT 1e-8
// Factor of complementarity from one attempt to the next.
#define ATTEMPT_FACTOR 1e-4
// Complementarity at which the interior point gives up: round-off.
#define LAST_ATTEMPT 1e-26

typedef enum side { SIDE_FREE, SIDE_LOWER, SIDE_UPPER } side;

typedef struct active_set {
  mo_row_system system;
  const mo_solver_settings *settings;
  double *center; // the warm start within the bounds
  double *x, *w, *step, *best;
  double best_residual;
  uint8_t *sides, *free;
  double *shifts;
  mo_bounded_qp interior;
} active_set;

// --- begin -----------------------------------------------------------------------------------

static bool take_rows(active_set *s, size_t n, mo_arena *arena) {
  double **arrays[] = {&s->center, &s->x, &s->w, &s->step, &s->best, &s->shifts};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = MO_ARENA_TAKE(arena, double, n);
    if (!*arrays[i]) {
      return false;
    }
  }
  s->sides = MO_ARENA_TAKE(arena, uint8_t, n);
  s->free = MO_ARENA_TAKE(arena, uint8_t, n);
  return s->sides && s->free;
}

// Tangents of contacts without friction have no impulse.
static void close_tangents(active_set *s) {
  const mo_contact_problem *problem = s->system.problem;
  for (uint32_t b = 0; b < problem->block_count; b++) {
    const mo_row_block *block = &problem->blocks[b];
    for (uint32_t k = 1; block->bound == MO_BOUND_CONE && k < block->row_count; k++) {
      s->system.lower[block->first_row + k] = 0.0;
      s->system.upper[block->first_row + k] = 0.0;
    }
  }
}

static mo_result begin(active_set *s, mo_contact_problem *problem,
                       const mo_solver_settings *settings, mo_ordering_cache *cache,
                       mo_arena *arena) {
  *s = (active_set){.settings = settings, .best_residual = HUGE_VAL};
  if (!take_rows(s, problem->row_count, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = mo_row_system_init(&s->system, problem, settings->work, cache, arena);
  if (result != MO_OK) {
    return result;
  }
  if (!mo_bounded_qp_init(&s->interior, &s->system, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  close_tangents(s);
  for (uint32_t i = 0; i < problem->row_count; i++) {
    double x = s->system.root[i] * problem->impulse[i];
    s->center[i] = s->system.root[i] > 0.0
                       ? mo_clamp(mo_is_finite(x) ? x : 0.0, s->system.lower[i], s->system.upper[i])
                       : 0.0;
  }
  return MO_OK;
}

// --- measures --------------------------------------------------------------------------------

// The largest natural-map error, m/s, at a point within the bounds. Sets w, and keeps the best
// point.
static double measure(active_set *s, const double *x) {
  const mo_row_system *system = &s->system;
  mo_row_system_velocity(&s->system, x, true, s->w);
  double worst = 0.0;
  for (uint32_t i = 0; i < system->row_count; i++) {
    double y = mo_clamp(x[i] - s->w[i], system->lower[i], system->upper[i]);
    double error = system->root[i] * fabs(x[i] - y);
    bool unsolvable = system->root[i] == 0.0 && system->lower[i] < 0.0 && system->upper[i] > 0.0;
    error = unsolvable ? fabs(system->problem->free_velocity[i]) : error;
    worst = error <= worst ? worst : error; // NaN stays
  }
  if (worst < s->best_residual) {
    s->best_residual = worst;
    memcpy(s->best, x, system->row_count * sizeof *x);
  }
  return worst;
}

static double largest(const double *x, uint32_t count) {
  double most = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    most = fabs(x[i]) <= most ? most : fabs(x[i]); // NaN stays
  }
  return most;
}

// The size of round-off in scaled velocities and impulses.
static double round_off(const active_set *s) {
  uint32_t n = s->system.row_count;
  return ROUND_OFF * (largest(s->x, n) + largest(s->system.free_velocity, n));
}

static bool may_factor(const active_set *s) {
  return s->system.factorisations < s->settings->max_iterations &&
         mo_row_system_may_factor(&s->system);
}

// --- full steps ------------------------------------------------------------------------------

static void choose_sides(active_set *s, const double *x, double nearly) {
  const mo_row_system *system = &s->system;
  for (uint32_t i = 0; i < system->row_count; i++) {
    double y = x[i] - s->w[i];
    bool fixed = system->root[i] == 0.0 || system->lower[i] >= system->upper[i];
    s->sides[i] = y < system->lower[i] - nearly || fixed ? SIDE_LOWER
                  : y > system->upper[i] + nearly        ? SIDE_UPPER
                                                         : SIDE_FREE;
  }
}

// Brings the velocities of the free rows to zero with the other rows at their bounds. It starts
// from the centre, so that impulses that velocities do not determine stay near it.
static bool solve_equations(active_set *s) {
  mo_row_system *system = &s->system;
  uint32_t n = system->row_count;
  for (uint32_t i = 0; i < n; i++) {
    s->free[i] = s->sides[i] == SIDE_FREE;
    double bound = s->sides[i] == SIDE_LOWER ? system->lower[i] : system->upper[i];
    s->x[i] = s->free[i] ? s->center[i] : system->root[i] > 0.0 ? bound : 0.0;
  }
  for (uint32_t i = 0; i < n; i++) {
    s->shifts[i] = s->free[i] ? SHIFT : HUGE_VAL;
  }
  if (!mo_row_system_factor(system, s->shifts)) {
    return false;
  }
  double last = HUGE_VAL;
  for (int k = 0; k < REFINEMENTS; k++) {
    mo_row_system_velocity(system, s->x, true, s->w);
    double residual = 0.0;
    for (uint32_t i = 0; i < n; i++) {
      s->step[i] = s->free[i] ? -s->w[i] : 0.0;
      residual = mo_max(residual, fabs(s->step[i]));
    }
    if (residual > PROGRESS * last || residual == 0.0) {
      break;
    }
    last = residual;
    mo_row_system_solve(system, s->step);
    for (uint32_t i = 0; i < n; i++) {
      s->x[i] += s->step[i];
    }
  }
  mo_row_system_velocity(system, s->x, true, s->w);
  return true;
}

// Changes the sides of rows that disagree. Returns their number.
static uint32_t change_sides(active_set *s) {
  const mo_row_system *system = &s->system;
  double nothing = round_off(s);
  uint32_t changes = 0;
  for (uint32_t i = 0; i < system->row_count; i++) {
    side now = (side)s->sides[i], next = now;
    if (now == SIDE_FREE) {
      next = s->x[i] < system->lower[i] - nothing   ? SIDE_LOWER
             : s->x[i] > system->upper[i] + nothing ? SIDE_UPPER
                                                    : SIDE_FREE;
    } else if (system->root[i] > 0.0 && system->lower[i] < system->upper[i]) {
      bool leaves = now == SIDE_LOWER ? s->w[i] < -nothing : s->w[i] > nothing;
      next = leaves ? SIDE_FREE : now;
    }
    changes += next != now;
    s->sides[i] = (uint8_t)next;
  }
  return changes;
}

static void measure_within_bounds(active_set *s) {
  for (uint32_t i = 0; i < s->system.row_count; i++) {
    s->step[i] =
        s->system.root[i] > 0.0 ? mo_clamp(s->x[i], s->system.lower[i], s->system.upper[i]) : 0.0;
  }
  measure(s, s->step);
}

// Returns whether all rows agree.
static bool take_full_steps(active_set *s, uint32_t allowed, uint32_t *iterations) {
  uint32_t fewest = UINT32_MAX, patience = allowed;
  while (may_factor(s) && patience > 0) {
    if (!solve_equations(s)) {
      return false;
    }
    ++*iterations;
    uint32_t changes = change_sides(s);
    measure_within_bounds(s);
    if (changes == 0) {
      return true;
    }
    patience = changes < fewest ? allowed : patience - 1;
    fewest = changes < fewest ? changes : fewest;
  }
  return false;
}

// --- interior point --------------------------------------------------------------------------

// Reads the sides from the interior point. Its impulses become the centre, because those of
// redundant rows are well within their bounds.
static void read_sides(active_set *s) {
  const mo_bounded_qp *p = &s->interior;
  const mo_row_system *system = &s->system;
  for (uint32_t i = 0; i < system->row_count; i++) {
    bool fixed = system->root[i] == 0.0 || system->lower[i] >= system->upper[i];
    s->sides[i] = fixed || p->lower.multiplier[i] > p->lower.slack[i] ? SIDE_LOWER
                  : p->upper.multiplier[i] > p->upper.slack[i]        ? SIDE_UPPER
                                                                      : SIDE_FREE;
    s->center[i] = p->x[i];
  }
}

static void follow_interior_point(active_set *s, uint32_t *iterations) {
  mo_bounded_qp *point = &s->interior;
  double next_attempt = FIRST_ATTEMPT;
  bool further = may_factor(s) && mo_bounded_qp_start(point);
  while (further && may_factor(s)) {
    further = mo_bounded_qp_step(point) && point->complementarity > LAST_ATTEMPT;
    ++*iterations;
    if (point->complementarity > next_attempt && further) {
      continue;
    }
    next_attempt = ATTEMPT_FACTOR * point->complementarity;
    measure(s, point->x);
    read_sides(s);
    if (take_full_steps(s, NEAR_PATIENCE, iterations) &&
        s->best_residual <= s->settings->tolerance) {
      return;
    }
  }
}

static void solve(active_set *s, mo_solve_result *result) {
  uint32_t n = s->system.row_count;
  double tolerance = s->settings->tolerance;
  double at_start = measure(s, s->center);
  if (!mo_is_finite(largest(s->system.free_velocity, n) + at_start)) {
    s->best_residual = HUGE_VAL;
  }
  if (at_start <= tolerance || s->best_residual == HUGE_VAL) {
    return;
  }
  double fastest = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    fastest = mo_max(fastest, s->center[i] - s->w[i] > s->system.lower[i] ? fabs(s->w[i]) : 0.0);
  }
  choose_sides(s, s->center, NEARLY_CLOSED * fastest);
  if (!take_full_steps(s, PATIENCE, &result->iterations) || s->best_residual > tolerance) {
    follow_interior_point(s, &result->iterations);
  }
}

mo_solve_result mo_active_set_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                                    mo_ordering_cache *cache, mo_arena *arena) {
  active_set s;
  mo_solve_result result = {.result = MO_OK, .status = MO_SOLVE_NONE};
  if (problem->row_count == 0) {
    return result;
  }
  result.result = begin(&s, problem, settings, cache, arena);
  if (result.result != MO_OK) {
    return result;
  }
  solve(&s, &result);
  result.factorisations = s.system.factorisations;
  result.out_of_work =
      s.best_residual > settings->tolerance && !mo_row_system_may_factor(&s.system);
  result.status = s.best_residual <= settings->tolerance ? MO_SOLVE_CONVERGED
                  : may_factor(&s)                       ? MO_SOLVE_STALLED
                                                         : MO_SOLVE_BUDGET;
  if (settings->estimate_condition && s.system.factorisations > 0) {
    double condition = mo_row_system_condition(&s.system, arena);
    if (condition < 0.0) {
      result.result = MO_ERROR_OUT_OF_MEMORY;
      return result;
    }
    result.condition = condition;
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    double root = s.system.root[i];
    problem->impulse[i] = root > 0.0 ? s.best[i] / root : 0.0;
  }
  return result;
}
