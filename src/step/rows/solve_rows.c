#include "solvers/by_island.h"
#include "solvers/impact_energy.h"
#include "solvers/load_bounds.h"
#include "step/stages.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  const mo_free_motions *free;
  const mo_row_contacts *contacts;
  mo_row_set *rows;
  mo_row_solution *solution;
} stage;

// How often the restitution of impacts that add energy is halved before it becomes zero.
#define RESTITUTION_HALVINGS 4
// Solves of a step whose bounds depend on its own loads. On a floor the second is right.
#define LOAD_ROUNDS 12
// Relative change of a bound that is round-off.
#define LOAD_TOLERANCE 1e-10

static mo_by_island_settings solver_settings(const mo_world_def *settings) {
  return (mo_by_island_settings){
      .exact = {.max_iterations = settings->max_iterations,
                .tolerance = settings->tolerance,
                .friction_law = settings->friction_law,
                .effort = settings->effort},
      .sweeps = {.max_iterations = settings->iterations, .tolerance = settings->tolerance}};
}

// Solves, and solves again as long as the bounds of rolling and spinning friction change with the
// loads that were found.
static mo_result solve_with_loads(stage *s, mo_by_island_settings *settings) {
  mo_world *world = s->world;
  for (int round = 0;; round++) {
    double change = world->surface_count > 0 ? mo_load_bounds_follow(&s->rows->problem) : 0.0;
    if (round > 0 && (change <= LOAD_TOLERANCE || round > LOAD_ROUNDS)) {
      return MO_OK;
    }
    settings->again = settings->again || round > 0;
    // The first solve takes what one of rows that are kept takes: then a step that begins to keep
    // its rows needs no more memory than the last one did.
    mo_arena *arena = settings->again ? &world->step_arena : &world->spare_problem_arena;
    mo_result result = mo_by_island_solve(&s->rows->problem, settings, &world->exact, arena,
                                          &s->solution->by_island, s->solution->velocities);
    if (result != MO_OK || world->surface_count == 0) {
      return result;
    }
  }
}

// Solves, and solves again with less restitution as long as an island's impacts add energy: with a
// half of it, a quarter, and so on, at last with none.
static mo_result solve_and_cure(stage *s, mo_by_island_settings *settings) {
  mo_world *world = s->world;
  mo_arena *arena = &world->step_arena;
  for (int attempt = 0;; attempt++) {
    mo_result result = solve_with_loads(s, settings);
    if (result != MO_OK || attempt > RESTITUTION_HALVINGS) {
      return result;
    }
    mo_impact_report report;
    double keep = attempt < RESTITUTION_HALVINGS ? 0.5 : 0.0;
    result =
        mo_impact_energy_cure(&s->rows->problem, s->solution->velocities, keep, arena, &report);
    if (!report.changed) {
      return result;
    }
    settings->again = true;
    s->solution->cured_gain = attempt == 0 ? report.gain : s->solution->cured_gain;
  }
}

static mo_result solve_velocities(stage *s) {
  mo_world *world = s->world;
  mo_by_island_settings settings = solver_settings(&world->settings);
  mo_result result = MO_OK;
  if (s->rows->is_kept) {
    result = mo_step_refresh_rows(world, s->dt, s->rows, s->solution->pseudo_velocities);
  } else {
    result =
        mo_by_island_begin(&s->rows->problem, &world->spare_problem_arena, &s->solution->by_island);
    bool moves_after = mo_integrator_kind_of(world->settings.integrator)->joints == MO_JOINTS_AFTER;
    if (result == MO_OK && moves_after) { // else joints move in the flow
      result = mo_by_island_stiffen(&s->rows->problem, &s->solution->by_island, &world->step_arena);
    }
  }
  if (result != MO_OK ||
      !(s->rows->is_kept ||
        mo_step_may_keep_rows(world, s->dt, s->choice, s->contacts, s->rows, s->solution))) {
    return result == MO_OK ? solve_and_cure(s, &settings) : result;
  }
  result =
      mo_by_island_solve(&s->rows->problem, &settings, &world->exact, &world->spare_problem_arena,
                         &s->solution->by_island, s->solution->velocities);
  if (result == MO_OK && !s->rows->is_kept) {
    mo_step_keep_rows(world, s->dt, s->free, s->contacts, s->solution, s->rows);
  }
  return result;
}

mo_result mo_step_solve(mo_world *world, double dt, const mo_solver_choice *choice,
                        const mo_free_motions *free, const mo_row_contacts *contacts,
                        mo_row_set *rows, mo_row_solution *solution) {
  stage all = {world, dt, choice, free, contacts, rows, solution}, *s = &all;
  const mo_world_def *settings = &s->world->settings;
  mo_arena *arena = &s->world->step_arena;
  s->solution->velocities = MO_ARENA_TAKE(arena, mo_velocity, s->rows->problem.body_count);
  s->solution->pseudo_velocities = MO_ARENA_TAKE(arena, mo_velocity, s->rows->problem.body_count);
  if (!s->solution->velocities || !s->solution->pseudo_velocities) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (s->rows->problem.row_count == 0) {
    for (uint32_t i = 0; i < s->rows->problem.body_count; i++) {
      const mo_row_body *body = &s->rows->problem.bodies[i];
      s->solution->velocities[i] = (mo_velocity){body->free_linear, body->free_angular};
    }
    return MO_OK; // the status is MO_SOLVE_NONE
  }
  mo_result result = solve_velocities(s);
  if (result != MO_OK || settings->stabilization != MO_STABILIZATION_SPLIT || s->rows->is_kept) {
    return result;
  }
  mo_split_impulse_settings split = {.error_reduction = settings->error_reduction,
                                     .linear_slop = mo_world_linear_slop(s->world, false),
                                     .max_correction_speed = settings->max_correction_speed,
                                     .max_iterations = settings->iterations,
                                     .tolerance = settings->tolerance};
  return mo_by_island_correct(&s->rows->problem, &s->solution->by_island, s->solution->velocities,
                              &split, &s->world->exact, arena, s->solution->pseudo_velocities);
}
