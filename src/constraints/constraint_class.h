/// What the types of constraints have in common: rows of points, of orientations and of limits.
/// Private to src/constraints.
#pragma once

#include "constraints/constraint.h"
#include "math/quat.h"

/// A row of a Jacobian.
typedef struct mo_jacobian_row {
  mo_vec3 linear_a, angular_a, linear_b, angular_b;
} mo_jacobian_row;

static inline double *mo_put_vec3(double *out, double sign, mo_vec3 v) {
  out[0] = sign * v.x;
  out[1] = sign * v.y;
  out[2] = sign * v.z;
  return out + 3;
}

static inline mo_vec3 mo_get_vec3(const double *numbers) {
  return mo_v3(numbers[0], numbers[1], numbers[2]);
}

/// Writes sign * row. Returns the position after it.
double *mo_put_row(double *out, double sign, mo_jacobian_row row);

/// Sets a coordinate of two bodies.
static inline void mo_set_coordinate(mo_coordinate *out, double value, mo_jacobian_row row) {
  out->value = value;
  mo_put_row(out->jacobian, 1.0, row);
}

/// Both anchors in the world.
typedef struct mo_anchors {
  mo_vec3 arm_a, arm_b; ///< from the centres of mass
  mo_vec3 offset;       ///< from A's to B's
} mo_anchors;

mo_anchors mo_anchors_at(const mo_constraint *constraint, const mo_constraint_place *at);

/// The derivative of offset . direction, for a direction that rotates with A (`turns`) or stays
/// fixed.
mo_jacobian_row mo_offset_row(const mo_anchors *anchors, mo_vec3 direction, bool turns);

/// Both anchors at one point: the offset, and its three rows.
double *mo_put_point(const mo_anchors *anchors, double *out);
double *mo_put_point_rows(const mo_anchors *anchors, double *out);

/// The joint's frame on both bodies: A's in the world, and B's relative to it.
typedef struct mo_joint_frames {
  mo_quat a;
  mo_quat relative;
} mo_joint_frames;

mo_joint_frames mo_joint_frames_at(const mo_constraint *constraint, const mo_constraint_place *at);

/// An axis of A's frame in the world.
mo_vec3 mo_joint_axis(const mo_joint_frames *frames, double x, double y, double z);

/// The row of an angular error whose rate is given in A's frame.
mo_jacobian_row mo_angular_row(const mo_joint_frames *frames, mo_vec3 rate);

/// Both frames with one orientation: the rotation vector, and its three rows.
double *mo_put_rotation(const mo_joint_frames *frames, double *out);
double *mo_put_rotation_rows(const mo_joint_frames *frames, double *out);

/// Gives a constraint a name of its own. The end of names longer than MO_CONSTRAINT_NAME_BYTES is
/// cut off.
void mo_constraint_set_name(mo_constraint *constraint, const char *name);
