#include "step/impact_reflections.h"

#include "math/scalar.h"
#include "memory/union_find.h"
#include "solvers/contact_problem.h"

#include <string.h>

// Reflections of one step. A row of n balls needs about 2 n, a ball between a wall and one that is
// n times as heavy 1.6 sqrt(n). What approaches after that many is stopped, as with restitution 0.
#define MOST_REFLECTIONS 200
// Of the fastest approach: what approaches more slowly does not. The energy of that is 1e-12 times
// as large.
#define SLOWEST 1e-6
// Rounds in which the plastic impact finds contacts that it closes itself.
#define PLASTIC_ROUNDS 20
// m: a gap up to this counts as closed; solvers leave such gaps open.
#define CLOSED_GAP 1e-8
// m/s, relative to the fastest approach: the error of a reflection.
#define TOLERANCE 1e-13

typedef struct reflection {
  mo_world *world;
  const mo_row_problem *problem;
  const double *restitutions;
  const mo_velocity *start;
  double slowest;       // m/s
  bool *may_be_hit;     // per block: a contact of an island with impacts
  bool *is_held;        // per block: a rigid joint of such an island
  bool *chosen;         // per block: contacts of the present solve
  double *biases;       // per block, of the present solve; null: 0
  double *impulses;     // per block, N s, of the present solve
  mo_row_problem part;  // blocks of the present solve
  mo_velocity *changed; // per body: after the present solve
} reflection;

static bool make_room(reflection *r, mo_arena *arena) {
  const mo_row_problem *problem = r->problem;
  r->may_be_hit = MO_ARENA_TAKE(arena, bool, problem->block_count);
  r->is_held = MO_ARENA_TAKE(arena, bool, problem->block_count);
  r->chosen = MO_ARENA_TAKE(arena, bool, problem->block_count);
  r->impulses = MO_ARENA_TAKE(arena, double, problem->block_count);
  r->changed = MO_ARENA_TAKE_RAW(arena, mo_velocity, problem->body_count);
  r->part = (mo_row_problem){.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, problem->body_count),
                             .body_count = problem->body_count,
                             .blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, problem->block_count),
                             .rows = MO_ARENA_TAKE_RAW(arena, mo_row, problem->row_count),
                             .pairs = problem->pairs,
                             .pair_count = problem->pair_count,
                             .dt = problem->dt};
  return r->may_be_hit && r->is_held && r->chosen && r->impulses && r->changed && r->part.bodies &&
         r->part.blocks && r->part.rows;
}

static double normal_speed(const reflection *r, uint32_t block, const mo_velocity *velocities) {
  return mo_block_row_velocity(r->problem, &r->problem->blocks[block], 0, velocities);
}

// Whether a contact is hit in this step by bodies with these velocities.
static bool approaches(const reflection *r, uint32_t block, const mo_velocity *velocities) {
  const mo_row_block *b = &r->problem->blocks[block];
  double speed = normal_speed(r, block, velocities);
  if (!(speed < -r->slowest)) {
    return false;
  }
  mo_velocity free[MO_ROW_SIDES];
  mo_block_free_velocities(r->problem, b, free);
  const mo_row *row = &r->problem->rows[b->first_row];
  double forces = mo_row_velocity_of_sides(row, mo_block_pair(r->problem, b, 0), free) -
                  normal_speed(r, block, r->start);
  return row->gap <= CLOSED_GAP || row->gap + r->problem->dt * (speed + forces) < 0.0;
}

static bool is_rigid(const mo_row_problem *problem, const mo_row_block *block) {
  bool rigid = block->bound == MO_BOUND_BILATERAL && block->holds_position;
  for (uint32_t k = 0; rigid && k < block->row_count; k++) {
    rigid = problem->rows[block->first_row + k].softening == 0.0;
  }
  return rigid;
}

// --- islands with impacts --------------------------------------------------------------------

// The island of a block, or that of the world if none of its bodies moves.
static uint32_t island_of(const mo_row_problem *problem, uint32_t block, uint32_t *parents) {
  uint32_t body = mo_island_moving_body(problem, &problem->blocks[block]);
  return mo_union_find_root(parents, body == MO_NO_BODY ? 0 : body);
}

// Finds the contacts that begin an impact, and the islands that it may reach.
static bool find_islands(reflection *r, mo_arena *arena, bool *any) {
  const mo_row_problem *problem = r->problem;
  double threshold = mo_world_restitution_threshold(r->world, problem->dt), fastest = 0.0;
  uint32_t *parents = MO_ARENA_TAKE(arena, uint32_t, problem->body_count);
  bool *has_impact = MO_ARENA_TAKE(arena, bool, problem->body_count);
  *any = false;
  if (!parents || !has_impact) {
    return false;
  }
  mo_island_partition_join(problem, parents);
  r->slowest = threshold;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    if (r->restitutions[i] > 0.0 && approaches(r, i, r->start)) {
      has_impact[island_of(problem, i, parents)] = *any = true;
      fastest = mo_max(fastest, -normal_speed(r, i, r->start));
    }
  }
  r->slowest = SLOWEST * fastest;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    bool is_reached = has_impact[island_of(problem, i, parents)];
    r->may_be_hit[i] = is_reached && r->restitutions[i] >= 0.0;
    r->is_held[i] = is_reached && is_rigid(problem, &problem->blocks[i]);
  }
  return true;
}

// --- one solve -------------------------------------------------------------------------------

static void append_part(reflection *r, uint32_t index) {
  mo_row_block block = r->problem->blocks[index];
  const mo_row *rows = &r->problem->rows[block.first_row];
  block.first_row = r->part.row_count;
  if (r->chosen[index]) {
    block.bound = MO_BOUND_UNILATERAL;
    block.row_count = 1;
    block.point_contact = false;
  }
  for (uint32_t k = 0; k < block.row_count; k++) {
    mo_row *row = &r->part.rows[r->part.row_count++];
    *row = rows[k];
    row->impulse = 0.0;
    row->bias = row->plastic_bias = r->biases && r->chosen[index] ? r->biases[index] : 0.0;
  }
  r->part.blocks[r->part.block_count++] = block;
}

static void make_part(reflection *r, const mo_velocity *velocities) {
  r->part.block_count = r->part.row_count = 0;
  for (uint32_t i = 0; i < r->problem->body_count; i++) {
    r->part.bodies[i] = r->problem->bodies[i];
    r->part.bodies[i].free_linear = velocities[i].linear;
    r->part.bodies[i].free_angular = velocities[i].angular;
    r->part.bodies[i].solver = MO_SOLVER_EXACT;
  }
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    if (r->chosen[i] || r->is_held[i]) {
      append_part(r, i);
    }
  }
}

// Finds the least impulses with which no chosen contact approaches, and the velocities after them.
static mo_result stop(reflection *r, const mo_velocity *velocities) {
  mo_world *world = r->world;
  mo_arena *arena = &world->trial_arena;
  mo_arena_reset(arena);
  make_part(r, velocities);
  mo_solver_settings exact = {.max_iterations = world->settings.max_iterations,
                              .tolerance = TOLERANCE * r->slowest / SLOWEST};
  mo_by_island_settings settings = {.exact = exact, .sweeps = exact};
  mo_by_island by;
  mo_result result = mo_by_island_begin(&r->part, arena, &by);
  if (result == MO_OK) {
    result = mo_by_island_solve(&r->part, &settings, &world->exact, arena, &by, r->changed);
  }
  memset(r->impulses, 0, r->problem->block_count * sizeof *r->impulses);
  uint32_t at = 0;
  for (uint32_t i = 0; result == MO_OK && i < r->problem->block_count; i++) {
    if (r->chosen[i] || r->is_held[i]) {
      r->impulses[i] = r->part.rows[r->part.blocks[at++].first_row].impulse;
    }
  }
  return result;
}

// --- impacts ---------------------------------------------------------------------------------

// Chooses the contacts that approach, besides those chosen before if `keep`. Returns whether there
// are new ones.
static bool choose(reflection *r, const mo_velocity *velocities, bool keep) {
  bool any = false;
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    bool is_new = r->may_be_hit[i] && !(keep && r->chosen[i]) && approaches(r, i, velocities);
    r->chosen[i] = is_new || (keep && r->chosen[i]);
    any = any || is_new;
  }
  return any;
}

// Notes the contacts that were hit. Of the impulses of this solve, times `factor`, each takes the
// part that its restitution gives them.
static void take_hits(const reflection *r, bool elastic, double factor, mo_impact_targets *out) {
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    if (r->chosen[i] && r->impulses[i] > 0.0) {
      double e = r->restitutions[i];
      out->is_hit[i] = true;
      out->impulses[i] += factor * (elastic ? e : 1.0 - e) * r->impulses[i];
    }
  }
}

// Adds a fraction of the speeds with which contacts part.
static void add_speeds(const reflection *r, const mo_velocity *velocities, bool elastic,
                       mo_impact_targets *out) {
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    double e = r->restitutions[i];
    double part = elastic ? e : 1.0 - e;
    double speed = r->may_be_hit[i] && part > 0.0 ? normal_speed(r, i, velocities) : 0.0;
    out->speeds[i] += speed > 0.0 ? part * speed : 0.0;
  }
}

// All contacts that approach are stopped at once.
static mo_result impact_plastically(reflection *r, mo_velocity *velocities,
                                    mo_impact_targets *out) {
  memset(r->chosen, 0, r->problem->block_count * sizeof *r->chosen);
  memcpy(r->changed, r->start, r->problem->body_count * sizeof *r->changed);
  for (int round = 0; round < PLASTIC_ROUNDS && choose(r, r->changed, true); round++) {
    mo_result result = stop(r, r->start);
    if (result != MO_OK) {
      return result;
    }
  }
  memcpy(velocities, r->changed, r->problem->body_count * sizeof *velocities);
  take_hits(r, false, 1.0, out);
  return MO_OK;
}

// Contacts that approach are reflected together, until none does.
static mo_result impact_elastically(reflection *r, mo_velocity *velocities,
                                    mo_impact_targets *out) {
  memcpy(velocities, r->start, r->problem->body_count * sizeof *velocities);
  for (int round = 0; choose(r, velocities, false); round++) {
    mo_result result = stop(r, velocities);
    if (result != MO_OK) {
      return result;
    }
    double reflected = round < MOST_REFLECTIONS ? 2.0 : 1.0;
    for (uint32_t i = 0; i < r->problem->body_count; i++) {
      mo_velocity *v = &velocities[i];
      v->linear = mo_add_scaled(v->linear, reflected, mo_sub(r->changed[i].linear, v->linear));
      v->angular = mo_add_scaled(v->angular, reflected, mo_sub(r->changed[i].angular, v->angular));
    }
    take_hits(r, true, reflected, out);
    if (round >= MOST_REFLECTIONS) {
      break;
    }
  }
  return MO_OK;
}

mo_result mo_impacts_find(mo_world *world, const mo_row_problem *problem,
                          const double *restitutions, mo_velocity *start, mo_arena *arena,
                          mo_impact_targets *out) {
  reflection all = {.world = world, .problem = problem, .restitutions = restitutions}, *r = &all;
  r->start = start;
  *out = (mo_impact_targets){.is_hit = MO_ARENA_TAKE(arena, bool, problem->block_count),
                             .speeds = MO_ARENA_TAKE(arena, double, problem->block_count),
                             .impulses = MO_ARENA_TAKE(arena, double, problem->block_count),
                             .start = start};
  mo_velocity *velocities = MO_ARENA_TAKE_RAW(arena, mo_velocity, problem->body_count);
  if (!out->is_hit || !out->speeds || !out->impulses || !velocities || !make_room(r, arena) ||
      !find_islands(r, arena, &out->any)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!out->any) {
    return MO_OK;
  }
  mo_result result = impact_plastically(r, velocities, out);
  if (result == MO_OK) {
    add_speeds(r, velocities, false, out);
    result = impact_elastically(r, velocities, out);
  }
  if (result == MO_OK) {
    add_speeds(r, velocities, true, out);
  }
  return result;
}

mo_result mo_impacts_separate(mo_world *world, const mo_row_problem *problem,
                              const mo_impact_targets *targets, mo_velocity *velocities,
                              double *impulses, mo_arena *arena) {
  reflection r = {.world = world, .problem = problem, .start = velocities, .slowest = SLOWEST};
  r.biases = MO_ARENA_TAKE(arena, double, problem->block_count);
  if (!r.biases || !make_room(&r, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    r.chosen[i] = targets->is_hit[i];
    r.biases[i] = -targets->speeds[i];
  }
  mo_result result = stop(&r, velocities);
  if (result == MO_OK) {
    memcpy(velocities, r.changed, problem->body_count * sizeof *velocities);
    memcpy(impulses, r.impulses, problem->block_count * sizeof *impulses);
  }
  return result;
}
