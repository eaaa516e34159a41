/// Axis-aligned boxes in single precision, for searches. Conversions round outwards, so a box is
/// never smaller than what it bounds.
#pragma once

#include "geometry/bounds.h"
#include "math/simd.h"

#include <float.h>

/// May be infinite (planes), never NaN. Lane 3 is 0.
typedef struct mo_aabb {
  float lower[4], upper[4]; ///< m
} mo_aabb;

/// The next float below; below infinity it is the largest finite one, and below -infinity there is
/// none.
static inline float mo_float_below(float x) {
  if (x < -FLT_MAX) {
    return x;
  }
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = x > 0.0f ? bits - 1 : x < 0.0f ? bits + 1 : INT32_MIN + 1;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// The largest float that is not above x.
static inline float mo_round_down(double x) {
  float nearest = (float)x;
  int32_t bits, is_above = (double)nearest > x;
  memcpy(&bits, &nearest, sizeof bits);
  bits -= (bits >> 31 | 1) &
          -is_above; // no branch, because the direction of rounding is not predictable
  memcpy(&nearest, &bits, sizeof nearest);
  return nearest;
}
/// The smallest float that is not below x.
static inline float mo_round_up(double x) { return -mo_round_down(-x); }

/// mo_round_down of four numbers at once, those of `a` first.
static inline mo_f32x4 mo_f64x2_round_down(mo_f64x2 a, mo_f64x2 b) {
  mo_f32x4 nearest = mo_f32x4_nearest(a, b);
  mo_i32x4 bits = (mo_i32x4)nearest;
  return (mo_f32x4)(bits - ((bits >> 31 | 1) & mo_f32x4_above(nearest, a, b)));
}

/// The smallest box around `bounds`. Its sides are stored as vectors, as they are loaded next: a
/// processor waits for single stores that a wider load covers.
static inline mo_aabb mo_aabb_from_bounds(mo_bounds bounds) {
  mo_vec3 l = bounds.lower, u = bounds.upper;
  mo_aabb box;
  mo_f32x4_store(box.lower, mo_f64x2_round_down((mo_f64x2){l.x, l.y}, (mo_f64x2){l.z, 0.0}));
  mo_f32x4_store(box.upper, -mo_f64x2_round_down((mo_f64x2){-u.x, -u.y}, (mo_f64x2){-u.z, -0.0}));
  return box;
}

static inline bool mo_aabb_is_finite(const mo_aabb *box) {
  mo_f32x4 lower = mo_f32x4_load(box->lower), upper = mo_f32x4_load(box->upper);
  mo_f32x4 limit = mo_f32x4_splat(FLT_MAX);
  return mo_i32x4_bits((lower >= -limit) & (lower <= limit) & (upper >= -limit) &
                       (upper <= limit)) == 15;
}

/// Touching counts as overlap.
static inline bool mo_aabb_overlap(const mo_aabb *a, const mo_aabb *b) {
  mo_i32x4 apart = (mo_f32x4_load(a->lower) > mo_f32x4_load(b->upper)) |
                   (mo_f32x4_load(b->lower) > mo_f32x4_load(a->upper));
  return mo_i32x4_bits(apart) == 0;
}

/// Whether `inner` lies in `outer`; their sides may touch.
static inline bool mo_aabb_contains(const mo_aabb *outer, const mo_aabb *inner) {
  mo_i32x4 outside = (mo_f32x4_load(inner->lower) < mo_f32x4_load(outer->lower)) |
                     (mo_f32x4_load(inner->upper) > mo_f32x4_load(outer->upper));
  return mo_i32x4_bits(outside) == 0;
}

/// Moves every side outwards by about `margin` metres (at least 0): the sum is rounded.
static inline mo_aabb mo_aabb_expand(const mo_aabb *box, float margin) {
  mo_f32x4 m = mo_f32x4_set(margin, margin, margin, 0.0f);
  mo_aabb fat;
  mo_f32x4_store(fat.lower, mo_f32x4_load(box->lower) - m);
  mo_f32x4_store(fat.upper, mo_f32x4_load(box->upper) + m);
  return fat;
}

static inline mo_aabb mo_aabb_union(const mo_aabb *a, const mo_aabb *b) {
  mo_aabb both;
  mo_f32x4_store(both.lower, mo_f32x4_min(mo_f32x4_load(a->lower), mo_f32x4_load(b->lower)));
  mo_f32x4_store(both.upper, mo_f32x4_max(mo_f32x4_load(a->upper), mo_f32x4_load(b->upper)));
  return both;
}
