#include "solvers/by_island.h"
#include "solvers/impact_energy.h"
#include "solvers/load_bounds.h"
#include "step/stages.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  mo_row_set *rows;
  mo_row_solution *solution;
  const mo_row_ends *ends;
  bool *changed; // per island: bounds that follow loads
  bool *gaining; // per island: impacts that add energy
  bool *in_flow; // per body: joints have moved it in the smooth motion
} stage;

// How often the restitution of impacts that add energy is halved before it becomes zero.
#define RESTITUTION_HALVINGS 4
// Solves of a step whose bounds depend on its own loads. On a floor the second is right.
#define LOAD_ROUNDS 12
// Relative change of a bound that is round-off.
#define LOAD_TOLERANCE 1e-10

static mo_by_island_settings solver_settings(const mo_world *world) {
  const mo_world_def *settings = &world->settings;
  double metre = mo_world_metre(world);
  return (mo_by_island_settings){.exact = {.max_iterations = settings->max_iterations,
                                           .tolerance = settings->tolerance,
                                           .metre = metre,
                                           .friction_law = settings->friction_law,
                                           .effort = settings->effort},
                                 .sweeps = {.max_iterations = settings->iterations,
                                            .tolerance = settings->tolerance,
                                            .metre = metre}};
}

static bool is_any(const bool *marks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (marks[i]) {
      return true;
    }
  }
  return false;
}

// Adds the islands whose bounds of rolling and spinning friction change with the loads that were
// found. Returns whether there are some.
static bool follow_loads(const stage *s, bool *due) {
  const mo_island_partition *partition = &s->solution->by_island.partition;
  bool any = s->world->surface_count > 0 &&
             mo_load_bounds_follow(&s->rows->problem, partition, LOAD_TOLERANCE, s->changed);
  for (uint32_t i = 0; any && due && i < partition->island_count; i++) {
    due[i] = due[i] || s->changed[i];
  }
  return any;
}

// Solves the islands that are due, and again those whose bounds change, as long as any do.
static mo_result solve_with_loads(stage *s, mo_by_island_settings *settings, bool *due) {
  mo_world *world = s->world;
  follow_loads(s, due);
  settings->due = due;
  for (int round = 0;; round++) {
    mo_result result = mo_by_island_solve(&s->rows->problem, settings, &world->exact,
                                          &s->solution->by_island, s->solution->velocities);
    if (result != MO_OK || round == LOAD_ROUNDS || !follow_loads(s, NULL)) {
      return result;
    }
    settings->due = s->changed;
  }
}

// Solves, and solves again with less restitution the islands whose impacts add energy: with a half
// of it, a quarter, and so on, at last with none.
static mo_result solve_and_cure(stage *s, mo_by_island_settings *settings) {
  const mo_island_partition *partition = &s->solution->by_island.partition;
  mo_result result = solve_with_loads(s, settings, NULL);
  for (int attempt = 0; result == MO_OK && attempt <= RESTITUTION_HALVINGS; attempt++) {
    double keep = attempt < RESTITUTION_HALVINGS ? 0.5 : 0.0;
    double gain = mo_impact_energy_cure(&s->rows->problem, partition, s->solution->velocities, keep,
                                        s->gaining);
    if (!is_any(s->gaining, partition->island_count)) {
      break;
    }
    s->solution->cured_gain = attempt == 0 ? gain : s->solution->cured_gain;
    result = solve_with_loads(s, settings, s->gaining);
  }
  return result;
}

static bool take_marks(stage *s) {
  uint32_t count = s->solution->by_island.partition.island_count;
  s->changed = MO_ARENA_TAKE(&s->world->step_arena, bool, count);
  s->gaining = MO_ARENA_TAKE(&s->world->step_arena, bool, count);
  s->in_flow = MO_ARENA_TAKE(&s->world->step_arena, bool, s->rows->problem.body_count);
  for (uint32_t i = 1; s->in_flow && i < s->rows->problem.body_count; i++) {
    s->in_flow[i] = s->ends->placed[i] == MO_PLACED_BY_FLOW;
  }
  return s->changed && s->gaining && s->in_flow;
}

static mo_result solve_velocities(stage *s) {
  mo_world *world = s->world;
  mo_by_island_settings settings = solver_settings(world);
  mo_result result =
      mo_by_island_begin(&s->rows->problem, &world->spare_problem_arena, &s->solution->by_island);
  if (result != MO_OK || !take_marks(s)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  result = mo_by_island_stiffen(&s->rows->problem, &s->solution->by_island, s->in_flow,
                                &world->step_arena);
  return result == MO_OK ? solve_and_cure(s, &settings) : result;
}

mo_result mo_step_solve(mo_world *world, const mo_row_ends *ends, mo_row_set *rows,
                        mo_row_solution *solution) {
  stage all = {world, rows, solution, ends, NULL, NULL, NULL}, *s = &all;
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
  if (result != MO_OK || settings->stabilization != MO_STABILIZATION_SPLIT) {
    return result;
  }
  mo_split_impulse_settings split = {.error_reduction = settings->error_reduction,
                                     .metre = mo_world_metre(world),
                                     .linear_slop = mo_world_linear_slop(s->world, false),
                                     .max_correction_speed = settings->max_correction_speed,
                                     .max_iterations = settings->iterations,
                                     .tolerance = settings->tolerance};
  return mo_by_island_correct(&s->rows->problem, &s->solution->by_island, s->solution->velocities,
                              &split, &s->world->exact, arena, s->solution->pseudo_velocities);
}
