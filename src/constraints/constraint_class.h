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

/// Whether a distance has no limits and is to be 0. Its direction says nothing there, and one row
/// could hold one of three: it has the rows of a ball joint.
static inline bool mo_is_coincidence(const mo_constraint *constraint) {
  return constraint->type == MO_CONSTRAINT_DISTANCE && mo_limit_count(constraint) == 0 &&
         constraint->length == 0.0;
}

/// Writes C of the limits of a coordinate: what is left to the lower and to the upper one.
void mo_put_limits(const mo_constraint *constraint, double coordinate, double *out);

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
double *mo_put_row(double *out, double sign, mo_jacobian_row row);

/// Writes the rows of the limits of a coordinate whose Jacobian is `row`.
void mo_put_limit_rows(const mo_constraint *constraint, mo_jacobian_row row, double *out);

/// Both anchors in the world.
typedef struct mo_anchors {
  mo_vec3 arm_a, arm_b; ///< from the centres of mass
  mo_vec3 offset;       ///< from A's to B's
} mo_anchors;

mo_anchors mo_anchors_at(const mo_constraint *constraint, const mo_constraint_place *at);

/// The derivative of offset . direction, for a direction that turns with A (`turns`) or stands
/// still.
mo_jacobian_row mo_offset_row(const mo_anchors *anchors, mo_vec3 direction, bool turns);
