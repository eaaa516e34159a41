#include "solvers/contact_problem.h"

#include "math/scalar.h"
#include "solvers/friction_cone.h"

#include <string.h>

static double dot6(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void add_scaled6(double *out, double s, const double *a) {
  for (int i = 0; i < 6; i++) {
    out[i] += s * a[i];
  }
}

static const double *row_of(const double *jacobian, uint32_t row) {
  return &jacobian[6 * (size_t)row];
}

double mo_contact_problem_mobility(const mo_contact_problem *problem, uint32_t row) {
  double softening = problem->softening[row];
  if (problem->delassus) {
    return problem->delassus[(size_t)row * problem->row_count + row] + softening;
  }
  double sum = 0.0;
  for (uint32_t pair = 0; pair < mo_contact_problem_pairs(problem); pair++) {
    const double *a = row_of(problem->jacobian[2 * (size_t)pair], row);
    const double *b = row_of(problem->jacobian[2 * (size_t)pair + 1], row);
    sum += dot6(a, a) + dot6(b, b);
  }
  return sum + softening;
}

static void multiply_matrix(const mo_contact_problem *problem, const double *x, double *w) {
  uint32_t n = problem->row_count;
  for (uint32_t i = 0; i < n; i++) {
    const double *row = &problem->delassus[(size_t)i * n];
    double sum = 0.0;
    for (uint32_t k = 0; k < n; k++) {
      sum += row[k] * x[k];
    }
    w[i] = sum;
  }
}

// v += J^T x for one pair of bodies of all blocks.
static void add_impulses(const mo_contact_problem *problem, uint32_t pair, const double *x,
                         double *body_velocities) {
  const double *const *jacobian = &problem->jacobian[2 * (size_t)pair];
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    mo_body_pair of_block = mo_contact_problem_pair(problem, i, pair);
    uint32_t a = of_block.bodies[0], b = of_block.bodies[1];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      if (a != MO_NO_BODY) {
        add_scaled6(&body_velocities[6 * (size_t)a], x[k], row_of(jacobian[0], k));
      }
      if (b != MO_NO_BODY) {
        add_scaled6(&body_velocities[6 * (size_t)b], x[k], row_of(jacobian[1], k));
      }
    }
  }
}

// w += J v for the same.
static void add_velocities(const mo_contact_problem *problem, uint32_t pair,
                           const double *body_velocities, double *w) {
  const double *const *jacobian = &problem->jacobian[2 * (size_t)pair];
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    mo_body_pair of_block = mo_contact_problem_pair(problem, i, pair);
    uint32_t a = of_block.bodies[0], b = of_block.bodies[1];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      if (a != MO_NO_BODY) {
        w[k] += dot6(row_of(jacobian[0], k), &body_velocities[6 * (size_t)a]);
      }
      if (b != MO_NO_BODY) {
        w[k] += dot6(row_of(jacobian[1], k), &body_velocities[6 * (size_t)b]);
      }
    }
  }
}

static void multiply_jacobians(const mo_contact_problem *problem, const double *x, double *w,
                               double *body_velocities) {
  memset(body_velocities, 0, 6 * (size_t)problem->body_count * sizeof *body_velocities);
  memset(w, 0, problem->row_count * sizeof *w);
  for (uint32_t pair = 0; pair < mo_contact_problem_pairs(problem); pair++) {
    add_impulses(problem, pair, x, body_velocities);
  }
  for (uint32_t pair = 0; pair < mo_contact_problem_pairs(problem); pair++) {
    add_velocities(problem, pair, body_velocities, w);
  }
}

void mo_contact_problem_velocities(const mo_contact_problem *problem, const double *impulses,
                                   double *velocities, double *work) {
  if (problem->delassus) {
    multiply_matrix(problem, impulses, velocities);
  } else {
    multiply_jacobians(problem, impulses, velocities, work);
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    velocities[i] += problem->free_velocity[i] + problem->softening[i] * impulses[i];
  }
}

static void enforce_block(const mo_row_block *block, double *x) {
  switch (block->bound) {
  case MO_BOUND_CONE: {
    double y[3] = {x[0], x[1], x[2]};
    mo_project_friction_cone(y, block->friction, x, NULL);
    break;
  }
  case MO_BOUND_UNILATERAL:
    x[0] = mo_max(0.0, x[0]);
    break;
  case MO_BOUND_BOX:
    x[0] = mo_clamp(x[0], block->lower, block->upper);
    break;
  case MO_BOUND_BILATERAL:
    break;
  }
}

void mo_contact_problem_enforce_bounds(const mo_contact_problem *problem) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    enforce_block(&problem->blocks[i], &problem->impulse[problem->blocks[i].first_row]);
  }
}
