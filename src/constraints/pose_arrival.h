/// How a motor to a pose without gains goes there, so that it comes to rest in it.
#pragma once

#include "constraints/constraint.h"

/// A part of a motor to a pose: its force, or its torque.
typedef struct mo_motor_part {
  mo_vec3 error, rate;       ///< at the start of the step: m and m/s, or rad and rad/s
  mo_vec3 last;              ///< the impulse of the last step
  double mass, most;         ///< effective; the most impulse of a step
  double stiffness, damping; ///< zeros: rigid
  uint32_t substeps;         ///< 1: the step is one push
} mo_motor_part;

/// What a part is to do in a step.
typedef struct mo_motor_aim {
  mo_vec3 velocity; ///< that it is to have: of B's anchor, or of B's turning, against A
  mo_vec3 change;   ///< the impulse that gives it this velocity, with that of the other part
} mo_motor_aim;

/// The velocities of the force and of the torque.
/// @param bodies A and B
void mo_pose_arrival(const mo_constraint *motor, const mo_constraint_place *at,
                     const mo_row_body bodies[MO_ROW_SIDES], const mo_motor_part parts[2],
                     double dt, mo_motor_aim out[2]);
