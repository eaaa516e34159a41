// Right-looking factorisations, block row by block row.
//
// LU: A = L U with L(q,p) as updated, L(p,p) = D_p and U(p,q) = D_p^-1 A(p,q), U unit. LDL^T: D_p =
// l d l^T inside a block, the row is kept as Y(p,q) = l^-1 A(p,q), and Y(p,q)^T d^-1 Y(p,r) is
// subtracted from A(q,r).

#include "math/scalar.h"
#include "solvers/linear/block_kernels.h"

#include <string.h>

// --- scale -----------------------------------------------------------------------------------

static mo_block_row row_abs(mo_block_row r) {
  return (mo_block_row){mo_f64x2_abs(r.x), mo_f64x2_abs(r.y), mo_f64x2_abs(r.z)};
}

static mo_block_row row_max(mo_block_row a, mo_block_row b) {
  return (mo_block_row){mo_f64x2_max(a.x, b.x), mo_f64x2_max(a.y, b.y), mo_f64x2_max(a.z, b.z)};
}

static double largest_of(mo_block_row r) {
  mo_f64x2 most = mo_f64x2_max(mo_f64x2_max(r.x, r.y), r.z);
  return mo_max(most[0], most[1]);
}

// Looks at the first rows of a block, which are all that are not zero. Returns the sum of the sizes
// of its numbers: a comparison would lose a NaN.
static double scan_block(const double *block, uint32_t rows, uint32_t row, uint32_t column,
                         double *scale) {
  mo_block_row sums = {0}, largest = {0};
  for (size_t i = 0; i < rows; i++) {
    mo_block_row x = row_abs(mo_row_load(block + MO_NODE_SIZE * i));
    largest = row_max(largest, x);
    sums = mo_row_sum(sums, x);
  }
  double most = largest_of(largest);
  scale[row] = mo_max(scale[row], most);
  scale[column] = mo_max(scale[column], most);
  mo_f64x2 sum = sums.x + sums.y + sums.z;
  return sum[0] + sum[1];
}

// Sets the scale: per position, the largest entry in its row and column of blocks. Returns false if
// a value is not finite.
static bool measure(mo_block_matrix *m) {
  const mo_block_pattern *pattern = m->pattern;
  const uint32_t *first = mo_pattern_first_slot(pattern);
  const uint32_t *column = mo_pattern_slot_column(pattern);
  const uint8_t *sizes = mo_pattern_sizes(pattern);
  double total = 0.0;
  memset(m->scale, 0, pattern->node_count * sizeof(double));
  for (uint32_t p = 0; p < pattern->node_count; p++) {
    total += scan_block(m->diagonal + (size_t)p * MO_BLOCK_VALUES, sizes[p], p, p, m->scale);
    for (uint32_t t = first[p]; t < first[p + 1]; t++) {
      size_t at = (size_t)t * MO_BLOCK_VALUES;
      total += scan_block(m->upper + at, sizes[p], p, column[t], m->scale);
      if (m->lower) {
        total += scan_block(m->lower + at, sizes[column[t]], column[t], p, m->scale);
      }
    }
  }
  return mo_is_finite(total);
}

// --- diagonal blocks -------------------------------------------------------------------------

MO_APART double replaced_pivot(mo_block_matrix *m, double pivot, double smallest, int sign) {
  m->replaced_pivots++;
  if (sign == 0) {
    sign = pivot < 0.0 ? -1 : 1;
  }
  return sign * smallest;
}

static inline double checked_pivot(mo_block_matrix *m, uint32_t position, double pivot, int sign) {
  double scale = m->scale[position];
  double smallest = scale > 0.0 ? m->smallest_pivot * scale : 1.0;
  bool too_small = sign == 0 ? fabs(pivot) < smallest : sign * pivot < smallest;
  return too_small ? replaced_pivot(m, pivot, smallest, sign) : pivot;
}

static void exchange_rows(double *d, size_t i, size_t j) {
  mo_block_row a = mo_row_load(d + MO_NODE_SIZE * i), b = mo_row_load(d + MO_NODE_SIZE * j);
  mo_row_store(d + MO_NODE_SIZE * i, b);
  mo_row_store(d + MO_NODE_SIZE * j, a);
}

// P D = l u in place, l unit: partial pivoting.
static void factor_block_lu(mo_block_matrix *m, uint32_t position, uint32_t size) {
  double *d = m->diagonal + (size_t)position * MO_BLOCK_VALUES;
  uint8_t *exchanges = m->exchanges + (size_t)position * MO_NODE_SIZE;
  double *inverse = m->inverse_pivots + (size_t)position * MO_NODE_SIZE;
  for (size_t k = 0; k < size; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < size; i++) {
      if (fabs(d[MO_NODE_SIZE * i + k]) > fabs(d[MO_NODE_SIZE * best + k])) {
        best = i;
      }
    }
    exchanges[k] = (uint8_t)best;
    if (best != k) {
      exchange_rows(d, k, best);
    }
    double *row = d + MO_NODE_SIZE * k;
    row[k] = checked_pivot(m, position, row[k], 0);
    inverse[k] = 1.0 / row[k];
    for (size_t i = k + 1; i < size; i++) {
      double *other = d + MO_NODE_SIZE * i;
      other[k] *= inverse[k];
      for (size_t j = k + 1; j < size; j++) {
        other[j] -= other[k] * row[j];
      }
    }
  }
}

// X = l^-1 X for a unit lower triangle.
static MO_UNROLLED void forward_rows(const double *d, double *x, uint32_t size) {
  for (size_t i = 1; i < size; i++) {
    mo_block_row r = mo_row_load(x + MO_NODE_SIZE * i);
    for (size_t k = 0; k < i; k++) {
      r = mo_row_minus_scaled(r, d[MO_NODE_SIZE * i + k], mo_row_load(x + MO_NODE_SIZE * k));
    }
    mo_row_store(x + MO_NODE_SIZE * i, r);
  }
}

// X = u^-1 X.
static void backward_rows(const double *d, const double *inverse, double *x, uint32_t size) {
  for (size_t i = size; i-- > 0;) {
    mo_block_row r = mo_row_load(x + MO_NODE_SIZE * i);
    for (size_t k = i + 1; k < size; k++) {
      r = mo_row_minus_scaled(r, d[MO_NODE_SIZE * i + k], mo_row_load(x + MO_NODE_SIZE * k));
    }
    mo_row_store(x + MO_NODE_SIZE * i, mo_row_scaled(inverse[i], r));
  }
}

// --- block rows ------------------------------------------------------------------------------

static void factor_row_lu(mo_block_matrix *m, uint32_t p, const uint32_t *first, uint32_t size) {
  const double *d = m->diagonal + (size_t)p * MO_BLOCK_VALUES;
  const uint8_t *exchanges = m->exchanges + (size_t)p * MO_NODE_SIZE;
  const double *inverse = m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  for (uint32_t s = first[p]; s < first[p + 1]; s++) {
    double *u = m->upper + (size_t)s * MO_BLOCK_VALUES;
    for (uint32_t k = 0; k < size; k++) {
      if (exchanges[k] != k) {
        exchange_rows(u, k, exchanges[k]);
      }
    }
    forward_rows(d, u, size);
    backward_rows(d, inverse, u, size);
  }
}

static void update_lu(mo_block_matrix *m, uint32_t p, const uint32_t *first, const uint32_t *column,
                      const uint8_t *sizes) {
  uint32_t inner = sizes[p];
  for (uint32_t s = first[p]; s < first[p + 1]; s++) {
    uint32_t q = column[s], target = first[q];
    const double *lq = m->lower + (size_t)s * MO_BLOCK_VALUES;
    const double *uq = m->upper + (size_t)s * MO_BLOCK_VALUES;
    mo_block_subtract_product(m->diagonal + (size_t)q * MO_BLOCK_VALUES, lq, uq, sizes[q], inner);
    for (uint32_t t = s + 1; t < first[p + 1]; t++) {
      while (column[target] != column[t]) {
        target++;
      }
      size_t to = (size_t)target * MO_BLOCK_VALUES, from = (size_t)t * MO_BLOCK_VALUES;
      mo_block_subtract_product(m->upper + to, lq, m->upper + from, sizes[q], inner);
      mo_block_subtract_product(m->lower + to, m->lower + from, uq, sizes[column[t]], inner);
    }
  }
}

// --- LDL^T -----------------------------------------------------------------------------------

// One column of l, and what it takes from the columns after it.
static MO_UNROLLED void eliminate_ldl(mo_block_matrix *m, uint32_t position, size_t k, size_t size,
                                      int sign) {
  double *d = m->diagonal + (size_t)position * MO_BLOCK_VALUES;
  double pivot = checked_pivot(m, position, d[MO_NODE_SIZE * k + k], sign), inverse = 1.0 / pivot;
  d[MO_NODE_SIZE * k + k] = pivot;
  m->inverse_pivots[(size_t)position * MO_NODE_SIZE + k] = inverse;
  for (size_t i = k + 1; i < size; i++) {
    double factor = d[MO_NODE_SIZE * i + k] * inverse;
    for (size_t j = k + 1; j <= i; j++) {
      d[MO_NODE_SIZE * i + j] -= factor * d[MO_NODE_SIZE * j + k];
    }
  }
  for (size_t i = k + 1; i < size; i++) {
    d[MO_NODE_SIZE * i + k] *= inverse;
  }
}

// D = l d l^T in place, l unit below the diagonal, without pivoting. No loop over the columns:
// compilers do not unroll three in one another.
static MO_UNROLLED void factor_block_ldl(mo_block_matrix *m, uint32_t position, size_t size,
                                         int sign) {
  eliminate_ldl(m, position, 0, size, sign);
  if (size > 1) {
    eliminate_ldl(m, position, 1, size, sign);
  }
  if (size > 2) {
    eliminate_ldl(m, position, 2, size, sign);
  }
  if (size > 3) {
    eliminate_ldl(m, position, 3, size, sign);
  }
  if (size > 4) {
    eliminate_ldl(m, position, 4, size, sign);
  }
  if (size > 5) {
    eliminate_ldl(m, position, 5, size, sign);
  }
}

// The block and its row: l, d, and Y(p,q) for all later q.
static MO_UNROLLED void factor_row_ldl(mo_block_matrix *m, uint32_t p, uint32_t size, int sign) {
  const uint32_t *first = mo_pattern_first_slot(m->pattern);
  factor_block_ldl(m, p, size, sign);
  for (uint32_t s = first[p]; s < first[p + 1]; s++) {
    forward_rows(m->diagonal + (size_t)p * MO_BLOCK_VALUES, m->upper + (size_t)s * MO_BLOCK_VALUES,
                 size);
  }
}

static void factor_sized_row_ldl(mo_block_matrix *m, uint32_t p, uint32_t size, int sign) {
  switch (size) {
  case 3: // a ball
    factor_row_ldl(m, p, 3, sign);
    break;
  case 5: // a hinge or slider
    factor_row_ldl(m, p, 5, sign);
    break;
  case 6: // a fixed joint, or one of the above with a limit; a body
    factor_row_ldl(m, p, 6, sign);
    break;
  default:
    factor_row_ldl(m, p, size, sign);
  }
}

static void update_ldl(mo_block_matrix *m, uint32_t p, const uint32_t *first,
                       const uint32_t *column, const uint8_t *sizes) {
  uint32_t inner = sizes[p];
  const double *inverse = m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  mo_f64x2 aligned[MO_BLOCK_VALUES / 2];
  double *scaled = (double *)aligned; // -d^-1 Y(p,q)
  for (uint32_t s = first[p]; s < first[p + 1]; s++) {
    uint32_t q = column[s], target = first[q];
    const double *yq = m->upper + (size_t)s * MO_BLOCK_VALUES;
    for (size_t k = 0; k < inner; k++) {
      mo_row_store(scaled + MO_NODE_SIZE * k,
                   mo_row_scaled(-inverse[k], mo_row_load(yq + MO_NODE_SIZE * k)));
    }
    mo_block_add_triangle(m->diagonal + (size_t)q * MO_BLOCK_VALUES, scaled, yq, sizes[q], inner);
    for (uint32_t t = s + 1; t < first[p + 1]; t++) {
      while (column[target] != column[t]) {
        target++;
      }
      mo_block_add_product(m->upper + (size_t)target * MO_BLOCK_VALUES, scaled,
                           m->upper + (size_t)t * MO_BLOCK_VALUES, sizes[q], inner);
    }
  }
}

static void factor_all(mo_block_matrix *m, const uint8_t *sizes) {
  const uint32_t *first = mo_pattern_first_slot(m->pattern);
  const uint32_t *column = mo_pattern_slot_column(m->pattern);
  const uint32_t *node = mo_pattern_node(m->pattern);
  for (uint32_t p = 0; p < m->pattern->node_count; p++) {
    if (m->form == MO_FORM_LU) {
      factor_block_lu(m, p, sizes[p]);
      factor_row_lu(m, p, first, sizes[p]);
      update_lu(m, p, first, column, sizes);
    } else {
      factor_sized_row_ldl(m, p, sizes[p], m->signs ? m->signs[node[p]] : 0);
      update_ldl(m, p, first, column, sizes);
    }
  }
}

bool mo_block_factor(mo_block_matrix *matrix) {
  matrix->replaced_pivots = 0;
  if (!measure(matrix)) {
    return false;
  }
  factor_all(matrix, mo_pattern_sizes(matrix->pattern));
  return true;
}
