/// Motions of a body as the rows of wheels have them. Private to src/control.
#pragma once

#include "math/simd.h"
#include "math/vec3.h"

/// Three numbers for the translation and three for the rotation.
typedef struct mo_wheel_twist {
  mo_f64x2 first, second, third;
} mo_wheel_twist;

static inline mo_wheel_twist mo_wheel_twist_of(mo_vec3 linear, mo_vec3 angular) {
  return (mo_wheel_twist){{linear.x, linear.y}, {linear.z, angular.x}, {angular.y, angular.z}};
}

static inline mo_vec3 mo_wheel_twist_linear(const mo_wheel_twist *twist) {
  return (mo_vec3){twist->first[0], twist->first[1], twist->second[0]};
}

static inline mo_vec3 mo_wheel_twist_angular(const mo_wheel_twist *twist) {
  return (mo_vec3){twist->second[1], twist->third[0], twist->third[1]};
}

static inline double mo_wheel_twist_dot(const mo_wheel_twist *a, const mo_wheel_twist *b) {
  mo_f64x2 sum = a->first * b->first + a->second * b->second + a->third * b->third;
  return sum[0] + sum[1];
}

static inline void mo_wheel_twist_add(mo_wheel_twist *to, double factor,
                                      const mo_wheel_twist *twist) {
  mo_f64x2 f = mo_f64x2_splat(factor);
  to->first += f * twist->first;
  to->second += f * twist->second;
  to->third += f * twist->third;
}

/// By how much the velocities of points differ, at the most, that are no farther than `reach` from
/// the point about which the body turns.
static inline double mo_wheel_twist_distance(const mo_wheel_twist *a, const mo_wheel_twist *b,
                                             double reach) {
  mo_f64x2 sum = mo_f64x2_abs(a->first - b->first) +
                 (mo_f64x2){1.0, reach} * mo_f64x2_abs(a->second - b->second) +
                 mo_f64x2_splat(reach) * mo_f64x2_abs(a->third - b->third);
  return sum[0] + sum[1];
}

/// The velocity of the point at `arm` from the one about which the body turns.
static inline mo_vec3 mo_wheel_twist_at(const mo_wheel_twist *twist, mo_vec3 arm) {
  return mo_add(mo_wheel_twist_linear(twist), mo_cross(mo_wheel_twist_angular(twist), arm));
}
