/// Sine and cosine for all builds with the same bits; those of libm differ between targets.
#pragma once

typedef struct mo_sin_cos {
  double sin, cos;
} mo_sin_cos;

/// Sine and cosine of x radians, within 2 ulp for |x| < 1e5; the error grows with |x| beyond, and
/// above 1e16 they are those of some angle. NaN for NaN and infinities.
mo_sin_cos mo_sine_cosine(double x);
/// The angle of the point (x, y), -pi to pi, within 3 ulp; 0 for the origin. NaN for NaN and
/// infinities.
double mo_arc_tangent(double y, double x);

/// Numbers of the series of rotations. They are in memory, in a file of their own: as constants in
/// the code of the wasm build they were slower (docs/performance.md, "What was tried").
typedef struct mo_turn_series {
  float sine[3], cosine[3]; ///< ratios of terms, from the last: of sin x / x and (1 - cos x) / x^2
  float half, one;
} mo_turn_series;
extern const mo_turn_series mo_turn_ratios;

/// The same of sin x / x and cos x, in pairs and in double precision.
extern const double mo_exp_ratios[4][2];
