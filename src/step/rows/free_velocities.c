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

// The velocities that a body has after the flow, where the inertia turns it in the axes of the
// start of the step, as the rows have it.
static mo_velocity free_velocity(const mo_world *world, double dt, const mo_solver_choice *choice,
                                 uint32_t slot, const mo_motion *flow) {
  bool turns = mo_integrator_kind_of(world->settings.integrator)->moves_with_end_velocity &&
               choice->row_alive[slot] && world->bodies[slot].type == MO_BODY_DYNAMIC;
  return (mo_velocity){flow->linear_velocity, turns
                                                  ? mo_integrate_rotation(&world->bodies[slot].mass,
                                                                          flow, mo_v3_zero(), dt)
                                                  : flow->angular_velocity};
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
    free->velocities[slot] = free_velocity(world, dt, choice, slot, &free->flow[slot]);
  }
  return result;
}
