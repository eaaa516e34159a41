/// Integrators of the smooth motion of all bodies, behind one interface.
///
/// An integrator takes the state at the start of a step and a function that gives the forces in any
/// state, and gives the state that the bodies would have at the end of the step without contacts
/// and joints. What constraints add comes later, at velocity level, and whether the bodies then
/// move with their final velocities or with what the integrator said is the integrator's to say.
#pragma once

#include "dynamics/rotation.h"
#include "memory/arena.h"

/// Forces on all bodies of a flow in a state at a time in seconds; may read poses and velocities.
typedef mo_result mo_force_function(void *user, const mo_motion *motions, double time,
                                    mo_wrench *wrenches);

/// How an integrator takes joints along. The world finds their impulses by trial: it runs the flow
/// with impulses, looks at what that does to the joints, and mends the impulses.
typedef enum mo_joint_rule {
  MO_JOINTS_AFTER,     ///< it does not: one solve after the flow
  MO_JOINTS_RATTLE,    ///< impulses at the start of the step, so that C = 0 at its end; then one
                       ///< solve at the end for J v = 0 (Andersen 1983)
  MO_JOINTS_AT_MIDDLE, ///< constant forces over the step, so that J v = 0 for pose and mean
                       ///< velocity half-way: they do no work
} mo_joint_rule;

/// What a flow with joints takes and gives; per slot.
typedef struct mo_flow_joints {
  const mo_wrench *impulses; ///< N s and N m s
  mo_motion *middle; ///< out, MO_JOINTS_AT_MIDDLE: poses half-way and mean velocities of the step
  bool in_parts;     ///< out: the step had to be divided, and `middle` is not the middle of it
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
  mo_flow_joints *joints; ///< null: none
  mo_arena *arena;        ///< working memory
} mo_flow;

typedef struct mo_integrator_kind {
  const char *name;
  /// Whether bodies move with the velocities that they have at the end of the step. `run` then
  /// leaves poses as they are at the start.
  bool moves_with_end_velocity;
  mo_joint_rule joints;
  /// In uniform acceleration a it keeps v^2 / 2 - a (x - potential_lag dt v): the potential is that
  /// of so many steps ago.
  double potential_lag;
  /// @param[out] end per slot
  mo_result (*run)(const mo_flow *flow, mo_motion *end);
} mo_integrator_kind;

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
/// Damps the velocities of all driven bodies over half of the step. Once at its start and once at
/// its end is second order in dt, stable for every coefficient, and never turns a velocity round.
void mo_flow_damp_half(const mo_flow *flow, mo_motion *motions);
/// Velocities of a driven body after a push of dt seconds at its pose.
void mo_flow_kick(const mo_flow *flow, uint32_t slot, const mo_wrench *wrench, double dt,
                  mo_motion *motion);
