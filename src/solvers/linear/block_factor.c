// Right-looking factorisations, block row by block row.
//
// LU: A = L U with L(q,p) as updated, L(p,p) = D_p and U(p,q) = D_p^-1 A(p,q), U unit. LDL^T: D_p =
// l d l^T inside a block, the row is kept as Y(p,q) = l^-1 A(p,q), and Y(p,q)^T d^-1 Y(p,r) is
// subtracted from A(q,r).

#include "math/scalar.h"
#include "solvers/linear/block_kernels.h"

#include <string.h>

// --- scale and norm --------------------------------------------------------------------------

typedef struct scaling {
  double *column_sums; // of absolute values, per position x 6
  double *scale;       // per position: the largest entry in its row and column of blocks
} scaling;

static void scan_block(const double *block, uint32_t row, uint32_t column, bool mirrored,
                       const scaling *s) {
  double largest = 0.0, sums[MO_NODE_SIZE] = {0};
  for (uint32_t i = 0; i < MO_NODE_SIZE; i++) {
    double row_sum = 0.0;
    for (uint32_t j = 0; j < MO_NODE_SIZE; j++) {
      double x = fabs(block[MO_NODE_SIZE * i + j]);
      largest = mo_max(largest, x);
      sums[j] += x;
      row_sum += x;
    }
    if (mirrored) {
      s->column_sums[(size_t)row * MO_NODE_SIZE + i] += row_sum;
    }
  }
  for (uint32_t j = 0; j < MO_NODE_SIZE; j++) {
    s->column_sums[(size_t)column * MO_NODE_SIZE + j] += sums[j];
  }
  s->scale[row] = mo_max(s->scale[row], largest);
  s->scale[column] = mo_max(s->scale[column], largest);
}

// Sets scale and norm. Returns false if a value is not finite.
static bool measure(mo_block_matrix *m) {
  const mo_block_pattern *pattern = m->pattern;
  const uint32_t *first = mo_pattern_first_slot(pattern);
  const uint32_t *column = mo_pattern_slot_column(pattern);
  size_t numbers = (size_t)pattern->node_count * MO_NODE_SIZE;
  scaling s = {m->inverse_pivots, m->scale}; // the pivots are stored there later
  memset(s.column_sums, 0, numbers * sizeof(double));
  memset(s.scale, 0, pattern->node_count * sizeof(double));
  for (uint32_t p = 0; p < pattern->node_count; p++) {
    scan_block(m->diagonal + (size_t)p * MO_BLOCK_VALUES, p, p, false, &s);
    for (uint32_t t = first[p]; t < first[p + 1]; t++) {
      size_t at = (size_t)t * MO_BLOCK_VALUES;
      scan_block(m->upper + at, p, column[t], m->form == MO_FORM_LDL, &s);
      if (m->lower) {
        scan_block(m->lower + at, column[t], p, false, &s);
      }
    }
  }
  double total = 0.0;
  m->norm = 0.0;
  for (size_t i = 0; i < numbers; i++) {
    total += s.column_sums[i];
    m->norm = mo_max(m->norm, s.column_sums[i]);
  }
  return mo_is_finite(total);
}

// --- diagonal blocks -------------------------------------------------------------------------

static double checked_pivot(mo_block_matrix *m, uint32_t position, double pivot, int sign) {
  double scale = m->scale[position];
  double smallest = scale > 0.0 ? m->smallest_pivot * scale : 1.0;
  bool too_small = sign == 0 ? fabs(pivot) < smallest : sign * pivot < smallest;
  if (!too_small) {
    return pivot;
  }
  m->replaced_pivots++;
  if (sign == 0) {
    sign = pivot < 0.0 ? -1 : 1;
  }
  return sign * smallest;
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

// D = l d l^T in place, l unit below the diagonal, without pivoting.
static void factor_block_ldl(mo_block_matrix *m, uint32_t position, uint32_t size, int sign) {
  double *d = m->diagonal + (size_t)position * MO_BLOCK_VALUES;
  double *inverse = m->inverse_pivots + (size_t)position * MO_NODE_SIZE;
  for (size_t k = 0; k < size; k++) {
    double *row = d + MO_NODE_SIZE * k;
    row[k] = checked_pivot(m, position, row[k], sign);
    inverse[k] = 1.0 / row[k];
    for (size_t i = k + 1; i < size; i++) {
      double *other = d + MO_NODE_SIZE * i;
      double factor = other[k] * inverse[k];
      for (size_t j = k + 1; j <= i; j++) {
        other[j] -= factor * d[MO_NODE_SIZE * j + k];
      }
    }
    for (size_t i = k + 1; i < size; i++) {
      d[MO_NODE_SIZE * i + k] *= inverse[k];
    }
  }
}

// X = l^-1 X for a unit lower triangle.
static void forward_rows(const double *d, double *x, uint32_t size) {
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
    mo_block_subtract_product(m->diagonal + (size_t)q * MO_BLOCK_VALUES, lq, MO_NODE_SIZE, 1, uq,
                              sizes[q], inner);
    for (uint32_t t = s + 1; t < first[p + 1]; t++) {
      while (column[target] != column[t]) {
        target++;
      }
      size_t to = (size_t)target * MO_BLOCK_VALUES, from = (size_t)t * MO_BLOCK_VALUES;
      mo_block_subtract_product(m->upper + to, lq, MO_NODE_SIZE, 1, m->upper + from, sizes[q],
                                inner);
      mo_block_subtract_product(m->lower + to, m->lower + from, MO_NODE_SIZE, 1, uq,
                                sizes[column[t]], inner);
    }
  }
}

static void update_ldl(mo_block_matrix *m, uint32_t p, const uint32_t *first,
                       const uint32_t *column, const uint8_t *sizes) {
  uint32_t inner = sizes[p];
  const double *inverse = m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  mo_f64x2 aligned[MO_BLOCK_VALUES / 2];
  double *scaled = (double *)aligned; // d^-1 Y(p,q)
  for (uint32_t s = first[p]; s < first[p + 1]; s++) {
    uint32_t q = column[s], target = first[q];
    const double *yq = m->upper + (size_t)s * MO_BLOCK_VALUES;
    for (size_t k = 0; k < inner; k++) {
      mo_row_store(scaled + MO_NODE_SIZE * k,
                   mo_row_scaled(inverse[k], mo_row_load(yq + MO_NODE_SIZE * k)));
    }
    mo_block_subtract_product(m->diagonal + (size_t)q * MO_BLOCK_VALUES, scaled, 1, MO_NODE_SIZE,
                              yq, sizes[q], inner);
    for (uint32_t t = s + 1; t < first[p + 1]; t++) {
      while (column[target] != column[t]) {
        target++;
      }
      mo_block_subtract_product(m->upper + (size_t)target * MO_BLOCK_VALUES, scaled, 1,
                                MO_NODE_SIZE, m->upper + (size_t)t * MO_BLOCK_VALUES, sizes[q],
                                inner);
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
      factor_block_ldl(m, p, sizes[p], m->signs ? m->signs[node[p]] : 0);
      for (uint32_t s = first[p]; s < first[p + 1]; s++) {
        forward_rows(m->diagonal + (size_t)p * MO_BLOCK_VALUES,
                     m->upper + (size_t)s * MO_BLOCK_VALUES, sizes[p]);
      }
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
