#include "solvers/cone/lorentz.h"

// The smallest positive root of det(x + a dx) = 0, by the form of the quadratic formula without
// cancellation.
static double surface_step(const double *x, const double *dx) {
  double a = dx[0] * dx[0] - (dx[1] * dx[1] + dx[2] * dx[2]);
  double b = x[0] * dx[0] - (x[1] * dx[1] + x[2] * dx[2]);
  double c = mo_lorentz_det(x, 3);
  c = c > 0.0 ? c : 0.0;
  double d = b * b - a * c;
  if (d < 0.0) {
    return INFINITY;
  }
  d = sqrt(d);
  if (b < 0.0) {
    return c / (d - b);
  }
  return a < 0.0 ? (b + d) / -a : INFINITY;
}

double mo_lorentz_max_step(const double *x, const double *dx, uint32_t dimension) {
  double step = dimension == 3 ? surface_step(x, dx) : INFINITY;
  double axis = dx[0] < 0.0 ? -x[0] / dx[0] : INFINITY;
  return axis < step ? axis : step;
}
