#include "solvers/cone/smoothed_map.h"

#include "math/scalar.h"

#include <string.h>

// Smoothing of the direction of slip, relative to tau.
#define DIRECTION_SMOOTHING 0.1
// Shift that keeps redundant linear rows from a zero pivot.
#define LINEAR_SHIFT 1e-13

// phi(l) = (l + sqrt(l^2 + 4 tau^2)) / 2, a smooth max(0, l), and its derivatives.
typedef struct smooth_max {
  double value, slope;
  double rate; ///< d phi / d ln tau
} smooth_max;

static smooth_max smooth_positive(double l, double tau) {
  double root = sqrt(l * l + 4.0 * tau * tau);
  smooth_max phi = {.rate = 2.0 * tau * tau / root};
  phi.value = l > 0.0 ? 0.5 * (l + root) : 2.0 * tau * tau / (root - l);
  phi.slope = phi.value / root;
  return phi;
}

void mo_smoothed_projection(const double y[3], double tau, double p[3], double d[9],
                            double rate[3]) {
  double t = sqrt(y[1] * y[1] + y[2] * y[2]);
  double th[2] = {t > 0.0 ? y[1] / t : 1.0, t > 0.0 ? y[2] / t : 0.0};
  smooth_max low = smooth_positive(y[0] - t, tau), high = smooth_positive(y[0] + t, tau);
  double along = 0.5 * (low.slope + high.slope), cross = 0.5 * (high.slope - low.slope);
  // Across: the divided difference, or its limit for equal eigenvalues.
  double across =
      t > 1e-12 * (fabs(y[0]) + t + tau) ? (high.value - low.value) / (2.0 * t) : low.slope;
  p[0] = 0.5 * (low.value + high.value);
  rate[0] = 0.5 * (low.rate + high.rate);
  d[0] = along;
  for (int i = 0; i < 2; i++) {
    p[1 + i] = 0.5 * (high.value - low.value) * th[i];
    rate[1 + i] = 0.5 * (high.rate - low.rate) * th[i];
    d[1 + i] = d[3 + 3 * i] = cross * th[i];
    for (int j = 0; j < 2; j++) {
      d[4 + 3 * i + j] = along * th[i] * th[j] + across * ((i == j ? 1.0 : 0.0) - th[i] * th[j]);
    }
  }
}

static void cone_map(const mo_scaled_problem *problem, const mo_cone_block *block, const double *x,
                     const double *u, double tau, double *f, double *a, double *b, double *rate) {
  double mu = block->friction, smoothing = DIRECTION_SMOOTHING * tau;
  double y[3] = {mu * x[0] - u[0] / mu, x[1] - u[1], x[2] - u[2]};
  double q = sqrt(y[1] * y[1] + y[2] * y[2] + smoothing * smoothing);
  double shifted = problem->convex ? 0.0 : 1.0;
  double th[2] = {shifted * y[1] / q, shifted * y[2] / q};
  double slip = th[0] * u[1] + th[1] * u[2];
  double c[2] = {-(shifted * u[1] - th[0] * slip) / q, -(shifted * u[2] - th[1] * slip) / q};
  y[0] += slip;
  double p[3], d[9];
  mo_smoothed_projection(y, tau, p, d, rate);
  f[0] = mu * x[0] - p[0];
  f[1] = x[1] - p[1];
  f[2] = x[2] - p[2];
  for (uint32_t k = 0; k < 3; k++) {
    const double *dk = d + (size_t)3 * k;
    double normal = dk[0];
    rate[k] = normal * slip * smoothing * smoothing / (q * q) - rate[k];
    *mo_block_entry(a, block->first_row, k, 0) = mu * ((k == 0 ? 1.0 : 0.0) - normal);
    *mo_block_entry(b, block->first_row, k, 0) = normal / mu;
    for (uint32_t j = 1; j < 3; j++) {
      double dj = dk[j];
      *mo_block_entry(a, block->first_row, k, j) = (k == j ? 1.0 : 0.0) - dj + normal * c[j - 1];
      *mo_block_entry(b, block->first_row, k, j) = dj - normal * (th[j - 1] + c[j - 1]);
    }
  }
}

static void set_row(const mo_cone_block *block, uint32_t k, double da, double db, double *a,
                    double *b) {
  for (uint32_t j = 0; j < block->row_count; j++) {
    *mo_block_entry(a, block->first_row, k, j) = k == j ? da : 0.0;
    *mo_block_entry(b, block->first_row, k, j) = k == j ? db : 0.0;
  }
}

// P_tau = lower + phi(y - lower) - phi(y - upper), with y in place of the first two without a lower
// bound.
static void interval_map(const mo_cone_block *block, const double *x, const double *u, double tau,
                         double *f, double *a, double *b, double *rate) {
  double y = x[0] - u[0], p = y, slope = 1.0;
  double lower = block->kind == MO_CONE_INTERVAL ? block->lower : 0.0;
  double upper = block->kind == MO_CONE_INTERVAL ? block->upper : INFINITY;
  rate[0] = 0.0;
  if (mo_is_finite(lower)) {
    smooth_max phi = smooth_positive(y - lower, tau);
    p = lower + phi.value;
    slope = phi.slope;
    rate[0] = -phi.rate;
  }
  if (mo_is_finite(upper)) {
    smooth_max phi = smooth_positive(y - upper, tau);
    p -= phi.value;
    slope -= phi.slope;
    rate[0] += phi.rate;
  }
  f[0] = x[0] - p;
  set_row(block, 0, 1.0 - slope, slope, a, b);
}

void mo_smoothed_map(const mo_scaled_problem *problem, const double *x, const double *u, double tau,
                     double *f, double *a, double *b, double *rate) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row, done = 0;
    if (block->kind == MO_CONE_COULOMB) {
      cone_map(problem, block, x + first, u + first, tau, f + first, a, b, rate + first);
      continue;
    }
    if (block->kind == MO_CONE_INTERVAL || block->kind == MO_CONE_FRICTIONLESS) {
      interval_map(block, x + first, u + first, tau, f + first, a, b, rate + first);
      done = 1;
    }
    for (uint32_t k = done; k < block->row_count; k++) {
      bool free = block->kind == MO_CONE_LINEAR && problem->scale[first + k] > 0.0;
      double held = block->kind == MO_CONE_FIXED ? block->lower : 0.0;
      f[first + k] = free ? u[first + k] : x[first + k] - held;
      rate[first + k] = 0.0;
      set_row(block, k, free ? LINEAR_SHIFT : 1.0, free ? 1.0 : 0.0, a, b);
    }
  }
}

double mo_smoothed_size(const mo_cone_block *block, const double *x) {
  double mu = mo_lorentz_friction(block), sum = mu * mu * x[0] * x[0];
  for (uint32_t k = 1; k < block->row_count; k++) {
    sum += x[k] * x[k];
  }
  return sum;
}

double mo_smoothed_weight(const mo_cone_block *block, const double *x, const double *u,
                          double tau) {
  double mu = mo_lorentz_friction(block), sum = u[0] * u[0] / (mu * mu);
  for (uint32_t k = 1; k < block->row_count; k++) {
    sum += u[k] * u[k];
  }
  return (sqrt(mo_smoothed_size(block, x)) + sqrt(sum) + tau) / (tau * tau);
}
