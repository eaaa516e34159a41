#include "step/stages.h"

static mo_result forces(void *user, const mo_motion *motions, double time, mo_wrench *wrenches) {
  return mo_world_evaluate_forces(user, motions, time, wrenches);
}

mo_flow mo_step_flow(mo_step *s, mo_arena *arena) {
  mo_world *world = s->world;
  return (mo_flow){.time = world->time,
                   .dt = s->dt,
                   .slot_count = world->ids.slot_count,
                   .alive = s->row_alive,
                   .bodies = world->bodies,
                   .start = world->motions,
                   .forces = forces,
                   .user = world,
                   .arena = arena};
}

mo_result mo_step_find_free_velocities(mo_step *s) {
  mo_world *world = s->world;
  uint32_t count = world->ids.slot_count;
  s->free_velocities = MO_ARENA_TAKE(&world->step_arena, mo_velocity, count);
  s->flow = MO_ARENA_TAKE(&world->step_arena, mo_motion, count);
  if (!s->free_velocities || !s->flow) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_flow flow = mo_step_flow(s, &world->step_arena);
  mo_result result = mo_integrator_kind_of(world->settings.integrator)->run(&flow, s->flow);
  for (uint32_t slot = 0; result == MO_OK && slot < count; slot++) {
    s->free_velocities[slot] =
        (mo_velocity){s->flow[slot].linear_velocity, s->flow[slot].angular_velocity};
  }
  return result;
}
