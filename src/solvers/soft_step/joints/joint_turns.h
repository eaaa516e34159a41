/// Rotations of four bodies since the start of a step, for the arms and axes of joints. Private to
/// soft-step's joints.
///
/// A body has turned by the rotation vector t since the start of the step. The change of an arm is
///   R(t) r - r = sin|t|/|t| (t x r) + (1 - cos|t|)/|t|^2 (t x (t x r)).
/// The change is computed rather than R(t) r, so that offsets of points keep their digits far from
/// the origin.
#pragma once

#include "math/simd.h"
#include "math/trig.h"

/// rad^2: the largest squared rotation per step for the series. They are accurate to 3e-6 at one
/// radian and diverge from two on; faster wheels are rare and use trigonometry.
#define MO_SERIES_LIMIT_SQUARED 3.0f

/// sin|t|/|t| and (1 - cos|t|)/|t|^2
typedef struct mo_turn_lanes {
  mo_vec3x4 vector;
  mo_f32x4 sine, cosine;
} mo_turn_lanes;

static inline bool mo_is_long_turn(mo_f32x4 square) {
  return mo_i32x4_bits(square > mo_f32x4_splat(MO_SERIES_LIMIT_SQUARED)) != 0;
}

static void mo_set_long_turns(mo_f32x4 square, mo_turn_lanes *turn) {
  for (int i = 0; i < 4; i++) {
    if (square[i] > MO_SERIES_LIMIT_SQUARED) {
      double angle = sqrt((double)square[i]);
      mo_sin_cos of = mo_sine_cosine(angle);
      turn->sine[i] = (float)(of.sin / angle);
      turn->cosine[i] = (float)((1.0 - of.cos) / (angle * angle));
    }
  }
}

static inline mo_turn_lanes mo_turn_of(mo_vec3x4 t) {
  const mo_turn_series *of = &mo_turn_ratios;
  mo_f32x4 one = mo_f32x4_splat(of->one), square = mo_vec3x4_dot(t, t);
  mo_f32x4 sine = one - square * mo_f32x4_splat(of->sine[0]);
  sine = one - square * mo_f32x4_splat(of->sine[1]) * sine;
  sine = one - square * mo_f32x4_splat(of->sine[2]) * sine;
  mo_f32x4 cosine = one - square * mo_f32x4_splat(of->cosine[0]);
  cosine = one - square * mo_f32x4_splat(of->cosine[1]) * cosine;
  cosine = mo_f32x4_splat(of->half) * (one - square * mo_f32x4_splat(of->cosine[2]) * cosine);
  mo_turn_lanes turn = {t, sine, cosine};
  if (mo_is_long_turn(square)) {
    mo_set_long_turns(square, &turn);
  }
  return turn;
}

/// R r - r.
static inline mo_vec3x4 mo_turn_change(const mo_turn_lanes *t, mo_vec3x4 r) {
  mo_vec3x4 across = mo_vec3x4_cross(t->vector, r);
  mo_vec3x4 inward = mo_vec3x4_cross(t->vector, across);
  return mo_vec3x4_add_scaled(mo_vec3x4_scale(t->sine, across), t->cosine, inward);
}

static inline mo_vec3x4 mo_turn_vector(const mo_turn_lanes *t, mo_vec3x4 r) {
  return mo_vec3x4_add(r, mo_turn_change(t, r));
}

typedef struct mo_quat_lanes {
  mo_vec3x4 v;
  mo_f32x4 w;
} mo_quat_lanes;

static void mo_set_long_quats(mo_f32x4 square, mo_vec3x4 t, mo_quat_lanes *quat) {
  for (int i = 0; i < 4; i++) {
    if (square[i] > MO_SERIES_LIMIT_SQUARED) {
      double angle = sqrt((double)square[i]);
      mo_sin_cos half = mo_sine_cosine(0.5 * angle);
      float scale = (float)(half.sin / angle);
      quat->v.x[i] = scale * t.x[i];
      quat->v.y[i] = scale * t.y[i];
      quat->v.z[i] = scale * t.z[i];
      quat->w[i] = (float)half.cos;
    }
  }
}

MO_APART mo_quat_lanes mo_quat_lanes_of(mo_vec3x4 t) {
  mo_f32x4 one = mo_f32x4_splat(1.0f), square = mo_vec3x4_dot(t, t);
  mo_f32x4 cosine = one - square * mo_f32x4_splat(1.0f / 120.0f);
  cosine = one - square * mo_f32x4_splat(1.0f / 48.0f) * cosine;
  cosine = one - square * mo_f32x4_splat(1.0f / 8.0f) * cosine;
  mo_f32x4 sine = one - square * mo_f32x4_splat(1.0f / 168.0f);
  sine = one - square * mo_f32x4_splat(1.0f / 80.0f) * sine;
  sine = mo_f32x4_splat(0.5f) * (one - square * mo_f32x4_splat(1.0f / 24.0f) * sine);
  mo_quat_lanes quat = {mo_vec3x4_scale(sine, t), cosine};
  if (mo_is_long_turn(square)) {
    mo_set_long_quats(square, t, &quat);
  }
  return quat;
}

MO_APART mo_quat_lanes mo_quat_lanes_mul(mo_quat_lanes a, mo_quat_lanes b) {
  mo_vec3x4 v = mo_vec3x4_add(mo_vec3x4_scale(a.w, b.v), mo_vec3x4_scale(b.w, a.v));
  return (mo_quat_lanes){mo_vec3x4_add(v, mo_vec3x4_cross(a.v, b.v)),
                         a.w * b.w - mo_vec3x4_dot(a.v, b.v)};
}
