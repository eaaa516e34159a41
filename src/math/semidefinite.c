#include "math/semidefinite.h"

// Fraction of the diagonal below which a pivot belongs to a redundant row.
#define LEAST_PIVOT 1e-9

void mo_semidefinite_factor(double k[MO_SEMIDEFINITE_SIZE][MO_SEMIDEFINITE_SIZE], uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    double diagonal = k[j][j], pivot = diagonal;
    double scaled[MO_SEMIDEFINITE_SIZE];
    for (uint32_t i = 0; i < j; i++) {
      scaled[i] = k[i][i] > 0.0 ? k[j][i] / k[i][i] : 0.0; // L_ji D_i
      pivot -= scaled[i] * k[j][i];
    }
    k[j][j] = pivot > LEAST_PIVOT * diagonal ? 1.0 / pivot : 0.0;
    for (uint32_t r = j + 1; r < count; r++) {
      double sum = k[r][j];
      for (uint32_t i = 0; i < j; i++) {
        sum -= k[r][i] * scaled[i];
      }
      k[r][j] = sum * k[j][j];
    }
  }
}

void mo_semidefinite_solve(const double k[MO_SEMIDEFINITE_SIZE][MO_SEMIDEFINITE_SIZE],
                           uint32_t count, double *x) {
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      x[i] -= k[i][j] * x[j];
    }
  }
  for (uint32_t i = count; i-- > 0;) {
    x[i] *= k[i][i];
    for (uint32_t j = i + 1; j < count; j++) {
      x[i] -= k[j][i] * x[j];
    }
  }
}
