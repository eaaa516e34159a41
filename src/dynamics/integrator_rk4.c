/// The classical method of Runge and Kutta (Kutta 1901) for all bodies at once. Orientations are
/// rotation vectors from the start of the step (Munthe-Kaas 1998).
///
/// It is of fourth order, except for the angular velocity of bodies with different moments of
/// inertia. That comes from the midpoint rule under the mean torque, as in every integrator: of
/// second order, but it conserves the energy and the angular momentum of a free body to round-off,
/// which the stages would not.
///
/// Joints that are solved once after the stages would add energy: a pendulum that is let go at 90
/// degrees gains more than it has in 20 s at dt = 1/60. So the midpoint rule moves what is in
/// joints.
#include "dynamics/integrator.h"

typedef struct rate {
  mo_vec3 linear_velocity, linear_acceleration;
  mo_vec3 rotation_vector; // its rate
  mo_vec3 angular_acceleration;
  mo_vec3 torque;
} rate;

// The rate of the rotation vector u for the world angular velocity w: the inverse of the
// exponential map's differential, to third order in u.
static mo_vec3 rotation_vector_rate(mo_vec3 u, mo_vec3 w) {
  mo_vec3 uw = mo_cross(u, w);
  return mo_add_scaled(mo_add_scaled(w, -0.5, uw), 1.0 / 12.0, mo_cross(u, uw));
}

static rate rate_in(const mo_mass *mass, const mo_motion *m, mo_vec3 rotation_vector,
                    const mo_wrench *wrench) {
  mo_vec3 spin = mo_quat_rotate_inverse(m->orientation, m->angular_velocity);
  mo_vec3 torque = mo_quat_rotate_inverse(m->orientation, wrench->torque);
  mo_vec3 gyro = mo_cross(spin, mo_mat3_mul(mass->inertia, spin));
  mo_vec3 change = mo_mat3_mul(mass->inverse_inertia, mo_sub(torque, gyro));
  return (rate){.linear_velocity = m->linear_velocity,
                .linear_acceleration = mo_scale(mass->inverse_mass, wrench->force),
                .rotation_vector = rotation_vector_rate(rotation_vector, m->angular_velocity),
                .angular_acceleration = mo_quat_rotate(m->orientation, change),
                .torque = wrench->torque};
}

static void add_rate(rate *sum, double s, const rate *k) {
  sum->linear_velocity = mo_add_scaled(sum->linear_velocity, s, k->linear_velocity);
  sum->linear_acceleration = mo_add_scaled(sum->linear_acceleration, s, k->linear_acceleration);
  sum->rotation_vector = mo_add_scaled(sum->rotation_vector, s, k->rotation_vector);
  sum->angular_acceleration = mo_add_scaled(sum->angular_acceleration, s, k->angular_acceleration);
  sum->torque = mo_add_scaled(sum->torque, s, k->torque);
}

// The state after dt seconds with the rate `k`.
static mo_motion advanced(const mo_motion *start, mo_vec3 local_center, const rate *k, double dt) {
  mo_motion m = *start;
  m.linear_velocity = mo_add_scaled(start->linear_velocity, dt, k->linear_acceleration);
  m.angular_velocity = mo_add_scaled(start->angular_velocity, dt, k->angular_acceleration);
  mo_integrate_pose(&m, local_center, k->linear_velocity, k->rotation_vector, dt);
  return m;
}

static mo_motion finish(const mo_mass *mass, const mo_motion *start, const rate *mean, double dt) {
  mo_motion end = advanced(start, mass->center_of_mass, mean, dt);
  if (!mass->is_isotropic) {
    mo_rotation turn = mo_integrate_rotation_midpoint(mass, start->orientation,
                                                      start->angular_velocity, mean->torque, dt);
    end.orientation = turn.orientation;
    end.angular_velocity = turn.angular_velocity;
    mo_motion_update_origin(&end, mass->center_of_mass);
  }
  return end;
}

static const double stage_time[4] = {0.0, 0.5, 0.5, 1.0}; // fractions of the step
static const double stage_weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

typedef struct work {
  mo_motion *start, *stage;
  rate *last, *mean; // rates of the last stage; their weighted sum
  mo_wrench *wrenches;
} work;

static mo_result run_stage(const mo_flow *flow, int stage, work *w) {
  double after = stage_time[stage] * flow->dt;
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    w->stage[slot] = w->start[slot];
    mo_vec3 local_center = flow->bodies[slot].mass.center_of_mass;
    const mo_motion *start = &w->start[slot];
    if (mo_flow_is_driven(flow, slot)) {
      w->stage[slot] = advanced(start, local_center, &w->last[slot], after);
    } else if (mo_flow_is_carried(flow, slot)) {
      mo_integrate_pose(&w->stage[slot], local_center, start->linear_velocity,
                        start->angular_velocity, after);
    }
  }
  mo_result result = mo_flow_forces(flow, w->stage, after, w->wrenches);
  for (uint32_t slot = 0; result == MO_OK && slot < flow->slot_count; slot++) {
    if (mo_flow_is_driven(flow, slot)) {
      mo_vec3 rotation_vector = mo_scale(after, w->last[slot].rotation_vector);
      w->last[slot] =
          rate_in(&flow->bodies[slot].mass, &w->stage[slot], rotation_vector, &w->wrenches[slot]);
      add_rate(&w->mean[slot], stage_weight[stage], &w->last[slot]);
    }
  }
  return result;
}

static mo_result rk4(const mo_flow *flow, mo_motion *end) {
  work w = {.start = MO_ARENA_TAKE_RAW(flow->arena, mo_motion, flow->slot_count),
            .stage = MO_ARENA_TAKE_RAW(flow->arena, mo_motion, flow->slot_count),
            .last = MO_ARENA_TAKE(flow->arena, rate, flow->slot_count),
            .mean = MO_ARENA_TAKE(flow->arena, rate, flow->slot_count),
            .wrenches = MO_ARENA_TAKE_RAW(flow->arena, mo_wrench, flow->slot_count)};
  if (!w.start || !w.stage || !w.last || !w.mean || !w.wrenches) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_flow_copy_start(flow, w.start);
  mo_flow_damp_half(flow, w.start);
  for (int stage = 0; stage < 4; stage++) {
    mo_result result = run_stage(flow, stage, &w);
    if (result != MO_OK) {
      return result;
    }
  }
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    // After the last stage, bodies that no force moves are at the end of the step.
    end[slot] = mo_flow_is_driven(flow, slot)
                    ? finish(&flow->bodies[slot].mass, &w.start[slot], &w.mean[slot], flow->dt)
                    : w.stage[slot];
  }
  mo_flow_damp_half(flow, end);
  return MO_OK;
}

const mo_integrator_kind mo_rk4 = {.name = "rk4", .of_joints = &mo_implicit_midpoint, .run = rk4};
