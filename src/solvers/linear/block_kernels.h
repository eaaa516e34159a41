/// Arithmetic of 6 x 6 blocks, with rows of three pairs of doubles. WebAssembly and the oldest
/// x86-64 have two lanes, and written as pairs the results do not depend on a vectoriser.
///
/// Rows and columns beyond a block's size are zero and stay zero, so row counts may be rounded up.
#pragma once

#include "math/simd.h"
#include "solvers/linear/block_sparse.h"

/// For functions that are called with a constant size, for which the compiler unrolls their loops.
#define MO_UNROLLED inline __attribute__((always_inline))

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

static inline mo_block_row mo_row_sum(mo_block_row a, mo_block_row b) {
  return (mo_block_row){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mo_block_row mo_row_plus_scaled(mo_block_row r, double factor, mo_block_row s) {
  mo_f64x2 f = {factor, factor};
  return (mo_block_row){r.x + f * s.x, r.y + f * s.y, r.z + f * s.z};
}

static inline mo_block_row mo_row_minus_scaled(mo_block_row r, double factor, mo_block_row s) {
  mo_f64x2 f = {factor, factor};
  return (mo_block_row){r.x - f * s.x, r.y - f * s.y, r.z - f * s.z};
}

static inline mo_block_row mo_row_scaled(double factor, mo_block_row s) {
  mo_f64x2 f = {factor, factor};
  return (mo_block_row){f * s.x, f * s.y, f * s.z};
}

/// C -= A B, with `rows` x `inner` numbers of A. Two rows at a time share the loads of B.
static inline void mo_block_subtract_product(double *c, const double *a, const double *b,
                                             uint32_t rows, uint32_t inner) {
  for (size_t i = 0; i < rows; i += 2) {
    mo_block_row c0 = mo_row_load(c + MO_NODE_SIZE * i);
    mo_block_row c1 = mo_row_load(c + MO_NODE_SIZE * i + MO_NODE_SIZE);
    const double *a0 = a + MO_NODE_SIZE * i;
    for (size_t k = 0; k < inner; k++) {
      mo_block_row bk = mo_row_load(b + MO_NODE_SIZE * k);
      c0 = mo_row_minus_scaled(c0, a0[k], bk);
      c1 = mo_row_minus_scaled(c1, a0[k + MO_NODE_SIZE], bk);
    }
    mo_row_store(c + MO_NODE_SIZE * i, c0);
    mo_row_store(c + MO_NODE_SIZE * i + MO_NODE_SIZE, c1);
  }
}

/// Two rows of a block, in registers.
typedef struct mo_two_rows {
  mo_block_row first, second;
} mo_two_rows;

static inline mo_two_rows mo_two_rows_load(const double *row) {
  return (mo_two_rows){mo_row_load(row), mo_row_load(row + MO_NODE_SIZE)};
}

static inline void mo_two_rows_store(double *row, const mo_two_rows *rows) {
  mo_row_store(row, rows->first);
  mo_row_store(row + MO_NODE_SIZE, rows->second);
}

/// Adds the rows `row` and the next one of A^T B, by the rows of A and B from `first` to before
/// `end`, in as many pairs of columns. Constants: `row` and `pairs`.
static MO_UNROLLED void mo_two_rows_add(mo_two_rows *to, const double *a, const double *b,
                                        size_t row, size_t pairs, size_t first, size_t end) {
  for (size_t k = first; k < end; k++) {
    mo_f64x2 f = mo_f64x2_splat(a[MO_NODE_SIZE * k + row]);
    mo_f64x2 g = mo_f64x2_splat(a[MO_NODE_SIZE * k + row + 1]);
    mo_block_row of_b = mo_row_load(b + MO_NODE_SIZE * k);
    to->first.x += f * of_b.x, to->second.x += g * of_b.x;
    if (pairs > 1) {
      to->first.y += f * of_b.y, to->second.y += g * of_b.y;
    }
    if (pairs > 2) {
      to->first.z += f * of_b.z, to->second.z += g * of_b.z;
    }
  }
}

/// Two rows of C += A^T B.
static MO_UNROLLED void mo_block_add_rows(double *c, const double *a, const double *b, size_t row,
                                          size_t pairs, size_t inner) {
  mo_two_rows rows = mo_two_rows_load(c + MO_NODE_SIZE * row);
  mo_two_rows_add(&rows, a, b, row, pairs, 0, inner);
  mo_two_rows_store(c + MO_NODE_SIZE * row, &rows);
}

/// C += A^T B, with `rows` columns of A and `inner` rows of A and B.
static inline void mo_block_add_product(double *c, const double *a, const double *b, uint32_t rows,
                                        uint32_t inner) {
  mo_block_add_rows(c, a, b, 0, 3, inner);
  if (rows > 2) {
    mo_block_add_rows(c, a, b, 2, 3, inner);
  }
  if (rows > 4) {
    mo_block_add_rows(c, a, b, 4, 3, inner);
  }
}

/// The same of a symmetric C, of which the lower triangle is computed, in whole pairs.
static inline void mo_block_add_triangle(double *c, const double *a, const double *b, uint32_t rows,
                                         uint32_t inner) {
  mo_block_add_rows(c, a, b, 0, 1, inner);
  if (rows > 2) {
    mo_block_add_rows(c, a, b, 2, 2, inner);
  }
  if (rows > 4) {
    mo_block_add_rows(c, a, b, 4, 3, inner);
  }
}

/// y -= A x, with `rows` x `columns` numbers of A and `columns` of x.
static MO_UNROLLED void mo_block_subtract_times(double *y, const double *a, const double *x,
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
static MO_UNROLLED void mo_block_subtract_transposed(double *y, const double *a, const double *x,
                                                     uint32_t rows) {
  mo_block_row sum = mo_row_load(y);
  for (size_t k = 0; k < rows; k++) {
    sum = mo_row_minus_scaled(sum, x[k], mo_row_load(a + MO_NODE_SIZE * k));
  }
  mo_row_store(y, sum);
}
