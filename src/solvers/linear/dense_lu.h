/// LU factorisation of dense general matrices with partial pivoting.
#pragma once

#include "memory/arena.h"

#include <stdbool.h>
#include <stdint.h>

/// A square matrix by rows and its factors in the same place: P A = L U.
typedef struct mo_dense_lu {
  uint32_t size;
  size_t stride;    ///< doubles from row to row
  double *matrix;   ///< in: A; after mo_dense_lu_factorise: L (unit diagonal) and U
  uint32_t *pivots; ///< row k was exchanged with row pivots[k]
  double *packed_a; ///< workspaces of the products
  double *packed_b;
} mo_dense_lu;

/// Allocates matrices of `size` rows; the contents are not set.
/// @return false without memory
bool mo_dense_lu_create(mo_dense_lu *lu, uint32_t size, mo_arena *arena);

/// Factorises in place, recursively on the columns (Toledo 1997), so that nearly all work is in
/// matrix products.
/// @return false if a column has no finite pivot other than 0; then the factors are invalid
bool mo_dense_lu_factorise(mo_dense_lu *lu);

/// x = A^-1 x
void mo_dense_lu_solve(const mo_dense_lu *lu, double *x);

/// Sign of det A: 1 or -1.
int mo_dense_lu_determinant_sign(const mo_dense_lu *lu);
