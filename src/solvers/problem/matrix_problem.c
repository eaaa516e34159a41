/// Contact problems given as matrices: mo_problem_solve.
#include "math/scalar.h"
#include "solvers/certificate.h"
#include "solvers/cone/cone_solver.h"
#include "solvers/exact/active_set.h"
#include "solvers/problem/matrix_pgs.h"

mo_problem_settings mo_problem_settings_default(void) {
  return (mo_problem_settings){.solver = MO_SOLVER_EXACT, .tolerance = 1e-8, .max_iterations = 400};
}

// --- checks ----------------------------------------------------------------------------------

static mo_result refuse(mo_problem_result *out, mo_result result, const char *what, size_t at) {
  out->refused = what;
  out->refused_at = (uint32_t)at;
  return result;
}

static mo_result check_numbers(const mo_problem_def *def, mo_problem_result *out) {
  size_t n = 3 * (size_t)def->contact_count, at;
  if ((at = mo_first_not_finite(def->delassus, n * n)) < n * n) {
    return refuse(out, MO_ERROR_NOT_FINITE, "W must be finite", at);
  }
  if ((at = mo_first_not_finite(def->free_velocity, n)) < n) {
    return refuse(out, MO_ERROR_NOT_FINITE, "q must be finite", at);
  }
  if (def->warm_start && (at = mo_first_not_finite(def->warm_start, n)) < n) {
    return refuse(out, MO_ERROR_NOT_FINITE, "the impulses to start from must be finite", at);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (def->delassus[(size_t)i * n + i] < 0.0) {
      return refuse(out, MO_ERROR_INVALID_ARGUMENT, "the diagonal of W must not be negative", i);
    }
  }
  return MO_OK;
}

static mo_result check(const mo_problem_def *def, const mo_problem_settings *settings,
                       mo_problem_result *out) {
  if (settings->solver == MO_SOLVER_BILATERAL || (unsigned)settings->solver > MO_SOLVER_CONE) {
    return refuse(out, MO_ERROR_INVALID_ARGUMENT,
                  "the solver must be block-pgs, exact, active-set or cone", 0);
  }
  if (!(settings->tolerance >= 0.0 && mo_is_finite(settings->tolerance))) {
    return refuse(out, MO_ERROR_INVALID_ARGUMENT, "the tolerance must be finite, 0 or more", 0);
  }
  for (uint32_t i = 0; i < def->contact_count; i++) {
    if (!(def->friction[i] >= 0.0 && mo_is_finite(def->friction[i]))) {
      return refuse(out, MO_ERROR_INVALID_ARGUMENT, "mu must be finite, 0 or more", i);
    }
    if (settings->solver == MO_SOLVER_ACTIVE_SET && def->friction[i] > 0.0) {
      return refuse(out, MO_ERROR_INVALID_ARGUMENT,
                    "the solver active-set knows no friction: mu must be 0", i);
    }
  }
  return check_numbers(def, out);
}

// --- packing ---------------------------------------------------------------------------------

// The problem with the rows of the engine: contacts without friction keep only their normal row.
// `places`: of each row among the three of all contacts.
typedef struct packed_problem {
  mo_contact_problem problem;
  uint32_t *places;
} packed_problem;

static void pack_blocks(const mo_problem_def *def, mo_row_block *blocks, packed_problem *out) {
  for (uint32_t i = 0; i < def->contact_count; i++) {
    bool slides = def->friction[i] > 0.0;
    blocks[i] = (mo_row_block){.body_a = MO_NO_BODY,
                               .body_b = MO_NO_BODY,
                               .first_row = out->problem.row_count,
                               .row_count = slides ? 3 : 1,
                               .bound = slides ? MO_BOUND_CONE : MO_BOUND_UNILATERAL,
                               .friction = def->friction[i]};
    for (uint32_t k = 0; k < blocks[i].row_count; k++) {
      out->places[out->problem.row_count++] = 3 * i + k;
    }
  }
  out->problem.blocks = blocks;
  out->problem.block_count = def->contact_count;
}

static bool pack(const mo_problem_def *def, mo_arena *arena, packed_problem *out) {
  size_t n = 3 * (size_t)def->contact_count;
  mo_row_block *blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, def->contact_count);
  double *free_velocity = MO_ARENA_TAKE_RAW(arena, double, n);
  *out = (packed_problem){.places = MO_ARENA_TAKE_RAW(arena, uint32_t, n),
                          .problem = {.free_velocity = free_velocity,
                                      .softening = MO_ARENA_TAKE(arena, double, n),
                                      .impulse = MO_ARENA_TAKE(arena, double, n)}};
  if (!blocks || !free_velocity || !out->places || !out->problem.softening ||
      !out->problem.impulse) {
    return false;
  }
  pack_blocks(def, blocks, out);
  uint32_t rows = out->problem.row_count;
  double *delassus = mo_arena_take_matrix(arena, rows, rows);
  if (!delassus) {
    return false;
  }
  for (uint32_t i = 0; i < rows; i++) {
    uint32_t from = out->places[i];
    free_velocity[i] = def->free_velocity[from];
    out->problem.impulse[i] = def->warm_start ? def->warm_start[from] : 0.0;
    for (uint32_t k = 0; k < rows; k++) {
      uint32_t to = out->places[k];
      delassus[(size_t)i * rows + k] =
          0.5 * (def->delassus[from * n + to] + def->delassus[to * n + from]);
    }
  }
  out->problem.delassus = delassus;
  return true;
}

// --- solve -----------------------------------------------------------------------------------

static mo_solver choose(const mo_problem_def *def, mo_solver asked) {
  if (asked != MO_SOLVER_EXACT) {
    return asked;
  }
  for (uint32_t i = 0; i < def->contact_count; i++) {
    if (def->friction[i] > 0.0) {
      return MO_SOLVER_CONE;
    }
  }
  return MO_SOLVER_ACTIVE_SET;
}

static mo_solve_result run(mo_solver solver, mo_contact_problem *problem,
                           const mo_problem_settings *settings, mo_arena *arena) {
  mo_solver_settings inner = {.max_iterations = settings->max_iterations,
                              .tolerance = settings->tolerance,
                              .friction_law = settings->friction_law,
                              .effort = settings->effort};
  switch (solver) {
  case MO_SOLVER_BLOCK_PGS:
    return mo_matrix_pgs_solve(problem, &inner);
  case MO_SOLVER_ACTIVE_SET:
    return mo_active_set_solve(problem, &inner, NULL, arena);
  default:
    return mo_cone_solve(problem, &inner, NULL, arena);
  }
}

// w = W g + q of all three rows of every contact, with the symmetric part of W.
static void write_velocities(const mo_problem_def *def, const double *impulses,
                             double *velocities) {
  size_t n = 3 * (size_t)def->contact_count;
  for (size_t i = 0; i < n; i++) {
    velocities[i] = def->free_velocity[i];
    for (size_t k = 0; k < n; k++) {
      velocities[i] += 0.5 * (def->delassus[i * n + k] + def->delassus[k * n + i]) * impulses[k];
    }
  }
}

// An overflow must not count as an answer: comparisons of the certificate ignore NaN.
static mo_result check_answer(const double *impulses, const double *velocities, size_t count,
                              mo_problem_result *out) {
  size_t at = mo_first_not_finite(impulses, count);
  if (at == count && velocities) {
    at = mo_first_not_finite(velocities, count);
  }
  if (at == count && mo_is_finite(out->residual.worst)) {
    return MO_OK;
  }
  return refuse(out, MO_ERROR_NOT_FINITE, "the answer overflows: W or q is out of scale",
                at < count ? at : 0);
}

static mo_result solve_in(const mo_problem_def *def, const mo_problem_settings *settings,
                          double *impulses, double *velocities, mo_problem_result *out,
                          mo_arena *arena) {
  packed_problem packed;
  if (!pack(def, arena, &packed)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  out->solver = choose(def, settings->solver);
  mo_solve_result solved = run(out->solver, &packed.problem, settings, arena);
  if (solved.result != MO_OK) {
    return solved.result;
  }
  out->status = solved.status;
  out->iterations = solved.iterations;
  out->factorisations = solved.factorisations;
  mo_contact_problem_enforce_bounds(&packed.problem);
  out->residual = mo_certificate_of_impulses(&packed.problem, settings->friction_law, arena);
  bool within = out->residual.worst <= settings->tolerance;
  if (out->solver != MO_SOLVER_BLOCK_PGS && within) {
    out->status = MO_SOLVE_CONVERGED;
  }
  for (uint32_t i = 0; i < 3 * def->contact_count; i++) {
    impulses[i] = 0.0;
  }
  for (uint32_t i = 0; i < packed.problem.row_count; i++) {
    impulses[packed.places[i]] = packed.problem.impulse[i];
  }
  if (velocities) {
    write_velocities(def, impulses, velocities);
  }
  return check_answer(impulses, velocities, 3 * (size_t)def->contact_count, out);
}

mo_result mo_problem_solve(const mo_problem_def *def, const mo_problem_settings *settings,
                           double *impulses, double *velocities, mo_problem_result *out) {
  *out = (mo_problem_result){.solver = settings->solver};
  mo_result result = check(def, settings, out);
  if (result != MO_OK || def->contact_count == 0) {
    return result;
  }
  mo_arena arena = {0};
  result = solve_in(def, settings, impulses, velocities, out, &arena);
  mo_arena_free(&arena);
  return result;
}
