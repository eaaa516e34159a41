/// Velocity Verlet (Swope, Andersen, Berens and Wilson 1982): forces for half a step, free motion,
/// forces for half a step.
#include "dynamics/integrator.h"

// Free motion over the step. Rotation by the midpoint rule conserves the angular momentum.
static void drift(const mo_flow *flow, mo_motion *motions) {
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    mo_motion *m = &motions[slot];
    mo_vec3 local_center = flow->bodies[slot].mass.center_of_mass;
    if (mo_flow_is_carried(flow, slot)) {
      mo_integrate_pose(m, local_center, m->linear_velocity, m->angular_velocity, flow->dt);
    } else if (mo_flow_is_driven(flow, slot)) {
      mo_rotation turn = mo_integrate_rotation_midpoint(
          &flow->bodies[slot].mass, m->orientation, m->angular_velocity, mo_v3_zero(), flow->dt);
      m->center_of_mass = mo_add_scaled(m->center_of_mass, flow->dt, m->linear_velocity);
      m->orientation = turn.orientation;
      m->angular_velocity = turn.angular_velocity;
      mo_motion_update_origin(m, local_center);
    }
  }
}

static void kick_all(const mo_flow *flow, const mo_wrench *wrenches, mo_motion *motions) {
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    if (mo_flow_is_driven(flow, slot)) {
      mo_kick(&flow->bodies[slot].mass, &wrenches[slot], 0.5 * flow->dt, &motions[slot]);
    }
  }
}

static void kick_by_joints(const mo_flow *flow, mo_motion *motions) {
  for (uint32_t slot = 0; flow->joints && slot < flow->slot_count; slot++) {
    if (mo_flow_is_driven(flow, slot)) {
      mo_kick(&flow->bodies[slot].mass, &flow->joints->impulses[slot], 1.0, &motions[slot]);
    }
  }
}

static mo_result velocity_verlet(const mo_flow *flow, mo_motion *end) {
  mo_wrench *wrenches = MO_ARENA_TAKE_RAW(flow->arena, mo_wrench, flow->slot_count);
  mo_motion *predicted = MO_ARENA_TAKE_RAW(flow->arena, mo_motion, flow->slot_count);
  if (!wrenches || !predicted) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_flow_copy_start(flow, end);
  mo_flow_damp_half(flow, end);
  mo_result result = mo_flow_forces(flow, end, 0.0, wrenches);
  if (result != MO_OK) {
    return result;
  }
  kick_all(flow, wrenches, end);
  kick_by_joints(flow, end);
  drift(flow, end);
  // Forces that depend on velocities are evaluated with those after the first half: second order.
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    predicted[slot] = end[slot];
  }
  kick_all(flow, wrenches, predicted);
  result = mo_flow_forces(flow, predicted, flow->dt, wrenches);
  if (result == MO_OK) {
    kick_all(flow, wrenches, end);
    mo_flow_damp_half(flow, end);
  }
  return result;
}

const mo_integrator_kind mo_velocity_verlet = {
    .name = "velocity-verlet", .joints = MO_JOINTS_RATTLE, .run = velocity_verlet};
