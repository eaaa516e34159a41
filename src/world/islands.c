/// Read-outs of the last step's problem: its islands, and the problem itself.
#include "solvers/bilateral.h"
#include "solvers/certificate.h"
#include "solvers/island_packing.h"
#include "world/soft_problem.h"

#include <string.h>

// --- islands ---------------------------------------------------------------------------------

// The partition of the last step: the step's own, or one made now in the query arena.
static mo_result last_partition(mo_world *world, mo_island_partition *out) {
  mo_arena_reset(&world->query_arena);
  mo_result result = mo_world_complete_problem(world);
  if (result != MO_OK) {
    return result;
  }
  if (world->last_step.by_island.solutions && world->last_step.soft.body_count == 0) {
    *out = world->last_step.by_island.partition;
    return MO_OK;
  }
  return mo_island_partition_make(&world->last_step.problem, &world->query_arena, out);
}

uint32_t mo_world_island_count(mo_world *world) {
  mo_island_partition partition = {0};
  mo_result result = last_partition(world, &partition);
  if (result == MO_ERROR_OUT_OF_MEMORY) {
    mo_world_refuse_text(world, result, "mo_world_island_count", "no memory for the islands");
  }
  return result == MO_OK ? partition.island_count : 0;
}

uint32_t mo_world_missed_island_count(const mo_world *world) {
  return world->last_step.stats.missed_islands;
}

// The body that was number `index` in the last step's problem: dynamic bodies keep their order.
static mo_body_id body_of_row(const mo_world *world, uint32_t index) {
  uint32_t slot = world->last_step.row_slots[index];
  return mo_id_pool_in_slot(&world->ids, slot);
}

static double residual_of(const mo_island_view *island, mo_friction_law law, mo_arena *arena) {
  mo_packed_island packed;
  if (!mo_island_pack_velocities(island, arena, &packed)) {
    return (double)NAN;
  }
  return mo_certificate_of_impulses(&packed.problem, law, arena).worst;
}

// Estimated when asked for: it would double the cost of the step's solve. 0 without memory.
static double condition_of(const mo_island_view *island, double tolerance, mo_arena *arena) {
  mo_packed_island packed;
  mo_solver_settings settings = {
      .max_iterations = 1, .tolerance = tolerance, .estimate_condition = true};
  if (!mo_island_pack_velocities(island, arena, &packed)) {
    return 0.0;
  }
  return mo_bilateral_solve(&packed.problem, &settings, NULL, arena).condition;
}

static bool is_soft(const mo_island_view *island) {
  return island->source->bodies[mo_island_body(island, 0)].solver == MO_SOLVER_SOFT_STEP;
}

static mo_island describe(mo_world *world, const mo_island_view *island) {
  const mo_by_island *by = &world->last_step.by_island;
  mo_island out = {.solver = MO_SOLVER_BLOCK_PGS,
                   .bodies = mo_island_body_count(island),
                   .rows = mo_island_row_count(island),
                   .first_body = body_of_row(world, mo_island_body(island, 0)),
                   .status = by->total.status,
                   .iterations = by->total.iterations};
  if (is_soft(island)) {
    out.solver = MO_SOLVER_SOFT_STEP;
    out.status = MO_SOLVE_MAX_ITERATIONS; // it does what it does, and looks no further
    out.iterations = world->last_step.soft.substeps;
  } else if (by->solutions && world->last_step.soft.body_count == 0) {
    const mo_island_solution *solution = &by->solutions[island->index];
    out.solver = solution->solver;
    out.event = solution->event;
    out.status = solution->solved.status;
    out.iterations = solution->solved.iterations;
    out.factorisations = solution->solved.factorisations;
    out.residual = solution->residual;
  }
  if (out.solver == MO_SOLVER_BILATERAL) {
    out.condition = condition_of(island, world->settings.tolerance, &world->query_arena);
  }
  if (out.solver == MO_SOLVER_BLOCK_PGS || out.solver == MO_SOLVER_SOFT_STEP) {
    out.residual = residual_of(island, world->last_step.friction_law, &world->query_arena);
  }
  return out;
}

uint32_t mo_world_islands(mo_world *world, mo_island *out, uint32_t capacity) {
  mo_island_partition partition = {0};
  if (last_partition(world, &partition) != MO_OK) {
    mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_islands",
                         "no memory for the islands");
    return 0;
  }
  for (uint32_t i = 0; i < partition.island_count && i < capacity; i++) {
    mo_island_view island = {
        .source = &world->last_step.problem, .partition = &partition, .index = i};
    out[i] = describe(world, &island);
  }
  return partition.island_count;
}

// --- the problem -----------------------------------------------------------------------------

// The normal row of each contact point is the first of its block; joints have rows of other bounds.
static bool is_contact(const mo_row_block *block) {
  return block->bound == MO_BOUND_CONE || block->bound == MO_BOUND_UNILATERAL;
}

static mo_result refuse_joints(mo_world *world) {
  return mo_world_refuse_text(world, MO_ERROR_NOT_SUPPORTED, "mo_world_record_problem",
                              "the last step had rows of joints or custom constraints, for which "
                              "the form W, q, mu has no place");
}

// Column `column` of W: the velocities that a unit impulse of one row gives to all rows. Bodies are
// at rest before and after.
static void fill_column(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                        uint32_t column, uint32_t n, mo_velocity *velocities, double *delassus) {
  const mo_velocity rest = {mo_v3_zero(), mo_v3_zero()};
  uint32_t a = block->body_a, b = block->body_b;
  mo_row_apply(&problem->rows[block->first_row + k], 1.0, &problem->bodies[a], &velocities[a],
               &problem->bodies[b], &velocities[b]);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *other = &problem->blocks[i];
    for (uint32_t r = 0; r < other->row_count; r++) {
      delassus[(size_t)(3 * i + r) * n + column] =
          mo_row_velocity(&problem->rows[other->first_row + r], &velocities[other->body_a],
                          &velocities[other->body_b]);
    }
  }
  velocities[a] = velocities[b] = rest;
}

static void fill_record(const mo_row_problem *problem, mo_velocity *velocities, double *delassus,
                        double *free_velocity, double *friction) {
  uint32_t n = 3 * problem->block_count;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    const mo_row_body *a = &problem->bodies[block->body_a], *b = &problem->bodies[block->body_b];
    mo_velocity free_a = {a->free_linear, a->free_angular};
    mo_velocity free_b = {b->free_linear, b->free_angular};
    friction[i] = block->bound == MO_BOUND_CONE ? block->friction : 0.0;
    for (uint32_t k = 0; k < block->row_count; k++) {
      const mo_row *row = &problem->rows[block->first_row + k];
      free_velocity[3 * i + k] = mo_row_velocity(row, &free_a, &free_b) + row->bias;
      fill_column(problem, block, k, 3 * i + k, n, velocities, delassus);
    }
  }
}

mo_result mo_world_record_problem(mo_world *world, mo_problem_record *out) {
  mo_result completed = mo_world_complete_problem(world);
  if (completed != MO_OK) {
    return completed;
  }
  const mo_row_problem *problem = &world->last_step.problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    if (!is_contact(&problem->blocks[i])) {
      return refuse_joints(world);
    }
  }
  mo_arena *arena = &world->query_arena;
  mo_arena_reset(arena);
  size_t n = 3 * (size_t)problem->block_count;
  double *delassus = MO_ARENA_TAKE(arena, double, n *n);
  double *free_velocity = MO_ARENA_TAKE(arena, double, n);
  double *friction = MO_ARENA_TAKE(arena, double, problem->block_count);
  mo_velocity *velocities = MO_ARENA_TAKE(arena, mo_velocity, problem->body_count);
  if (!delassus || !free_velocity || !friction || !velocities) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_record_problem",
                                "no memory for the matrix");
  }
  fill_record(problem, velocities, delassus, free_velocity, friction);
  *out = (mo_problem_record){.contact_count = problem->block_count,
                             .delassus = delassus,
                             .free_velocity = free_velocity,
                             .friction = friction};
  return MO_OK;
}
