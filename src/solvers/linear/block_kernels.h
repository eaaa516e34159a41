/// Arithmetic of 6 x 6 blocks, with rows of three pairs of doubles. WebAssembly and the oldest
/// x86-64 have two lanes, and written as pairs the results do not depend on a vectoriser.
///
/// Rows and columns beyond a block's size are zero and stay zero, so row counts may be rounded up.
#pragma once

#include "math/simd.h"
#include "solvers/linear/block_sparse.h"

/// A row of a block: 6 numbers.
typedef struct mo_block_row {
  mo_f64x2 x, y, z;
} mo_block_row;

static inline mo_block_row mo_row_load(const double *row) {
  return (mo_block_row){mo_f64x2_load(row), mo_f64x2_load(row + 2), mo_f64x2_load(row + 4)};
}

static inline void mo_row_store(double *row, mo_block_row r) {
  mo_f64x2_store(row, r.x);
  mo_f64x2_store(row + 2, r.y);
  mo_f64x2_store(row + 4, r.z);
}

static inline mo_block_row mo_row_minus_scaled(mo_block_row r, double factor, mo_block_row s) {
  mo_f64x2 f = {factor, factor};
  return (mo_block_row){r.x - f * s.x, r.y - f * s.y, r.z - f * s.z};
}

static inline mo_block_row mo_row_scaled(double factor, mo_block_row s) {
  mo_f64x2 f = {factor, factor};
  return (mo_block_row){f * s.x, f * s.y, f * s.z};
}

/// C -= A B, with A given by rows `a_row` and columns `a_column` numbers apart, so that it may be a
/// transpose. It uses `rows` x `inner` numbers of A. Two rows at a time share the loads of B.
static inline void mo_block_subtract_product(double *c, const double *a, size_t a_row,
                                             size_t a_column, const double *b, uint32_t rows,
                                             uint32_t inner) {
  for (size_t i = 0; i < rows; i += 2) {
    mo_block_row c0 = mo_row_load(c + MO_NODE_SIZE * i);
    mo_block_row c1 = mo_row_load(c + MO_NODE_SIZE * i + MO_NODE_SIZE);
    const double *a0 = a + a_row * i;
    for (size_t k = 0; k < inner; k++) {
      mo_block_row bk = mo_row_load(b + MO_NODE_SIZE * k);
      c0 = mo_row_minus_scaled(c0, a0[a_column * k], bk);
      c1 = mo_row_minus_scaled(c1, a0[a_column * k + a_row], bk);
    }
    mo_row_store(c + MO_NODE_SIZE * i, c0);
    mo_row_store(c + MO_NODE_SIZE * i + MO_NODE_SIZE, c1);
  }
}

/// y -= A x, with `rows` x `columns` numbers of A and `columns` of x.
static inline void mo_block_subtract_times(double *y, const double *a, const double *x,
                                           uint32_t rows, uint32_t columns) {
  if (columns == MO_NODE_SIZE) {
    mo_block_row v = mo_row_load(x);
    for (size_t i = 0; i < rows; i++) {
      mo_block_row r = mo_row_load(a + MO_NODE_SIZE * i);
      mo_f64x2 sum = r.x * v.x + r.y * v.y + r.z * v.z;
      y[i] -= sum[0] + sum[1];
    }
    return;
  }
  for (size_t i = 0; i < rows; i++) {
    double sum = 0.0;
    for (size_t k = 0; k < columns; k++) {
      sum += a[MO_NODE_SIZE * i + k] * x[k];
    }
    y[i] -= sum;
  }
}

/// y -= A^T x, with `rows` rows of A and as many numbers of x. All 6 numbers of y are written;
/// those beyond the width of A do not change.
static inline void mo_block_subtract_transposed(double *y, const double *a, const double *x,
                                                uint32_t rows) {
  mo_block_row sum = mo_row_load(y);
  for (size_t k = 0; k < rows; k++) {
    sum = mo_row_minus_scaled(sum, x[k], mo_row_load(a + MO_NODE_SIZE * k));
  }
  mo_row_store(y, sum);
}
