#include "math/quat.h"

#include "math/simd.h"

// Squared half angle below which the series is used: the first omitted terms are less than 2^-53
// there.
#define SERIES_LIMIT (1.0 / 16.0)

mo_quat mo_quat_exp(mo_vec3 angle) {
  double square = 0.25 * mo_length_squared(angle), s, c;
  if (square < SERIES_LIMIT) {
    // Both series at once: lane 0 is that of the sine, lane 1 that of the cosine.
    mo_f64x2 one = mo_f64x2_splat(1.0), x = mo_f64x2_splat(square);
    mo_f64x2 sum = one - x * mo_f64x2_load(mo_exp_ratios[0]);
    sum = one - x * mo_f64x2_load(mo_exp_ratios[1]) * sum;
    sum = one - x * mo_f64x2_load(mo_exp_ratios[2]) * sum;
    sum = one - x * mo_f64x2_load(mo_exp_ratios[3]) * sum;
    sum = (mo_f64x2){0.5, 1.0} - x * mo_f64x2_splat(1.0 / 12.0) * sum;
    s = sum[0];
    c = 1.0 - square * 0.5 * sum[1];
  } else {
    double half = sqrt(square);
    mo_sin_cos sc = mo_sine_cosine(half);
    s = 0.5 * sc.sin / half;
    c = sc.cos;
  }
  return (mo_quat){s * angle.x, s * angle.y, s * angle.z, c};
}

mo_vec3 mo_quat_log(mo_quat q) {
  double sign = q.w < 0.0 ? -1.0 : 1.0; // q and -q are one rotation
  mo_vec3 v = mo_v3(sign * q.x, sign * q.y, sign * q.z);
  double s = mo_length(v);
  // For smaller sines the series of angle / sin(angle / 2) is more accurate than the quotient.
  return mo_scale(s > 1e-4 ? 2.0 * mo_arc_tangent(s, sign * q.w) / s : 2.0 + s * s / 3.0, v);
}

mo_quat mo_quat_between(mo_vec3 from, mo_vec3 to) {
  mo_vec3 cross = mo_cross(from, to);
  mo_quat q = {cross.x, cross.y, cross.z, 1.0 + mo_dot(from, to)};
  if (mo_quat_norm_squared(q) < 1e-20) { // opposite
    mo_vec3 t1, t2;
    mo_tangent_basis(from, &t1, &t2);
    q = (mo_quat){t1.x, t1.y, t1.z, 0.0};
  }
  return mo_quat_normalize(q);
}
