/// The velocities of the bodies of four joints, which their impulses change. Private to soft-step's
/// joints.
#pragma once

#include "math/scalar.h"
#include "solvers/soft_step/joints/joint_lanes.h"

typedef struct mo_joint_pair {
  uint32_t of_a[4], of_b[4]; // the bodies: those of the joints would be read again after a write
  mo_velocity_lanes a, b;
} mo_joint_pair;

/// Softness with a value per lane.
typedef struct mo_softness_lanes {
  mo_f32x4 bias_rate, mass_scale, impulse_scale, inverse_h;
} mo_softness_lanes;

static inline mo_joint_pair mo_joint_gather(const mo_joint_lanes *l, const mo_solver_body *bodies) {
  const uint32_t *a = l->body_a, *b = l->body_b;
  mo_joint_pair v = {.of_a = {a[0], a[1], a[2], a[3]}, .of_b = {b[0], b[1], b[2], b[3]}};
  v.a = mo_gather_velocities(bodies, v.of_a);
  v.b = mo_gather_velocities(bodies, v.of_b);
  return v;
}

static inline void mo_joint_scatter(const mo_joint_lanes *l, mo_solver_body *bodies,
                                    const mo_joint_pair *v) {
  mo_scatter_velocities(bodies, v->of_a, &l->mass_a, v->a);
  mo_scatter_velocities(bodies, v->of_b, &l->mass_b, v->b);
}

static inline void mo_joint_push_ball(const mo_joint_lanes *l, mo_joint_pair *v, mo_vec3x4 p) {
  v->a.linear = mo_vec3x4_add_scaled(v->a.linear, -l->mass_a.inverse_mass, p);
  v->b.linear = mo_vec3x4_add_scaled(v->b.linear, l->mass_b.inverse_mass, p);
  mo_vec3x4 turn_a = mo_mass_lanes_turn(&l->mass_a, mo_vec3x4_cross(l->arm_a, p));
  mo_vec3x4 turn_b = mo_mass_lanes_turn(&l->mass_b, mo_vec3x4_cross(l->arm_b, p));
  v->a.angular = mo_vec3x4_sub(v->a.angular, turn_a);
  v->b.angular = mo_vec3x4_add(v->b.angular, turn_b);
}

static inline mo_vec3x4 mo_joint_point_velocity(const mo_joint_lanes *l, const mo_joint_pair *v) {
  mo_vec3x4 a = mo_vec3x4_add(v->a.linear, mo_vec3x4_cross(v->a.angular, l->arm_a));
  mo_vec3x4 b = mo_vec3x4_add(v->b.linear, mo_vec3x4_cross(v->b.angular, l->arm_b));
  return mo_vec3x4_sub(b, a);
}

/// The change of the impulse of a block: -mass_scale K^-1 (w + bias) - impulse_scale impulse.
static inline mo_vec3x4 mo_joint_block_change(const mo_factor_lanes *k, const mo_softness_lanes *s,
                                              mo_vec3x4 rate, mo_vec3x4 error, mo_vec3x4 impulse) {
  mo_vec3x4 w = mo_vec3x4_add_scaled(rate, s->bias_rate, error);
  mo_vec3x4 change = mo_vec3x4_scale(s->mass_scale, mo_factor_solve(k, w));
  change = mo_vec3x4_add_scaled(change, s->impulse_scale, impulse);
  return mo_vec3x4_neg(change);
}

/// The part of the impulse that softness takes back.
static inline mo_vec3x4 mo_joint_passing(const mo_joint_lanes *l) {
  return mo_vec3x4_sub(l->impulse, l->steady);
}
