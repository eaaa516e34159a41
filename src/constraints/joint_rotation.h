/// The angular errors of joints: the rotation between two frames, and its rate.
///
/// q is frame B relative to frame A. Every rate is a vector r in frame A with d(error)/dt = r . w,
/// where w is the angular velocity of B minus that of A in frame A. All are exact for errors below
/// pi.
#pragma once

#include "math/quat.h"

/// The rotation vector of q (axis times angle, 0 to pi) and the rates of its components: the rows
/// of the inverse left Jacobian of SO(3) (Chirikjian 2012, chapter 10). At pi the axis may change
/// sign.
mo_vec3 mo_rotation_error(mo_quat q, mo_vec3 rates[3]);

/// The y and z components of the rotation vector that takes A's x axis to B's; its x component is
/// 0. For opposite axes its direction is arbitrary.
void mo_swing_error(mo_quat q, double error[2], mo_vec3 rates[2]);

/// The angle, -pi to pi, by which q turns about A's x axis after B's x axis was rotated onto it.
double mo_twist_angle(mo_quat q, mo_vec3 *rate);

/// The twist angle nearest to `last`, the angle at the end of the last step, so that full turns are
/// counted.
double mo_hinge_angle(mo_quat q, double last, mo_vec3 *rate);
