#include "solvers/by_island.h"
#include "solvers/impact_energy.h"
#include "step/stages.h"

// How often the restitution of impacts that create energy is halved before it is dropped.
#define RESTITUTION_HALVINGS 4

static mo_by_island_settings solver_settings(const mo_world_def *settings) {
  return (mo_by_island_settings){
      .exact = {.max_iterations = settings->max_iterations,
                .tolerance = settings->tolerance,
                .friction_law = settings->friction_law,
                .effort = settings->effort},
      .sweeps = {.max_iterations = settings->iterations, .tolerance = settings->tolerance}};
}

// Solves, and solves again with less restitution as long as an island's impacts create energy: with
// a half, a quarter, ... of it, at last with none.
static mo_result solve_and_cure(mo_step *s, mo_by_island_settings *settings) {
  mo_world *world = s->world;
  mo_arena *arena = &world->step_arena;
  for (int attempt = 0;; attempt++) {
    mo_result result = mo_by_island_solve(&s->problem, settings, &world->exact, arena,
                                          &s->by_island, s->velocities);
    if (result != MO_OK || attempt > RESTITUTION_HALVINGS) {
      return result;
    }
    mo_impact_report report;
    double keep = attempt < RESTITUTION_HALVINGS ? 0.5 : 0.0;
    result = mo_impact_energy_cure(&s->problem, s->velocities, keep, arena, &report);
    if (!report.changed) {
      return result;
    }
    settings->again = true;
    s->cured_gain = attempt == 0 ? report.gain : s->cured_gain;
  }
}

static mo_result solve_velocities(mo_step *s) {
  mo_world *world = s->world;
  mo_by_island_settings settings = solver_settings(&world->settings);
  mo_result result = MO_OK;
  if (s->has_kept_rows) {
    result = mo_step_refresh_rows(s);
  } else {
    result = mo_by_island_begin(&s->problem, &world->spare_problem_arena, &s->by_island);
  }
  if (result != MO_OK || !(s->has_kept_rows || mo_step_may_keep_rows(s))) {
    return result == MO_OK ? solve_and_cure(s, &settings) : result;
  }
  result = mo_by_island_solve(&s->problem, &settings, &world->exact, &world->spare_problem_arena,
                              &s->by_island, s->velocities);
  if (result == MO_OK && !s->has_kept_rows) {
    mo_step_keep_rows(s);
  }
  return result;
}

mo_result mo_step_solve(mo_step *s) {
  const mo_world_def *settings = &s->world->settings;
  mo_arena *arena = &s->world->step_arena;
  s->velocities = MO_ARENA_TAKE(arena, mo_velocity, s->problem.body_count);
  s->pseudo_velocities = MO_ARENA_TAKE(arena, mo_velocity, s->problem.body_count);
  s->motions = MO_ARENA_TAKE(arena, mo_motion, s->world->ids.slot_count);
  if (!s->velocities || !s->pseudo_velocities || !s->motions) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (s->problem.row_count == 0) {
    for (uint32_t i = 0; i < s->problem.body_count; i++) {
      const mo_row_body *body = &s->problem.bodies[i];
      s->velocities[i] = (mo_velocity){body->free_linear, body->free_angular};
    }
    return MO_OK; // and the status MO_SOLVE_NONE
  }
  mo_result result = solve_velocities(s);
  if (result != MO_OK || settings->stabilization != MO_STABILIZATION_SPLIT || s->has_kept_rows) {
    return result;
  }
  mo_split_impulse_settings split = {.error_reduction = settings->error_reduction,
                                     .linear_slop = mo_world_linear_slop(s->world, false),
                                     .max_correction_speed = settings->max_correction_speed,
                                     .max_iterations = settings->iterations,
                                     .tolerance = settings->tolerance};
  return mo_by_island_correct(&s->problem, &s->by_island, s->velocities, &split, &s->world->exact,
                              arena, s->pseudo_velocities);
}
