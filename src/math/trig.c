#include "math/trig.h"

#include <math.h>

// pi/2 in three parts (Cody and Waite 1980, chapter 8). The first two have 33 significant bits, so
// that k times a part is exact for |k| < 2^20.
#define PIO2_HIGH 0x1.921fb544p+0
#define PIO2_MIDDLE 0x1.0b4611a6p-34
#define PIO2_LOW 0x1.3198a2e037073p-69
#define PIO4 0x1.921fb54442d18p-1
// rad: the rest of an angle is pi/4 at the most, but for the error of the reduction. That of angles
// above 1e16 is larger than a turn, and of those any angle is as right as another; the series would
// give sines of any size.
#define LARGEST_REST 1.0

// The Taylor series suffice for |r| <= pi/4: the first omitted term of either is below 3e-18.
static double sine_series(double r) {
  double s = r * r;
  double p = 1.0 / 355687428096000.0; // 1/17!
  p = p * s - 1.0 / 1307674368000.0;
  p = p * s + 1.0 / 6227020800.0;
  p = p * s - 1.0 / 39916800.0;
  p = p * s + 1.0 / 362880.0;
  p = p * s - 1.0 / 5040.0;
  p = p * s + 1.0 / 120.0;
  p = p * s - 1.0 / 6.0;
  return r + r * (p * s);
}

static double cosine_series(double r) {
  double s = r * r;
  double p = 1.0 / 20922789888000.0; // 1/16!
  p = p * s - 1.0 / 87178291200.0;
  p = p * s + 1.0 / 479001600.0;
  p = p * s - 1.0 / 3628800.0;
  p = p * s + 1.0 / 40320.0;
  p = p * s - 1.0 / 720.0;
  p = p * s + 1.0 / 24.0;
  return 1.0 - (0.5 * s - p * s * s);
}

mo_sin_cos mo_sine_cosine(double x) {
  double k = floor(x * 0.63661977236758134308 + 0.5);
  double r = ((x - k * PIO2_HIGH) - k * PIO2_MIDDLE) - k * PIO2_LOW;
  r = r > LARGEST_REST ? LARGEST_REST : r < -LARGEST_REST ? -LARGEST_REST : r;
  double s = sine_series(r);
  double c = cosine_series(r);

  // The quadrant is computed in doubles, because converting a huge x to an integer is undefined.
  double quadrant = k - 4.0 * floor(0.25 * k);
  if (quadrant == 0.0) {
    return (mo_sin_cos){s, c};
  }
  if (quadrant == 1.0) {
    return (mo_sin_cos){c, -s};
  }
  if (quadrant == 2.0) {
    return (mo_sin_cos){-s, -c};
  }
  return (mo_sin_cos){-c, s};
}

// The angle of (x, y) in the first octant, 0 <= y <= x = 1, with an error of 0.004 (Rajan, Wang,
// Inkol and Joyal 2006).
static double rough_angle(double y) { return y * (PIO4 + 0.273 * (1.0 - y)); }

// Rotates (x, y) back by its rough angle. The rest is so small that its arc tangent is a short
// series.
static double octant_angle(double y, double x) {
  double rough = rough_angle(y / x);
  mo_sin_cos sc = mo_sine_cosine(rough);
  double u = (y * sc.cos - x * sc.sin) / (x * sc.cos + y * sc.sin);
  double s = u * u;
  return rough + u * (1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s / 7.0)));
}

double mo_arc_tangent(double y, double x) {
  double ax = fabs(x), ay = fabs(y);
  if (ax == 0.0 && ay == 0.0) {
    return 0.0;
  }
  double angle = ay <= ax ? octant_angle(ay, ax) : 2.0 * PIO4 - octant_angle(ax, ay);
  angle = x < 0.0 ? 4.0 * PIO4 - angle : angle;
  return y < 0.0 ? -angle : angle;
}

const mo_turn_series mo_turn_ratios = {.sine = {1.0f / 42.0f, 1.0f / 20.0f, 1.0f / 6.0f},
                                       .cosine = {1.0f / 56.0f, 1.0f / 30.0f, 1.0f / 12.0f},
                                       .half = 0.5f,
                                       .one = 1.0f};

const double mo_exp_ratios[4][2] = {{1.0 / 110.0, 1.0 / 132.0},
                                    {1.0 / 72.0, 1.0 / 90.0},
                                    {1.0 / 42.0, 1.0 / 56.0},
                                    {1.0 / 20.0, 1.0 / 30.0}};
