/// Three-vectors by value.
#pragma once

#include "math/scalar.h"
#include "moreau.h"

#include <float.h>

static inline mo_vec3 mo_v3(double x, double y, double z) { return (mo_vec3){x, y, z}; }
static inline mo_vec3 mo_v3_zero(void) { return (mo_vec3){0.0, 0.0, 0.0}; }
/// From and to three numbers in single precision.
static inline mo_vec3 mo_v3_from_floats(const float *v) { return mo_v3(v[0], v[1], v[2]); }
static inline void mo_v3_to_floats(mo_vec3 v, float *out) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}
static inline mo_vec3 mo_add(mo_vec3 a, mo_vec3 b) {
  return mo_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline mo_vec3 mo_sub(mo_vec3 a, mo_vec3 b) {
  return mo_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline mo_vec3 mo_neg(mo_vec3 a) { return mo_v3(-a.x, -a.y, -a.z); }
static inline mo_vec3 mo_scale(double s, mo_vec3 a) { return mo_v3(s * a.x, s * a.y, s * a.z); }
/// a + s b
static inline mo_vec3 mo_add_scaled(mo_vec3 a, double s, mo_vec3 b) {
  return mo_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline mo_vec3 mo_lerp(mo_vec3 a, mo_vec3 b, double t) {
  return mo_add_scaled(a, t, mo_sub(b, a));
}
static inline double mo_dot(mo_vec3 a, mo_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline mo_vec3 mo_cross(mo_vec3 a, mo_vec3 b) {
  return mo_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double mo_length_squared(mo_vec3 a) { return mo_dot(a, a); }
static inline double mo_length(mo_vec3 a) { return sqrt(mo_dot(a, a)); }
static inline double mo_distance_between(mo_vec3 a, mo_vec3 b) { return mo_length(mo_sub(a, b)); }
/// a / |a|; zero stays zero.
static inline mo_vec3 mo_normalize(mo_vec3 a) {
  double length = mo_length(a);
  return length > 0.0 ? mo_scale(1.0 / length, a) : a;
}
static inline mo_vec3 mo_v3_min(mo_vec3 a, mo_vec3 b) {
  return mo_v3(mo_min(a.x, b.x), mo_min(a.y, b.y), mo_min(a.z, b.z));
}
static inline mo_vec3 mo_v3_max(mo_vec3 a, mo_vec3 b) {
  return mo_v3(mo_max(a.x, b.x), mo_max(a.y, b.y), mo_max(a.z, b.z));
}
static inline mo_vec3 mo_v3_abs(mo_vec3 a) { return mo_v3(fabs(a.x), fabs(a.y), fabs(a.z)); }
static inline double mo_v3_max_component(mo_vec3 a) { return mo_max(a.x, mo_max(a.y, a.z)); }
/// A size, above zero, by which two vectors can be divided so that their product does not overflow:
/// the largest component. The product is multiplied by the sizes last, so that an overflow gives
/// infinity and not the difference of two infinities.
static inline double mo_v3_size(mo_vec3 a) {
  return mo_max(mo_v3_max_component(mo_v3_abs(a)), DBL_MIN);
}
static inline bool mo_v3_is_finite(mo_vec3 a) {
  return mo_is_finite(a.x) && mo_is_finite(a.y) && mo_is_finite(a.z);
}
static inline bool mo_v3_equal(mo_vec3 a, mo_vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
/// Whether they are equal to the bit: zeros of two signs are not.
static inline bool mo_v3_is_same(mo_vec3 a, mo_vec3 b) {
  return mo_v3_equal(a, b) && signbit(a.x) == signbit(b.x) && signbit(a.y) == signbit(b.y) &&
         signbit(a.z) == signbit(b.z);
}

/// Two unit vectors that make a right-handed frame (n, t1, t2) with the unit vector n. They come
/// from the cross product with the axis that is least aligned with n, so that n near a coordinate
/// axis (a floor) is far from a change of that axis.
static inline void mo_tangent_basis(mo_vec3 n, mo_vec3 *t1, mo_vec3 *t2) {
  mo_vec3 a = mo_v3_abs(n);
  mo_vec3 axis = mo_v3(0.0, 0.0, 1.0);
  if (a.x <= a.y && a.x <= a.z) {
    axis = mo_v3(1.0, 0.0, 0.0);
  } else if (a.y <= a.z) {
    axis = mo_v3(0.0, 1.0, 0.0);
  }
  *t1 = mo_normalize(mo_sub(axis, mo_scale(mo_dot(axis, n), n)));
  *t2 = mo_cross(n, *t1);
}
