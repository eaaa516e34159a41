/// Scalar helpers whose results are the same bits on every target.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define MO_PI 3.14159265358979323846

/// A function that is called and not inlined, because it is rare beside a fast loop, or should be
/// small.
#define MO_APART __attribute__((noinline)) static

/// Minimum and maximum as plain comparisons: fmin and fmax differ between targets in signed zeros
/// and NaN.
static inline double mo_min(double a, double b) { return a < b ? a : b; }
static inline double mo_max(double a, double b) { return a > b ? a : b; }
static inline double mo_clamp(double x, double lower, double upper) {
  return mo_max(lower, mo_min(x, upper));
}
static inline bool mo_is_finite(double x) { return x - x == 0.0; }
/// The index of the first number of a list that is not finite, or `count`.
static inline size_t mo_first_not_finite(const double *values, size_t count) {
  size_t i = 0;
  while (i < count && mo_is_finite(values[i])) {
    i++;
  }
  return i;
}
/// Whether all numbers of a list are finite.
static inline bool mo_are_finite(const double *values, size_t count) {
  return mo_first_not_finite(values, count) == count;
}
static inline bool mo_is_positive(double x) { return mo_is_finite(x) && x > 0.0; }
static inline float mo_max_float(float a, float b) { return a > b ? a : b; }
static inline double mo_square(double x) { return x * x; }
