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

// One number of each of two vectors or quaternions as lanes.
#define BOTH(a, b, number) ((mo_f64x2){(a)->number, (b)->number})

// The series of mo_quat_exp for two bodies, operation by operation: `k` is 0 for that of the sine
// and 1 for that of the cosine.
static inline mo_f64x2 exp_series(mo_f64x2 x, int k, double last) {
  mo_f64x2 one = mo_f64x2_splat(1.0);
  mo_f64x2 sum = one - x * mo_f64x2_splat(mo_exp_ratios[0][k]);
  sum = one - x * mo_f64x2_splat(mo_exp_ratios[1][k]) * sum;
  sum = one - x * mo_f64x2_splat(mo_exp_ratios[2][k]) * sum;
  sum = one - x * mo_f64x2_splat(mo_exp_ratios[3][k]) * sum;
  return mo_f64x2_splat(last) - x * mo_f64x2_splat(1.0 / 12.0) * sum;
}

static void turn_one(mo_quat *q, const mo_vec3 *angle) {
  if (mo_length_squared(*angle) > 0.0) {
    *q = mo_quat_normalize(mo_quat_mul(mo_quat_exp(*angle), *q));
  }
}

void mo_quat_turn_two(mo_quat *a, const mo_vec3 *by_a, mo_quat *b, const mo_vec3 *by_b) {
  mo_f64x2 x = BOTH(by_a, by_b, x), y = BOTH(by_a, by_b, y), z = BOTH(by_a, by_b, z);
  mo_f64x2 length_squared = x * x + y * y + z * z;
  mo_f64x2 square = mo_f64x2_splat(0.25) * length_squared, one = mo_f64x2_splat(1.0);
  mo_i64x2 in_series =
      (length_squared > mo_f64x2_splat(0.0)) & (square < mo_f64x2_splat(SERIES_LIMIT));
  if (mo_i64x2_bits(in_series) != 3) {
    turn_one(a, by_a);
    turn_one(b, by_b);
    return;
  }
  mo_f64x2 s = exp_series(square, 0, 0.5);
  mo_f64x2 w = one - square * mo_f64x2_splat(0.5) * exp_series(square, 1, 1.0);
  x = s * x, y = s * y, z = s * z;
  mo_f64x2 qx = BOTH(a, b, x), qy = BOTH(a, b, y), qz = BOTH(a, b, z), qw = BOTH(a, b, w);
  mo_f64x2 px = w * qx + x * qw + y * qz - z * qy, py = w * qy - x * qz + y * qw + z * qx;
  mo_f64x2 pz = w * qz + x * qy - y * qx + z * qw, pw = w * qw - x * qx - y * qy - z * qz;
  mo_f64x2 scale = one / mo_f64x2_sqrt(px * px + py * py + pz * pz + pw * pw);
  px = scale * px, py = scale * py, pz = scale * pz, pw = scale * pw;
  *a = (mo_quat){px[0], py[0], pz[0], pw[0]};
  *b = (mo_quat){px[1], py[1], pz[1], pw[1]};
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
