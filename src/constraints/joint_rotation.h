/// How far two frames are turned apart, and how fast that grows: angular errors of joints.
///
/// q is frame B as seen from frame A. Every rate is a vector r in frame A with d(error)/dt = r . w,
/// w being the angular velocity of B minus that of A in frame A. All are exact for errors of any
/// size below pi.
#pragma once

#include "math/quat.h"

/// The rotation vector of q (axis times angle, 0 to pi) and the rates of its components: the rows
/// of the inverse left Jacobian of SO(3) (Chirikjian 2012, chapter 10). At pi the axis may change
/// sign.
mo_vec3 mo_rotation_error(mo_quat q, mo_vec3 rates[3]);

/// The y and z components of the rotation vector that takes A's x axis to B's (its x component is
/// 0). Where the axes are opposite, the direction is arbitrary.
void mo_swing_error(mo_quat q, double error[2], mo_vec3 rates[2]);

/// The angle, -pi to pi, that q turns about A's x axis once B's x axis was swung onto it.
double mo_twist_angle(mo_quat q, mo_vec3 *rate);

/// The twist angle next to `last`, the angle at the end of the last step, so that turns are
/// counted.
double mo_hinge_angle(mo_quat q, double last, mo_vec3 *rate);
