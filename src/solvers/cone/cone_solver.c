/// The portfolio of the cone solver (CONE 2): from the cheapest method to the most robust, until
/// the certificate is within the tolerance.
#include "solvers/cone/cone_solver.h"

#include "math/scalar.h"
#include "solvers/cone/arclength.h"

#include <string.h>

// A warm start that is worse than this part of the largest free velocity goes through sweeps first.
#define WARM_START_ERROR 1e-2
#define WARM_SWEEPS 40
// Dense factorisations that are worth a try after body space.
#define FEW_DENSE 10.0
// Proximal points are tried where a start has come close: relative to the largest free velocity.
#define PROXIMAL_ERROR 1e-3
// Sweeps of the first and of the longest round, of a matrix and of a world's rows; rounds; and
// sweeps of a whole solve per allowed factorisation, which cost about as much.
#define FIRST_SWEEPS 1000
#define MOST_SWEEPS 8000
#define FIRST_SWEEPS_OF_WORLD 200
#define MOST_SWEEPS_OF_WORLD 400
#define MOP_UP_ROUNDS 6
#define SWEEPS_PER_FACTORISATION 100
// Steep friction is solved with less of it first and then, from what that found, with this many
// times more. A contact that sticks and need not slide does so with any more friction, too.
#define STEEPER 100.0

typedef struct cone_run {
  mo_cone_state state;
  mo_scaled_problem scaled;
  mo_interior_point interior;
  double *friction; // per block: the problem's; the scaled problem may have less at first
  double *warm;     // the caller's impulses, scaled
  double *sweep;    // point of the sweeps
  double *trial;    // of the proximal points after them
  uint64_t sweeps_left;
  bool is_warm;
  bool offline;
  mo_interior_trail trails[2]; ///< offline: of the present start, and the longest before
} cone_run;

static bool done(const cone_run *run) { return run->state.best.error <= run->state.tolerance; }

static void begin_start(cone_run *run) { run->state.run.error = INFINITY; }

static void end_start(cone_run *run) {
  mo_cone_keep(&run->state, &run->state.best, run->state.run.x, run->state.run.error);
}

// --- stages -------------------------------------------------------------------------------------

static double measure(cone_run *run, const double *x) {
  mo_scaled_velocity(&run->scaled, x, run->state.u);
  double error = mo_natural_error(&run->scaled, x, run->state.u);
  mo_cone_keep(&run->state, &run->state.best, x, error);
  return error;
}

// CONE 3: Newton from the impulses of the last step, and after sweeps.
static void warm_start(cone_run *run) {
  mo_cone_state *state = &run->state;
  double error = measure(run, run->warm);
  begin_start(run);
  mo_semismooth_options options = {.r = 1.0, .max_steps = 5, .patience = 2};
  if (error <= WARM_START_ERROR * run->scaled.speed) {
    mo_cone_semismooth(state, run->warm, options);
  }
  memcpy(run->sweep, run->warm, run->scaled.row_count * sizeof *run->sweep);
  if (state->run.error > state->tolerance &&
      mo_cone_sweep(state, run->sweep, WARM_SWEEPS) > state->tolerance) {
    options.max_steps = 8;
    mo_cone_semismooth(state, run->sweep, options);
  }
  end_start(run);
}

// What Newton's method alone did not finish, from the best point of the present start.
static void proximal_points(cone_run *run) {
  mo_cone_state *state = &run->state;
  if (state->run.error > state->tolerance &&
      state->run.error < PROXIMAL_ERROR * run->scaled.speed) {
    memcpy(run->sweep, state->run.x, run->scaled.row_count * sizeof *run->sweep);
    mo_cone_proximal(state, run->sweep, true);
  }
}

// Sweeps from x (in run->sweep) and proximal points from where they lead, in turn. Each brings the
// other on: sweeps leave the smooth part of the error, Newton's method the part that they could not
// reach; where both gain, the next sweeps start from the better point.
static void mop_up(cone_run *run) {
  mo_cone_state *state = &run->state;
  begin_start(run);
  bool matrix = run->scaled.delassus != NULL;
  uint32_t sweeps = matrix ? FIRST_SWEEPS : FIRST_SWEEPS_OF_WORLD;
  uint32_t most = matrix ? MOST_SWEEPS : MOST_SWEEPS_OF_WORLD;
  for (int round = 0; round < MOP_UP_ROUNDS && state->run.error > state->tolerance; round++) {
    if (sweeps > run->sweeps_left || !mo_newton_may_factorise(&state->system)) {
      break;
    }
    run->sweeps_left -= sweeps;
    double error = mo_cone_sweep(state, run->sweep, sweeps);
    sweeps = sweeps < most ? 2 * sweeps : sweeps;
    end_start(run);
    begin_start(run);
    memcpy(run->trial, run->sweep, run->scaled.row_count * sizeof *run->trial);
    mo_cone_proximal(state, run->trial, true);
    if (state->run.error < 0.5 * error) {
      memcpy(run->sweep, state->run.x, run->scaled.row_count * sizeof *run->sweep);
    }
    end_start(run);
  }
}

static void interior_point(cone_run *run, mo_interior_options options) {
  begin_start(run);
  run->trails[0].count = 0;
  memcpy(run->trial, run->sweep, run->scaled.row_count * sizeof *run->trial);
  options.x = run->trial;
  mo_interior_point_solve(&run->interior, options);
  proximal_points(run);
  end_start(run);
  if (run->trails[0].count > run->trails[1].count) {
    mo_interior_trail kept = run->trails[0];
    run->trails[0] = run->trails[1];
    run->trails[1] = kept;
  }
}

// The starts near a point are for worlds: from the point of the warm start, or a few sweeps. There
// the least squares one can be far off, as the velocities that rows ask for may contradict.
static void interior_points(cone_run *run) {
  static const mo_interior_options starts[] = {
      {.start = MO_INTERIOR_NEAR, .size = 50.0, .centrality = 0.01},
      {.start = MO_INTERIOR_NEAR, .size = 1e3, .centrality = 0.01},
      {.start = MO_INTERIOR_LEAST_SQUARES, .centrality = 0.1},
      {.start = MO_INTERIOR_LEAST_SQUARES, .centrality = 0.6},
      {.start = MO_INTERIOR_UNIFORM, .size = 1.0, .centrality = 0.01},
      {.start = MO_INTERIOR_UNIFORM, .size = 1e4, .centrality = 0.01},
      {.start = MO_INTERIOR_UNIFORM, .size = 1e2, .centrality = 0.01},
  };
  const size_t mop_up_after = 2;
  for (size_t i = run->scaled.delassus ? 2 : 0; i < sizeof starts / sizeof *starts && !done(run);
       i++) {
    if (!mo_newton_may_factorise(&run->state.system)) {
      return;
    }
    interior_point(run, starts[i]);
    if (i == mop_up_after && !done(run)) {
      memcpy(run->sweep, run->state.run.x, run->scaled.row_count * sizeof *run->sweep);
      mop_up(run);
    }
  }
}

// The extra digits of an answer that an interior point or a sweep has found.
static void refine(cone_run *run) {
  if (run->state.best.error > 0.1 * run->state.tolerance) {
    begin_start(run);
    mo_semismooth_options options = {.r = 1.0, .max_steps = 1, .patience = 1};
    mo_cone_semismooth(&run->state, run->state.best.x, options);
    end_start(run);
  }
}

// Without cones and intervals one Newton step is exact, but for redundant rows.
static bool is_linear(const mo_scaled_problem *problem) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    mo_cone_kind kind = problem->blocks[i].kind;
    if (kind == MO_CONE_COULOMB || kind == MO_CONE_FRICTIONLESS || kind == MO_CONE_INTERVAL) {
      return false;
    }
  }
  return true;
}

static void solve_linear(cone_run *run) {
  begin_start(run);
  mo_semismooth_options options = {.r = 1.0, .max_steps = 8, .patience = 2};
  mo_cone_semismooth(&run->state, run->is_warm ? run->warm : run->sweep, options);
  end_start(run);
}

// What body space has not finished, from the best point, by factorising W itself: only where the
// budget allows a few of these, which cost more the bigger the island.
static void finish_dense(cone_run *run) {
  mo_cone_state *state = &run->state;
  mo_newton_system *system = &state->system;
  if (system->spent + FEW_DENSE * system->dense_cost > system->budget ||
      !mo_newton_use_dense(system)) {
    return;
  }
  begin_start(run);
  memcpy(run->sweep, state->best.x, run->scaled.row_count * sizeof *run->sweep);
  mo_cone_proximal(state, run->sweep, true);
  end_start(run);
}

static mo_result create_interior(cone_run *run, mo_arena *arena) {
  for (int i = 0; i < 2 && run->offline; i++) {
    if (mo_interior_trail_create(&run->trails[i], run->scaled.row_count, arena) != MO_OK) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  return mo_interior_point_create(&run->interior, &run->state, arena);
}

static mo_result solve_cold(cone_run *run, const mo_solver_settings *settings, mo_arena *arena) {
  mo_cone_state *state = &run->state;
  if (state->system.backend == MO_NEWTON_BODY &&
      2.0 * FEW_DENSE * state->system.dense_cost <= state->system.budget) {
    state->system.budget -= FEW_DENSE * state->system.dense_cost; // for finish_dense
  }
  if (!run->interior.x && create_interior(run, arena) != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  run->interior.trail = run->offline ? &run->trails[0] : NULL;
  if (!run->is_warm && !run->scaled.delassus) {
    begin_start(run);
    mo_cone_sweep(state, run->sweep, WARM_SWEEPS);
    end_start(run);
  }
  interior_points(run);
  if (!done(run)) {
    // Once more from nothing: where the starts have led is what could not be finished.
    memset(run->sweep, 0, run->scaled.row_count * sizeof *run->sweep);
    mop_up(run);
  }
  state->system.budget = settings->max_iterations;
  if (!done(run)) {
    finish_dense(run);
  }
  if (!done(run) && run->offline) {
    begin_start(run);
    if (mo_cone_continue(state, &run->trails[1], arena) != MO_OK) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    end_start(run);
  }
  return MO_OK;
}

// All there is, for the friction as it is now.
static mo_result search(cone_run *run, const mo_solver_settings *settings, mo_arena *arena) {
  if (run->is_warm) {
    warm_start(run);
  }
  if (!done(run) && solve_cold(run, settings, arena) != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (done(run)) {
    refine(run);
  }
  return MO_OK;
}

static double steepest_friction(const cone_run *run) {
  double steepest = 0.0;
  for (uint32_t i = 0; i < run->scaled.block_count; i++) {
    steepest = mo_max(steepest, run->friction[i]);
  }
  return steepest;
}

// From here on friction has a limit; what was best is measured anew and where it goes on from.
static void limit_friction(cone_run *run, double limit) {
  for (uint32_t i = 0; i < run->scaled.block_count; i++) {
    run->scaled.blocks[i].friction = mo_min(run->friction[i], limit);
  }
  memcpy(run->warm, run->state.best.x, run->scaled.row_count * sizeof *run->warm);
  memset(run->sweep, 0, run->scaled.row_count * sizeof *run->sweep);
  run->is_warm = true;
  run->state.best.error = INFINITY;
  measure(run, run->sweep);
  measure(run, run->warm);
}

// From less friction than there is to all of it.
static mo_result search_steep(cone_run *run, const mo_solver_settings *settings, mo_arena *arena) {
  double steepest = steepest_friction(run);
  mo_result result = MO_OK;
  for (double limit = MO_STEEP_FRICTION; result == MO_OK && limit < steepest; limit *= STEEPER) {
    limit_friction(run, limit);
    result = done(run) ? MO_OK : search(run, settings, arena);
  }
  if (result != MO_OK) {
    return result;
  }
  limit_friction(run, INFINITY);
  return done(run) ? MO_OK : search(run, settings, arena);
}

static mo_result solve(cone_run *run, const mo_solver_settings *settings, mo_ordering_cache *cache,
                       mo_arena *arena) {
  memset(run->sweep, 0, run->scaled.row_count * sizeof *run->sweep);
  measure(run, run->sweep);
  if (!done(run) && run->is_warm) {
    measure(run, run->warm);
  }
  if (done(run)) {
    return MO_OK; // what rests costs no factorisation, nor the memory of one
  }
  if (mo_newton_system_create(&run->state.system, &run->scaled, settings->max_iterations,
                              settings->work, cache, arena) != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (is_linear(&run->scaled)) {
    solve_linear(run);
    return MO_OK;
  }
  mo_result result = steepest_friction(run) > MO_STEEP_FRICTION ? search_steep(run, settings, arena)
                                                                : search(run, settings, arena);
  if (result != MO_OK) {
    return result;
  }
  return run->state.system.out_of_memory && !done(run) ? MO_ERROR_OUT_OF_MEMORY : MO_OK;
}

static bool is_finite_list(const double *values, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; values && i < count; i++) {
    sum += values[i] - values[i]; // NaN of what is not finite, and no overflow
  }
  return sum == 0.0;
}

static bool is_finite_problem(const mo_contact_problem *problem) {
  size_t n = problem->row_count;
  return is_finite_list(problem->free_velocity, n) && is_finite_list(problem->softening, n) &&
         is_finite_list(problem->jacobian_a, 6 * n) && is_finite_list(problem->jacobian_b, 6 * n) &&
         is_finite_list(problem->delassus, problem->delassus ? n * n : 0);
}

// --- entry --------------------------------------------------------------------------------------

static mo_result prepare(cone_run *run, const mo_contact_problem *problem,
                         const mo_solver_settings *settings, mo_arena *arena) {
  mo_cone_state *state = &run->state;
  uint32_t rows = problem->row_count;
  state->problem = &run->scaled;
  state->tolerance = settings->tolerance;
  run->sweeps_left = (uint64_t)SWEEPS_PER_FACTORISATION * settings->max_iterations;
  run->offline = settings->effort == MO_EFFORT_OFFLINE;
  state->best.error = state->run.error = INFINITY;
  if (mo_scaled_problem_create(&run->scaled, problem, settings->friction_law, arena) != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double **vectors[] = {&state->best.x, &state->run.x, &state->x,   &state->u,  &state->f,
                        &state->dx,     &run->warm,    &run->sweep, &run->trial};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = MO_ARENA_TAKE(arena, double, rows);
    if (!*vectors[i]) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  run->friction = MO_ARENA_TAKE(arena, double, run->scaled.block_count);
  if (!run->friction) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < run->scaled.block_count; i++) {
    run->friction[i] = run->scaled.blocks[i].friction;
  }
  for (uint32_t i = 0; i < rows; i++) {
    double scale = run->scaled.scale[i];
    double impulse = mo_is_finite(problem->impulse[i]) ? problem->impulse[i] : 0.0;
    run->warm[i] = scale > 0.0 ? impulse / scale : 0.0;
    run->is_warm = run->is_warm || run->warm[i] != 0.0;
  }
  return MO_OK;
}

static void write_impulses(const cone_run *run, const mo_contact_problem *problem) {
  for (uint32_t i = 0; i < problem->row_count; i++) {
    problem->impulse[i] = run->scaled.scale[i] * run->state.best.x[i];
  }
}

// Whether the best point is not good for want of work that others have had.
static bool is_out_of_work(const cone_run *run) {
  const mo_newton_system *system = &run->state.system;
  return !done(run) && !mo_work_allows(system->work, mo_newton_cost(system) * system->unit);
}

mo_solve_result mo_cone_solve(mo_contact_problem *problem, const mo_solver_settings *settings,
                              mo_ordering_cache *cache, mo_arena *arena) {
  cone_run run = {0};
  if (problem->row_count == 0) {
    return (mo_solve_result){.result = MO_OK, .status = MO_SOLVE_NONE};
  }
  if (!is_finite_problem(problem)) {
    memset(problem->impulse, 0, problem->row_count * sizeof *problem->impulse);
    return (mo_solve_result){.result = MO_OK, .status = MO_SOLVE_STALLED};
  }
  if (prepare(&run, problem, settings, arena) != MO_OK) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  if (solve(&run, settings, cache, arena) != MO_OK) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  write_impulses(&run, problem);
  mo_solve_status status = done(&run)                                   ? MO_SOLVE_CONVERGED
                           : mo_newton_may_factorise(&run.state.system) ? MO_SOLVE_STALLED
                                                                        : MO_SOLVE_MAX_ITERATIONS;
  return (mo_solve_result){.result = MO_OK,
                           .status = status,
                           .iterations = run.state.system.factorisations,
                           .factorisations = run.state.system.factorisations,
                           .out_of_work = is_out_of_work(&run)};
}
