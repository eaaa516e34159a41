/// Packs the rows of a problem into groups.
#include "solvers/block_pgs/row_group.h"

#include "math/scalar.h"

typedef mo_packed_row packed_row;
typedef mo_row_group group;

// The larger eigenvalue of [[a, b], [b, c]].
static double largest_eigenvalue(double a, double b, double c) {
  return 0.5 * (a + c) + sqrt(mo_square(0.5 * (a - c)) + b * b);
}

MO_APART void pack_row(const mo_row *row, const mo_row_body *a, const mo_row_body *b,
                       double mobility, packed_row *out) {
  *out = (packed_row){.linear_a = row->linear_a,
                      .angular_a = row->angular_a,
                      .linear_b = row->linear_b,
                      .angular_b = row->angular_b,
                      .turn_a = mo_mat3_mul(a->inverse_inertia, row->angular_a),
                      .turn_b = mo_mat3_mul(b->inverse_inertia, row->angular_b),
                      .bias = row->bias,
                      .softening = row->softening,
                      .lower = -INFINITY,
                      .upper = INFINITY,
                      .impulse = row->impulse,
                      .mobility = mobility,
                      // A row between two immovable bodies has no effective mass.
                      .effective_mass = mobility > 0.0 ? 1.0 / mobility : 0.0};
}

static void pack_pair(const mo_row_problem *problem, const mo_row_pair *pair, double bias,
                      mo_packed_pair *out) {
  const mo_row_body *c = &problem->bodies[pair->body_c], *d = &problem->bodies[pair->body_d];
  out->body_c = pair->body_c;
  out->body_d = pair->body_d;
  out->inverse_mass_c = c->inverse_mass;
  out->inverse_mass_d = d->inverse_mass;
  pack_row(&pair->row, c, d, 0.0, &out->row);
  out->row.bias = bias;
}

// Packs the rows of a block into `rows`.
static void pack_rows(const mo_row_problem *problem, const mo_row_block *block, packed_row *rows,
                      mo_packed_pair *pairs) {
  const mo_row_body *a = &problem->bodies[block->body_a], *b = &problem->bodies[block->body_b];
  const mo_row *source = &problem->rows[block->first_row];
  double rho = 0.0;
  if (block->bound == MO_BOUND_CONE) {
    rho = largest_eigenvalue(mo_block_row_coupling(problem, block, 1, 1),
                             mo_block_row_coupling(problem, block, 1, 2),
                             mo_block_row_coupling(problem, block, 2, 2));
  }
  for (uint32_t i = 0; i < block->row_count; i++) {
    bool tangent = block->bound == MO_BOUND_CONE && i > 0;
    double mobility = tangent ? rho : mo_block_row_coupling(problem, block, i, i);
    pack_row(&source[i], a, b, mobility + source[i].softening, &rows[i]);
    const mo_row_pair *pair = mo_block_pair(problem, block, i);
    if (pair) {
      mo_packed_pair *packed = &pairs[pair - problem->pairs];
      pack_pair(problem, pair, source[i].bias, packed);
      rows[i].pair = packed;
    }
  }
  if (block->bound == MO_BOUND_BOX) {
    rows[0].lower = block->lower;
    rows[0].upper = block->upper;
  } else if (block->bound != MO_BOUND_BILATERAL) {
    rows[0].lower = 0.0;
  }
}

static group begin_group(const mo_row_problem *problem, const mo_row_block *block,
                         uint32_t first_row) {
  bool bilateral = block->bound == MO_BOUND_BILATERAL;
  return (group){.body_a = block->body_a,
                 .body_b = block->body_b,
                 .first_row = first_row,
                 .source_row = block->first_row,
                 .count = bilateral ? block->row_count : 1,
                 .rows_per_point = bilateral ? 1 : block->row_count,
                 .bilateral = bilateral,
                 .has_pairs = block->pairs != 0,
                 .friction = block->friction,
                 .inverse_mass_a = problem->bodies[block->body_a].inverse_mass,
                 .inverse_mass_b = problem->bodies[block->body_b].inverse_mass};
}

// Whether a contact point belongs to the group's pair of bodies.
static bool belongs_to(const group *g, const mo_row_block *block) {
  return !g->bilateral && block->bound != MO_BOUND_BILATERAL && g->count < MO_GROUP_POINTS &&
         !g->has_pairs && !block->pairs && g->body_a == block->body_a &&
         g->body_b == block->body_b && g->rows_per_point == block->row_count &&
         g->friction == block->friction &&
         g->source_row + g->count * g->rows_per_point == block->first_row;
}

static inline double coupling_of_two(double inverse_mass_a, double inverse_mass_b,
                                     const packed_row *p, const packed_row *q) {
  return inverse_mass_a * mo_dot(p->linear_a, q->linear_a) + mo_dot(p->angular_a, q->turn_a) +
         inverse_mass_b * mo_dot(p->linear_b, q->linear_b) + mo_dot(p->angular_b, q->turn_b);
}

MO_APART double coupling_of_pairs(const mo_packed_pair *p, const mo_packed_pair *q) {
  return coupling_of_two(p->inverse_mass_c, p->inverse_mass_d, &p->row, &q->row);
}

// J_p M^-1 J_q^T of two rows of a group.
static inline double coupling(const group *g, const packed_row *p, const packed_row *q) {
  double sum = coupling_of_two(g->inverse_mass_a, g->inverse_mass_b, p, q);
  return g->has_pairs ? sum + coupling_of_pairs(p->pair, q->pair) : sum;
}

static void set_coupling(group *g, packed_row *rows) {
  for (uint32_t i = 0; i < g->count; i++) {
    for (uint32_t j = 0; j < g->count; j++) {
      const packed_row *p = mo_group_normal_row(g, rows, i), *q = mo_group_normal_row(g, rows, j);
      g->coupling[i][j] = coupling(g, p, q) + (i == j ? p->softening : 0.0);
    }
  }
}

// Fraction of a row's mobility below which its pivot is round-off. Such a row is redundant, and the
// others do its work.
#define REDUNDANT_ROW 1e-12

static void factor_block(const group *g, const packed_row *rows, mo_row_block_factor *out) {
  for (uint32_t i = 0; i < g->count; i++) {
    const packed_row *row = &rows[g->first_row + i];
    for (uint32_t j = 0; j <= i; j++) {
      double sum = coupling(g, row, &rows[g->first_row + j]) + (i == j ? row->softening : 0.0);
      for (uint32_t k = 0; k < j; k++) {
        sum -= out->entries[i][k] * out->entries[k][j];
      }
      if (i == j) {
        out->entries[i][i] = sum > REDUNDANT_ROW * row->mobility ? 1.0 / sum : 0.0;
      } else {
        out->entries[j][i] = sum;
        out->entries[i][j] = sum * out->entries[j][j];
      }
    }
  }
}

// --- packing all -----------------------------------------------------------------------------

static void prepare_group(group *g, packed_row *rows, mo_row_block_factor **factors) {
  if (g->bilateral) {
    factor_block(g, rows, *factors);
    g->factor = (*factors)++;
  } else {
    set_coupling(g, rows);
  }
}

bool mo_row_groups_make(const mo_row_problem *problem, const bool *taken, mo_arena *arena,
                        mo_row_groups *out) {
  uint32_t block_count = 0, row_count = 0, bilateral_count = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    block_count += !taken[i];
    row_count += taken[i] ? 0 : problem->blocks[i].row_count;
    bilateral_count += problem->blocks[i].bound == MO_BOUND_BILATERAL;
  }
  *out = (mo_row_groups){.groups = MO_ARENA_TAKE_RAW(arena, group, block_count),
                         .rows = MO_ARENA_TAKE_RAW(arena, packed_row, row_count)};
  mo_row_block_factor *factors = MO_ARENA_TAKE_RAW(arena, mo_row_block_factor, bilateral_count);
  mo_packed_pair *pairs = MO_ARENA_TAKE_RAW(arena, mo_packed_pair, problem->pair_count);
  if (!out->groups || !out->rows || !factors || !pairs) {
    return false;
  }
  uint32_t row = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    if (taken[i]) {
      continue;
    }
    pack_rows(problem, block, &out->rows[row], pairs);
    if (out->count > 0 && belongs_to(&out->groups[out->count - 1], block)) {
      out->groups[out->count - 1].count++;
    } else {
      out->groups[out->count++] = begin_group(problem, block, row);
    }
    row += block->row_count;
  }
  for (uint32_t i = 0; i < out->count; i++) {
    prepare_group(&out->groups[i], out->rows, &factors);
  }
  return true;
}
