/// The starting points of the interior point method.
#include "math/scalar.h"
#include "solvers/cone/interior_point.h"

#include <string.h>
static void measure_problem(mo_interior_point *ip) {
  const mo_scaled_problem *problem = ip->state->problem;
  ip->size = 0.0;
  ip->product_count = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      double factor = k == 0 ? mo_normal_factor(block) : 1.0;
      ip->size = mo_max(ip->size, factor * fabs(problem->free_velocity[block->first_row + k]));
    }
    if (mo_has_cone(block)) {
      ip->product_count++;
    } else if (block->kind == MO_CONE_INTERVAL) {
      ip->product_count += (uint32_t)mo_has_lower(block) + (uint32_t)mo_has_upper(block);
    }
  }
}

// Moves x inside [lower, upper], at least `margin` from both or as far as there is room.
static double inside(double x, const mo_cone_block *block, double margin) {
  double room = block->upper - block->lower;
  margin = mo_is_finite(room) ? mo_min(margin, 0.25 * room) : margin;
  return mo_clamp(x, block->lower + margin, block->upper - margin);
}

// Moves an arbitrary x inside the block's set; `size` is that of typical impulses.
static void begin_block(mo_interior_point *ip, uint32_t index, double size) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  double *x = ip->x + block->first_row, *z = ip->z + block->first_row;
  ip->s[index] = 0.0;
  switch (block->kind) {
  case MO_CONE_COULOMB:
    x[0] = mo_max(mo_max(x[0], 1.5 * sqrt(x[1] * x[1] + x[2] * x[2])), size);
    z[0] = ip->size;
    ip->s[index] = ip->state->problem->convex ? 0.0 : 0.1 * ip->size;
    break;
  case MO_CONE_FRICTIONLESS:
    x[0] = mo_max(x[0], size);
    x[1] = x[2] = 0.0;
    z[0] = ip->size;
    break;
  case MO_CONE_INTERVAL:
    x[0] = inside(x[0], block, size);
    z[0] = mo_has_lower(block) ? ip->size : 0.0;
    ip->z_upper[index] = mo_has_upper(block) ? ip->size : 0.0;
    break;
  case MO_CONE_FIXED:
    x[0] = block->lower;
    break;
  case MO_CONE_LINEAR:
    break;
  case MO_CONE_IMMOVABLE:
    memset(x, 0, block->row_count * sizeof *x);
    break;
  }
}

// x = -(W + 1e-6)^-1 q in the coordinates of the Lorentz cones; 0 if the factorisation fails.
static void begin_least_squares(mo_interior_point *ip) {
  const mo_scaled_problem *problem = ip->state->problem;
  mo_newton_system *system = &ip->state->system;
  size_t bytes = MO_BLOCK_ROWS * (size_t)problem->row_count * sizeof *system->a;
  memset(system->a, 0, bytes);
  memset(system->b, 0, bytes);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      uint32_t row = block->first_row + k;
      double factor = k == 0 ? mo_normal_factor(block) : 1.0;
      bool moves = problem->scale[row] > 0.0;
      *mo_block_entry(system->a, block->first_row, k, k) = moves ? 1e-6 / (factor * factor) : 1.0;
      *mo_block_entry(system->b, block->first_row, k, k) = moves ? 1.0 : 0.0;
      ip->right[row] = -problem->free_velocity[row];
    }
  }
  if (!mo_newton_factorise(system) || !mo_newton_solve(system, ip->right, ip->y)) {
    return;
  }
  memcpy(ip->x, ip->y, problem->row_count * sizeof *ip->x);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    ip->x[problem->blocks[i].first_row] /= mo_normal_factor(&problem->blocks[i]);
  }
}

// Eigenvalues of the point of the central path whose difference x - z is y: x = (y + sqrt(y^2 + 4
// tau)) / 2 and z = x - y, so that x z = tau (Chen, Harker, Kanzow, Smale).
static void split_eigenvalue(double y, double tau, double *x, double *z) {
  double root = sqrt(y * y + 4.0 * tau);
  double larger = 0.5 * (fabs(y) + root), smaller = tau / larger;
  *x = y >= 0.0 ? larger : smaller;
  *z = y >= 0.0 ? smaller : larger;
}

static void begin_cone_near(mo_interior_point *ip, uint32_t index, const double *u, double tau) {
  const mo_cone_block *block = &ip->state->problem->blocks[index];
  double *x = ip->x + block->first_row, *z = ip->z + block->first_row;
  if (block->kind == MO_CONE_FRICTIONLESS) {
    split_eigenvalue(x[0] - u[0], tau, &x[0], &z[0]);
    x[1] = x[2] = 0.0;
    return;
  }
  double slip = sqrt(u[1] * u[1] + u[2] * u[2]), factor = mo_normal_factor(block);
  ip->s[index] = ip->state->problem->convex ? 0.0 : slip;
  double y[3] = {x[0] - factor * u[0] - ip->s[index], x[1] - u[1], x[2] - u[2]};
  double t = sqrt(y[1] * y[1] + y[2] * y[2]), x1, x2, z1, z2;
  split_eigenvalue(y[0] - t, tau, &x1, &z1);
  split_eigenvalue(y[0] + t, tau, &x2, &z2);
  x[0] = 0.5 * (x1 + x2);
  z[0] = 0.5 * (z1 + z2);
  for (int k = 1; k < 3; k++) {
    double th = t > 0.0 ? y[k] / t : 0.0;
    x[k] = 0.5 * (x2 - x1) * th;
    z[k] = 0.5 * (z1 - z2) * th;
  }
}

// A point that is on the central path except for its velocities, near a point with known residual.
// If the active set of the last step is almost that of this one, most of the path can be skipped.
static void begin_near(mo_interior_point *ip, mo_interior_options options) {
  mo_cone_state *state = ip->state;
  const mo_scaled_problem *problem = state->problem;
  mo_scaled_velocity(problem, options.x, state->u);
  double worst = mo_natural_map(problem, options.x, state->u, 1.0, state->f, NULL, NULL);
  double tau = options.size * worst * options.size * worst;
  memcpy(ip->x, options.x, problem->row_count * sizeof *ip->x);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    double *x = ip->x + block->first_row, *z = ip->z + block->first_row;
    if (mo_has_cone(block)) {
      x[0] /= mo_normal_factor(block);
      begin_cone_near(ip, i, state->u + block->first_row, tau);
      continue;
    }
    begin_block(ip, i, options.size * worst);
    if (block->kind == MO_CONE_INTERVAL) {
      z[0] = mo_has_lower(block) ? tau / (x[0] - block->lower) : 0.0;
      ip->z_upper[i] = mo_has_upper(block) ? tau / (block->upper - x[0]) : 0.0;
    }
  }
}

void mo_interior_begin(mo_interior_point *ip, mo_interior_options options) {
  const mo_scaled_problem *problem = ip->state->problem;
  measure_problem(ip);
  memset(ip->x, 0, problem->row_count * sizeof *ip->x);
  memset(ip->z, 0, problem->row_count * sizeof *ip->z);
  memset(ip->z_upper, 0, problem->block_count * sizeof *ip->z_upper);
  memset(ip->s, 0, problem->block_count * sizeof *ip->s);
  if (options.start == MO_INTERIOR_NEAR) {
    begin_near(ip, options);
    return;
  }
  double size = options.size * ip->size;
  if (options.start == MO_INTERIOR_LEAST_SQUARES) {
    size = 0.1 * ip->size;
    begin_least_squares(ip);
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    begin_block(ip, i, size);
  }
}
