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
