/// Symmetric 3 x 3 matrices, four at a time, and their factors. Private to soft-step.
#pragma once

#include "math/simd.h"

/// 1/x, or 0 where x is 0, as in a lane without a moving body.
static inline mo_f32x4 mo_inverse_or_zero(mo_f32x4 x) {
  mo_i32x4 some = x > mo_f32x4_zero();
  mo_f32x4 one = mo_f32x4_splat(1.0f);
  return mo_f32x4_keep(some, one / mo_f32x4_select(some, x, one));
}

typedef struct mo_symmetric_lanes {
  mo_f32x4 xx, yy, zz, xy, xz, yz;
} mo_symmetric_lanes;

static inline mo_vec3x4 mo_symmetric_mul(const mo_symmetric_lanes *m, mo_vec3x4 v) {
  return (mo_vec3x4){m->xx * v.x + m->xy * v.y + m->xz * v.z,
                     m->xy * v.x + m->yy * v.y + m->yz * v.z,
                     m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

/// Symmetric 3 x 3 matrices as L D L^T: L below the diagonal and 1/D, which is zero for rows that
/// are missing or redundant. They are factorised rather than inverted, because arms that are long
/// relative to the body make mobilities differ by a factor of 1e5.
typedef struct mo_factor_lanes {
  mo_f32x4 xx, yy, zz; // 1/D
  mo_f32x4 yx, zx, zy; // L
} mo_factor_lanes;

/// Fraction of the diagonal below which a pivot is round-off of floats. Such rows are redundant and
/// give no impulse.
#define MO_LEAST_PIVOT 1e-6f

static inline mo_f32x4 mo_inverse_pivot(mo_f32x4 pivot, mo_f32x4 diagonal) {
  return mo_f32x4_keep(pivot > mo_f32x4_splat(MO_LEAST_PIVOT) * diagonal,
                       mo_f32x4_splat(1.0f) / pivot);
}

static inline mo_factor_lanes mo_factor(mo_symmetric_lanes k) {
  mo_f32x4 xx = mo_inverse_pivot(k.xx, k.xx);
  mo_f32x4 yx = xx * k.xy, zx = xx * k.xz;
  mo_f32x4 yy = mo_inverse_pivot(k.yy - yx * k.xy, k.yy);
  mo_f32x4 coupling = k.yz - zx * k.xy, zy = yy * coupling;
  mo_f32x4 zz = mo_inverse_pivot(k.zz - zx * k.xz - zy * coupling, k.zz);
  return (mo_factor_lanes){xx, yy, zz, yx, zx, zy};
}

/// K^-1 v.
static inline mo_vec3x4 mo_factor_solve(const mo_factor_lanes *k, mo_vec3x4 v) {
  mo_f32x4 y = v.y - k->yx * v.x;
  mo_f32x4 z = k->zz * (v.z - k->zx * v.x - k->zy * y);
  y = k->yy * y - k->zy * z;
  return (mo_vec3x4){k->xx * v.x - k->yx * y - k->zx * z, y, z};
}

/// The same for two rows: the third is missing.
static inline void mo_factor_solve_two(const mo_factor_lanes *k, mo_f32x4 *x, mo_f32x4 *y) {
  *y = k->yy * (*y - k->yx * *x);
  *x = k->xx * *x - k->yx * *y;
}

/// K as a matrix again, without its redundant part.
static inline mo_symmetric_lanes mo_factor_product(const mo_factor_lanes *k) {
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  mo_f32x4 xx = mo_f32x4_keep(k->xx > zero, one / k->xx), xy = k->yx * xx, xz = k->zx * xx;
  mo_f32x4 y = mo_f32x4_keep(k->yy > zero, one / k->yy), coupling = k->zy * y;
  mo_f32x4 z = mo_f32x4_keep(k->zz > zero, one / k->zz);
  return (mo_symmetric_lanes){xx, y + k->yx * xy,       z + k->zx * xz + k->zy * coupling, xy,
                              xz, coupling + k->zx * xy};
}

/// K^-1 as a matrix.
static inline mo_symmetric_lanes mo_factor_inverse(const mo_factor_lanes *k) {
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  mo_vec3x4 x = mo_factor_solve(k, (mo_vec3x4){one, zero, zero});
  mo_vec3x4 y = mo_factor_solve(k, (mo_vec3x4){zero, one, zero});
  mo_vec3x4 z = mo_factor_solve(k, (mo_vec3x4){zero, zero, one});
  return (mo_symmetric_lanes){x.x, y.y, z.z, y.x, z.x, z.y};
}
