/// Impacts that happen at once, in the rows: they set the speeds with which normal rows part.
#include "math/scalar.h"
#include "step/late_impacts.h"
#include "step/stages.h"

// The restitution of the contact of each block, -1 for other blocks. Null without memory.
static const double *restitutions_of(const mo_world *world, const mo_row_contacts *contacts,
                                     const mo_row_set *rows, mo_arena *arena) {
  double *all = MO_ARENA_TAKE_RAW(arena, double, rows->problem.block_count);
  uint32_t block = 0;
  for (; all && block < rows->constraint_block_count; block++) {
    all[block] = -1.0;
  }
  for (uint32_t i = 0; all && i < contacts->count; i++) {
    const mo_contact *contact = &world->fresh_contacts[i];
    for (uint32_t k = 0; contacts->is_solved[i] && k < contact->point_count; k++) {
      all[block++] = contact->restitution;
    }
  }
  for (; all && block < rows->problem.block_count; block++) {
    all[block] = -1.0; // rolling and spinning friction
  }
  return all;
}

static mo_velocity *start_velocities(const mo_world *world, const mo_row_set *rows,
                                     mo_arena *arena) {
  mo_velocity *start = MO_ARENA_TAKE(arena, mo_velocity, rows->problem.body_count);
  for (uint32_t i = 1; start && i < rows->problem.body_count; i++) {
    start[i] = mo_step_velocity(&world->motions[rows->row_slots[i]]);
  }
  return start;
}

// The solve starts from the impulses of the impacts. Without other forces they are its solution.
static void set_bias(mo_row_problem *problem, uint32_t index, const mo_impact_targets *targets,
                     const mo_contact_settings *settings) {
  const mo_velocity *start = targets->start;
  double target = targets->speeds[index];
  const mo_row_block *block = &problem->blocks[index];
  mo_row *row = &problem->rows[block->first_row];
  row->impulse += targets->impulses[index];
  mo_velocity free[MO_ROW_SIDES];
  mo_block_free_velocities(problem, block, free);
  double approach = -mo_block_row_velocity(problem, block, 0, start);
  double free_approach = -mo_row_velocity_of_sides(row, mo_block_pair(problem, block, 0), free);
  double acceleration = (free_approach - approach) / settings->dt; // towards the surface
  // What is faster than the own approach came through other contacts, and no gap changes it.
  double own = approach > target ? mo_square(target / approach) : 1.0;
  row->bias = -mo_contact_rebound(target * target, own, acceleration, row->gap, settings);
}

static bool any_rebounds(const mo_world *world, const mo_row_contacts *contacts) {
  bool any = false;
  for (uint32_t i = 0; i < contacts->count && !any; i++) {
    any = contacts->is_solved[i] && world->fresh_contacts[i].restitution > 0.0;
  }
  return any;
}

mo_result mo_step_reflect_impacts(mo_world *world, double dt, const mo_row_contacts *contacts,
                                  mo_row_set *rows) {
  bool newton = world->settings.impact_law == MO_IMPACT_NEWTON;
  if (newton && !any_rebounds(world, contacts)) {
    return MO_OK;
  }
  mo_arena *arena = &world->step_arena;
  const double *restitutions = restitutions_of(world, contacts, rows, arena);
  mo_velocity *start = start_velocities(world, rows, arena);
  if (!restitutions || !start) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_impact_targets targets;
  mo_result result =
      newton ? mo_late_impacts_find(world, &rows->problem, restitutions, start, arena, &targets)
             : mo_impacts_find(world, &rows->problem, restitutions, start, arena, &targets);
  mo_contact_settings settings = mo_step_contact_settings(world, dt);
  for (uint32_t i = 0; result == MO_OK && targets.any && i < rows->problem.block_count; i++) {
    if (targets.is_hit[i]) {
      set_bias(&rows->problem, i, &targets, &settings);
    }
  }
  return result;
}
