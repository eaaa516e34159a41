#include "solvers/cone/scaled_problem.h"

#include "math/scalar.h"

// Fraction of the largest mobility below which a block counts as immovable: far below the round-off
// of a Jacobian's terms.
#define IMMOVABLE_MOBILITY 1e-26
// Lower bound of d, relative to the largest: it keeps the scaling of nearly immovable rows finite.
#define MOBILITY_FLOOR 1e-14

// Diagonal entry of W in the caller's units, softening included.
static double mobility(const mo_contact_problem *problem, uint32_t block, uint32_t row) {
  double sum = problem->softening ? problem->softening[row] : 0.0;
  if (problem->delassus) {
    return sum + problem->delassus[(size_t)row * problem->row_count + row];
  }
  for (uint32_t pair = 0; pair < mo_contact_problem_pairs(problem); pair++) {
    mo_body_pair of_block = mo_contact_problem_pair(problem, block, pair);
    const double *a = problem->jacobian[2 * (size_t)pair] + 6 * (size_t)row;
    const double *b = problem->jacobian[2 * (size_t)pair + 1] + 6 * (size_t)row;
    sum += of_block.bodies[0] != MO_NO_BODY ? mo_dense_dot6(a, a) : 0.0;
    sum += of_block.bodies[1] != MO_NO_BODY ? mo_dense_dot6(b, b) : 0.0;
  }
  return sum;
}

static mo_cone_kind kind_of(const mo_row_block *block) {
  switch (block->bound) {
  case MO_BOUND_CONE:
    return block->friction >= MO_CONE_TINY_FRICTION ? MO_CONE_COULOMB : MO_CONE_FRICTIONLESS;
  case MO_BOUND_UNILATERAL:
    return MO_CONE_INTERVAL;
  case MO_BOUND_BOX:
    if (block->lower == block->upper) {
      return MO_CONE_FIXED;
    }
    return mo_is_finite(block->lower) || mo_is_finite(block->upper) ? MO_CONE_INTERVAL
                                                                    : MO_CONE_LINEAR;
  case MO_BOUND_BILATERAL:
    break;
  }
  return MO_CONE_LINEAR;
}

static double scale_of(double d, double largest) {
  if (!(d > IMMOVABLE_MOBILITY * largest)) {
    return 0.0;
  }
  return 1.0 / sqrt(mo_max(d, MOBILITY_FLOOR * largest));
}

static void scale_block(mo_scaled_problem *scaled, const mo_contact_problem *problem,
                        uint32_t index, double largest) {
  const mo_row_block *from = &problem->blocks[index];
  mo_cone_block *block = &scaled->blocks[index];
  *block = (mo_cone_block){.kind = kind_of(from),
                           .first_row = from->first_row,
                           .row_count = from->row_count,
                           .friction = from->bound == MO_BOUND_CONE ? from->friction : 0.0};
  for (uint32_t pair = 0; pair < scaled->pairs; pair++) {
    block->pairs[pair] = mo_contact_problem_pair(problem, index, pair);
  }
  double mean = 0.0;
  bool moves = false;
  for (uint32_t k = 0; k < from->row_count; k++) {
    uint32_t row = from->first_row + k;
    double d = mobility(problem, index, row);
    mean += d / from->row_count;
    scaled->scale[row] = scale_of(d, largest);
    moves = moves || scaled->scale[row] > 0.0;
  }
  if (from->bound == MO_BOUND_CONE) {
    double scale = scale_of(mean, largest);
    moves = scale > 0.0;
    for (uint32_t k = 0; k < 3; k++) {
      scaled->scale[from->first_row + k] = scale;
    }
  }
  if (!moves) {
    block->kind = MO_CONE_IMMOVABLE;
  } else if (from->row_count == 1) {
    double scale = scaled->scale[from->first_row];
    bool box = from->bound == MO_BOUND_BOX;
    double unit = scale * scaled->metre;
    block->lower = box ? from->lower / unit : 0.0;
    block->upper = box ? from->upper / unit : INFINITY;
  }
}

static void scale_rows(mo_scaled_problem *scaled, const mo_contact_problem *problem) {
  for (uint32_t i = 0; i < problem->row_count; i++) {
    double scale = scaled->scale[i];
    scaled->free_velocity[i] = scale * (problem->free_velocity[i] / scaled->metre);
    scaled->softening[i] = problem->softening ? scale * scale * problem->softening[i] : 0.0;
    if (scale > 0.0) {
      scaled->speed = mo_max(scaled->speed, fabs(problem->free_velocity[i] / scaled->metre));
    }
  }
}

// The scaled Jacobians of a pair of bodies, with zeros for immovable ones.
static bool scale_pair(mo_scaled_problem *scaled, const mo_contact_problem *problem, uint32_t pair,
                       mo_arena *arena) {
  size_t n = problem->row_count;
  const double *const *from = &problem->jacobian[2 * (size_t)pair];
  double *a = MO_ARENA_TAKE(arena, double, 6 * n);
  double *b = MO_ARENA_TAKE(arena, double, 6 * n);
  for (uint32_t i = 0; a && b && i < problem->block_count; i++) {
    const mo_cone_block *block = &scaled->blocks[i];
    const uint32_t *bodies = block->pairs[pair].bodies;
    for (size_t k = 6 * (size_t)block->first_row;
         k < 6 * ((size_t)block->first_row + block->row_count); k++) {
      a[k] = bodies[0] != MO_NO_BODY ? scaled->scale[k / 6] * from[0][k] : 0.0;
      b[k] = bodies[1] != MO_NO_BODY ? scaled->scale[k / 6] * from[1][k] : 0.0;
    }
  }
  scaled->jacobian[2 * (size_t)pair] = a;
  scaled->jacobian[2 * (size_t)pair + 1] = b;
  return a && b;
}

// The scaled W, or the scaled Jacobians.
static bool scale_operator(mo_scaled_problem *scaled, const mo_contact_problem *problem,
                           mo_arena *arena) {
  size_t n = problem->row_count;
  if (problem->delassus) {
    double *w = mo_arena_take_matrix(arena, n, n);
    for (size_t i = 0; w && i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        w[i * n + j] = scaled->scale[i] * scaled->scale[j] * problem->delassus[i * n + j];
      }
    }
    scaled->delassus = w;
    return w != NULL;
  }
  scaled->body_velocity = MO_ARENA_TAKE(arena, double, 6 * (size_t)problem->body_count);
  bool has_room = scaled->body_velocity != NULL;
  for (uint32_t pair = 0; pair < scaled->pairs; pair++) {
    has_room = has_room && scale_pair(scaled, problem, pair, arena);
  }
  return has_room;
}

mo_result mo_scaled_problem_create(mo_scaled_problem *scaled, const mo_contact_problem *problem,
                                   mo_friction_law law, double metre, mo_arena *arena) {
  *scaled = (mo_scaled_problem){.metre = metre,
                                .row_count = problem->row_count,
                                .block_count = problem->block_count,
                                .body_count = problem->body_count,
                                .pairs = problem->delassus ? 0 : mo_contact_problem_pairs(problem),
                                .convex = law == MO_FRICTION_CONVEX};
  scaled->blocks = MO_ARENA_TAKE(arena, mo_cone_block, problem->block_count);
  scaled->scale = MO_ARENA_TAKE(arena, double, problem->row_count);
  scaled->free_velocity = MO_ARENA_TAKE(arena, double, problem->row_count);
  scaled->softening = MO_ARENA_TAKE(arena, double, problem->row_count);
  if (!scaled->blocks || !scaled->scale || !scaled->free_velocity || !scaled->softening) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  double largest = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      largest = mo_max(largest, mobility(problem, i, block->first_row + k));
    }
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    scale_block(scaled, problem, i, largest);
  }
  scale_rows(scaled, problem);
  return scale_operator(scaled, problem, arena) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

double mo_scaled_more_velocity(const mo_scaled_problem *scaled, const mo_cone_block *block,
                               size_t row, const double *velocities) {
  double sum = 0.0;
  for (uint32_t side = 2; side < MO_ROW_SIDES; side++) {
    uint32_t body = mo_cone_body(block, side);
    sum += body != MO_NO_BODY
               ? mo_dense_dot6(scaled->jacobian[side] + 6 * row, velocities + 6 * (size_t)body)
               : 0.0;
  }
  return sum;
}

void mo_scaled_add_more(const mo_scaled_problem *scaled, const mo_cone_block *block, size_t row,
                        double x, double *velocities) {
  for (uint32_t side = 2; side < MO_ROW_SIDES; side++) {
    uint32_t body = mo_cone_body(block, side);
    if (body != MO_NO_BODY) {
      mo_dense_add_scaled6(velocities + 6 * (size_t)body, x, scaled->jacobian[side] + 6 * row);
    }
  }
}

// v = J^T x, then out = J v.
static void apply_jacobians(const mo_scaled_problem *scaled, const double *x, double *out) {
  double *v = scaled->body_velocity;
  memset(v, 0, 6 * (size_t)scaled->body_count * sizeof *v);
  for (uint32_t i = 0; i < scaled->block_count; i++) {
    const mo_cone_block *block = &scaled->blocks[i];
    for (size_t row = block->first_row; row < block->first_row + (size_t)block->row_count; row++) {
      mo_scaled_add_row(scaled, block, row, x[row], v);
    }
  }
  for (uint32_t i = 0; i < scaled->block_count; i++) {
    const mo_cone_block *block = &scaled->blocks[i];
    for (size_t row = block->first_row; row < block->first_row + (size_t)block->row_count; row++) {
      out[row] = mo_scaled_row_velocity(scaled, block, row, v);
    }
  }
}

void mo_scaled_apply(const mo_scaled_problem *scaled, const double *x, double *out) {
  size_t n = scaled->row_count;
  if (scaled->delassus) {
    for (size_t i = 0; i < n; i++) {
      out[i] = mo_dense_dot(scaled->delassus + i * n, x, n);
    }
  } else {
    apply_jacobians(scaled, x, out);
  }
  for (size_t i = 0; i < n; i++) {
    out[i] += scaled->softening[i] * x[i];
  }
}

void mo_scaled_velocity(const mo_scaled_problem *scaled, const double *x, double *u) {
  mo_scaled_apply(scaled, x, u);
  for (uint32_t i = 0; i < scaled->row_count; i++) {
    u[i] += scaled->free_velocity[i];
  }
}

double mo_scaled_entry(const mo_scaled_problem *scaled, const mo_cone_block *block_i, uint32_t i,
                       const mo_cone_block *block_j, uint32_t j) {
  if (scaled->delassus) {
    return scaled->delassus[(size_t)i * scaled->row_count + j];
  }
  double sum = 0.0;
  uint32_t sides = 2 * scaled->pairs;
  for (uint32_t p = 0; p < sides; p++) {
    uint32_t body = mo_cone_body(block_i, p);
    const double *of_i = scaled->jacobian[p] + 6 * (size_t)i;
    for (uint32_t q = 0; q < sides && body != MO_NO_BODY; q++) {
      if (body == mo_cone_body(block_j, q)) {
        sum += mo_dense_dot6(of_i, scaled->jacobian[q] + 6 * (size_t)j);
      }
    }
  }
  return sum;
}
