/// The implicit midpoint rule for all bodies at once: the forces are those of the state half-way,
/// which is found by iteration. It is symmetric. Momentum and angular momentum are conserved to
/// round-off, and so is the energy of a free body and of linear forces; the energy of others stays
/// bounded.
#include "dynamics/integrator.h"

// Rounds: each reduces the error by the factor dt^2 |dF/dx| / 4m.
#define MAX_ROUNDS 40
// A step that needs more rounds is divided into halves, quarters, and so on, into at most this many
// parts.
#define MAX_SUBSTEPS 256
// Rounds after which a growing error counts as divergence.
#define FIRST_ROUNDS 3
// Relative to the speeds of a body: a smaller change is round-off.
#define CONVERGED 4e-16
// The same for a change that no longer shrinks, where large forces cancel.
#define STALLED 1e-12

typedef struct work {
  mo_motion *start, *middle;
  mo_wrench *wrenches;
} work;

// The relative change of a velocity in a round.
static double relative_change(mo_vec3 before, mo_vec3 after, mo_vec3 start) {
  double size = mo_length(after) + mo_length(start);
  double change = mo_distance_between(before, after);
  return change > 0.0 ? change / size : 0.0;
}

// The state of a body at the end under the forces half-way, and the corresponding state half-way.
// Returns the change of its velocities.
static double update(const mo_mass *mass, const mo_motion *start, const mo_wrench *wrench,
                     double dt, mo_motion *middle, mo_motion *end) {
  mo_motion old = *end;
  end->linear_velocity =
      mo_add_scaled(start->linear_velocity, dt * mass->inverse_mass, wrench->force);
  middle->linear_velocity = mo_scale(0.5, mo_add(start->linear_velocity, end->linear_velocity));
  middle->center_of_mass = mo_add_scaled(start->center_of_mass, 0.5 * dt, middle->linear_velocity);
  end->center_of_mass = mo_add_scaled(start->center_of_mass, dt, middle->linear_velocity);
  mo_rotation turn = mo_integrate_rotation_midpoint(mass, start->orientation,
                                                    start->angular_velocity, wrench->torque, dt);
  end->orientation = turn.orientation;
  end->angular_velocity = turn.angular_velocity;
  middle->angular_velocity = turn.mean_angular_velocity;
  middle->orientation = mo_quat_middle(start->orientation, end->orientation);
  mo_motion_update_origin(middle, mass->center_of_mass);
  mo_motion_update_origin(end, mass->center_of_mass);
  return mo_max(
      relative_change(old.linear_velocity, end->linear_velocity, start->linear_velocity),
      relative_change(old.angular_velocity, end->angular_velocity, start->angular_velocity));
}

// Adds the forces of impulses spread over the step.
static void add_joint_forces(const mo_flow *flow, mo_wrench *wrenches) {
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    const mo_wrench *impulse = &flow->joints->impulses[slot];
    mo_wrench *sum = &wrenches[slot];
    sum->force = mo_add_scaled(sum->force, 1.0 / flow->dt, impulse->force);
    sum->torque = mo_add_scaled(sum->torque, 1.0 / flow->dt, impulse->torque);
  }
}

// One round for all bodies. `change` is the largest of their changes.
static mo_result run_round(const mo_flow *flow, double after, double dt, work *w, mo_motion *end,
                           double *change) {
  mo_result result = mo_flow_forces(flow, w->middle, after + 0.5 * dt, w->wrenches);
  *change = 0.0;
  if (flow->joints) {
    add_joint_forces(flow, w->wrenches);
  }
  for (uint32_t slot = 0; result == MO_OK && slot < flow->slot_count; slot++) {
    if (mo_flow_is_driven(flow, slot)) {
      double one = update(&flow->bodies[slot].mass, &w->start[slot], &w->wrenches[slot], dt,
                          &w->middle[slot], &end[slot]);
      *change = one <= *change ? *change : one; // true for NaN too
    }
  }
  return result;
}

// First guess: every body continues as it moved. For bodies that no force moves this is exact.
static void guess(const mo_flow *flow, double dt, const work *w, mo_motion *end) {
  for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
    const mo_motion *start = &w->start[slot];
    w->middle[slot] = end[slot] = *start;
    if (mo_flow_is_driven(flow, slot) || mo_flow_is_carried(flow, slot)) {
      mo_vec3 local_center = flow->bodies[slot].mass.center_of_mass;
      mo_integrate_pose(&w->middle[slot], local_center, start->linear_velocity,
                        start->angular_velocity, 0.5 * dt);
      mo_integrate_pose(&end[slot], local_center, start->linear_velocity, start->angular_velocity,
                        dt);
    }
  }
}

// A step of dt from w->start. `converged`: the iteration converged.
static mo_result run_part(const mo_flow *flow, double after, double dt, work *w, mo_motion *end,
                          bool *converged) {
  guess(flow, dt, w, end);
  double last = INFINITY;
  *converged = false;
  bool diverges = false;
  for (int round = 0; round < MAX_ROUNDS && !*converged && !diverges; round++) {
    double change;
    mo_result result = run_round(flow, after, dt, w, end, &change);
    if (result != MO_OK) {
      return result;
    }
    bool shrinks = change < last;
    *converged = change <= CONVERGED || (change <= STALLED && !shrinks);
    diverges = !*converged && !shrinks && round >= FIRST_ROUNDS;
    last = change;
  }
  *converged = *converged || last <= STALLED;
  return MO_OK;
}

static mo_result run_parts(const mo_flow *flow, int count, work *w, mo_motion *end,
                           bool *converged) {
  mo_flow_copy_start(flow, w->start);
  mo_flow_damp_half(flow, w->start);
  double dt = flow->dt / count;
  *converged = true;
  for (int i = 0; i < count && (*converged || count == MAX_SUBSTEPS); i++) {
    mo_result result = run_part(flow, i * dt, dt, w, end, converged);
    if (result != MO_OK) {
      return result;
    }
    for (uint32_t slot = 0; slot < flow->slot_count; slot++) {
      w->start[slot] = end[slot];
    }
  }
  return MO_OK;
}

static mo_result implicit_midpoint(const mo_flow *flow, mo_motion *end) {
  work w = {.start = MO_ARENA_TAKE_RAW(flow->arena, mo_motion, flow->slot_count),
            .middle = MO_ARENA_TAKE_RAW(flow->arena, mo_motion, flow->slot_count),
            .wrenches = MO_ARENA_TAKE_RAW(flow->arena, mo_wrench, flow->slot_count)};
  if (!w.start || !w.middle || !w.wrenches) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  bool converged = false;
  for (int count = 1; count <= MAX_SUBSTEPS && !converged; count *= 2) {
    mo_result result = run_parts(flow, count, &w, end, &converged);
    if (result != MO_OK) {
      return result;
    }
    if (flow->joints) {
      flow->joints->is_divided = count > 1;
    }
  }
  for (uint32_t slot = 0; flow->joints && slot < flow->slot_count; slot++) {
    flow->joints->middle[slot] = w.middle[slot];
  }
  mo_flow_damp_half(flow, end);
  return MO_OK;
}

const mo_integrator_kind mo_implicit_midpoint = {
    .name = "implicit-midpoint", .joints = MO_JOINTS_AT_MIDDLE, .run = implicit_midpoint};
