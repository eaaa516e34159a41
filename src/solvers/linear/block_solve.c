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
// The running number is a local one, which no store to x can alias.
static MO_UNROLLED void forward_unit(const double *d, double *x, uint32_t size) {
  for (uint32_t i = 1; i < size; i++) {
    double xi = x[i];
    for (uint32_t k = 0; k < i; k++) {
      xi -= d[MO_NODE_SIZE * i + k] * x[k];
    }
    x[i] = xi;
  }
}

static MO_UNROLLED void backward_unit_transposed(const double *d, double *x, uint32_t size) {
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

// The rows of one position on the way down; then on the way up.

static MO_UNROLLED void go_down_ldl(const sweep *s, uint32_t p, uint32_t size) {
  double *xp = part(s, p), scaled[MO_NODE_SIZE];
  const double *inverse = s->m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  forward_unit(block(s->m->diagonal, p), xp, size);
  for (uint32_t k = 0; k < size; k++) {
    scaled[k] = inverse[k] * xp[k];
  }
  for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
    mo_block_subtract_transposed(part(s, s->column[t]), block(s->m->upper, t), scaled, size);
  }
}

static MO_UNROLLED void go_up_ldl(const sweep *s, uint32_t p, uint32_t size) {
  double *xp = part(s, p);
  const double *inverse = s->m->inverse_pivots + (size_t)p * MO_NODE_SIZE;
  for (uint32_t t = s->first[p]; t < s->first[p + 1]; t++) {
    uint32_t q = s->column[t], columns = s->sizes[q];
    if (columns == size) { // a constant
      mo_block_subtract_times(xp, block(s->m->upper, t), part(s, q), size, size);
    } else {
      mo_block_subtract_times(xp, block(s->m->upper, t), part(s, q), size, columns);
    }
  }
  for (uint32_t k = 0; k < size; k++) {
    xp[k] *= inverse[k];
  }
  backward_unit_transposed(block(s->m->diagonal, p), xp, size);
}

static void go_down_sized(const sweep *s, uint32_t p) {
  switch (s->sizes[p]) {
  case 3:
    go_down_ldl(s, p, 3);
    break;
  case 5:
    go_down_ldl(s, p, 5);
    break;
  case 6:
    go_down_ldl(s, p, 6);
    break;
  default:
    go_down_ldl(s, p, s->sizes[p]);
  }
}

static void go_up_sized(const sweep *s, uint32_t p) {
  switch (s->sizes[p]) {
  case 3:
    go_up_ldl(s, p, 3);
    break;
  case 5:
    go_up_ldl(s, p, 5);
    break;
  case 6:
    go_up_ldl(s, p, 6);
    break;
  default:
    go_up_ldl(s, p, s->sizes[p]);
  }
}

static void solve_ldl(const sweep *s) {
  uint32_t n = s->m->pattern->node_count;
  for (uint32_t p = 0; p < n; p++) {
    go_down_sized(s, p);
  }
  for (uint32_t p = n; p-- > 0;) {
    go_up_sized(s, p);
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
