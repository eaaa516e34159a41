/// The dense backend of the Newton systems: LU of A + B W.
#include "math/scalar.h"
#include "solvers/cone/newton_system.h"
#include "solvers/linear/dense_kernels.h"

static double *form_delassus(const mo_scaled_problem *problem, mo_arena *arena) {
  size_t n = problem->row_count;
  double *w = mo_arena_take_matrix(arena, n, n);
  for (uint32_t i = 0; w && i < problem->block_count; i++) {
    const mo_cone_block *block_i = &problem->blocks[i];
    for (uint32_t j = 0; j < problem->block_count; j++) {
      const mo_cone_block *block_j = &problem->blocks[j];
      for (uint32_t p = block_i->first_row; p < block_i->first_row + block_i->row_count; p++) {
        for (uint32_t q = block_j->first_row; q < block_j->first_row + block_j->row_count; q++) {
          w[p * n + q] = mo_scaled_entry(problem, block_i, p, block_j, q);
        }
      }
    }
  }
  return w;
}

const double *mo_newton_delassus(mo_newton_system *system) {
  const mo_scaled_problem *problem = system->problem;
  if (!system->delassus) {
    system->delassus =
        problem->delassus ? problem->delassus : form_delassus(problem, system->arena);
  }
  return system->delassus;
}

bool mo_newton_dense_create(mo_newton_system *system) {
  const mo_scaled_problem *problem = system->problem;
  system->row_scaling = MO_ARENA_TAKE(system->arena, double, problem->row_count);
  if (!system->row_scaling || !mo_dense_lu_create(&system->lu, problem->row_count, system->arena)) {
    return false;
  }
  return mo_newton_delassus(system) != NULL;
}

// One factor for all rows of a block: with separate ones, mass ratios that alternate by 1e6 stop at
// 4e-2 m/s.
static double block_scaling(const mo_newton_system *system, const mo_cone_block *block) {
  double largest = 0.0;
  for (uint32_t k = 0; k < block->row_count; k++) {
    for (uint32_t j = 0; j < block->row_count; j++) {
      largest = mo_max(largest, fabs(*mo_block_entry(system->a, block->first_row, k, j)));
      largest = mo_max(largest, fabs(*mo_block_entry(system->b, block->first_row, k, j)));
    }
  }
  return largest > 0.0 ? 1.0 / largest : 1.0;
}

// The rows of A + B W that belong to a block.
static void form_block_rows(mo_newton_system *system, const mo_cone_block *block) {
  const mo_scaled_problem *problem = system->problem;
  size_t n = problem->row_count;
  double scaling = block_scaling(system, block);
  for (uint32_t k = 0; k < block->row_count; k++) {
    uint32_t row = block->first_row + k;
    double *out = system->lu.matrix + row * system->lu.stride;
    system->row_scaling[row] = scaling;
    memset(out, 0, n * sizeof *out);
    for (uint32_t j = 0; j < block->row_count; j++) {
      uint32_t column = block->first_row + j;
      double b = scaling * *mo_block_entry(system->b, block->first_row, k, j);
      if (b != 0.0) {
        mo_dense_add_scaled(out, b, system->delassus + column * n, n);
      }
      out[column] += scaling * *mo_block_entry(system->a, block->first_row, k, j) +
                     b * problem->softening[column];
    }
  }
}

bool mo_newton_dense_factorise(mo_newton_system *system) {
  for (uint32_t i = 0; i < system->problem->block_count; i++) {
    form_block_rows(system, &system->problem->blocks[i]);
  }
  return mo_dense_lu_factorise(&system->lu);
}

void mo_newton_dense_solve(mo_newton_system *system, double *x) {
  for (uint32_t i = 0; i < system->problem->row_count; i++) {
    x[i] *= system->row_scaling[i];
  }
  mo_dense_lu_solve(&system->lu, x);
}
