#include "solvers/by_island.h"

#include "math/scalar.h"
#include "solvers/block_pgs/taut_joints.h"
#include "solvers/certificate.h"
#include "solvers/island_rows.h"

// Marks the bodies of islands in which some body asks for an exact solver or has moved in the flow.
static bool *find_left_out(const mo_row_problem *problem, const mo_island_partition *partition,
                           const bool *in_flow, mo_arena *arena) {
  bool *left_out = MO_ARENA_TAKE(arena, bool, problem->body_count);
  for (uint32_t i = 0; left_out && i < partition->island_count; i++) {
    uint32_t first = partition->first_body[i], end = partition->first_body[i + 1];
    bool any = false;
    for (uint32_t k = first; k < end; k++) {
      uint32_t body = partition->bodies[k];
      any = any || in_flow[body] || problem->bodies[body].solver != MO_SOLVER_BLOCK_PGS;
    }
    for (uint32_t k = first; k < end; k++) {
      left_out[partition->bodies[k]] = any;
    }
  }
  return left_out;
}

mo_result mo_by_island_begin(const mo_row_problem *problem, mo_arena *arena, mo_by_island *out) {
  *out = (mo_by_island){0};
  mo_result result = mo_island_partition_make(problem, arena, &out->partition);
  out->solutions = MO_ARENA_TAKE(arena, mo_island_solution, out->partition.island_count);
  out->places = MO_ARENA_TAKE(arena, uint32_t, problem->body_count);
  return out->solutions && out->places ? result : MO_ERROR_OUT_OF_MEMORY;
}

mo_result mo_by_island_stiffen(mo_row_problem *problem, const mo_by_island *by_island,
                               const bool *in_flow, mo_arena *arena) {
  bool *left_out = find_left_out(problem, &by_island->partition, in_flow, arena);
  return left_out && mo_taut_joints_stiffen(problem, left_out, arena) ? MO_OK
                                                                      : MO_ERROR_OUT_OF_MEMORY;
}

// --- islands that are left to block-pgs ------------------------------------------------------

static bool is_left(const mo_by_island *by, uint32_t island) {
  return by->solutions[island].solver == MO_SOLVER_BLOCK_PGS;
}

// Solves an island by sweeps from the impulses in its rows, and sets the velocities of its bodies.
static mo_solve_result sweep(const mo_island_view *island, mo_row_problem *problem,
                             const mo_solver_settings *settings, mo_exact_workspace *workspace,
                             const mo_by_island *by, mo_velocity *velocities) {
  mo_arena *arena = &workspace->sweeps;
  mo_arena_reset(arena);
  mo_island_rows rows;
  if (!mo_island_rows_make(island, by->places, arena, &rows)) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  mo_velocity *own = MO_ARENA_TAKE_RAW(arena, mo_velocity, rows.problem.body_count);
  if (!own) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  mo_solve_result solved =
      mo_block_pgs_solve(&rows.problem, own, settings, &workspace->orderings, arena);
  mo_island_rows_write(island, &rows, problem);
  mo_island_rows_scatter(island, own, velocities);
  return solved;
}

// What mo_exact_solve calls for its sweeps.
typedef struct floor_sweeps {
  mo_row_problem *problem;
  const mo_by_island_settings *settings;
  mo_exact_workspace *workspace;
  const mo_by_island *by;
  mo_velocity *velocities;
} floor_sweeps;

static uint32_t sweep_floor(void *context, const mo_island_view *island, uint32_t sweeps) {
  const floor_sweeps *f = context;
  mo_solver_settings settings = f->settings->sweeps;
  settings.max_iterations = sweeps;
  mo_solve_result swept = sweep(island, f->problem, &settings, f->workspace, f->by, f->velocities);
  return swept.result == MO_OK ? swept.iterations : 0;
}

static void set_free_velocities(const mo_island_view *island, mo_velocity *velocities) {
  for (uint32_t i = 0; i < mo_island_body_count(island); i++) {
    uint32_t body = mo_island_body(island, i);
    const mo_row_body *of = &island->source->bodies[body];
    velocities[body] = (mo_velocity){of->free_linear, of->free_angular};
  }
}

// Applies the impulses of an island's rows to the velocities that its bodies have without them.
static void apply_impulses(const mo_island_view *island, mo_velocity *velocities) {
  const mo_row_problem *problem = island->source;
  set_free_velocities(island, velocities);
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *block = mo_island_block(island, i);
    for (uint32_t r = 0; r < block->row_count; r++) {
      mo_block_row_apply(problem, block, r, problem->rows[block->first_row + r].impulse,
                         velocities);
    }
  }
}

// --- solve -----------------------------------------------------------------------------------

static void add_to_total(mo_solve_result *total, const mo_solve_result *solved) {
  total->iterations += solved->iterations;
  total->factorisations += solved->factorisations;
}

static bool is_due(const mo_by_island_settings *settings, uint32_t island) {
  return !settings->due || settings->due[island];
}

// Before the first solve of a step.
static void begin_solve(const mo_row_problem *problem, mo_by_island *by, mo_velocity *velocities) {
  for (uint32_t i = 0; i < by->partition.island_count; i++) {
    by->solutions[i].spent = 0;
    by->solutions[i].event = MO_ISLAND_AS_ASKED;
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    velocities[i] = (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
}

mo_result mo_by_island_solve(mo_row_problem *problem, const mo_by_island_settings *settings,
                             mo_exact_workspace *workspace, mo_by_island *by_island,
                             mo_velocity *velocities) {
  if (!settings->due) {
    begin_solve(problem, by_island, velocities);
  }
  floor_sweeps context = {problem, settings, workspace, by_island, velocities};
  mo_island_sweeper sweeper = {&context, sweep_floor};
  mo_exact_solve(problem, &by_island->partition, settings->due, &settings->exact, &sweeper,
                 workspace, by_island->solutions);
  mo_island_view island = {.source = problem, .partition = &by_island->partition};
  for (; island.index < by_island->partition.island_count; island.index++) {
    if (!is_due(settings, island.index)) {
      continue;
    }
    if (!is_left(by_island, island.index)) {
      apply_impulses(&island, velocities);
    } else {
      mo_solve_result *solved = &by_island->solutions[island.index].solved;
      *solved = sweep(&island, problem, &settings->sweeps, workspace, by_island, velocities);
      if (solved->result != MO_OK) {
        return solved->result;
      }
    }
    add_to_total(&by_island->total, &by_island->solutions[island.index].solved);
  }
  return MO_OK;
}

// --- positions -------------------------------------------------------------------------------

// Factorisations that a position correction may use: it needs fewer than the velocities did, and
// the next step makes up for a correction that fails.
#define POSITION_FACTORISATIONS 100

// The gaps that rows should have at the end of the step. Joints keep theirs: their errors are
// corrected after the step, with the joints' true geometry.
static void find_targets(const mo_row_problem *problem, const mo_velocity *velocities,
                         const mo_split_impulse_settings *settings, double *targets) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    bool bilateral = block->bound == MO_BOUND_BILATERAL;
    for (uint32_t k = 0; k < mo_position_row_count(block); k++) {
      double speed = mo_block_row_velocity(problem, block, k, velocities);
      double gap_after = problem->rows[block->first_row + k].gap + problem->dt * speed;
      targets[block->first_row + k] =
          bilateral ? 0.0 : mo_position_target(gap_after, false, problem->dt, settings);
    }
  }
}

// Finds the pseudo-velocities of an island that is left to block-pgs.
static mo_result correct_left(const mo_island_view *island, const mo_by_island *by,
                              const mo_velocity *velocities,
                              const mo_split_impulse_settings *settings,
                              mo_exact_workspace *workspace, mo_velocity *pseudo) {
  mo_arena *arena = &workspace->sweeps;
  mo_arena_reset(arena);
  mo_island_rows rows;
  if (!mo_island_rows_make(island, by->places, arena, &rows)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_velocity *own = MO_ARENA_TAKE_RAW(arena, mo_velocity, 2 * (size_t)rows.problem.body_count);
  if (!own) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_velocity *corrections = &own[rows.problem.body_count];
  mo_island_rows_gather(&rows, velocities, own);
  mo_result result = mo_split_impulse_solve(&rows.problem, own, settings, &workspace->orderings,
                                            arena, corrections);
  mo_island_rows_scatter(island, corrections, pseudo);
  return result;
}

mo_result mo_by_island_correct(const mo_row_problem *problem, const mo_by_island *by_island,
                               const mo_velocity *velocities,
                               const mo_split_impulse_settings *settings,
                               mo_exact_workspace *workspace, mo_arena *arena,
                               mo_velocity *pseudo) {
  double *targets = MO_ARENA_TAKE_RAW(arena, double, problem->row_count);
  if (!targets) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    pseudo[i] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  mo_island_view island = {.source = problem, .partition = &by_island->partition};
  for (; island.index < by_island->partition.island_count; island.index++) {
    mo_result result =
        mo_island_is_swept(&by_island->solutions[island.index])
            ? correct_left(&island, by_island, velocities, settings, workspace, pseudo)
            : MO_OK;
    if (result != MO_OK) {
      return result;
    }
  }
  find_targets(problem, velocities, settings, targets);
  mo_solver_settings exact = {.max_iterations = POSITION_FACTORISATIONS,
                              .metre = settings->metre,
                              .tolerance = settings->tolerance};
  mo_exact_project(problem, &by_island->partition, by_island->solutions, targets, &exact, workspace,
                   pseudo);
  return MO_OK;
}
