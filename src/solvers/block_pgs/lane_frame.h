/// Vectors, bodies and frames of two manifolds, for the files that work with mo_manifold_lanes.
#pragma once

#include "solvers/block_pgs/contact_lanes.h"

static inline mo_vec3x2 mo_zero3(void) {
  mo_f64x2 zero = mo_f64x2_splat(0.0);
  return (mo_vec3x2){zero, zero, zero};
}

static inline mo_vec3x2 mo_keep3(mo_i64x2 mask, mo_vec3x2 a) {
  return (mo_vec3x2){mo_f64x2_keep(mask, a.x), mo_f64x2_keep(mask, a.y), mo_f64x2_keep(mask, a.z)};
}

static inline mo_vec3x2 mo_select3(mo_i64x2 mask, mo_vec3x2 a, mo_vec3x2 b) {
  return (mo_vec3x2){mo_f64x2_select(mask, a.x, b.x), mo_f64x2_select(mask, a.y, b.y),
                     mo_f64x2_select(mask, a.z, b.z)};
}

// --- bodies ----------------------------------------------------------------------------------

/// Velocities of two bodies, or local ones of two pairs.
typedef struct mo_motion_lanes {
  mo_vec3x2 linear, angular;
} mo_motion_lanes;

static inline mo_motion_lanes mo_load_motion(const mo_velocity *velocities,
                                             const uint32_t bodies[MO_LANES]) {
  const double *p = &velocities[bodies[0]].linear.x, *q = &velocities[bodies[1]].linear.x;
  mo_f64x2 p0 = mo_f64x2_load(p), p1 = mo_f64x2_load(p + 2), p2 = mo_f64x2_load(p + 4);
  mo_f64x2 q0 = mo_f64x2_load(q), q1 = mo_f64x2_load(q + 2), q2 = mo_f64x2_load(q + 4);
  return (mo_motion_lanes){
      {mo_f64x2_first(p0, q0), mo_f64x2_second(p0, q0), mo_f64x2_first(p1, q1)},
      {mo_f64x2_second(p1, q1), mo_f64x2_first(p2, q2), mo_f64x2_second(p2, q2)},
  };
}

static inline void mo_store_motion(mo_velocity *velocities, const uint32_t bodies[MO_LANES],
                                   const mo_motion_lanes *m) {
  double *p = &velocities[bodies[0]].linear.x, *q = &velocities[bodies[1]].linear.x;
  mo_f64x2_store(p, mo_f64x2_first(m->linear.x, m->linear.y));
  mo_f64x2_store(p + 2, mo_f64x2_first(m->linear.z, m->angular.x));
  mo_f64x2_store(p + 4, mo_f64x2_first(m->angular.y, m->angular.z));
  mo_f64x2_store(q, mo_f64x2_second(m->linear.x, m->linear.y));
  mo_f64x2_store(q + 2, mo_f64x2_second(m->linear.z, m->angular.x));
  mo_f64x2_store(q + 4, mo_f64x2_second(m->angular.y, m->angular.z));
}

static inline mo_vec3x2 mo_to_local(const mo_manifold_lanes *m, mo_vec3x2 v) {
  return (mo_vec3x2){mo_vec3x2_dot(m->normal, v), mo_vec3x2_dot(m->tangent_1, v),
                     mo_vec3x2_dot(m->tangent_2, v)};
}

static inline mo_vec3x2 mo_to_world(const mo_manifold_lanes *m, mo_vec3x2 v) {
  return mo_vec3x2_add_scaled(
      mo_vec3x2_add_scaled(mo_vec3x2_scale(v.x, m->normal), v.y, m->tangent_1), v.z, m->tangent_2);
}

static inline mo_vec3x2 mo_mul_symmetric(const mo_f64x2 s[6], mo_vec3x2 v) {
  return (mo_vec3x2){s[0] * v.x + s[3] * v.y + s[4] * v.z, s[3] * v.x + s[1] * v.y + s[5] * v.z,
                     s[4] * v.x + s[5] * v.y + s[2] * v.z};
}

/// Local motion of B relative to A at the reference point, with the slide of the surfaces.
static inline mo_motion_lanes
mo_relative_motion(const mo_manifold_lanes *m, const mo_motion_lanes *a, const mo_motion_lanes *b) {
  mo_vec3x2 at_a = mo_vec3x2_add(a->linear, mo_vec3x2_cross(a->angular, m->arm_a));
  mo_vec3x2 at_b = mo_vec3x2_add(b->linear, mo_vec3x2_cross(b->angular, m->arm_b));
  mo_vec3x2 linear = mo_to_local(m, mo_vec3x2_sub(at_b, at_a));
  linear.y += m->slide_1;
  linear.z += m->slide_2;
  return (mo_motion_lanes){linear, mo_to_local(m, mo_vec3x2_sub(b->angular, a->angular))};
}

static inline void mo_push(const mo_manifold_lanes *m, const mo_wrench_lanes *local,
                           mo_motion_lanes *a, mo_motion_lanes *b) {
  mo_vec3x2 force = mo_to_world(m, local->force), torque = mo_to_world(m, local->torque);
  mo_vec3x2 at_a = mo_vec3x2_add(torque, mo_vec3x2_cross(m->arm_a, force));
  mo_vec3x2 at_b = mo_vec3x2_add(torque, mo_vec3x2_cross(m->arm_b, force));
  a->linear = mo_vec3x2_sub(a->linear, mo_vec3x2_scale(m->inverse_mass_a, force));
  a->angular = mo_vec3x2_sub(a->angular, mo_mul_symmetric(m->inverse_inertia_a, at_a));
  b->linear = mo_vec3x2_add(b->linear, mo_vec3x2_scale(m->inverse_mass_b, force));
  b->angular = mo_vec3x2_add(b->angular, mo_mul_symmetric(m->inverse_inertia_b, at_b));
}

static inline mo_wrench_lanes mo_sum_wrench(const mo_manifold_lanes *m, const mo_vec3x2 *impulses) {
  mo_wrench_lanes w = {mo_zero3(), mo_zero3()};
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    w.force = mo_vec3x2_add(w.force, impulses[i]);
    w.torque = mo_vec3x2_add(w.torque, mo_vec3x2_cross(m->points[i], impulses[i]));
  }
  return w;
}

static inline mo_vec3x2 mo_point_velocity(const mo_manifold_lanes *m,
                                          const mo_motion_lanes *relative, int point) {
  return mo_vec3x2_add(relative->linear, mo_vec3x2_cross(relative->angular, m->points[point]));
}

/// 1 in lanes that have the point, 0 in the others.
static inline mo_f64x2 mo_presence(const mo_manifold_lanes *m, int point) {
  return (mo_f64x2){(uint32_t)point < m->lane_points[0] ? 1.0 : 0.0,
                    (uint32_t)point < m->lane_points[1] ? 1.0 : 0.0};
}

static inline mo_f64x2 mo_inverse_or_zero(mo_f64x2 x) {
  mo_i64x2 positive = x > mo_f64x2_splat(0.0);
  return mo_f64x2_keep(positive,
                       mo_f64x2_splat(1.0) / mo_f64x2_select(positive, x, mo_f64x2_splat(1.0)));
}
