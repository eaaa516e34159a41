/// Rotation of one body: Euler's equations and the orientation, by midpoint rules that conserve the
/// invariants of a free body.
#pragma once

#include "dynamics/body.h"

/// The angular velocity after dt seconds under a torque, world frame. It solves Euler's equations
/// in the body frame by the implicit midpoint rule, iterated to convergence. That conserves |L| and
/// the energy of a free body to round-off for every dt (both are quadratic invariants; Hairer,
/// Lubich and Wanner 2006, IV.2).
/// @param torque N m, world, about the centre of mass
mo_vec3 mo_integrate_rotation(const mo_mass *mass, const mo_motion *motion, mo_vec3 torque,
                              double dt);

/// A rotation over a step.
typedef struct mo_rotation {
  mo_quat orientation;           ///< after it
  mo_vec3 angular_velocity;      ///< after it, rad/s, world
  mo_vec3 mean_angular_velocity; ///< world; dt times torque . mean is the work done
} mo_rotation;

/// Velocity and orientation by the same implicit midpoint rule on the group of rotations: the body
/// rotates by the Cayley map of the mean velocity (Lewis and Simo 1994). The angular momentum as a
/// world vector then changes by exactly dt torque, and the energy by exactly the torque's work, to
/// round-off. Second order, and symmetric in time.
/// @param angular_velocity rad/s, world
/// @param torque N m, world, about the centre of mass; constant in the world over the step
mo_rotation mo_integrate_rotation_midpoint(const mo_mass *mass, mo_quat orientation,
                                           mo_vec3 angular_velocity, mo_vec3 torque, double dt);

/// The same without torque, for spins of any speed: the body turns by dt times its mean spin, as it
/// does when it spins about a principal axis, where the Cayley map alone lags behind. A Cayley map
/// of any multiple of the mean spin keeps angular momentum and energy, so this does too.
mo_rotation mo_integrate_free_rotation(const mo_mass *mass, mo_quat orientation,
                                       mo_vec3 angular_velocity, double dt);

/// The constant spin, rad/s, world, that turns a body as its free rotation of dt seconds does.
mo_vec3 mo_mean_free_spin(const mo_mass *mass, mo_quat orientation, mo_vec3 angular_velocity,
                          double dt);
/// The spin at orientation `to` of a body that had a spin at `from` and has kept its angular
/// momentum in the world (R1 I w1 = R0 I w0; Lewis and Simo 1994).
mo_vec3 mo_spin_after(const mo_mass *mass, mo_quat from, mo_vec3 angular_velocity, mo_quat to);

/// Moves the pose of a body by its velocities for dt seconds: the centre of mass along `linear`,
/// the orientation by the exponential map of `angular` (exact for constant angular velocity),
/// normalised.
static inline void mo_integrate_pose(mo_motion *motion, mo_vec3 local_center, mo_vec3 linear,
                                     mo_vec3 angular, double dt) {
  motion->center_of_mass = mo_add_scaled(motion->center_of_mass, dt, linear);
  if (mo_length_squared(angular) > 0.0) {
    mo_quat turn = mo_quat_exp(mo_scale(dt, angular));
    motion->orientation = mo_quat_normalize(mo_quat_mul(turn, motion->orientation));
  }
  mo_motion_update_origin(motion, local_center);
}
