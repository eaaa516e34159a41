/// The rows of wheels on the ground, and their solution. Private to src/control.
#pragma once

#include "control/wheel_twist.h"
#include "math/mat3.h"

/// A body that wheels push.
typedef struct mo_wheel_body {
  uint32_t slot;
  bool moves; ///< whether an impulse changes how it moves
  double inverse_mass;
  mo_mat3 inverse_inertia; ///< world axes
  mo_vec3 center_of_mass;
  double reach;            ///< m: from the centre of mass to the farthest contact
  mo_wheel_twist velocity; ///< as the step will have it at its end
  mo_wheel_twist before;   ///< the velocity before the update, then before each sweep
  /// Of a ground that contacts or joints carry: the change of its velocity that they gave it in the
  /// last step, what measures velocities along that, per m/s, and the velocity to be kept.
  mo_wheel_twist carrying, carrying_jacobian;
  double carried_velocity;
  double inverse_carrying; ///< of how much the whole of it changes the velocity along it; or 0
  double carried;          ///< the part of it that acts again, from 0 to 1
} mo_wheel_body;

/// What a row has to do with one of its bodies.
typedef struct mo_wheel_row_end {
  mo_wheel_twist jacobian; ///< the direction, and m: arm x direction
  mo_wheel_twist response; ///< per N s: the change of the body's velocity
} mo_wheel_row_end;

/// A direction at the contact, in which the chassis moves against the ground.
typedef struct mo_wheel_row {
  mo_vec3 direction; ///< unit, world
  mo_wheel_row_end chassis;
  mo_wheel_row_end ground; ///< of a ground that moves; else nothing was written to it
  double ground_velocity;  ///< m/s: of the ground as it was at first
  double inverse_mass;     ///< 1/kg: velocity per impulse
  double mass;             ///< kg: its inverse
  double push;             ///< N s: the impulse at no velocity, if nothing bounds it
  double give;             ///< kg: how much less it is by each m/s
  double share;            ///< what is left of both where the impulse moves the bodies
  double impulse;          ///< N s, on the chassis
} mo_wheel_row;

/// A wheel on the ground.
typedef struct mo_wheel_contact {
  uint32_t wheel;
  mo_wheel_body *chassis, *ground;
  mo_vec3 chassis_arm, ground_arm; ///< from the centres of mass to the contact
  mo_wheel_row normal, forward, side;
  /// 1/kg: the velocity along the other rows per impulse along the normal.
  double forward_by_normal, side_by_normal;
  double max_push;      ///< N s
  double stop_velocity; ///< m/s: with which the strut reaches its shortest length in the step
  double engine, brake; ///< N s
  double friction, side_friction; ///< coefficients
  double inverse_friction, inverse_side_friction;
  bool is_held; ///< the brake may bring it to rest in the step
  bool is_sliding;
  mo_vec3 force; ///< N: of the impulses, on the chassis
} mo_wheel_contact;

/// A row as the problem without bounds has it, after the rows before it were eliminated.
typedef struct mo_wheel_pivot {
  mo_wheel_twist response; ///< of the chassis, whose velocities along the rows before it stay
  double mass;             ///< kg: impulse per velocity along the row
} mo_wheel_pivot;

/// The wheels of a vehicle that are on the ground.
typedef struct mo_wheel_system {
  mo_wheel_contact *contacts;
  uint32_t contact_count;
  mo_wheel_body *bodies; ///< the chassis, and what the wheels stand on
  uint32_t body_count;
  mo_wheel_pivot *pivots; ///< room for three per contact
  double metre;           ///< mo_world_metre
} mo_wheel_system;

/// Sets `moves`.
void mo_wheel_body_prepare(mo_wheel_body *body);
/// Lets what carried a ground in the last step do so again: as far as it takes for the ground to
/// keep the velocity that it has along that, `before`, and no more than it did. So ground that
/// rests takes its load at rest, what swings on a spring gives way, and after an impact the ground
/// does not leap. All impulses of the wheels are met by this: nothing of it is applied to the body.
/// @param without the velocity that the last step would have given the ground without it
/// @param inertia world axes, kg m^2
void mo_wheel_body_carry(mo_wheel_body *body, const mo_wheel_twist *without, double mass,
                         const mo_mat3 *inertia);
/// Finds the part that acts anew, now that wheels have changed the velocity.
void mo_wheel_body_carry_again(mo_wheel_body *body);
/// Sets what the rows need of directions and arms, and the reach of the bodies. The ends at a
/// ground that does not move stay as they are.
void mo_wheel_contact_prepare(mo_wheel_contact *contact);

/// Impulses along the rows of a contact, N s, or velocities, m/s.
typedef struct mo_wheel_impulses {
  double normal, forward, side;
} mo_wheel_impulses;

/// The velocity of the chassis against the ground along a row, m/s.
double mo_wheel_row_velocity(const mo_wheel_contact *contact, const mo_wheel_row *row);

/// Applies impulses beyond those that a contact has to its bodies.
void mo_wheel_contact_push(mo_wheel_contact *contact, mo_wheel_impulses change);
/// Scales the impulses of friction into their ellipse. Returns whether it had to.
bool mo_wheel_bound_friction(const mo_wheel_contact *contact, mo_wheel_impulses *impulses);

/// Gives all contacts the impulses with which they would be solved if nothing bounded them and
/// their grounds did not feel them, cut to the bounds, and moves the velocities of their bodies.
/// Returns whether that is the solution.
bool mo_wheel_system_start(mo_wheel_system *system);
/// Solves all contacts, from there by sweeps of block Gauss-Seidel, and moves the velocities of
/// their bodies.
void mo_wheel_system_solve(mo_wheel_system *system);
