/// Moves bodies between the world and soft-step's solver. Private to src.
#pragma once

#include "step/soft_step/soft_step.h"

/// Numbers and gathers the awake bodies that have a contact or constraint, which the solver moves.
/// For the others it computes the velocities with this step's forces.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_POTENTIAL_FAILED
mo_result mo_solver_bodies_gather(mo_soft_step *step);
/// Numbers the bodies that the solver moves from 1 on. Writes `indices` by slot, `slots` by number,
/// and `body_count`, which is one more than there are. If there are many, neighbours get near
/// numbers. Returns false without memory.
bool mo_solver_bodies_number(mo_soft_step *step);
/// Notes for the solver which of its bodies are in joints. Returns false without memory.
bool mo_solver_bodies_note_joints(mo_soft_step *step);
/// Computes the motions of soft-step's awake bodies at the end of the step.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_NOT_FINITE
mo_result mo_solver_bodies_move(mo_soft_step *step);

/// The velocities after this step's forces of a body that the solver does not move.
mo_velocity mo_free_body_velocity(const mo_soft_step *step, uint32_t slot);

/// Whether a body's spin turns with the body. The solver knows the inertia at the start of the step
/// only, and the kinetic energy depends on the spin relative to it. Joints act in every substep,
/// and their result is the spin in the world.
static inline bool mo_body_turns_its_spin(const mo_soft_step *s, uint32_t slot) {
  const mo_body *body = &s->world->bodies[slot];
  return body->type == MO_BODY_DYNAMIC && !body->mass.is_isotropic &&
         !mo_world_is_in_joints(s->world, slot);
}

/// The orientation at the mean start of the substeps (look_ahead.h). In its axes, which its spin
/// does not change, the solver has the spin of a body whose spin is turned in every substep.
static inline mo_quat mo_solver_middle_orientation(const mo_soft_step *s, const mo_motion *start) {
  double time = 0.5 * (s->dt - s->dt / s->substeps);
  return mo_quat_mul(mo_quat_exp(mo_scale(time, start->angular_velocity)), start->orientation);
}
