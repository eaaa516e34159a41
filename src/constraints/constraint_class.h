/// What the types of constraints share with constraint.c. Private to src/constraints.
#pragma once

#include "constraints/constraint.h"
#include "math/quat.h"

extern const mo_constraint_class mo_custom_class;
extern const mo_constraint_class mo_unit_quaternion_class;
extern const mo_constraint_class mo_distance_class;
extern const mo_constraint_class mo_ball_class;
extern const mo_constraint_class mo_fixed_class;
extern const mo_constraint_class mo_hinge_class;
extern const mo_constraint_class mo_slider_class;

/// Rows that limits add: 0 to 2.
static inline uint32_t mo_limit_count(const mo_constraint *constraint) {
  return (constraint->lower > -INFINITY) + (constraint->upper < INFINITY);
}

/// Writes C of the limits of a coordinate: what is left to the lower and to the upper one.
static inline void mo_put_limits(const mo_constraint *constraint, double coordinate, double *out) {
  if (constraint->lower > -INFINITY) {
    *out++ = coordinate - constraint->lower;
  }
  if (constraint->upper < INFINITY) {
    *out = constraint->upper - coordinate;
  }
}

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

/// Writes sign * row. Returns the place after it.
static inline double *mo_put_row(double *out, double sign, mo_jacobian_row row) {
  out = mo_put_vec3(out, sign, row.linear_a);
  out = mo_put_vec3(out, sign, row.angular_a);
  out = mo_put_vec3(out, sign, row.linear_b);
  return mo_put_vec3(out, sign, row.angular_b);
}

/// Writes the rows of the limits of a coordinate whose Jacobian is `row`.
static inline void mo_put_limit_rows(const mo_constraint *constraint, mo_jacobian_row row,
                                     double *out) {
  if (constraint->lower > -INFINITY) {
    out = mo_put_row(out, 1.0, row);
  }
  if (constraint->upper < INFINITY) {
    mo_put_row(out, -1.0, row);
  }
}

/// Both anchors in the world.
typedef struct mo_anchors {
  mo_vec3 arm_a, arm_b; ///< from the centres of mass
  mo_vec3 offset;       ///< from A's to B's
} mo_anchors;

static inline mo_anchors mo_anchors_at(const mo_constraint *constraint,
                                       const mo_constraint_place *at) {
  mo_vec3 a = mo_add(at->a.position, mo_quat_rotate(at->a.orientation, constraint->anchor_a));
  mo_vec3 b = mo_add(at->b.position, mo_quat_rotate(at->b.orientation, constraint->anchor_b));
  return (mo_anchors){.arm_a = mo_sub(a, at->a.center_of_mass),
                      .arm_b = mo_sub(b, at->b.center_of_mass),
                      .offset = mo_sub(b, a)};
}

/// The derivative of offset . direction, for a direction that turns with A (`turns`) or stands
/// still.
static inline mo_jacobian_row mo_offset_row(const mo_anchors *anchors, mo_vec3 direction,
                                            bool turns) {
  mo_vec3 arm_a = turns ? mo_add(anchors->arm_a, anchors->offset) : anchors->arm_a;
  return (mo_jacobian_row){.linear_a = mo_neg(direction),
                           .angular_a = mo_neg(mo_cross(arm_a, direction)),
                           .linear_b = direction,
                           .angular_b = mo_cross(anchors->arm_b, direction)};
}
