/// What all integrators share, and the two Euler methods.
#include "dynamics/integrator.h"

const mo_integrator_kind *mo_integrator_kind_of(mo_integrator integrator) {
  switch (integrator) {
  case MO_INTEGRATOR_SEMI_IMPLICIT_EULER:
    return &mo_semi_implicit_euler;
  case MO_INTEGRATOR_EXPLICIT_EULER:
    return &mo_explicit_euler;
  case MO_INTEGRATOR_VELOCITY_VERLET:
    return &mo_velocity_verlet;
  case MO_INTEGRATOR_RK4:
    return &mo_rk4;
  case MO_INTEGRATOR_IMPLICIT_MIDPOINT:
    return &mo_implicit_midpoint;
  }
  return NULL;
}

// --- shared ----------------------------------------------------------------------------------

void mo_flow_copy_start(const mo_flow *flow, mo_motion *motions) {
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    motions[slot] = flow->start[slot];
  }
}

// exp(-y) = 1 / (1 + y + y^2 / 2) + O(y^3). The mean, (1 - kept) / y, is made without a difference,
// so that forces and damping are in balance at a / c whatever y is: an exponential integrator
// (Hochbruck and Ostermann 2010).
mo_decay mo_decay_of(double coefficient, double h, uint32_t substeps) {
  double y = coefficient * h, kept = 1.0 / (1.0 + y + 0.5 * y * y), n = substeps;
  double step = (1.0 + 0.5 * y) * kept, gained = 0.0, moved = 0.0;
  mo_decay out = {.kept = 1.0};
  for (uint32_t i = 0; i < substeps; i++) {
    out.kept *= kept;
    gained = kept * gained + step;
    moved += gained;
  }
  out.mean = gained / n;
  out.weight = moved / (n * gained);
  return out;
}

void mo_flow_damp_half(const mo_flow *flow, mo_motion *motions) {
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    if (mo_flow_is_driven(flow, slot)) {
      const mo_body *body = &flow->bodies[slot];
      mo_motion *motion = &motions[slot];
      motion->linear_velocity = mo_scale(mo_decay_of(body->linear_damping, 0.5 * flow->dt, 1).kept,
                                         motion->linear_velocity);
      motion->angular_velocity = mo_scale(
          mo_decay_of(body->angular_damping, 0.5 * flow->dt, 1).kept, motion->angular_velocity);
    }
  }
}

void mo_kick(const mo_mass *mass, const mo_wrench *wrench, double dt, mo_motion *motion) {
  motion->linear_velocity =
      mo_add_scaled(motion->linear_velocity, dt * mass->inverse_mass, wrench->force);
  if (mo_v3_equal(wrench->torque, mo_v3_zero())) {
    return; // true for most bodies
  }
  mo_mat3 rotation = mo_quat_to_mat3(motion->orientation);
  mo_vec3 local = mo_mat3_mul_transposed(rotation, wrench->torque);
  mo_vec3 spin = mo_mat3_mul(rotation, mo_mat3_mul(mass->inverse_inertia, local));
  motion->angular_velocity = mo_add_scaled(motion->angular_velocity, dt, spin);
}

// --- Euler -----------------------------------------------------------------------------------

void mo_kick_damped(const mo_body *body, const mo_wrench *wrench, double dt, mo_motion *motion) {
  mo_kick(&body->mass, wrench, dt, motion);
  motion->linear_velocity =
      mo_scale(1.0 / (1.0 + dt * body->linear_damping), motion->linear_velocity);
  motion->angular_velocity =
      mo_scale(1.0 / (1.0 + dt * body->angular_damping), motion->angular_velocity);
}

// The velocities after the forces at the start of the step.
static mo_result push_all(const mo_flow *flow, mo_motion *end) {
  mo_wrench *wrenches = MO_ARENA_TAKE_RAW(flow->arena, mo_wrench, flow->slot_count);
  if (!wrenches) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = mo_flow_forces(flow, flow->start, 0.0, wrenches);
  if (result != MO_OK) {
    return result;
  }
  mo_flow_copy_start(flow, end);
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    if (mo_flow_is_driven(flow, slot)) {
      mo_kick_damped(&flow->bodies[slot], &wrenches[slot], flow->dt, &end[slot]);
    }
  }
  return MO_OK;
}

const mo_integrator_kind mo_semi_implicit_euler = {.name = "semi-implicit-euler",
                                                   .moves_with_end_velocity = true,
                                                   .potential_lag = 0.5,
                                                   .run = push_all};

// Positions move with the velocities at the start. This gains energy; it is for teaching. Spins
// turn freely, then torques change them.
static mo_result explicit_euler(const mo_flow *flow, mo_motion *end) {
  mo_result result = push_all(flow, end);
  for (uint32_t slot = 0; result == MO_OK && slot < flow->slot_count; slot++) {
    if (!mo_flow_is_driven(flow, slot) && !mo_flow_is_carried(flow, slot)) {
      continue;
    }
    const mo_motion *start = &flow->start[slot];
    const mo_mass *mass = &flow->bodies[slot].mass;
    mo_integrate_pose(&end[slot], mass->center_of_mass, start->linear_velocity,
                      start->angular_velocity, flow->dt);
    if (mo_flow_is_driven(flow, slot) && !mass->is_isotropic) {
      mo_vec3 kicked = end[slot].angular_velocity;
      end[slot].orientation =
          mo_integrate_free_rotation(mass, start->orientation, start->angular_velocity, flow->dt)
              .orientation;
      end[slot].angular_velocity =
          mo_spin_after(mass, start->orientation, kicked, end[slot].orientation);
      mo_motion_update_origin(&end[slot], mass->center_of_mass);
    }
  }
  return result;
}

const mo_integrator_kind mo_explicit_euler = {
    .name = "explicit-euler", .potential_lag = -0.5, .run = explicit_euler};
