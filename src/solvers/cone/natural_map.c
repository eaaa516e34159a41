#include "solvers/cone/natural_map.h"

#include "math/scalar.h"
#include "solvers/cone/newton_system.h"

#include <string.h>

// Slower slip (scaled) has no direction.
#define NO_SLIP 1e-14

// --- blocks -------------------------------------------------------------------------------------

static void cone_map(const mo_scaled_problem *problem, const mo_cone_block *block, const double *x,
                     const double *u, double r, double *f, double *a, double *b) {
  double mu = block->friction, slip = sqrt(u[1] * u[1] + u[2] * u[2]);
  double shift = problem->convex ? 0.0 : mu * slip;
  double y[3] = {x[0] - r * (u[0] + shift), x[1] - r * u[1], x[2] - r * u[2]};
  double p[3], d[9];
  mo_project_friction_cone(y, mu, p, a ? d : NULL);
  for (int k = 0; k < 3; k++) {
    f[k] = x[k] - p[k];
  }
  if (!a) {
    return;
  }
  // d u^ / d u = I + mu n (u_t / |u_t|)^T
  bool directed = !problem->convex && slip >= NO_SLIP;
  double s1 = directed ? mu * u[1] / slip : 0.0, s2 = directed ? mu * u[2] / slip : 0.0;
  for (uint32_t k = 0; k < 3; k++) {
    const double *dk = d + (size_t)3 * k;
    for (uint32_t j = 0; j < 3; j++) {
      *mo_block_entry(a, block->first_row, k, j) = (k == j ? 1.0 : 0.0) - dk[j];
    }
    *mo_block_entry(b, block->first_row, k, 0) = r * dk[0];
    *mo_block_entry(b, block->first_row, k, 1) = r * (dk[1] + dk[0] * s1);
    *mo_block_entry(b, block->first_row, k, 2) = r * (dk[2] + dk[0] * s2);
  }
}

// F and its diagonal matrices for one row.
static void set_row(uint32_t first, uint32_t k, uint32_t row_count, double *a, double *b, double da,
                    double db) {
  for (uint32_t j = 0; a && j < row_count; j++) {
    *mo_block_entry(a, first, k, j) = j == k ? da : 0.0;
    *mo_block_entry(b, first, k, j) = j == k ? db : 0.0;
  }
}

// The same laws as the functions of Alart and Curnier (1991), whose numbers stay of one size for
// steep cones: F_n = x_n - max(0, x_n - r u_n), and F_t = x_t - P(x_t - r u_t) with P the
// projection on the disc of radius friction x_n.
static void steep_map(const mo_cone_block *block, const double *x, const double *u, double r,
                      double *f, double *a, double *b) {
  double s[3] = {0.0, x[1] - r * u[1], x[2] - r * u[2]}, t = sqrt(s[1] * s[1] + s[2] * s[2]);
  double radius = block->friction * mo_max(x[0], 0.0);
  bool closed = x[0] - r * u[0] > 0.0, slides = t > radius;
  double part = slides ? radius / t : 1.0;
  f[0] = closed ? r * u[0] : x[0];
  f[1] = x[1] - part * s[1];
  f[2] = x[2] - part * s[2];
  set_row(block->first_row, 0, 3, a, b, closed ? 0.0 : 1.0, closed ? r : 0.0);
  for (uint32_t k = 1; a && k < 3; k++) {
    set_row(block->first_row, k, 3, a, b, 1.0, 0.0);
    // d P = part (1 - s s^T / t^2) d s + friction s / t d x_n; without slip it is d s
    for (uint32_t j = 1; j < 3; j++) {
      double along = slides ? s[k] * s[j] / (t * t) : 0.0;
      double slope = part * ((k == j ? 1.0 : 0.0) - along);
      *mo_block_entry(a, block->first_row, k, j) -= slope;
      *mo_block_entry(b, block->first_row, k, j) = r * slope;
    }
    double push = slides && x[0] > 0.0 ? block->friction * s[k] / t : 0.0;
    *mo_block_entry(a, block->first_row, k, 0) = -push;
  }
}

static void interval_map(const mo_cone_block *block, const double *x, const double *u, double r,
                         double *f, double *a, double *b) {
  double y = x[0] - r * u[0];
  bool inside = y > block->lower && y < block->upper;
  f[0] = x[0] - mo_clamp(y, block->lower, block->upper);
  set_row(block->first_row, 0, 1, a, b, inside ? 0.0 : 1.0, inside ? r : 0.0);
}

static void block_map(const mo_scaled_problem *problem, const mo_cone_block *block, const double *x,
                      const double *u, double r, double *f, double *a, double *b) {
  switch (block->kind) {
  case MO_CONE_COULOMB:
    if (block->friction > MO_STEEP_FRICTION && !problem->convex) {
      steep_map(block, x, u, r, f, a, b);
      break;
    }
    cone_map(problem, block, x, u, r, f, a, b);
    break;
  case MO_CONE_FRICTIONLESS:
    cone_map(problem, block, x, u, r, f, a, b);
    break;
  case MO_CONE_INTERVAL:
  case MO_CONE_FIXED:
    interval_map(block, x, u, r, f, a, b);
    break;
  case MO_CONE_LINEAR:
  case MO_CONE_IMMOVABLE:
    for (uint32_t k = 0; k < block->row_count; k++) {
      bool moves = problem->scale[block->first_row + k] > 0.0;
      f[k] = moves ? r * u[k] : x[k];
      set_row(block->first_row, k, block->row_count, a, b, moves ? 0.0 : 1.0, moves ? r : 0.0);
    }
    break;
  }
}

static double length_of(const double *f, uint32_t count) {
  double sum = 0.0;
  for (uint32_t k = 0; k < count; k++) {
    sum += f[k] * f[k];
  }
  return sqrt(sum);
}

double mo_natural_map(const mo_scaled_problem *problem, const double *x, const double *u, double r,
                      double *f, double *a, double *b) {
  double worst = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    block_map(problem, block, x + first, u + first, r, f + first, a, b);
    worst = mo_max(length_of(f + first, block->row_count), worst);
  }
  return worst;
}

// Friction beyond which the certificate uses both laws separately, because the natural map is no
// longer a velocity.
#define NATURAL_FRICTION 1.0

static double block_error(const mo_scaled_problem *problem, const mo_cone_block *block,
                          const double *x, const double *u) {
  double f[MO_BLOCK_ROWS] = {0.0};
  if (block->kind == MO_CONE_COULOMB && block->friction > NATURAL_FRICTION && !problem->convex) {
    steep_map(block, x, u, 1.0, f, NULL, NULL);
  } else {
    block_map(problem, block, x, u, 1.0, f, NULL, NULL);
  }
  return length_of(f, block->row_count);
}

// The largest |velocity| of linear rows, m/s. Adds their squares.
static double linear_error(const mo_scaled_problem *problem, const mo_cone_block *block,
                           const double *u, double *squares) {
  double worst = 0.0;
  for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
    double scale = problem->scale[k];
    worst = mo_max(worst, scale > 0.0 ? fabs(u[k]) / scale : 0.0);
    *squares += scale > 0.0 ? mo_square(u[k] / scale) : 0.0;
  }
  return worst;
}

double mo_natural_error(const mo_scaled_problem *problem, const double *x, const double *u,
                        double *length) {
  double worst = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    double error = 0.0;
    if (block->kind == MO_CONE_LINEAR) {
      error = linear_error(problem, block, u, &squares);
    } else if (block->kind != MO_CONE_IMMOVABLE) {
      error = block_error(problem, block, x + first, u + first) / problem->scale[first];
      squares += error * error;
    }
    // Written so that NaN counts as the worst.
    worst = error <= worst ? worst : error;
    if (!mo_is_finite(worst)) {
      worst = squares = INFINITY;
      break;
    }
  }
  if (length) {
    *length = sqrt(squares);
  }
  return worst;
}
