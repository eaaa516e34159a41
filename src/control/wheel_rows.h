/// The rows of wheels on the ground, and their solution. Private to src/control.
#pragma once

#include "math/mat3.h"

/// What moves along a row: three numbers for the translation, three for the rotation.
typedef struct mo_wheel_twist {
  double parts[6];
} mo_wheel_twist;

static inline mo_wheel_twist mo_wheel_twist_of(mo_vec3 linear, mo_vec3 angular) {
  return (mo_wheel_twist){{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z}};
}

/// A body that wheels push.
typedef struct mo_wheel_body {
  uint32_t slot;
  bool moves; ///< whether an impulse changes how it moves
  double inverse_mass;
  mo_mat3 inverse_inertia; ///< world axes
  mo_vec3 center_of_mass;
  double reach;            ///< m: from the centre of mass to the farthest contact
  mo_wheel_twist velocity; ///< as the step will have it at its end
  mo_wheel_twist before;   ///< the velocity before the sweep
} mo_wheel_body;

/// What a row has to do with one of its bodies.
typedef struct mo_wheel_row_end {
  mo_wheel_twist jacobian; ///< the direction, and m: arm x direction
  mo_wheel_twist response; ///< per N s: the change of the body's velocity
} mo_wheel_row_end;

/// A direction at the contact, in which the chassis moves against the ground.
typedef struct mo_wheel_row {
  mo_vec3 direction; ///< unit, world
  mo_wheel_row_end chassis, ground;
  double ground_velocity; ///< m/s: of a ground that no impulse moves
  double inverse_mass;    ///< 1/kg: velocity per impulse
  double mass;            ///< kg: its inverse
  double impulse;         ///< N s, on the chassis
} mo_wheel_row;

/// A wheel on the ground.
typedef struct mo_wheel_contact {
  uint32_t wheel;
  mo_wheel_body *chassis, *ground;
  mo_vec3 chassis_arm, ground_arm; ///< from the centres of mass to the contact
  mo_wheel_row normal, forward, side;
  /// 1/kg: the velocity along the other rows per impulse along the normal.
  double forward_by_normal, side_by_normal;
  double push;          ///< N s: of the spring as long as the strut keeps its length
  double give;          ///< kg: how much less by each m/s at which it gets longer
  double share;         ///< what is left of `push` and `give` where the impulse moves the bodies
  double max_push;      ///< N s
  double stop_velocity; ///< m/s: with which the strut reaches its shortest length in the step
  double engine, brake; ///< N s
  double friction, side_friction; ///< coefficients
  bool is_sliding;
} mo_wheel_contact;

/// The wheels of a vehicle that are on the ground.
typedef struct mo_wheel_system {
  mo_wheel_contact *contacts;
  uint32_t contact_count;
  mo_wheel_body *bodies; ///< the chassis, and what the wheels stand on
  uint32_t body_count;
} mo_wheel_system;

/// Sets `moves`.
void mo_wheel_body_prepare(mo_wheel_body *body);
/// Sets what the rows need of directions and arms, and the reach of the bodies.
void mo_wheel_contact_prepare(mo_wheel_contact *contact);

/// The velocity of the chassis against the ground along a row, m/s.
double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row);

/// Solves all contacts by sweeps of block Gauss-Seidel, from zero impulses, and moves the
/// velocities of their bodies.
void mo_wheel_system_solve(mo_wheel_system *system);
