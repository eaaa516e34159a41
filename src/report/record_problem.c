/// The problem of the last step as a matrix, for solvers outside this library.
#include "memory/allocator.h"
#include "step/soft_step/soft_problem.h"
#include "world/checks.h"

// The normal row of each contact point is the first of its block; joints have rows of other bounds.
static bool is_contact(const mo_row_block *block) {
  return block->bound == MO_BOUND_CONE || block->bound == MO_BOUND_UNILATERAL;
}

static mo_result refuse_joints(mo_world *world) {
  return mo_world_refuse_text(world, MO_ERROR_NOT_SUPPORTED, "mo_world_record_problem",
                              "the last step had rows of joints or custom constraints, for which "
                              "the form W, q, mu has no place");
}

// Column `column` of W: the velocities that a unit impulse of one row gives to all rows. The bodies
// are at rest before and after the call.
static void fill_column(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                        uint32_t column, uint32_t n, mo_velocity *velocities, double *delassus) {
  uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(problem, block, bodies);
  mo_block_row_apply(problem, block, k, 1.0, velocities);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *other = &problem->blocks[i];
    for (uint32_t r = 0; r < other->row_count; r++) {
      delassus[(size_t)(3 * i + r) * n + column] =
          mo_block_row_velocity(problem, other, r, velocities);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    velocities[bodies[i]] = (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
}

static void fill_record(const mo_row_problem *problem, mo_velocity *velocities, double *delassus,
                        double *free_velocity, double *friction) {
  uint32_t n = 3 * problem->block_count;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    friction[i] = block->bound == MO_BOUND_CONE ? block->friction : 0.0;
    mo_velocity free[MO_ROW_SIDES];
    mo_block_free_velocities(problem, block, free);
    for (uint32_t k = 0; k < block->row_count; k++) {
      const mo_row *row = &problem->rows[block->first_row + k];
      free_velocity[3 * i + k] =
          mo_row_velocity_of_sides(row, mo_block_pair(problem, block, k), free) + row->bias;
      fill_column(problem, block, k, 3 * i + k, n, velocities, delassus);
    }
  }
}

// The memory of W, q and mu, one after the other; null without memory. The matrix grows with the
// square of the contacts, so it has a block of its own, which can be given back.
static double *allocate_record(uint32_t contact_count) {
  size_t n = 3 * (size_t)contact_count, most = SIZE_MAX / sizeof(double) / 2;
  return n == 0 || n + 2 <= most / n ? mo_allocate((n * n + n + contact_count) * sizeof(double))
                                     : NULL;
}

static mo_result refuse_memory(mo_world *world) {
  return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_record_problem",
                              "no memory for the matrix");
}

static mo_result check_blocks(mo_world *world, const mo_row_problem *problem) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    if (!is_contact(&problem->blocks[i])) {
      return refuse_joints(world);
    }
  }
  return MO_OK;
}

mo_result mo_world_record_problem(mo_world *world, mo_problem_record *out) {
  mo_result completed = mo_world_complete_problem(world);
  if (completed == MO_ERROR_OUT_OF_MEMORY) {
    return refuse_memory(world);
  }
  MO_RETURN_IF_REFUSED(completed);
  // a callback may have recorded it too
  mo_world_release_record(world);
  mo_arena_reset(&world->query_arena);
  const mo_row_problem *problem = &world->last_step.problem;
  MO_RETURN_IF_REFUSED(check_blocks(world, problem));
  mo_velocity *velocities = MO_ARENA_TAKE(&world->query_arena, mo_velocity, problem->body_count);
  world->problem_record = velocities ? allocate_record(problem->block_count) : NULL;
  if (!world->problem_record) {
    return refuse_memory(world);
  }
  size_t n = 3 * (size_t)problem->block_count;
  double *free_velocity = world->problem_record + n * n, *friction = free_velocity + n;
  fill_record(problem, velocities, world->problem_record, free_velocity, friction);
  *out = (mo_problem_record){.contact_count = problem->block_count,
                             .delassus = world->problem_record,
                             .free_velocity = free_velocity,
                             .friction = friction};
  return MO_OK;
}
