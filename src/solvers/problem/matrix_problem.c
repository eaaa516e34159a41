/// Contact problems given as matrices: mo_problem_solve.
#include "math/scalar.h"
#include "solvers/certificate.h"
#include "solvers/cone/cone_solver.h"
#include "solvers/exact/active_set.h"
#include "solvers/problem/body_space.h"
#include "solvers/problem/matrix_pgs.h"

mo_problem_settings mo_problem_settings_default(void) {
  return (mo_problem_settings){.solver = MO_SOLVER_EXACT, .tolerance = 1e-8, .max_iterations = 400};
}

// --- checks ----------------------------------------------------------------------------------

static mo_result refuse(mo_problem_result *out, mo_result result, const char *what, size_t at,
                        double value) {
  out->refused = what;
  out->refused_at = (uint32_t)at;
  out->refused_value = value;
  return result;
}

static mo_result check_list(const double *list, size_t count, const char *what,
                            mo_problem_result *out) {
  size_t at = mo_first_not_finite(list, count);
  return at < count ? refuse(out, MO_ERROR_NOT_FINITE, what, at, list[at]) : MO_OK;
}

static mo_result check_matrix(const mo_problem_def *def, mo_problem_result *out) {
  size_t n = 3 * (size_t)def->contact_count;
  mo_result result = check_list(def->delassus, n * n, "W must be finite", out);
  for (size_t i = 0; result == MO_OK && i < n; i++) {
    double entry = def->delassus[i * n + i];
    if (entry < 0.0) {
      result = refuse(out, MO_ERROR_INVALID_ARGUMENT, "the diagonal of W must not be negative", i,
                      entry);
    }
  }
  return result;
}

static mo_result check_masses(const mo_problem_def *def, mo_problem_result *out) {
  if (def->jacobian->columns != 3 * (size_t)def->contact_count) {
    return refuse(out, MO_ERROR_INVALID_ARGUMENT, "H must have three columns per contact", 0,
                  def->jacobian->columns);
  }
  return check_list(def->force, def->mass->rows, "f must be finite", out);
}

static mo_result check_numbers(const mo_problem_def *def, mo_problem_result *out) {
  size_t n = 3 * (size_t)def->contact_count;
  const char *offset = def->mass ? "w must be finite" : "q must be finite";
  mo_result result = def->mass ? check_masses(def, out) : check_matrix(def, out);
  result = result == MO_OK ? check_list(def->free_velocity, n, offset, out) : result;
  return result == MO_OK && def->warm_start
             ? check_list(def->warm_start, n, "the impulses to start from must be finite", out)
             : result;
}

static mo_result check(const mo_problem_def *def, const mo_problem_settings *settings,
                       mo_problem_result *out) {
  if (settings->solver == MO_SOLVER_BILATERAL || (unsigned)settings->solver > MO_SOLVER_CONE) {
    return refuse(out, MO_ERROR_INVALID_ARGUMENT,
                  "the solver must be block-pgs, exact, active-set or cone", 0, settings->solver);
  }
  if (!(settings->tolerance >= 0.0 && mo_is_finite(settings->tolerance))) {
    return refuse(out, MO_ERROR_INVALID_ARGUMENT, "the tolerance must be finite, 0 or more", 0,
                  settings->tolerance);
  }
  for (uint32_t i = 0; i < def->contact_count; i++) {
    if (!(def->friction[i] >= 0.0 && mo_is_finite(def->friction[i]))) {
      return refuse(out, MO_ERROR_INVALID_ARGUMENT, "mu must be finite, 0 or more", i,
                    def->friction[i]);
    }
    if (settings->solver == MO_SOLVER_ACTIVE_SET && def->friction[i] > 0.0) {
      return refuse(out, MO_ERROR_INVALID_ARGUMENT,
                    "the solver active-set knows no friction: mu must be 0", i, def->friction[i]);
    }
  }
  return check_numbers(def, out);
}

// --- masses ----------------------------------------------------------------------------------

// A problem, and what masses make of it: its bodies with q, or W and q in place of them.
typedef struct given_problem {
  mo_problem_def def;
  mo_body_space space; // zeros where W is there
} given_problem;

static bool has_bodies(const given_problem *given) { return given->space.blocks != NULL; }

static mo_result multiply_masses(given_problem *given, mo_arena *arena,
                                 mo_matrix_refusal *refused) {
  mo_problem_def *def = &given->def;
  size_t n = 3 * (size_t)def->contact_count;
  double *delassus = mo_arena_take_matrix(arena, n, n), *q = MO_ARENA_TAKE_RAW(arena, double, n);
  if (!delassus || !q) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = mo_masses_reduce(def->mass, def->jacobian, def->force, def->free_velocity,
                                      delassus, q, refused);
  def->delassus = delassus;
  def->free_velocity = q;
  return result;
}

static mo_result find_bodies(given_problem *given, mo_arena *arena, mo_matrix_refusal *refused) {
  mo_body_space space;
  mo_result result = mo_body_space_make(&given->def, arena, &space, refused);
  if (result == MO_OK && !space.is_wide) {
    given->def.free_velocity = space.problem.free_velocity;
    given->space = space;
  }
  return result;
}

// Sweeps over contacts need W, and so do contacts of more bodies than a block has.
static mo_result read_masses(given_problem *given, mo_solver solver, mo_arena *arena,
                             mo_problem_result *out) {
  mo_matrix_refusal refused = {0};
  mo_result result = solver == MO_SOLVER_BLOCK_PGS ? MO_OK : find_bodies(given, arena, &refused);
  if (result == MO_OK && !has_bodies(given)) {
    mo_arena_reset(arena);
    result = multiply_masses(given, arena, &refused);
  }
  return refused.what ? refuse(out, result, refused.what, refused.at, refused.value) : result;
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

static bool pack_matrix(const mo_problem_def *def, mo_arena *arena, packed_problem *out) {
  size_t n = 3 * (size_t)def->contact_count;
  uint32_t rows = out->problem.row_count;
  double *delassus = mo_arena_take_matrix(arena, rows, rows);
  for (uint32_t i = 0; delassus && i < rows; i++) {
    uint32_t from = out->places[i];
    for (uint32_t k = 0; k < rows; k++) {
      uint32_t to = out->places[k];
      delassus[(size_t)i * rows + k] =
          0.5 * (def->delassus[from * n + to] + def->delassus[to * n + from]);
    }
  }
  out->problem.delassus = delassus;
  return delassus != NULL;
}

static bool pack_bodies(const mo_body_space *space, mo_row_block *blocks, mo_arena *arena,
                        packed_problem *out) {
  mo_contact_problem *to = &out->problem;
  to->body_count = space->problem.body_count;
  to->more_bodies = space->problem.more_bodies;
  for (uint32_t i = 0; i < to->block_count; i++) {
    blocks[i].body_a = space->blocks[i].body_a;
    blocks[i].body_b = space->blocks[i].body_b;
  }
  for (uint32_t side = 0; side < 2 * mo_contact_problem_pairs(to); side++) {
    double *numbers = MO_ARENA_TAKE_RAW(arena, double, 6 * (size_t)to->row_count);
    for (uint32_t i = 0; numbers && i < 6 * to->row_count; i++) {
      numbers[i] = space->problem.jacobian[side][(size_t)6 * out->places[i / 6] + i % 6];
    }
    to->jacobian[side] = numbers;
    if (!numbers) {
      return false;
    }
  }
  return true;
}

static bool pack(const given_problem *given, mo_arena *arena, packed_problem *out) {
  const mo_problem_def *def = &given->def;
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
  for (uint32_t i = 0; i < out->problem.row_count; i++) {
    free_velocity[i] = def->free_velocity[out->places[i]];
    out->problem.impulse[i] = def->warm_start ? def->warm_start[out->places[i]] : 0.0;
  }
  return has_bodies(given) ? pack_bodies(&given->space, blocks, arena, out)
                           : pack_matrix(def, arena, out);
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
static void multiply_matrix(const mo_problem_def *def, const double *impulses, double *velocities) {
  size_t n = 3 * (size_t)def->contact_count;
  for (size_t i = 0; i < n; i++) {
    velocities[i] = def->free_velocity[i];
    for (size_t k = 0; k < n; k++) {
      velocities[i] += 0.5 * (def->delassus[i * n + k] + def->delassus[k * n + i]) * impulses[k];
    }
  }
}

static bool write_velocities(const given_problem *given, const double *impulses, double *velocities,
                             mo_arena *arena) {
  if (!has_bodies(given)) {
    multiply_matrix(&given->def, impulses, velocities);
    return true;
  }
  const mo_contact_problem *problem = &given->space.problem;
  double *work = MO_ARENA_TAKE_RAW(arena, double, 6 * (size_t)problem->body_count);
  if (work) {
    mo_contact_problem_velocities(problem, impulses, velocities, work);
  }
  return work != NULL;
}

// An overflow must not count as an answer: comparisons of the certificate ignore NaN.
static mo_result check_answer(const mo_problem_def *def, const double *impulses,
                              const double *velocities, mo_problem_result *out) {
  const char *what = def->mass ? "the answer overflows: M, H, f or w is out of scale"
                               : "the answer overflows: W or q is out of scale";
  size_t count = 3 * (size_t)def->contact_count;
  size_t at = mo_first_not_finite(impulses, count);
  if (at == count && velocities) {
    at = mo_first_not_finite(velocities, count);
  }
  if (at == count && mo_is_finite(out->residual.worst)) {
    return MO_OK;
  }
  return refuse(out, MO_ERROR_NOT_FINITE, what, at < count ? at : 0, NAN);
}

static void copy_answer(const packed_problem *packed, uint32_t count, double *impulses) {
  for (uint32_t i = 0; i < count; i++) {
    impulses[i] = 0.0;
  }
  for (uint32_t i = 0; i < packed->problem.row_count; i++) {
    impulses[packed->places[i]] = packed->problem.impulse[i];
  }
}

static mo_result solve_packed(packed_problem *packed, const mo_problem_settings *settings,
                              mo_problem_result *out, mo_arena *arena) {
  mo_solve_result solved = run(out->solver, &packed->problem, settings, arena);
  if (solved.result != MO_OK) {
    return solved.result;
  }
  out->status = solved.status;
  out->iterations = solved.iterations;
  out->factorisations = solved.factorisations;
  mo_contact_problem_enforce_bounds(&packed->problem);
  out->residual = mo_certificate_of_impulses(&packed->problem, settings->friction_law, arena);
  bool within = out->residual.worst <= settings->tolerance;
  if (out->solver != MO_SOLVER_BLOCK_PGS && within) {
    out->status = MO_SOLVE_CONVERGED;
  }
  return MO_OK;
}

static mo_result solve_in(const mo_problem_def *def, const mo_problem_settings *settings,
                          double *impulses, double *velocities, mo_problem_result *out,
                          mo_arena *arena) {
  given_problem given = {.def = *def};
  packed_problem packed;
  out->solver = choose(def, settings->solver);
  mo_result result = def->mass ? read_masses(&given, out->solver, arena, out) : MO_OK;
  if (result == MO_OK) {
    result = pack(&given, arena, &packed) ? solve_packed(&packed, settings, out, arena)
                                          : MO_ERROR_OUT_OF_MEMORY;
  }
  if (result != MO_OK) {
    return result;
  }
  copy_answer(&packed, 3 * def->contact_count, impulses);
  if (velocities && !write_velocities(&given, impulses, velocities, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  return check_answer(def, impulses, velocities, out);
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
