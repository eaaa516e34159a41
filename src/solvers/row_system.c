#include "solvers/row_system.h"

#include "math/scalar.h"
#include "solvers/linear/block_kernels.h"
#include "solvers/linear/norm_estimate.h"

#include <string.h>

// --- matrix ----------------------------------------------------------------------------------

// Weights keep every diagonal entry at most as large as the row itself. Otherwise one row with a
// huge shift would make the pivots of the other rows of its node look too small.
static void set_weights(mo_row_system *s, const double *shifts) {
  for (uint32_t row = 0; row < s->row_count; row++) {
    bool active = s->root[row] > 0.0 && shifts[row] < HUGE_VAL;
    s->shifts[row] = active ? shifts[row] : 0.0;
    s->weights[row] = !active ? 0.0 : shifts[row] > 1.0 ? 1.0 / sqrt(shifts[row]) : 1.0;
  }
}

// The part of the diagonal from the row's softening and shift; 1 if the row is not active.
static double diagonal_value(const mo_row_system *s, uint32_t row) {
  double weight = s->weights[row];
  return weight > 0.0 ? weight * weight * (s->softening[row] + s->shifts[row]) : 1.0;
}

static double *diagonal_number(mo_row_system *s, uint32_t row) {
  uint32_t node = s->index[row] / MO_NODE_SIZE, k = s->index[row] % MO_NODE_SIZE;
  return mo_block_at(&s->matrix, node, node) + (size_t)k * (MO_NODE_SIZE + 1);
}

static void fill_pair(mo_row_system *s, uint32_t pair) {
  for (uint32_t row = 0; row < s->row_count; row++) {
    double weight = s->weights[row];
    const double *j = s->jacobian[pair] + (size_t)row * MO_PAIR_NUMBERS;
    for (int side = 0; weight > 0.0 && side < 2; side++, j += MO_NODE_SIZE) {
      mo_row_place place = s->places[pair][2 * (size_t)row + (size_t)side];
      for (size_t k = 0; place.first && k < MO_NODE_SIZE; k++) {
        place.first[k * place.step] -= weight * j[k];
      }
    }
  }
}

static void fill_body_matrix(mo_row_system *s) {
  for (uint32_t body = 0; body < s->problem->body_count; body++) {
    double *block = mo_block_at(&s->matrix, body, body);
    for (size_t k = 0; k < MO_NODE_SIZE; k++) {
      block[k * (MO_NODE_SIZE + 1)] = 1.0;
    }
  }
  for (uint32_t row = 0; row < s->row_count; row++) {
    *diagonal_number(s, row) = -diagonal_value(s, row);
  }
  for (uint32_t pair = 0; pair < s->pairs; pair++) {
    fill_pair(s, pair);
  }
}

static void fill_dense_matrix(mo_row_system *s) {
  uint32_t n = s->row_count;
  for (uint32_t i = 0; i < n; i += MO_NODE_SIZE) {
    for (uint32_t j = 0; j < n; j += MO_NODE_SIZE) {
      double *block = mo_block_at(&s->matrix, i / MO_NODE_SIZE, j / MO_NODE_SIZE);
      if (!block) {
        continue; // the transpose is stored
      }
      for (uint32_t r = 0; r < MO_NODE_SIZE && i + r < n; r++) {
        for (uint32_t c = 0; c < MO_NODE_SIZE && j + c < n; c++) {
          block[r * MO_NODE_SIZE + c] =
              s->weights[i + r] * s->weights[j + c] * s->delassus[(size_t)(i + r) * n + j + c];
        }
      }
    }
  }
  for (uint32_t row = 0; row < n; row++) {
    *diagonal_number(s, row) += diagonal_value(s, row);
  }
}

bool mo_row_system_factor(mo_row_system *system, const double *shifts) {
  if (!mo_row_system_may_factor(system)) {
    return false;
  }
  mo_work_spend(system->work, system->factor_work);
  set_weights(system, shifts);
  mo_block_matrix_clear(&system->matrix);
  if (system->delassus) {
    fill_dense_matrix(system);
  } else {
    fill_body_matrix(system);
  }
  system->factorisations++;
  return mo_block_factor(&system->matrix);
}

void mo_row_system_solve(mo_row_system *system, double *x) {
  double *solution = system->solution, sign = system->delassus ? 1.0 : -1.0;
  memset(solution, 0, (size_t)system->node_count * MO_NODE_SIZE * sizeof *solution);
  for (uint32_t row = 0; row < system->row_count; row++) {
    solution[system->index[row]] =
        system->weights[row] > 0.0 ? sign * system->weights[row] * x[row] : 0.0;
  }
  mo_block_solve(&system->matrix, solution);
  for (uint32_t row = 0; row < system->row_count; row++) {
    x[row] = system->weights[row] * solution[system->index[row]];
  }
}

// --- products --------------------------------------------------------------------------------

static void multiply_dense(const mo_row_system *s, const double *x, double *out) {
  for (uint32_t i = 0; i < s->row_count; i++) {
    double sum = 0.0;
    for (uint32_t j = 0; j < s->row_count; j++) {
      sum += s->delassus[(size_t)i * s->row_count + j] * x[j];
    }
    out[i] = sum;
  }
}

// v += J^T x for one pair of bodies of all blocks, or out += J v.
static void multiply_pair(const mo_row_system *s, uint32_t pair, bool transposed, const double *x,
                          double *v, double *out) {
  const mo_contact_problem *problem = s->problem;
  for (uint32_t b = 0; b < problem->block_count; b++) {
    const mo_row_block *block = &problem->blocks[b];
    mo_body_pair of_block = mo_contact_problem_pair(problem, b, pair);
    for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
      const double *j = s->jacobian[pair] + (size_t)r * MO_PAIR_NUMBERS;
      double sum = pair == 0 ? 0.0 : out[r];
      for (int side = 0; side < 2; side++, j += MO_NODE_SIZE) {
        uint32_t body = of_block.bodies[side];
        if (body == MO_NO_BODY) {
          continue;
        }
        double *vb = v + (size_t)body * MO_NODE_SIZE;
        if (transposed) {
          mo_row_store(vb, mo_row_minus_scaled(mo_row_load(vb), -x[r], mo_row_load(j)));
        } else { // one by one: the order of the sum affects the bits of the result
          sum = sum + j[0] * vb[0] + j[1] * vb[1] + j[2] * vb[2];
          sum = sum + j[3] * vb[3] + j[4] * vb[4] + j[5] * vb[5];
        }
      }
      if (!transposed) {
        out[r] = sum;
      }
    }
  }
}

static void multiply_bodies(mo_row_system *s, const double *x, double *out) {
  double *v = s->body_velocity;
  memset(v, 0, (size_t)s->problem->body_count * MO_NODE_SIZE * sizeof *v);
  for (uint32_t pass = 0; pass < 2; pass++) { // v = J^T x, then out = J v
    for (uint32_t pair = 0; pair < s->pairs; pair++) {
      multiply_pair(s, pair, pass == 0, x, v, out);
    }
  }
}

void mo_row_system_velocity(mo_row_system *system, const double *x, bool affine, double *out) {
  if (system->delassus) {
    multiply_dense(system, x, out);
  } else {
    multiply_bodies(system, x, out);
  }
  for (uint32_t row = 0; row < system->row_count; row++) {
    out[row] += system->softening[row] * x[row] + (affine ? system->free_velocity[row] : 0.0);
  }
}

// --- condition -------------------------------------------------------------------------------

typedef struct condition_context {
  mo_row_system *system;
  double *product;
} condition_context;

static void apply_inverse(const void *context, double *x) {
  mo_row_system_solve(((const condition_context *)context)->system, x);
}

static void apply_matrix(const void *context, double *x) {
  const condition_context *c = context;
  mo_row_system *s = c->system;
  for (uint32_t row = 0; row < s->row_count; row++) {
    x[row] = s->weights[row] > 0.0 ? x[row] : 0.0;
  }
  mo_row_system_velocity(s, x, false, c->product);
  for (uint32_t row = 0; row < s->row_count; row++) {
    x[row] = s->weights[row] > 0.0 ? c->product[row] + s->shifts[row] * x[row] : 0.0;
  }
}

double mo_row_system_condition(mo_row_system *system, mo_arena *arena) {
  uint32_t n = system->row_count;
  condition_context context = {system, MO_ARENA_TAKE_RAW(arena, double, n)};
  double *workspace = MO_ARENA_TAKE_RAW(arena, double, 2 * (size_t)n);
  if (!context.product || !workspace) {
    return -1.0;
  }
  return mo_norm1_estimate(n, apply_matrix, apply_matrix, &context, workspace) *
         mo_norm1_estimate(n, apply_inverse, apply_inverse, &context, workspace);
}
