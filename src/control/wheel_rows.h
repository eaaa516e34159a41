/// The rows of wheels on the ground, and their solution. Private to src/control.
#pragma once

#include "math/mat3.h"

/// A body that wheels push, with its velocities as the step will have them at its end.
typedef struct mo_wheel_body {
  uint32_t slot;
  double inverse_mass;
  mo_mat3 inverse_inertia; ///< world axes
  mo_vec3 center_of_mass;
  mo_vec3 linear_velocity, angular_velocity;
} mo_wheel_body;

/// What a row has to do with one of its bodies.
typedef struct mo_wheel_row_end {
  mo_vec3 moment; ///< m: arm x direction, the angular part of the Jacobian
  mo_vec3 spin;   ///< rad/s per N s: the inverse inertia times the moment
} mo_wheel_row_end;

/// A direction at the contact, in which the chassis moves against the ground.
typedef struct mo_wheel_row {
  mo_vec3 direction; ///< unit, world
  mo_wheel_row_end chassis, ground;
  double inverse_mass; ///< 1/kg: velocity per impulse
  double impulse;      ///< N s, on the chassis
} mo_wheel_row;

/// A wheel on the ground.
typedef struct mo_wheel_contact {
  uint32_t wheel;
  mo_wheel_body *chassis, *ground;
  mo_vec3 chassis_arm, ground_arm; ///< from the centres of mass to the contact
  bool ground_moves;               ///< whether an impulse changes how the ground moves
  mo_wheel_row normal, forward, side;
  double push;          ///< N s: of the spring as long as the strut keeps its length
  double give;          ///< kg: how much less by each m/s at which it gets longer
  double max_push;      ///< N s
  double stop_velocity; ///< m/s: with which the strut reaches its shortest length in the step
  double engine, brake; ///< N s
  double friction, side_friction; ///< coefficients
  bool is_sliding;
} mo_wheel_contact;

/// Sets what the rows need of directions and arms.
void mo_wheel_contact_prepare(mo_wheel_contact *contact);

/// The velocity of the chassis against the ground along a row, m/s.
double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row);

/// Solves all contacts by sweeps of block Gauss-Seidel, from zero impulses, and moves the
/// velocities of their bodies.
void mo_wheel_contacts_solve(mo_wheel_contact *contacts, uint32_t count);
