#include "solvers/linear/norm_estimate.h"

#include "math/scalar.h"

#include <stddef.h>
#include <string.h>

// Steps of Higham's algorithm: more almost never improve the estimate.
#define STEPS 5

static double norm1(const double *x, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    sum += fabs(x[i]);
  }
  return mo_is_finite(sum) ? sum : HUGE_VAL;
}

static void replace_by_signs(double *x, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    x[i] = x[i] < 0.0 ? -1.0 : 1.0;
  }
}

static uint32_t index_of_largest(const double *x, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (fabs(x[i]) > fabs(x[best])) {
      best = i;
    }
  }
  return best;
}

// Cancellation in the products can hide a large column from the steps; this vector covers that
// case.
static double alternating_estimate(uint32_t count, mo_linear_map *map, const void *context,
                                   double *x) {
  for (uint32_t i = 0; i < count; i++) {
    double size = count > 1 ? 1.0 + (double)i / (count - 1) : 1.0;
    x[i] = i % 2 == 0 ? size : -size;
  }
  map(context, x);
  return 2.0 * norm1(x, count) / (3.0 * count);
}

double mo_norm1_estimate(uint32_t count, mo_linear_map *map, mo_linear_map *transposed,
                         const void *context, double *workspace) {
  if (count == 0) {
    return 0.0;
  }
  double *x = workspace, *z = workspace + count;
  double estimate = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    x[i] = 1.0 / count;
  }
  uint32_t unit = UINT32_MAX; // x was this unit vector
  for (int step = 0; step < STEPS; step++) {
    map(context, x);
    double norm = norm1(x, count);
    if (norm <= estimate) {
      break;
    }
    estimate = norm;
    memcpy(z, x, count * sizeof *z);
    replace_by_signs(z, count);
    transposed(context, z);
    uint32_t largest = index_of_largest(z, count);
    if (largest == unit || norm1(z, count) == HUGE_VAL) {
      break;
    }
    unit = largest;
    memset(x, 0, count * sizeof *x);
    x[unit] = 1.0;
  }
  return mo_max(estimate, alternating_estimate(count, map, context, x));
}
