/// Algebra of the Lorentz cone x0 >= |(x1, x2)| in three dimensions, and of the half line x0 >= 0
/// as its one-dimensional case (Alizadeh and Goldfarb 2003). `dimension` is 3 or 1.
#pragma once

#include <math.h>
#include <stdint.h>

/// (x0 - |xT|) (x0 + |xT|) in a form that keeps its digits near the surface; x0^2 on the half line.
static inline double mo_lorentz_det(const double *x, uint32_t dimension) {
  double t = dimension == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : 0.0;
  return (x[0] - t) * (x[0] + t);
}

static inline double mo_lorentz_dot(const double *x, const double *z, uint32_t dimension) {
  return dimension == 3 ? x[0] * z[0] + x[1] * z[1] + x[2] * z[2] : x[0] * z[0];
}

/// out = x o z = (x . z, x0 zT + z0 xT)
static inline void mo_lorentz_product(const double *x, const double *z, uint32_t dimension,
                                      double *out) {
  double first = mo_lorentz_dot(x, z, dimension);
  for (uint32_t k = 1; k < dimension; k++) {
    out[k] = x[0] * z[k] + z[0] * x[k];
  }
  out[0] = first;
}

/// The largest step a with x + a dx in the cone; infinity if all are. x must be inside.
double mo_lorentz_max_step(const double *x, const double *dx, uint32_t dimension);
