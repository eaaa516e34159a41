/// Inner loops of dense linear algebra, two lanes wide with a fixed order of the sums, so that
/// native and wasm agree to the bit.
#pragma once

#include "math/simd.h"

#include <stddef.h>

/// sum_k a[k] b[k]
static inline double mo_dense_dot(const double *a, const double *b, size_t count) {
  mo_f64x2 s0 = {0.0, 0.0}, s1 = s0, s2 = s0, s3 = s0;
  size_t k = 0;
  for (; k + 8 <= count; k += 8) {
    s0 += mo_f64x2_load(a + k) * mo_f64x2_load(b + k);
    s1 += mo_f64x2_load(a + k + 2) * mo_f64x2_load(b + k + 2);
    s2 += mo_f64x2_load(a + k + 4) * mo_f64x2_load(b + k + 4);
    s3 += mo_f64x2_load(a + k + 6) * mo_f64x2_load(b + k + 6);
  }
  s0 = (s0 + s1) + (s2 + s3);
  double sum = s0[0] + s0[1];
  for (; k < count; k++) {
    sum += a[k] * b[k];
  }
  return sum;
}

/// The same of six numbers: of a row and a body.
static inline double mo_dense_dot6(const double *a, const double *b) {
  mo_f64x2 s = mo_f64x2_load(a) * mo_f64x2_load(b);
  s += mo_f64x2_load(a + 2) * mo_f64x2_load(b + 2);
  s += mo_f64x2_load(a + 4) * mo_f64x2_load(b + 4);
  return s[0] + s[1];
}

/// y += s x of six numbers
static inline void mo_dense_add_scaled6(double *y, double s, const double *x) {
  mo_f64x2 factor = mo_f64x2_splat(s);
  for (size_t k = 0; k < 6; k += 2) {
    mo_f64x2_store(y + k, mo_f64x2_load(y + k) + factor * mo_f64x2_load(x + k));
  }
}

/// y += s x
static inline void mo_dense_add_scaled(double *y, double s, const double *x, size_t count) {
  for (size_t k = 0; k < count; k++) {
    y[k] += s * x[k];
  }
}
