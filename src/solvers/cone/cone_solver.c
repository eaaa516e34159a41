/// The methods of the cone solver in order, from the cheapest to the most robust, until the
/// certificate is within the tolerance.
#include "solvers/cone/cone_solver.h"

#include "math/scalar.h"
#include "solvers/cone/arclength.h"

#include <string.h>

// Fraction of the largest free velocity: a warm start with a larger error is improved by sweeps
// first.
#define WARM_START_ERROR 1e-2
// The number of these sweeps.
#define WARM_SWEEPS 40
// Dense factorisations for which trying the dense backend after body space is worthwhile.
#define FEW_DENSE 10.0
// Fraction of the largest free velocity: proximal points are tried from starts with a smaller
// error.
#define PROXIMAL_ERROR 1e-3
// Sweeps of the first round for a problem given as a matrix.
#define FIRST_SWEEPS 1000
// Sweeps of its longest round.
#define MOST_SWEEPS 8000
// Sweeps of the first round for the island of a world.
#define FIRST_SWEEPS_OF_WORLD 200
// Sweeps of its longest round.
#define MOST_SWEEPS_OF_WORLD 400
// The most rounds of sweeps and proximal points.
#define MOP_UP_ROUNDS 6
// Factorisations in body space that an interior point needs at least.
#define LEAST_OF_INTERIOR 15.0
// Factorisations from which on the methods of a cold start are worth a try.
#define LEAST_OF_COLD 20.0
// Sweeps of a whole solve per allowed factorisation, which costs about as much.
#define SWEEPS_PER_FACTORISATION 100
// Factor between the frictions of successive solves of a steep problem, each from the result of the
// one before: a contact that sticks without any need to slide also does with more friction.
#define STEEPER 100.0

typedef struct cone_run {
  mo_cone_state state;
  mo_scaled_problem scaled;
  mo_interior_point interior;
  double *friction; // per block: the problem's; the scaled problem may start with less
  double *warm;     // the caller's impulses, scaled
  double *sweep;    // point of the sweeps
  double *trial;    // point of the proximal points after the sweeps
  uint64_t sweeps_left;
  bool is_warm;
  bool is_poor; // methods were left out because the budget does not pay for them
  bool offline;
  mo_interior_trail trails[2]; ///< offline: of the present start, and the longest one before
} cone_run;

static bool is_dense(const cone_run *run) { return run->state.system.backend == MO_NEWTON_DENSE; }

static bool done(const cone_run *run) { return run->state.best.error <= run->state.tolerance; }

static void begin_start(cone_run *run) { mo_cone_forget(&run->state.run); }

static void end_start(cone_run *run) {
  mo_cone_keep(&run->state, &run->state.best, &run->state.run);
}

// --- stages -------------------------------------------------------------------------------------

static double measure(cone_run *run, const double *x) {
  return mo_cone_measure(&run->state, &run->state.best, x);
}

static mo_result split_from(cone_run *run, const double *x, mo_arena *arena) {
  begin_start(run);
  mo_result result = mo_cone_split(&run->state, x, arena);
  end_start(run);
  return result;
}

// Begins a start with Newton's method from the impulses of the last step, if these are nearer to
// the solution than a part of the largest free velocity.
static void begin_warm(cone_run *run, double near) {
  double error = run->is_warm ? measure(run, run->warm) : (double)INFINITY;
  begin_start(run);
  if (error <= near * run->scaled.speed) {
    mo_semismooth_options options = {.r = 1.0, .max_steps = 5, .patience = 2};
    mo_cone_semismooth(&run->state, run->warm, options);
  }
}

// Newton's method from the impulses of the last step, and again after sweeps.
static void warm_start(cone_run *run) {
  mo_cone_state *state = &run->state;
  begin_warm(run, WARM_START_ERROR);
  memcpy(run->sweep, run->warm, run->scaled.row_count * sizeof *run->sweep);
  if (state->run.error > state->tolerance &&
      mo_cone_sweep(state, run->sweep, WARM_SWEEPS) > state->tolerance) {
    mo_semismooth_options options = {.r = 1.0, .max_steps = 8, .patience = 2};
    mo_cone_semismooth(state, run->sweep, options);
  }
  end_start(run);
}

// Proximal points from the best point of the present start, if Newton's method did not finish.
static void proximal_points(cone_run *run) {
  mo_cone_state *state = &run->state;
  if (state->run.error > state->tolerance &&
      state->run.error < PROXIMAL_ERROR * run->scaled.speed) {
    memcpy(run->sweep, state->run.x, run->scaled.row_count * sizeof *run->sweep);
    mo_cone_proximal(state, run->sweep, true);
  }
}

// Alternates sweeps from x (in run->sweep) and proximal points from their result. Sweeps leave the
// smooth part of the error, and Newton's method the part that sweeps reduce. If both gain, the next
// sweeps start from the better point.
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

// Starts near a point are for worlds: from the point of the warm start, or after a few sweeps. The
// least-squares start can be far off there, because the velocities that rows ask for may
// contradict.
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
    if (!mo_newton_affords(&run->state.system, is_dense(run) ? 1.0 : LEAST_OF_INTERIOR)) {
      run->is_poor = true;
      return;
    }
    interior_point(run, starts[i]);
    if (i == mop_up_after && !done(run)) {
      memcpy(run->sweep, run->state.run.x, run->scaled.row_count * sizeof *run->sweep);
      mop_up(run);
    }
  }
}

// The last digits of a result that an interior point or sweeps have found.
static void refine(cone_run *run) {
  if (run->state.best.error > 0.1 * run->state.tolerance) {
    begin_start(run);
    mo_semismooth_options options = {.r = 1.0, .max_steps = 1, .patience = 1};
    mo_cone_semismooth(&run->state, run->state.best.x, options);
    end_start(run);
  }
}

// Without cones and intervals one Newton step is exact, except for redundant rows.
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

// Finishes from the best point by factorising W itself, which body space has not. This is done only
// if the budget allows a few such factorisations, which cost more the larger the island is.
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
    // Once more from zero, because the earlier starts led to points that could not be finished.
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

static double steepest_friction(const cone_run *run) {
  double steepest = 0.0;
  for (uint32_t i = 0; i < run->scaled.block_count; i++) {
    steepest = mo_max(steepest, run->friction[i]);
  }
  return steepest;
}

// All methods, from the one that needs the least work.
static mo_result search_split(cone_run *run, const mo_solver_settings *settings, mo_arena *arena) {
  if (run->is_warm && mo_newton_affords(&run->state.system, MO_RICH)) {
    warm_start(run);
  } else {
    begin_warm(run, MO_NEAR);
    end_start(run);
  }
  const double *start = run->is_warm ? run->warm : run->sweep;
  mo_result result = done(run) ? MO_OK : split_from(run, start, arena);
  if (result != MO_OK || done(run)) {
    return result;
  }
  run->is_poor = !mo_newton_affords(&run->state.system, LEAST_OF_COLD);
  if (!run->is_poor) {
    result = solve_cold(run, settings, arena);
  }
  return result == MO_OK && !done(run) ? split_from(run, run->state.best.x, arena) : result;
}

// Newton's methods and interior points alone: where rows are factorised, which are few, or extreme
// in their masses, and for steep friction, whose projections lose digits.
static mo_result search_by_newton(cone_run *run, const mo_solver_settings *settings,
                                  mo_arena *arena) {
  if (run->is_warm) {
    warm_start(run);
  }
  return done(run) ? MO_OK : solve_cold(run, settings, arena);
}

// Runs all methods for the present friction.
static mo_result search(cone_run *run, const mo_solver_settings *settings, mo_arena *arena) {
  bool splits = !is_dense(run) && steepest_friction(run) <= MO_STEEP_FRICTION;
  mo_result result =
      splits ? search_split(run, settings, arena) : search_by_newton(run, settings, arena);
  if (result == MO_OK && done(run)) {
    refine(run);
  }
  return result;
}

// Limits friction from here on. The best point and the next start are measured again.
static void limit_friction(cone_run *run, double limit) {
  for (uint32_t i = 0; i < run->scaled.block_count; i++) {
    run->scaled.blocks[i].friction = mo_min(run->friction[i], limit);
  }
  memcpy(run->warm, run->state.best.x, run->scaled.row_count * sizeof *run->warm);
  memset(run->sweep, 0, run->scaled.row_count * sizeof *run->sweep);
  run->is_warm = true;
  mo_cone_forget(&run->state.best);
  measure(run, run->sweep);
  measure(run, run->warm);
}

// From reduced friction up to all of it.
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
    return MO_OK; // an island at rest costs no factorisation, and no memory for one
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

// A null list has no numbers.
static bool is_finite_list(const double *values, size_t count) {
  return !values || mo_first_not_finite(values, count) == count;
}

static bool is_finite_problem(const mo_contact_problem *problem) {
  size_t n = problem->row_count;
  bool is_finite = is_finite_list(problem->free_velocity, n) &&
                   is_finite_list(problem->softening, n) &&
                   is_finite_list(problem->delassus, problem->delassus ? n * n : 0);
  for (int side = 0; side < MO_ROW_SIDES; side++) {
    is_finite = is_finite && is_finite_list(problem->jacobian[side], 6 * n);
  }
  return is_finite;
}

// --- entry --------------------------------------------------------------------------------------

static mo_result prepare(cone_run *run, const mo_contact_problem *problem,
                         const mo_solver_settings *settings, mo_arena *arena) {
  mo_cone_state *state = &run->state;
  uint32_t rows = problem->row_count;
  state->problem = &run->scaled;
  state->tolerance = settings->tolerance / mo_solver_metre(settings);
  run->sweeps_left = (uint64_t)SWEEPS_PER_FACTORISATION * settings->max_iterations;
  run->offline = settings->effort == MO_EFFORT_OFFLINE;
  mo_cone_forget(&state->best);
  mo_cone_forget(&state->run);
  if (mo_scaled_problem_create(&run->scaled, problem, settings->friction_law,
                               mo_solver_metre(settings), arena) != MO_OK) {
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
    double scale = run->scaled.scale[i] * run->scaled.metre;
    double impulse = mo_is_finite(problem->impulse[i]) ? problem->impulse[i] : 0.0;
    run->warm[i] = scale > 0.0 ? impulse / scale : 0.0;
    run->is_warm = run->is_warm || run->warm[i] != 0.0;
  }
  return MO_OK;
}

static void write_impulses(const cone_run *run, const mo_contact_problem *problem) {
  for (uint32_t i = 0; i < problem->row_count; i++) {
    problem->impulse[i] = run->scaled.scale[i] * run->scaled.metre * run->state.best.x[i];
  }
}

// Whether the best point is not good enough because other solves used up the shared work.
static bool is_out_of_work(const cone_run *run) {
  const mo_newton_system *system = &run->state.system;
  double cost = (run->is_poor ? LEAST_OF_COLD : 1.0) * mo_newton_cost(system) * system->unit;
  return !done(run) && !mo_work_allows(system->work, cost);
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
  bool is_short = run.is_poor || !mo_newton_may_factorise(&run.state.system);
  mo_solve_status status = done(&run) ? MO_SOLVE_CONVERGED
                           : is_short ? MO_SOLVE_BUDGET
                                      : MO_SOLVE_STALLED;
  return (mo_solve_result){.result = MO_OK,
                           .status = status,
                           .iterations = run.state.system.factorisations,
                           .factorisations = run.state.system.factorisations,
                           .out_of_work = is_out_of_work(&run)};
}
