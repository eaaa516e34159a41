/// Time integration of the smooth motion of one body: semi-implicit Euler, velocities first.
#pragma once

#include "dynamics/body.h"

/// The angular velocity after dt seconds of torque-driven free rotation, world frame. Euler's
/// equations in the body frame by the implicit midpoint rule, iterated to convergence, which keeps
/// |L| and the energy of a free body to round-off for every dt (both are quadratic invariants;
/// Hairer, Lubich and Wanner 2006, IV.2).
/// @param torque N m, world, about the centre of mass
mo_vec3 mo_integrate_rotation(const mo_mass *mass, const mo_motion *motion, mo_vec3 torque,
                              double dt);

/// Moves the pose of a body by its velocities for dt seconds: the centre of mass along `linear`,
/// the orientation by the exponential map of `angular` (exact for constant angular velocity),
/// normalised.
void mo_integrate_pose(mo_motion *motion, mo_vec3 local_center, mo_vec3 linear, mo_vec3 angular,
                       double dt);
