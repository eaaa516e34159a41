/// The residuals, matrices and steps of the interior point method for each kind of block.
#include "math/scalar.h"
#include "solvers/cone/interior_point.h"
#include "solvers/cone/lorentz.h"

#include <string.h>

// Shift of linear rows, relative to their mean mobility, with which redundant joints can be
// factorised. It acts on steps and not on the point, so it leaves no error.
#define LINEAR_SHIFT 1e-12

// --- residuals and matrices ---------------------------------------------------------------------

void mo_interior_point_of(const mo_interior_point *ip, double *x) {
  const mo_scaled_problem *problem = ip->state->problem;
  memcpy(x, ip->x, problem->row_count * sizeof *x);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    x[problem->blocks[i].first_row] *= mo_normal_factor(&problem->blocks[i]);
  }
}

static void cone_residuals(mo_interior_point *ip, uint32_t index, const double *u) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  const double *z = ip->z + block->first_row;
  double *r2 = ip->r2 + block->first_row, *direction = ip->direction + 2 * (size_t)index;
  direction[0] = direction[1] = ip->r4[index] = 0.0;
  r2[0] = z[0] - mo_normal_factor(block) * u[0] - ip->s[index];
  if (block->kind == MO_CONE_FRICTIONLESS) {
    r2[1] = r2[2] = 0.0;
    return;
  }
  r2[1] = z[1] - u[1];
  r2[2] = z[2] - u[2];
  if (!ip->state->problem->convex) {
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    ip->r4[index] = ip->s[index] - t;
    direction[0] = t > 0.0 ? z[1] / t : 0.0;
    direction[1] = t > 0.0 ? z[2] / t : 0.0;
  }
}

void mo_interior_residuals(mo_interior_point *ip, const double *u) {
  const mo_scaled_problem *problem = ip->state->problem;
  double sum = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    if (mo_has_cone(block)) {
      cone_residuals(ip, i, u + first);
      sum += mo_lorentz_dot(ip->x + first, ip->z + first, mo_cone_dimension(block));
    } else if (block->kind == MO_CONE_INTERVAL) {
      ip->r2[first] = ip->z[first] - ip->z_upper[i] - u[first];
      sum += mo_has_lower(block) ? (ip->x[first] - block->lower) * ip->z[first] : 0.0;
      sum += mo_has_upper(block) ? (block->upper - ip->x[first]) * ip->z_upper[i] : 0.0;
    } else {
      for (uint32_t k = 0; k < block->row_count; k++) {
        bool free = block->kind == MO_CONE_LINEAR && problem->scale[first + k] > 0.0;
        ip->r2[first + k] = free ? -u[first + k] : 0.0;
      }
    }
  }
  ip->tau = sum / ip->product_count;
}

// Arw(z) and Arw(x) d(u + |u_t| e)/du, in the coordinates of the scaled problem. Arw is the arrow
// matrix of Alizadeh and Goldfarb (2003).
static void cone_matrices(mo_interior_point *ip, uint32_t index) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row;
  const double *x = ip->x + first, *z = ip->z + first;
  const double *th = ip->direction + 2 * (size_t)index;
  double factor = mo_normal_factor(block);
  for (uint32_t k = 0; k < 3; k++) {
    *mo_block_entry(ip->state->system.a, first, k, 0) = z[k] / factor;
    *mo_block_entry(ip->state->system.b, first, k, 0) = x[k] * factor;
    for (uint32_t j = 1; j < 3; j++) {
      double arw_x = k == 0 ? x[j] : k == j ? x[0] : 0.0;
      *mo_block_entry(ip->state->system.a, first, k, j) = k == 0 ? z[j] : k == j ? z[0] : 0.0;
      *mo_block_entry(ip->state->system.b, first, k, j) = arw_x + x[k] * th[j - 1];
    }
  }
}

// Weights of both bounds of an interval in its row: the distances to them, scaled to at most 1.
static void interval_weights(const mo_interior_point *ip, const mo_cone_block *block,
                             double *at_lower, double *at_upper, double *both) {
  double to_lower = ip->x[block->first_row] - block->lower;
  double to_upper = block->upper - ip->x[block->first_row];
  if (!mo_has_upper(block)) {
    *at_lower = 1.0, *at_upper = 0.0, *both = to_lower;
  } else if (!mo_has_lower(block)) {
    *at_lower = 0.0, *at_upper = 1.0, *both = to_upper;
  } else {
    *at_lower = to_upper / (to_lower + to_upper);
    *at_upper = to_lower / (to_lower + to_upper);
    *both = to_lower * *at_lower;
  }
}

static void set_diagonal(mo_interior_point *ip, uint32_t first, uint32_t k, double a, double b) {
  *mo_block_entry(ip->state->system.a, first, k, k) = a;
  *mo_block_entry(ip->state->system.b, first, k, k) = b;
}

void mo_interior_matrices(mo_interior_point *ip) {
  const mo_scaled_problem *problem = ip->state->problem;
  mo_newton_system *system = &ip->state->system;
  memset(system->a, 0, MO_BLOCK_ROWS * (size_t)problem->row_count * sizeof *system->a);
  memset(system->b, 0, MO_BLOCK_ROWS * (size_t)problem->row_count * sizeof *system->b);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    double at_lower, at_upper, both;
    switch (block->kind) {
    case MO_CONE_COULOMB:
      cone_matrices(ip, i);
      break;
    case MO_CONE_FRICTIONLESS:
      set_diagonal(ip, first, 0, ip->z[first], ip->x[first]);
      set_diagonal(ip, first, 1, 1.0, 0.0);
      set_diagonal(ip, first, 2, 1.0, 0.0);
      break;
    case MO_CONE_INTERVAL:
      interval_weights(ip, block, &at_lower, &at_upper, &both);
      set_diagonal(ip, first, 0, at_lower * ip->z[first] + at_upper * ip->z_upper[i], both);
      break;
    default:
      for (uint32_t k = 0; k < block->row_count; k++) {
        bool free = block->kind == MO_CONE_LINEAR && problem->scale[first + k] > 0.0;
        set_diagonal(ip, first, k, free ? LINEAR_SHIFT : 1.0, free ? 1.0 : 0.0);
      }
    }
  }
}

// --- right-hand sides and steps -----------------------------------------------------------------

static void cone_right(mo_interior_point *ip, uint32_t index, double target, double correction) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row, dimension = mo_cone_dimension(block);
  const double *x = ip->x + first, *th = ip->direction + 2 * (size_t)index;
  double product[3], infeasible[3], shifted[3] = {ip->r2[first], 0.0, 0.0};
  mo_lorentz_product(x, ip->z + first, dimension, product);
  if (dimension == 3) {
    shifted[1] = ip->r2[first + 1];
    shifted[2] = ip->r2[first + 2];
    shifted[0] += th[0] * shifted[1] + th[1] * shifted[2];
  }
  mo_lorentz_product(x, shifted, dimension, infeasible);
  for (uint32_t k = 0; k < block->row_count; k++) {
    bool used = k < dimension;
    ip->right_z[first + k] =
        used ? (k == 0 ? target : 0.0) - product[k] - correction * ip->affine[first + k] : 0.0;
    ip->right[first + k] =
        used ? ip->right_z[first + k] + infeasible[k] + ip->r4[index] * x[k] : 0.0;
  }
}

static void interval_right(mo_interior_point *ip, uint32_t index, double target,
                           double correction) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row;
  double at_lower, at_upper, both;
  interval_weights(ip, block, &at_lower, &at_upper, &both);
  ip->right_z[first] = ip->right_upper[index] = 0.0;
  if (mo_has_lower(block)) {
    ip->right_z[first] =
        target - (ip->x[first] - block->lower) * ip->z[first] - correction * ip->affine[first];
  }
  if (mo_has_upper(block)) {
    ip->right_upper[index] = target - (block->upper - ip->x[first]) * ip->z_upper[index] -
                             correction * ip->affine_upper[index];
  }
  ip->right[first] =
      at_lower * ip->right_z[first] - at_upper * ip->right_upper[index] + both * ip->r2[first];
}

void mo_interior_right(mo_interior_point *ip, double target, double correction) {
  const mo_scaled_problem *problem = ip->state->problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    if (mo_has_cone(block)) {
      cone_right(ip, i, target, correction);
    } else if (block->kind == MO_CONE_INTERVAL) {
      interval_right(ip, i, target, correction);
    } else {
      memcpy(ip->right + block->first_row, ip->r2 + block->first_row,
             block->row_count * sizeof *ip->right);
    }
  }
}

// dz = d(u + |u_t| e)/du (W dx - r2) - r4 e, ds = direction . dz_t - r4
static void cone_expand(mo_interior_point *ip, uint32_t index, mo_interior_step *step) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row;
  const double *th = ip->direction + 2 * (size_t)index, *wy = ip->wy + first;
  const double *r2 = ip->r2 + first;
  double *dx = step->x + first, *dz = step->z + first;
  double factor = mo_normal_factor(block);
  dx[0] = ip->y[first] / factor;
  dz[0] = factor * wy[0] - r2[0] - ip->r4[index];
  dx[1] = dx[2] = dz[1] = dz[2] = step->s[index] = 0.0;
  if (block->kind == MO_CONE_COULOMB) {
    for (int k = 1; k < 3; k++) {
      dx[k] = ip->y[first + (uint32_t)k];
      dz[k] = wy[k] - r2[k];
      dz[0] += th[k - 1] * dz[k];
      step->s[index] += th[k - 1] * dz[k];
    }
    step->s[index] -= ip->r4[index];
  }
}

// The multiplier of the farther bound follows from its product, the other one from the row: this
// avoids cancellation.
static void interval_expand(mo_interior_point *ip, uint32_t index, mo_interior_step *step) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row;
  double dx = ip->y[first], difference = ip->wy[first] - ip->r2[first];
  double to_lower = ip->x[first] - block->lower, to_upper = block->upper - ip->x[first];
  step->x[first] = dx;
  if (!mo_has_upper(block) || (mo_has_lower(block) && to_lower <= to_upper)) {
    step->z_upper[index] =
        mo_has_upper(block) ? (ip->right_upper[index] + ip->z_upper[index] * dx) / to_upper : 0.0;
    step->z[first] = difference + step->z_upper[index];
  } else {
    step->z[first] =
        mo_has_lower(block) ? (ip->right_z[first] - ip->z[first] * dx) / to_lower : 0.0;
    step->z_upper[index] = step->z[first] - difference;
  }
}

void mo_interior_expand(mo_interior_point *ip, mo_interior_step *step) {
  const mo_scaled_problem *problem = ip->state->problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    step->s[i] = step->z_upper[i] = 0.0;
    if (mo_has_cone(block)) {
      cone_expand(ip, i, step);
    } else if (block->kind == MO_CONE_INTERVAL) {
      interval_expand(ip, i, step);
    } else {
      for (uint32_t row = block->first_row; row < block->first_row + block->row_count; row++) {
        step->x[row] = ip->y[row];
        step->z[row] = 0.0;
      }
    }
  }
}

// --- step lengths -------------------------------------------------------------------------------

static double interval_max_step(const mo_interior_point *ip, uint32_t index,
                                const mo_interior_step *step) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row;
  double most = INFINITY, dx = step->x[first];
  if (mo_has_lower(block)) {
    double distance = ip->x[first] - block->lower;
    most = mo_min(most, mo_lorentz_max_step(&distance, &dx, 1));
    most = mo_min(most, mo_lorentz_max_step(&ip->z[first], &step->z[first], 1));
  }
  if (mo_has_upper(block)) {
    double distance = block->upper - ip->x[first], closing = -dx;
    most = mo_min(most, mo_lorentz_max_step(&distance, &closing, 1));
    most = mo_min(most, mo_lorentz_max_step(&ip->z_upper[index], &step->z_upper[index], 1));
  }
  return most;
}

double mo_interior_max_step(const mo_interior_point *ip, const mo_interior_step *step) {
  const mo_scaled_problem *problem = ip->state->problem;
  double most = INFINITY;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    if (mo_has_cone(block)) {
      uint32_t dimension = mo_cone_dimension(block);
      most = mo_min(mo_lorentz_max_step(ip->x + first, step->x + first, dimension), most);
      most = mo_min(mo_lorentz_max_step(ip->z + first, step->z + first, dimension), most);
    } else if (block->kind == MO_CONE_INTERVAL) {
      most = mo_min(interval_max_step(ip, i, step), most);
    }
  }
  return most;
}

static double cone_product(const mo_interior_point *ip, const mo_cone_block *block,
                           const mo_interior_step *step, double part, double *smallest) {
  uint32_t first = block->first_row, dimension = mo_cone_dimension(block);
  double x[3], z[3];
  for (uint32_t k = 0; k < dimension; k++) {
    x[k] = ip->x[first + k] + part * step->x[first + k];
    z[k] = ip->z[first + k] + part * step->z[first + k];
  }
  double det_x = mo_max(mo_lorentz_det(x, dimension), 0.0);
  double det_z = mo_max(mo_lorentz_det(z, dimension), 0.0);
  *smallest = mo_min(*smallest, sqrt(det_x) * sqrt(det_z));
  return mo_lorentz_dot(x, z, dimension);
}

static double interval_product(const mo_interior_point *ip, uint32_t index,
                               const mo_interior_step *step, double part, double *smallest) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  uint32_t first = block->first_row;
  double x = ip->x[first] + part * step->x[first], sum = 0.0;
  if (mo_has_lower(block)) {
    double product = (x - block->lower) * (ip->z[first] + part * step->z[first]);
    *smallest = mo_min(*smallest, product);
    sum += product;
  }
  if (mo_has_upper(block)) {
    double product = (block->upper - x) * (ip->z_upper[index] + part * step->z_upper[index]);
    *smallest = mo_min(*smallest, product);
    sum += product;
  }
  return sum;
}

double mo_interior_products(const mo_interior_point *ip, const mo_interior_step *step, double part,
                            double *smallest) {
  const mo_scaled_problem *problem = ip->state->problem;
  double sum = 0.0;
  *smallest = INFINITY;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    if (mo_has_cone(block)) {
      sum += cone_product(ip, block, step, part, smallest);
    } else if (block->kind == MO_CONE_INTERVAL) {
      sum += interval_product(ip, i, step, part, smallest);
    }
  }
  return sum / ip->product_count;
}

void mo_interior_keep_affine(mo_interior_point *ip, const mo_interior_step *step) {
  const mo_scaled_problem *problem = ip->state->problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    if (mo_has_cone(block)) {
      mo_lorentz_product(step->x + first, step->z + first, mo_cone_dimension(block),
                         ip->affine + first);
    } else if (block->kind == MO_CONE_INTERVAL) {
      ip->affine[first] = step->x[first] * step->z[first];
      ip->affine_upper[i] = -step->x[first] * step->z_upper[i];
    }
  }
}
