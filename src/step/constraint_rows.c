#include "step/constraint_rows.h"

#include "dynamics/locks.h"
#include "world/constraints.h"

uint32_t mo_world_constraint_row_count(const mo_world *world) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    count += world->constraint_ids.alive[slot] ? world->constraints[slot].dimension : 0;
  }
  return count;
}

mo_row_pair *mo_world_take_row_pairs(const mo_world *world, mo_arena *arena, uint32_t more) {
  uint32_t count = more;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    bool has_pairs = world->constraint_ids.alive[slot] && mo_constraint_joins_four(constraint);
    count += has_pairs ? constraint->dimension : 0;
  }
  return MO_ARENA_TAKE_RAW(arena, mo_row_pair, count);
}

bool mo_world_constraint_moves(const mo_world *world, const uint32_t *row_bodies,
                               const mo_constraint *constraint) {
  uint32_t slots[MO_ROW_SIDES], count = mo_world_dynamic_slots(world, constraint, slots);
  bool moves = false;
  for (uint32_t i = 0; i < count; i++) {
    moves = moves || row_bodies[slots[i]] != 0;
  }
  return moves;
}

static uint32_t row_body(const mo_constraint_pass *pass, uint32_t slot) {
  return slot == MO_WORLD_SLOT ? 0 : pass->row_bodies[slot];
}

static mo_constraint_failure find_active(const mo_constraint_pass *pass, uint32_t slot,
                                         const mo_constraint *constraint,
                                         const mo_constraint_place *at, bool *out) {
  if (pass->decided) {
    *out = pass->decided[slot] < MO_OUTSIDE_PROBLEM;
    return NULL;
  }
  return mo_constraint_find_active(constraint, at, out);
}

// Bits of the locked axes of a body in a constraint.
static uint32_t locked_axes(const mo_world *world, uint32_t slot) {
  return slot < world->ids.slot_count && mo_world_is_dynamic(world, slot)
             ? world->bodies[slot].locks & MO_LOCKED_TRANSLATION
             : 0;
}

static void lock_axes(const mo_world *world, const mo_constraint *c, mo_row_problem *problem,
                      uint32_t first_block) {
  const uint32_t axes[MO_ROW_SIDES] = {
      locked_axes(world, c->slot_a), locked_axes(world, c->slot_b),
      mo_constraint_joins_four(c) ? locked_axes(world, c->slot_c) : 0,
      mo_constraint_joins_four(c) ? locked_axes(world, c->slot_d) : 0};
  for (uint32_t i = first_block; i < problem->block_count; i++) {
    mo_block_lock_axes(problem, &problem->blocks[i], axes);
  }
}

static mo_constraint_failure append(const mo_world *world, uint32_t slot,
                                    const mo_constraint_pass *pass, mo_row_problem *problem,
                                    uint32_t *first_row) {
  const mo_constraint *constraint = &world->constraints[slot];
  mo_constraint_place at = mo_world_constraint_place(world, pass->motions, pass->time, constraint);
  bool is_active;
  mo_constraint_failure failure = find_active(pass, slot, constraint, &at, &is_active);
  if (failure || !is_active) {
    return failure;
  }
  *first_row = problem->row_count;
  const uint32_t bodies[MO_ROW_SIDES] = {
      row_body(pass, constraint->slot_a), row_body(pass, constraint->slot_b),
      row_body(pass, constraint->slot_c), row_body(pass, constraint->slot_d)};
  uint32_t first_block = problem->block_count;
  failure = mo_constraint_append_rows(constraint, &at, bodies, &pass->settings, problem);
  if (!failure && world->solver_override_count > 0) {
    lock_axes(world, constraint, problem, first_block);
  }
  return failure;
}

mo_result mo_world_append_constraint_rows(mo_world *world, const mo_constraint_pass *pass,
                                          mo_row_problem *problem, uint32_t *first_rows) {
  mo_result result = MO_OK;
  bool was_locked = world->is_locked;
  mo_world_settle_joints(world);
  world->is_locked = true;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count && result == MO_OK; slot++) {
    first_rows[slot] = MO_OUTSIDE_PROBLEM;
    const mo_constraint *constraint = &world->constraints[slot];
    if (!world->constraint_ids.alive[slot] || (pass->skipped && pass->skipped[slot]) ||
        !mo_world_constraint_moves(world, pass->row_bodies, constraint)) {
      continue;
    }
    first_rows[slot] = MO_NO_ROWS;
    mo_constraint_failure failure = append(world, slot, pass, problem, &first_rows[slot]);
    if (failure) {
      result = mo_world_refuse_constraint(world, "mo_world_step", slot, failure);
    }
  }
  world->is_locked = was_locked;
  return result;
}

mo_result mo_world_evaluate_constraints(mo_world *world, const mo_constraint_pass *pass,
                                        const uint32_t *first_rows, double *errors) {
  mo_result result = MO_OK;
  bool was_locked = world->is_locked;
  world->is_locked = true;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count && result == MO_OK; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (!world->constraint_ids.alive[slot] || first_rows[slot] >= MO_OUTSIDE_PROBLEM) {
      continue;
    }
    mo_constraint_place at =
        mo_world_constraint_place(world, pass->motions, pass->time, constraint);
    mo_constraint_failure failure =
        mo_constraint_evaluate(constraint, &at, &errors[first_rows[slot]]);
    if (failure) {
      result = mo_world_refuse_constraint(world, "mo_world_step", slot, failure);
    }
  }
  world->is_locked = was_locked;
  return result;
}

void mo_world_follow_coordinate(const mo_world *world, mo_constraint *constraint, double dt) {
  if (mo_constraint_is_followed(constraint)) {
    mo_constraint_place at =
        mo_world_constraint_place(world, world->motions, world->time, constraint);
    mo_constraint_follow(constraint, &at, dt);
  }
}

void mo_world_take_constraint_impulses(mo_world *world, const mo_row_problem *problem,
                                       const double *turn_impulses, const uint32_t *first_rows) {
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    if (!world->constraint_ids.alive[slot] || first_rows[slot] == MO_OUTSIDE_PROBLEM) {
      continue;
    }
    mo_constraint *constraint = &world->constraints[slot];
    constraint->is_active = first_rows[slot] != MO_NO_ROWS;
    constraint->has_substep_impulses = false;
    for (uint32_t i = 0; i < constraint->dimension; i++) {
      uint32_t row = first_rows[slot] + i;
      constraint->impulses[i] = constraint->is_active ? problem->rows[row].impulse : 0.0;
      if (constraint->is_active && turn_impulses) {
        constraint->impulses[i] += turn_impulses[row];
      }
    }
    mo_world_follow_coordinate(world, constraint, problem->dt);
    mo_world_check_load(world, constraint, problem->dt);
  }
}

mo_result mo_world_solve_rows(mo_world *world, mo_row_problem *problem, double tolerance,
                              mo_arena *arena, mo_velocity *velocities) {
  mo_solver_settings exact = {.max_iterations = world->settings.max_iterations,
                              .metre = mo_world_metre(world),
                              .tolerance = tolerance};
  mo_by_island_settings settings = {.exact = exact, .sweeps = exact};
  mo_by_island by;
  mo_result result = mo_by_island_begin(problem, arena, &by);
  return result == MO_OK ? mo_by_island_solve(problem, &settings, &world->exact, &by, velocities)
                         : result;
}
