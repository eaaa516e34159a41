/// Integrators of the smooth motion of all bodies, behind one interface.
///
/// An integrator takes the state at the start of a step and a function that gives the forces in any
/// state. It gives the state at the end of the step without contacts and joints. Constraints are
/// added later, at velocity level. The integrator decides whether the bodies then move with their
/// final velocities or with its own motion.
#pragma once

#include "dynamics/rotation.h"
#include "memory/arena.h"

/// The forces on all bodies of a flow in a state at a time in seconds. It may read poses and
/// velocities.
typedef mo_result mo_force_function(void *user, const mo_motion *motions, double time,
                                    mo_wrench *wrenches);

/// How an integrator includes joints. The world finds their impulses by iteration: it runs the flow
/// with impulses, evaluates the joints, and corrects the impulses.
typedef enum mo_joint_rule {
  MO_JOINTS_AFTER,     ///< it does not: they are solved once after the flow
  MO_JOINTS_RATTLE,    ///< impulses at the start of the step, so that C = 0 at its end; then one
                       ///< solve at the end for J v = 0 (Andersen 1983)
  MO_JOINTS_AT_MIDDLE, ///< constant forces over the step, so that J v = 0 for pose and mean
                       ///< velocity half-way: they do no work
} mo_joint_rule;

/// Input and output of a flow with joints; per slot.
typedef struct mo_flow_joints {
  const mo_wrench *impulses; ///< N s and N m s
  mo_motion *middle; ///< out, MO_JOINTS_AT_MIDDLE: poses half-way and mean velocities of the step
  bool is_divided;   ///< out: the step was divided, and `middle` is not its middle
} mo_flow_joints;

/// A step of smooth motion. All arrays are by slot.
typedef struct mo_flow {
  double time, dt; ///< s, at the start of the step and its length
  uint32_t slot_count;
  const uint8_t *alive;
  const mo_body *bodies;
  const mo_motion *start;
  mo_force_function *forces;
  void *user;
  mo_flow_joints *joints; ///< null: no joints
  mo_arena *arena;        ///< working memory
} mo_flow;

typedef struct mo_integrator_kind mo_integrator_kind;
struct mo_integrator_kind {
  const char *name;
  /// Whether bodies move with their velocities at the end of the step. If so, `run` leaves poses as
  /// they are at the start, and spins are those at that pose (mo_mean_free_spin).
  bool moves_with_end_velocity;
  mo_joint_rule joints;
  /// What moves islands of joints in place of this integrator, which has no rule for them that
  /// keeps their energy; or null.
  const mo_integrator_kind *of_joints;
  /// In uniform acceleration a the integrator conserves v^2 / 2 - a (x - potential_lag dt v): the
  /// potential is that of so many steps ago.
  double potential_lag;
  /// @param[out] end per slot
  mo_result (*run)(const mo_flow *flow, mo_motion *end);
};

/// The kind of an integrator. `integrator` must be one of mo_integrator.
const mo_integrator_kind *mo_integrator_kind_of(mo_integrator integrator);

extern const mo_integrator_kind mo_semi_implicit_euler, mo_explicit_euler, mo_velocity_verlet,
    mo_rk4, mo_implicit_midpoint;

// --- for integrators -------------------------------------------------------------------------

/// Whether forces act on the body in a slot.
static inline bool mo_flow_is_driven(const mo_flow *flow, uint32_t slot) {
  return flow->alive[slot] && flow->bodies[slot].type == MO_BODY_DYNAMIC;
}
/// Whether the body in a slot moves with a velocity that no force changes.
static inline bool mo_flow_is_carried(const mo_flow *flow, uint32_t slot) {
  return flow->alive[slot] && flow->bodies[slot].type == MO_BODY_KINEMATIC;
}
/// Forces in a state, `after` seconds into the step.
static inline mo_result mo_flow_forces(const mo_flow *flow, const mo_motion *motions, double after,
                                       mo_wrench *wrenches) {
  return flow->forces(flow->user, motions, flow->time + after, wrenches);
}
/// Copies the state at the start of the step.
void mo_flow_copy_start(const mo_flow *flow, mo_motion *motions);
/// What damping leaves of a velocity over some time. With v' = a - c v it takes v to kept v + mean
/// a t.
typedef struct mo_decay {
  double kept;   ///< exp(-c t), and above 0 for every c
  double mean;   ///< (1 - kept) / (c t): of what a constant acceleration adds, or an impulse
  double weight; ///< of the velocity at the end in that with which the body moves, which is the
                 ///< mean of those at the ends of the substeps
} mo_decay;

/// Over `substeps` of h seconds, each to second order.
mo_decay mo_decay_of(double coefficient, double h, uint32_t substeps);
/// Damps the velocities of all driven bodies over half of the step. Used at its start and at its
/// end this is second order in dt, stable for every coefficient, and never reverses a velocity.
void mo_flow_damp_half(const mo_flow *flow, mo_motion *motions);
/// Adds dt seconds of force at its pose to the velocities of a body.
void mo_kick(const mo_mass *mass, const mo_wrench *wrench, double dt, mo_motion *motion);
/// The same with the body's damping, by implicit Euler: stable for every coefficient.
void mo_kick_damped(const mo_body *body, const mo_wrench *wrench, double dt, mo_motion *motion);
