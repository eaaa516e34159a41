#include "step/stages.h"

static mo_result forces(void *user, const mo_motion *motions, double time, mo_wrench *wrenches) {
  return mo_world_evaluate_forces(user, motions, time, wrenches);
}

mo_flow mo_step_flow(mo_world *world, double dt, const mo_solver_choice *choice, mo_arena *arena) {
  return (mo_flow){.time = world->time,
                   .dt = dt,
                   .slot_count = world->ids.slot_count,
                   .alive = choice->row_alive,
                   .bodies = world->bodies,
                   .start = world->motions,
                   .forces = forces,
                   .user = world,
                   .arena = arena};
}

mo_result mo_step_find_free_motions(mo_world *world, double dt, const mo_solver_choice *choice,
                                    mo_free_motions *free) {
  uint32_t count = world->ids.slot_count;
  free->velocities = MO_ARENA_TAKE(&world->step_arena, mo_velocity, count);
  free->flow = MO_ARENA_TAKE(&world->step_arena, mo_motion, count);
  if (!free->velocities || !free->flow) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_flow flow = mo_step_flow(world, dt, choice, &world->step_arena);
  mo_result result = mo_integrator_kind_of(world->settings.integrator)->run(&flow, free->flow);
  for (uint32_t slot = 0; result == MO_OK && slot < count; slot++) {
    free->velocities[slot] =
        (mo_velocity){free->flow[slot].linear_velocity, free->flow[slot].angular_velocity};
  }
  return result;
}
