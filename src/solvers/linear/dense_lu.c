#include "solvers/linear/dense_lu.h"

#include "math/scalar.h"
#include "solvers/linear/dense_kernels.h"

// Rows and columns of the product kernel. Its 4 x 4 accumulators fill half of 16 vector registers.
#define TILE 4
// Depth of a packed block of A (64 x 192 doubles, 96 kB), which stays in the second-level cache
// while all of B passes through.
#define BLOCK_DEPTH 192
// Rows of that block.
#define BLOCK_ROWS 64
// Columns of a packed block of B (192 x 512 doubles, 768 kB).
#define BLOCK_COLUMNS 512
// Largest number of columns, and size of triangles, that are factorised without products.
#define BASE_SIZE 8

bool mo_dense_lu_create(mo_dense_lu *lu, uint32_t size, mo_arena *arena) {
  // An odd multiple of 4 doubles, so that the rows of a column do not all share one set of the
  // cache.
  size_t stride = ((size_t)size + 3) / 4 * 4;
  stride += stride % 8 == 0 ? 4 : 0;
  *lu = (mo_dense_lu){.size = size, .stride = stride};
  lu->matrix = mo_arena_take_matrix(arena, stride, size + (size_t)1);
  lu->pivots = MO_ARENA_TAKE_RAW(arena, uint32_t, size);
  lu->packed_a = MO_ARENA_TAKE_RAW(arena, double, (size_t)BLOCK_ROWS *BLOCK_DEPTH);
  lu->packed_b = MO_ARENA_TAKE_RAW(arena, double, (size_t)BLOCK_COLUMNS *BLOCK_DEPTH);
  return lu->matrix && lu->pivots && lu->packed_a && lu->packed_b;
}

// --- products -----------------------------------------------------------------------------------

// A of rows x depth as stripes of TILE rows, each stored by columns; missing rows are zero.
static void pack_a(double *packed, const double *a, size_t stride, size_t rows, size_t depth) {
  for (size_t i = 0; i < rows; i += TILE) {
    for (size_t r = 0; r < TILE; r++) {
      const double *row = a + (i + r) * stride;
      for (size_t p = 0; p < depth; p++) {
        packed[p * TILE + r] = i + r < rows ? row[p] : 0.0;
      }
    }
    packed += TILE * depth;
  }
}

// B of depth x columns as stripes of TILE columns, each stored by rows; missing columns are zero.
static void pack_b(double *packed, const double *b, size_t stride, size_t depth, size_t columns) {
  for (size_t j = 0; j < columns; j += TILE) {
    size_t width = columns - j < TILE ? columns - j : TILE;
    for (size_t p = 0; p < depth; p++) {
      const double *row = b + p * stride + j;
      for (size_t c = 0; c < TILE; c++) {
        packed[p * TILE + c] = c < width ? row[c] : 0.0;
      }
    }
    packed += TILE * depth;
  }
}

// out = a b for one stripe of each.
static void multiply_tile(const double *a, const double *b, size_t depth, double out[TILE * TILE]) {
  mo_f64x2 c00 = {0.0, 0.0}, c01 = c00, c10 = c00, c11 = c00;
  mo_f64x2 c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  for (size_t p = 0; p < depth; p++, a += TILE, b += TILE) {
    mo_f64x2 b0 = mo_f64x2_load(b), b1 = mo_f64x2_load(b + 2);
    mo_f64x2 a0 = {a[0], a[0]}, a1 = {a[1], a[1]}, a2 = {a[2], a[2]}, a3 = {a[3], a[3]};
    c00 += a0 * b0;
    c01 += a0 * b1;
    c10 += a1 * b0;
    c11 += a1 * b1;
    c20 += a2 * b0;
    c21 += a2 * b1;
    c30 += a3 * b0;
    c31 += a3 * b1;
  }
  mo_f64x2_store(out, c00);
  mo_f64x2_store(out + 2, c01);
  mo_f64x2_store(out + 4, c10);
  mo_f64x2_store(out + 6, c11);
  mo_f64x2_store(out + 8, c20);
  mo_f64x2_store(out + 10, c21);
  mo_f64x2_store(out + 12, c30);
  mo_f64x2_store(out + 14, c31);
}

// C -= (packed A) (packed B)
static void subtract_packed(const mo_dense_lu *lu, double *c, size_t rows, size_t columns,
                            size_t depth) {
  double tile[TILE * TILE];
  for (size_t j = 0; j < columns; j += TILE) {
    size_t width = columns - j < TILE ? columns - j : TILE;
    for (size_t i = 0; i < rows; i += TILE) {
      size_t height = rows - i < TILE ? rows - i : TILE;
      multiply_tile(lu->packed_a + i * depth, lu->packed_b + j * depth, depth, tile);
      for (size_t r = 0; r < height; r++) {
        double *row = c + (i + r) * lu->stride + j;
        for (size_t k = 0; k < width; k++) {
          row[k] -= tile[r * TILE + k];
        }
      }
    }
  }
}

// C -= A B for parts of the matrix: A is rows x depth, B is depth x columns.
static void subtract_product(const mo_dense_lu *lu, double *c, const double *a, const double *b,
                             size_t rows, size_t depth, size_t columns) {
  for (size_t j = 0; j < columns; j += BLOCK_COLUMNS) {
    size_t width = columns - j < BLOCK_COLUMNS ? columns - j : BLOCK_COLUMNS;
    for (size_t p = 0; p < depth; p += BLOCK_DEPTH) {
      size_t deep = depth - p < BLOCK_DEPTH ? depth - p : BLOCK_DEPTH;
      pack_b(lu->packed_b, b + p * lu->stride + j, lu->stride, deep, width);
      for (size_t i = 0; i < rows; i += BLOCK_ROWS) {
        size_t height = rows - i < BLOCK_ROWS ? rows - i : BLOCK_ROWS;
        pack_a(lu->packed_a, a + i * lu->stride + p, lu->stride, height, deep);
        subtract_packed(lu, c + i * lu->stride + j, height, width, deep);
      }
    }
  }
}

// --- the factorisation --------------------------------------------------------------------------

// B = L^-1 B with the unit lower triangle L of `size` rows; B has `columns`.
static void solve_lower(const mo_dense_lu *lu, const double *l, double *b, size_t size,
                        size_t columns) {
  if (size <= BASE_SIZE) {
    for (size_t i = 1; i < size; i++) {
      for (size_t j = 0; j < i; j++) {
        mo_dense_add_scaled(b + i * lu->stride, -l[i * lu->stride + j], b + j * lu->stride,
                            columns);
      }
    }
    return;
  }
  size_t half = (size / 2 + TILE - 1) / TILE * TILE;
  double *lower = b + half * lu->stride;
  solve_lower(lu, l, b, half, columns);
  subtract_product(lu, lower, l + half * lu->stride, b, size - half, half, columns);
  solve_lower(lu, l + half * (lu->stride + 1), lower, size - half, columns);
}

static void swap_rows(const mo_dense_lu *lu, uint32_t i, uint32_t j) {
  double *a = lu->matrix + i * lu->stride, *b = lu->matrix + j * lu->stride;
  for (uint32_t k = 0; i != j && k < lu->size; k++) {
    double kept = a[k];
    a[k] = b[k];
    b[k] = kept;
  }
}

// Factorises the columns first to end - 1, from row `first` on, one by one. Whole rows are
// exchanged.
static bool factorise_columns(mo_dense_lu *lu, uint32_t first, uint32_t end) {
  for (uint32_t k = first; k < end; k++) {
    uint32_t pivot = k;
    double largest = 0.0;
    for (uint32_t i = k; i < lu->size; i++) {
      double size = fabs(lu->matrix[i * lu->stride + k]);
      if (size > largest) {
        largest = size;
        pivot = i;
      }
    }
    if (largest == 0.0 || !mo_is_finite(largest)) {
      return false;
    }
    lu->pivots[k] = pivot;
    swap_rows(lu, k, pivot);
    const double *row = lu->matrix + k * lu->stride;
    for (uint32_t i = k + 1; i < lu->size; i++) {
      double *below = lu->matrix + i * lu->stride;
      double factor = below[k] / row[k];
      below[k] = factor;
      for (uint32_t j = k + 1; j < end; j++) {
        below[j] -= factor * row[j];
      }
    }
  }
  return true;
}

static bool factorise_part(mo_dense_lu *lu, uint32_t first, uint32_t end) {
  if (end - first <= BASE_SIZE) {
    return factorise_columns(lu, first, end);
  }
  uint32_t middle = first + ((end - first) / 2 + TILE - 1) / TILE * TILE;
  if (!factorise_part(lu, first, middle)) {
    return false;
  }
  double *corner = lu->matrix + first * lu->stride + first;
  double *right = lu->matrix + first * lu->stride + middle;
  double *below = lu->matrix + middle * lu->stride;
  solve_lower(lu, corner, right, middle - first, end - middle);
  subtract_product(lu, below + middle, below + first, right, lu->size - middle, middle - first,
                   end - middle);
  return factorise_part(lu, middle, end);
}

bool mo_dense_lu_factorise(mo_dense_lu *lu) {
  return lu->size == 0 || factorise_part(lu, 0, lu->size);
}

void mo_dense_lu_solve(const mo_dense_lu *lu, double *x) {
  for (uint32_t k = 0; k < lu->size; k++) {
    double kept = x[k];
    x[k] = x[lu->pivots[k]];
    x[lu->pivots[k]] = kept;
  }
  for (uint32_t i = 1; i < lu->size; i++) {
    x[i] -= mo_dense_dot(lu->matrix + i * lu->stride, x, i);
  }
  for (uint32_t i = lu->size; i-- > 0;) {
    const double *row = lu->matrix + i * lu->stride;
    x[i] = (x[i] - mo_dense_dot(row + i + 1, x + i + 1, lu->size - i - 1)) / row[i];
  }
}

int mo_dense_lu_determinant_sign(const mo_dense_lu *lu) {
  int sign = 1;
  for (uint32_t k = 0; k < lu->size; k++) {
    bool negative = lu->matrix[k * (lu->stride + 1)] < 0.0;
    sign = negative != (lu->pivots[k] != k) ? -sign : sign;
  }
  return sign;
}
