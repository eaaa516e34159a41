/// From M v = H g + f to u = W g + q: mo_problem_reduce.
///
/// Each block of M adds Y^T Y to W with Y = L^-1 H of its rows.
#include "solvers/problem/mass_blocks.h"

typedef struct dense_matrix {
  double *delassus, *free_velocity;
  size_t columns;
} dense_matrix;

// W += Y^T Y, q += Y^T y of f.
static bool add_products(void *context, const mo_mass_block *block) {
  const dense_matrix *to = context;
  size_t width = (size_t)block->columns + 1;
  for (uint32_t p = 0; p < block->columns; p++) {
    double *row = &to->delassus[block->column[p] * to->columns];
    for (uint32_t i = 0; i < block->rows; i++) {
      const double *line = &block->whitened[i * width];
      for (uint32_t k = 0; k < block->columns; k++) {
        row[block->column[k]] += line[p] * line[k];
      }
      to->free_velocity[block->column[p]] += line[p] * line[block->columns];
    }
  }
  return true;
}

mo_result mo_masses_reduce(const mo_triplets *mass, const mo_triplets *jacobian,
                           const double *force, const double *offset, double *delassus,
                           double *free_velocity, mo_matrix_refusal *refused) {
  size_t columns = jacobian->columns;
  for (size_t i = 0; i < columns * columns; i++) {
    delassus[i] = 0.0;
  }
  for (size_t i = 0; i < columns; i++) {
    free_velocity[i] = offset[i];
  }
  dense_matrix to = {delassus, free_velocity, columns};
  return mo_mass_blocks_visit(mass, jacobian, force, add_products, &to, refused);
}

mo_result mo_problem_reduce(const mo_triplets *mass, const mo_triplets *transposed_jacobian,
                            const double *force, const double *offset, double *delassus,
                            double *free_velocity, const char **refused) {
  mo_matrix_refusal refusal;
  mo_result result =
      mo_masses_reduce(mass, transposed_jacobian, force, offset, delassus, free_velocity, &refusal);
  *refused = refusal.what;
  return result;
}
