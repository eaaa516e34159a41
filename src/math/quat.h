/// Unit quaternions, x y z w, world from body.
#pragma once

#include "math/mat3.h"
#include "math/trig.h"

static inline mo_quat mo_quat_identity(void) { return (mo_quat){0.0, 0.0, 0.0, 1.0}; }
/// Hamilton product a b: first b, then a.
static inline mo_quat mo_quat_mul(mo_quat a, mo_quat b) {
  return (mo_quat){
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static inline mo_quat mo_quat_conjugate(mo_quat q) { return (mo_quat){-q.x, -q.y, -q.z, q.w}; }
static inline double mo_quat_norm_squared(mo_quat q) {
  return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}
static inline mo_quat mo_quat_normalize(mo_quat q) {
  double s = 1.0 / sqrt(mo_quat_norm_squared(q));
  return (mo_quat){s * q.x, s * q.y, s * q.z, s * q.w};
}
/// A quaternion of which the squared length differs from 1 by no more than this was made unit
/// before: some ten roundings of 2^-53 each.
#define MO_UNIT_ROUND_OFF 0x1p-49
/// Makes a quaternion unit. One that was made so before keeps its bits.
static inline mo_quat mo_quat_keep_unit(mo_quat q) {
  return fabs(mo_quat_norm_squared(q) - 1.0) <= MO_UNIT_ROUND_OFF ? q : mo_quat_normalize(q);
}
static inline mo_mat3 mo_quat_to_mat3(mo_quat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (mo_mat3){mo_v3(1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)),
                   mo_v3(2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)),
                   mo_v3(2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy))};
}
/// q v q*
static inline mo_vec3 mo_quat_rotate(mo_quat q, mo_vec3 v) {
  mo_vec3 u = mo_v3(q.x, q.y, q.z);
  mo_vec3 t = mo_scale(2.0, mo_cross(u, v));
  return mo_add(mo_add_scaled(v, q.w, t), mo_cross(u, t));
}
/// q* v q
static inline mo_vec3 mo_quat_rotate_inverse(mo_quat q, mo_vec3 v) {
  return mo_quat_rotate(mo_quat_conjugate(q), v);
}
/// The rotation by the vector `angle` (axis times radians): the exponential map.
mo_quat mo_quat_exp(mo_vec3 angle);
/// Turns two orientations by vectors of world axes, with the bits of mo_quat_normalize of
/// mo_quat_mul(mo_quat_exp(by), q), but a vector of zeros changes nothing: in less time than both
/// take one by one.
void mo_quat_turn_two(mo_quat *a, const mo_vec3 *by_a, mo_quat *b, const mo_vec3 *by_b);
/// The vector `angle` of a rotation, the shorter one, at most pi long: the inverse of mo_quat_exp.
mo_vec3 mo_quat_log(mo_quat q);
/// Half-way between two orientations, on the shorter arc.
static inline mo_quat mo_quat_middle(mo_quat a, mo_quat b) {
  double s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0 ? -1.0 : 1.0;
  return mo_quat_normalize((mo_quat){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w});
}

/// The shortest rotation that takes the unit vector `from` to `to`. For opposite ones its axis is
/// arbitrary.
mo_quat mo_quat_between(mo_vec3 from, mo_vec3 to);

static inline mo_pose mo_pose_identity(void) { return (mo_pose){mo_v3_zero(), mo_quat_identity()}; }
/// The pose of a frame `local` inside the frame `outer`.
static inline mo_pose mo_pose_mul(mo_pose outer, mo_pose local) {
  return (mo_pose){mo_add(outer.position, mo_quat_rotate(outer.orientation, local.position)),
                   mo_quat_mul(outer.orientation, local.orientation)};
}

/// A rigid transform with its rotation as a matrix, for loops over many points.
typedef struct mo_transform {
  mo_mat3 rotation;
  mo_vec3 translation;
} mo_transform;

static inline mo_transform mo_transform_from_pose(mo_pose pose) {
  return (mo_transform){mo_quat_to_mat3(pose.orientation), pose.position};
}
/// The same of a pose whose orientation need not be of unit length.
static inline mo_transform mo_transform_from_given_pose(mo_pose pose) {
  return (mo_transform){mo_quat_to_mat3(mo_quat_normalize(pose.orientation)), pose.position};
}
static inline mo_vec3 mo_transform_point(mo_transform t, mo_vec3 p) {
  return mo_add(mo_mat3_mul(t.rotation, p), t.translation);
}
static inline mo_vec3 mo_transform_point_inverse(mo_transform t, mo_vec3 p) {
  return mo_mat3_mul_transposed(t.rotation, mo_sub(p, t.translation));
}
/// The transform that takes coordinates of frame `of` to coordinates of frame `in`: in^-1 of.
static inline mo_transform mo_transform_relative(mo_transform in, mo_transform of) {
  mo_mat3 r = {mo_mat3_mul_transposed(in.rotation, of.rotation.cx),
               mo_mat3_mul_transposed(in.rotation, of.rotation.cy),
               mo_mat3_mul_transposed(in.rotation, of.rotation.cz)};
  return (mo_transform){r, mo_transform_point_inverse(in, of.translation)};
}
