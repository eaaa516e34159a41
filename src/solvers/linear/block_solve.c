#include "math/scalar.h"
#include "solvers/linear/block_kernels.h"
#include "solvers/linear/norm_estimate.h"

// The parts of a matrix that all sweeps use.
typedef struct sweep {
  const mo_block_matrix *m;
  const uint32_t *first, *column, *node;
  const uint8_t *sizes;
  double *x;
} sweep;

static sweep begin_sweep(const mo_block_matrix *m, double *x) {
  return (sweep){m,
                 mo_pattern_first_slot(m->pattern),
                 mo_pattern_slot_column(m->pattern),
                 mo_pattern_node(m->pattern),
                 mo_pattern_sizes(m->pattern),
                 x};
}

static double *part(const sweep *s, uint32_t position) {
  return s->x + (size_t)s->node[position] * MO_NODE_SIZE;
}

static const double *block(const double *blocks, uint32_t index) {
  return blocks + (size_t)index * MO_BLOCK_VALUES;
}

// x -= l x from the top: x = l^-1 x for the unit lower triangle of d.
static void forward_unit(const double *d, double *x, uint32_t size) {
  for (uint32_t i = 1; i < size; i++) {
    for (uint32_t k = 0; k < i; k++) {
      x[i] -= d[MO_NODE_SIZE * i + k] * x[k];
    }
  }
}

static void backward_unit_transposed(const double *d, double *x, uint32_t size) {
  for (uint32_t i = size; i-- > 1;) {
    for (uint32_t k = 0; k < i; k++) {
      x[k] -= d[MO_NODE_SIZE * i + k] * x[i];
    }
  }
}

static void exchange(double *x, uint32_t i, uint32_t j) {
  double kept = x[i];
  x[i] = x[j];
  x[j] = kept;
}

// x = D_p^-1 x.
static void solve_block(const mo_block_matrix *m, uint32_t p, double *x, uint32_t size) {
  const double *d = block(m->diagonal, p);
  const double *inverse = m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  const uint8_t *exchanges = m->exchanges + (size_t)p * MO_NODE_SIZE;
  for (uint32_t k = 0; k < size; k++) {
    exchange(x, k, exchanges[k]);
  }
  forward_unit(d, x, size);
  for (uint32_t i = size; i-- > 0;) {
    for (uint32_t k = i + 1; k < size; k++) {
      x[i] -= d[MO_NODE_SIZE * i + k] * x[k];
    }
    x[i] *= inverse[i];
  }
}

// x = D_p^-T x.
static void solve_block_transposed(const mo_block_matrix *m, uint32_t p, double *x, uint32_t size) {
  const double *d = block(m->diagonal, p);
  const double *inverse = m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  const uint8_t *exchanges = m->exchanges + (size_t)p * MO_NODE_SIZE;
  for (uint32_t i = 0; i < size; i++) {
    x[i] *= inverse[i];
    for (uint32_t k = i + 1; k < size; k++) {
      x[k] -= d[MO_NODE_SIZE * i + k] * x[i];
    }
  }
  backward_unit_transposed(d, x, size);
  for (uint32_t k = size; k-- > 0;) {
    exchange(x, k, exchanges[k]);
  }
}

static void solve_lu(const sweep *s) {
  uint32_t n = s->m->pattern->node_count;
  for (uint32_t p = 0; p < n; p++) {
    double *xp = part(s, p);
    solve_block(s->m, p, xp, s->sizes[p]);
    for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
      uint32_t q = s->column[t];
      mo_block_subtract_times(part(s, q), block(s->m->lower, t), xp, s->sizes[q], s->sizes[p]);
    }
  }
  for (uint32_t p = n; p-- > 0;) {
    for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
      uint32_t q = s->column[t];
      mo_block_subtract_times(part(s, p), block(s->m->upper, t), part(s, q), s->sizes[p],
                              s->sizes[q]);
    }
  }
}

static void solve_lu_transposed(const sweep *s) {
  uint32_t n = s->m->pattern->node_count;
  for (uint32_t p = 0; p < n; p++) {
    for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
      uint32_t q = s->column[t];
      mo_block_subtract_transposed(part(s, q), block(s->m->upper, t), part(s, p), s->sizes[p]);
    }
  }
  for (uint32_t p = n; p-- > 0;) {
    double *xp = part(s, p);
    for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
      uint32_t q = s->column[t];
      mo_block_subtract_transposed(xp, block(s->m->lower, t), part(s, q), s->sizes[q]);
    }
    solve_block_transposed(s->m, p, xp, s->sizes[p]);
  }
}

static void solve_ldl(const sweep *s) {
  uint32_t n = s->m->pattern->node_count;
  for (uint32_t p = 0; p < n; p++) {
    double *xp = part(s, p), scaled[MO_NODE_SIZE] = {0};
    const double *inverse = s->m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
    forward_unit(block(s->m->diagonal, p), xp, s->sizes[p]);
    for (uint32_t k = 0; k < s->sizes[p]; k++) {
      scaled[k] = inverse[k] * xp[k];
    }
    for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
      uint32_t q = s->column[t];
      mo_block_subtract_transposed(part(s, q), block(s->m->upper, t), scaled, s->sizes[p]);
    }
  }
  for (uint32_t p = n; p-- > 0;) {
    double *xp = part(s, p);
    const double *inverse = s->m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
    for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
      uint32_t q = s->column[t];
      mo_block_subtract_times(xp, block(s->m->upper, t), part(s, q), s->sizes[p], s->sizes[q]);
    }
    for (uint32_t k = 0; k < s->sizes[p]; k++) {
      xp[k] *= inverse[k];
    }
    backward_unit_transposed(block(s->m->diagonal, p), xp, s->sizes[p]);
  }
}

void mo_block_solve(const mo_block_matrix *matrix, double *x) {
  sweep s = begin_sweep(matrix, x);
  if (matrix->form == MO_FORM_LU) {
    solve_lu(&s);
  } else {
    solve_ldl(&s);
  }
}

void mo_block_solve_transposed(const mo_block_matrix *matrix, double *x) {
  sweep s = begin_sweep(matrix, x);
  if (matrix->form == MO_FORM_LU) {
    solve_lu_transposed(&s);
  } else {
    solve_ldl(&s);
  }
}

// --- condition -------------------------------------------------------------------------------

// Clears the numbers beyond a node's size, which do not take part.
static void clear_padding(const mo_block_matrix *m, double *x) {
  const uint8_t *sizes = mo_pattern_sizes(m->pattern);
  const uint32_t *node = mo_pattern_node(m->pattern);
  for (uint32_t p = 0; p < m->pattern->node_count; p++) {
    for (uint32_t k = sizes[p]; k < MO_NODE_SIZE; k++) {
      x[(size_t)node[p] * MO_NODE_SIZE + k] = 0.0;
    }
  }
}

static void apply_inverse(const void *context, double *x) {
  clear_padding(context, x);
  mo_block_solve(context, x);
}

static void apply_inverse_transposed(const void *context, double *x) {
  clear_padding(context, x);
  mo_block_solve_transposed(context, x);
}

double mo_block_condition(const mo_block_matrix *matrix, mo_arena *arena) {
  uint32_t count = matrix->pattern->node_count * MO_NODE_SIZE;
  double *x = MO_ARENA_TAKE_RAW(arena, double, 2 * (size_t)count);
  if (!x) {
    return -1.0;
  }
  return matrix->norm *
         mo_norm1_estimate(count, apply_inverse, apply_inverse_transposed, matrix, x);
}
