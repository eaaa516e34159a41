/// 3 x 3 matrices by columns, by value.
#pragma once

#include "math/vec3.h"

static inline mo_mat3 mo_mat3_zero(void) {
  return (mo_mat3){mo_v3_zero(), mo_v3_zero(), mo_v3_zero()};
}
static inline mo_mat3 mo_mat3_diagonal(double x, double y, double z) {
  return (mo_mat3){mo_v3(x, 0.0, 0.0), mo_v3(0.0, y, 0.0), mo_v3(0.0, 0.0, z)};
}
static inline mo_mat3 mo_mat3_identity(void) { return mo_mat3_diagonal(1.0, 1.0, 1.0); }
static inline mo_vec3 mo_mat3_mul(mo_mat3 m, mo_vec3 v) {
  return mo_v3(m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z,
               m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z,
               m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z);
}
/// m^T v
static inline mo_vec3 mo_mat3_mul_transposed(mo_mat3 m, mo_vec3 v) {
  return mo_v3(mo_dot(m.cx, v), mo_dot(m.cy, v), mo_dot(m.cz, v));
}
static inline mo_mat3 mo_mat3_mul_mat3(mo_mat3 a, mo_mat3 b) {
  return (mo_mat3){mo_mat3_mul(a, b.cx), mo_mat3_mul(a, b.cy), mo_mat3_mul(a, b.cz)};
}
static inline mo_mat3 mo_mat3_transpose(mo_mat3 m) {
  return (mo_mat3){mo_v3(m.cx.x, m.cy.x, m.cz.x), mo_v3(m.cx.y, m.cy.y, m.cz.y),
                   mo_v3(m.cx.z, m.cy.z, m.cz.z)};
}
static inline mo_mat3 mo_mat3_add(mo_mat3 a, mo_mat3 b) {
  return (mo_mat3){mo_add(a.cx, b.cx), mo_add(a.cy, b.cy), mo_add(a.cz, b.cz)};
}
static inline mo_mat3 mo_mat3_scale(double s, mo_mat3 m) {
  return (mo_mat3){mo_scale(s, m.cx), mo_scale(s, m.cy), mo_scale(s, m.cz)};
}
static inline double mo_mat3_determinant(mo_mat3 m) { return mo_dot(m.cx, mo_cross(m.cy, m.cz)); }
/// m^-1 by cofactors. The determinant must not be zero.
static inline mo_mat3 mo_mat3_inverse(mo_mat3 m) {
  mo_vec3 r0 = mo_cross(m.cy, m.cz);
  mo_vec3 r1 = mo_cross(m.cz, m.cx);
  mo_vec3 r2 = mo_cross(m.cx, m.cy);
  double s = 1.0 / mo_dot(m.cx, r0);
  return mo_mat3_transpose((mo_mat3){mo_scale(s, r0), mo_scale(s, r1), mo_scale(s, r2)});
}
/// The matrix of v -> a x v.
static inline mo_mat3 mo_mat3_cross(mo_vec3 a) {
  return (mo_mat3){mo_v3(0.0, a.z, -a.y), mo_v3(-a.z, 0.0, a.x), mo_v3(a.y, -a.x, 0.0)};
}
/// R m R^T of a symmetric m, symmetric to the bit.
static inline mo_mat3 mo_mat3_rotate_symmetric(mo_mat3 rotation, mo_mat3 m) {
  mo_mat3 r = mo_mat3_mul_mat3(mo_mat3_mul_mat3(rotation, m), mo_mat3_transpose(rotation));
  r.cx.y = r.cy.x;
  r.cx.z = r.cz.x;
  r.cy.z = r.cz.y;
  return r;
}
/// The inertia that a mass at `offset` from the reference point adds to that about the mass centre
/// (parallel axes).
static inline mo_mat3 mo_mat3_parallel_axis(double mass, mo_vec3 offset) {
  double xx = offset.x * offset.x, yy = offset.y * offset.y, zz = offset.z * offset.z;
  double xy = -mass * offset.x * offset.y, xz = -mass * offset.x * offset.z,
         yz = -mass * offset.y * offset.z;
  return (mo_mat3){mo_v3(mass * (yy + zz), xy, xz), mo_v3(xy, mass * (xx + zz), yz),
                   mo_v3(xz, yz, mass * (xx + yy))};
}
static inline bool mo_mat3_is_finite(mo_mat3 m) {
  return mo_v3_is_finite(m.cx) && mo_v3_is_finite(m.cy) && mo_v3_is_finite(m.cz);
}
