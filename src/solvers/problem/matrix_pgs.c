#include "solvers/problem/matrix_pgs.h"

#include "math/scalar.h"

static double entry(const mo_contact_problem *p, uint32_t i, uint32_t k) {
  return p->delassus[(size_t)i * p->row_count + k];
}

static double velocity(const mo_contact_problem *p, uint32_t row) {
  double w = p->free_velocity[row] + p->softening[row] * p->impulse[row];
  for (uint32_t k = 0; k < p->row_count; k++) {
    w += entry(p, row, k) * p->impulse[k];
  }
  return w;
}

// Each relaxation returns the change of a row's velocity, m/s.

static double relax_normal(mo_contact_problem *p, uint32_t row) {
  double mobility = mo_contact_problem_mobility(p, row);
  if (!(mobility > 0.0)) {
    return 0.0;
  }
  double wanted = mo_max(0.0, p->impulse[row] - velocity(p, row) / mobility);
  double change = wanted - p->impulse[row];
  p->impulse[row] = wanted;
  return fabs(change) * mobility;
}

static double relax_friction(mo_contact_problem *p, const mo_row_block *block) {
  uint32_t t1 = block->first_row + 1, t2 = block->first_row + 2;
  double a = mo_contact_problem_mobility(p, t1), c = mo_contact_problem_mobility(p, t2);
  double rho = 0.5 * (a + c) + sqrt(mo_square(0.5 * (a - c)) + mo_square(entry(p, t1, t2)));
  if (!(rho > 0.0)) {
    return 0.0;
  }
  double radius = block->friction * p->impulse[block->first_row];
  double x = p->impulse[t1] - velocity(p, t1) / rho;
  double y = p->impulse[t2] - velocity(p, t2) / rho;
  double length = sqrt(x * x + y * y);
  double scale = length > radius ? radius / length : 1.0;
  double dx = scale * x - p->impulse[t1], dy = scale * y - p->impulse[t2];
  p->impulse[t1] += dx;
  p->impulse[t2] += dy;
  return sqrt(dx * dx + dy * dy) * rho;
}

// The last normal steps may have made the discs smaller.
static void project_friction(mo_contact_problem *p) {
  for (uint32_t i = 0; i < p->block_count; i++) {
    const mo_row_block *block = &p->blocks[i];
    double *x = &p->impulse[block->first_row];
    if (block->bound == MO_BOUND_CONE) {
      double radius = block->friction * x[0], length = sqrt(x[1] * x[1] + x[2] * x[2]);
      double scale = length > radius ? radius / length : 1.0;
      x[1] *= scale;
      x[2] *= scale;
    }
  }
}

mo_solve_result mo_matrix_pgs_solve(mo_contact_problem *problem,
                                    const mo_solver_settings *settings) {
  mo_solve_result result = {.result = MO_OK, .status = MO_SOLVE_BUDGET};
  while (result.iterations < settings->max_iterations) {
    double moved = 0.0;
    for (uint32_t i = 0; i < problem->block_count; i++) {
      const mo_row_block *block = &problem->blocks[i];
      if (block->bound == MO_BOUND_CONE) {
        moved = mo_max(moved, relax_friction(problem, block));
      }
      moved = mo_max(moved, relax_normal(problem, block->first_row));
    }
    result.iterations++;
    if (moved <= settings->tolerance) {
      result.status = MO_SOLVE_CONVERGED;
      break;
    }
  }
  project_friction(problem);
  return result;
}
