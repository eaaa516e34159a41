#include "step/impact_solve.h"

#include "math/scalar.h"
#include "memory/union_find.h"
#include "solvers/contact_problem.h"
#include "step/constraint_rows.h"

#include <string.h>

// m/s, relative to the fastest approach: the error of a solve.
#define TOLERANCE 1e-13

bool mo_impact_solve_make_room(mo_impact_solve *r, mo_arena *arena) {
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

double mo_impact_normal_speed(const mo_impact_solve *r, uint32_t block,
                              const mo_velocity *velocities) {
  return mo_block_row_velocity(r->problem, &r->problem->blocks[block], 0, velocities);
}

bool mo_impact_approaches(const mo_impact_solve *r, uint32_t block, const mo_velocity *velocities) {
  const mo_row_block *b = &r->problem->blocks[block];
  double speed = mo_impact_normal_speed(r, block, velocities);
  if (!(speed < -r->slowest)) {
    return false;
  }
  mo_velocity free[MO_ROW_SIDES];
  mo_block_free_velocities(r->problem, b, free);
  const mo_row *row = &r->problem->rows[b->first_row];
  double forces = mo_row_velocity_of_sides(row, mo_block_pair(r->problem, b, 0), free) -
                  mo_impact_normal_speed(r, block, r->start);
  return row->gap <= MO_CLOSED_GAP * mo_world_metre(r->world) ||
         row->gap + r->problem->dt * (speed + forces) < 0.0;
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

bool mo_impact_solve_find_islands(mo_impact_solve *r, mo_arena *arena, bool *any) {
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
    if (r->restitutions[i] > 0.0 && mo_impact_approaches(r, i, r->start)) {
      has_impact[island_of(problem, i, parents)] = *any = true;
      fastest = mo_max(fastest, -mo_impact_normal_speed(r, i, r->start));
    }
  }
  r->slowest = MO_SLOWEST_APPROACH * fastest;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    bool is_reached = has_impact[island_of(problem, i, parents)];
    r->may_be_hit[i] = is_reached && r->restitutions[i] >= 0.0;
    r->is_held[i] = is_reached && is_rigid(problem, &problem->blocks[i]);
  }
  return true;
}

// --- one solve -------------------------------------------------------------------------------

static void append_part(mo_impact_solve *r, uint32_t index) {
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

static void make_part(mo_impact_solve *r, const mo_velocity *velocities) {
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

mo_result mo_impact_solve_stop(mo_impact_solve *r, const mo_velocity *velocities) {
  mo_world *world = r->world;
  mo_arena *arena = &world->trial_arena;
  mo_arena_reset(arena);
  make_part(r, velocities);
  mo_result result = mo_world_solve_rows(
      world, &r->part, TOLERANCE * r->slowest / MO_SLOWEST_APPROACH, arena, r->changed);
  memset(r->impulses, 0, r->problem->block_count * sizeof *r->impulses);
  uint32_t at = 0;
  for (uint32_t i = 0; result == MO_OK && i < r->problem->block_count; i++) {
    if (r->chosen[i] || r->is_held[i]) {
      r->impulses[i] = r->part.rows[r->part.blocks[at++].first_row].impulse;
    }
  }
  return result;
}
