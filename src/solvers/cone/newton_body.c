/// The body-space backend of the Newton systems: LU of I + J^T K J on the graph of bodies and
/// linear blocks.
#include "math/scalar.h"
#include "solvers/cone/newton_system.h"

#include <string.h>

// Floating-point operations per row: its part of the matrix and of the solves.
#define ROW_WORK 1500.0

_Static_assert(MO_NODE_SIZE == 6, "nodes of bodies lie as their velocities do");

// --- graph --------------------------------------------------------------------------------------

// The most edges of a block: two with a node of its own, or one between each two of four bodies.
static size_t most_edges(const mo_scaled_problem *problem) { return problem->pairs > 1 ? 6 : 2; }

static uint32_t add_edge(uint32_t *edges, uint32_t count, uint32_t i, uint32_t j) {
  if (i == MO_NO_BODY || j == MO_NO_BODY) {
    return count;
  }
  edges[2 * (size_t)count] = i;
  edges[2 * (size_t)count + 1] = j;
  return count + 1;
}

// Edges of a block: between its bodies, or from a linear block's node to each of them.
static uint32_t block_edges(const mo_cone_block *block, uint32_t sides, uint32_t node,
                            uint32_t *edges) {
  bool is_linear = block->kind == MO_CONE_LINEAR;
  uint32_t count = 0;
  for (uint32_t i = 0; i < sides && block->kind != MO_CONE_IMMOVABLE; i++) {
    if (is_linear) {
      count = add_edge(edges, count, node, mo_cone_body(block, i));
    }
    for (uint32_t k = i + 1; k < sides && !is_linear; k++) {
      count = add_edge(edges, count, mo_cone_body(block, i), mo_cone_body(block, k));
    }
  }
  return count;
}

static bool analyse(mo_newton_system *system, mo_ordering_cache *cache) {
  const mo_scaled_problem *problem = system->problem;
  uint32_t most = problem->body_count + problem->block_count;
  uint8_t *sizes = MO_ARENA_TAKE(system->arena, uint8_t, most);
  uint8_t *turns = MO_ARENA_TAKE(system->arena, uint8_t, most);
  uint32_t *edges =
      MO_ARENA_TAKE(system->arena, uint32_t, 2 * most_edges(problem) * problem->block_count);
  if (!sizes || !turns || !edges) {
    return false;
  }
  mo_block_graph graph = {.node_count = problem->body_count,
                          .sizes = sizes,
                          .turns = turns,
                          .edges = edges,
                          .most_work = mo_work_left(system->work),
                          .stopped = system->work ? &system->work->is_short : NULL};
  memset(sizes, MO_NODE_SIZE, problem->body_count);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    graph.edge_count += block_edges(block, 2 * problem->pairs, graph.node_count,
                                    edges + 2 * (size_t)graph.edge_count);
    if (block->kind == MO_CONE_LINEAR) {
      // After all of its bodies, because a single body may carry some of the rows.
      turns[graph.node_count] = MO_TURN_AFTER_ALL;
      sizes[graph.node_count++] = (uint8_t)block->row_count;
    }
  }
  const mo_block_pattern *pattern = mo_ordering_cache_find(cache, &graph, system->arena);
  system->nodes = MO_ARENA_TAKE(system->arena, double, MO_NODE_SIZE *(size_t)graph.node_count);
  return pattern && system->nodes &&
         mo_block_matrix_init(&system->matrix, pattern, MO_FORM_LU, system->arena);
}

bool mo_newton_body_create(mo_newton_system *system, mo_ordering_cache *cache) {
  size_t n = system->problem->row_count;
  system->eliminate = MO_ARENA_TAKE(system->arena, double, MO_BLOCK_ROWS *n);
  system->stiffness = MO_ARENA_TAKE(system->arena, double, MO_BLOCK_ROWS *n);
  return system->eliminate && system->stiffness && analyse(system, cache);
}

double mo_newton_body_work(const mo_newton_system *system) {
  return mo_block_pattern_work(system->matrix.pattern) + ROW_WORK * system->problem->row_count;
}

// --- factorisation ------------------------------------------------------------------------------

// inverse = m^-1 for 1 or 3 rows, by cofactors. Rows have MO_BLOCK_ROWS numbers.
static bool invert_block(const double m[9], uint32_t rows, double inverse[9]) {
  if (rows == 1) {
    inverse[0] = 1.0 / m[0];
    return mo_is_finite(inverse[0]);
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      inverse[3 * j + i] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
    }
  }
  double det = m[0] * inverse[0] + m[1] * inverse[3] + m[2] * inverse[6];
  for (int k = 0; k < 9; k++) {
    inverse[k] /= det;
  }
  return mo_is_finite(1.0 / det);
}

// E = (A + B (softening + compliance))^-1 and K = E B of a block of 1 or 3 rows.
static bool eliminate_block(mo_newton_system *system, const mo_cone_block *block) {
  uint32_t first = block->first_row, rows = block->row_count;
  double m[9] = {0.0}, inverse[9] = {0.0};
  for (uint32_t k = 0; k < rows; k++) {
    for (uint32_t j = 0; j < rows; j++) {
      m[rows * k + j] = *mo_block_entry(system->a, first, k, j) +
                        *mo_block_entry(system->b, first, k, j) *
                            (system->problem->softening[first + j] + system->compliance);
    }
  }
  if (!invert_block(m, rows, inverse)) {
    return false;
  }
  for (uint32_t k = 0; k < rows; k++) {
    for (uint32_t j = 0; j < rows; j++) {
      double sum = 0.0;
      for (uint32_t l = 0; l < rows; l++) {
        sum += inverse[rows * k + l] * *mo_block_entry(system->b, first, l, j);
      }
      *mo_block_entry(system->eliminate, first, k, j) = inverse[rows * k + j];
      *mo_block_entry(system->stiffness, first, k, j) = sum;
    }
  }
  return true;
}

// Block (i, j) += Ji^T K Jj, with the Jacobians of two sides of one block.
static void add_coupling(mo_newton_system *system, const mo_cone_block *block, uint32_t side_i,
                         uint32_t side_j) {
  uint32_t i = mo_cone_body(block, side_i), j = mo_cone_body(block, side_j);
  if (i == MO_NO_BODY || j == MO_NO_BODY) {
    return;
  }
  double *out = mo_block_at(&system->matrix, i, j);
  const double *ji = system->problem->jacobian[side_i] + 6 * (size_t)block->first_row;
  const double *jj = system->problem->jacobian[side_j] + 6 * (size_t)block->first_row;
  for (uint32_t k = 0; k < block->row_count; k++) {
    double kj[6] = {0.0};
    for (uint32_t l = 0; l < block->row_count; l++) {
      double stiffness = *mo_block_entry(system->stiffness, block->first_row, k, l);
      for (int c = 0; c < 6; c++) {
        kj[c] += stiffness * jj[6 * l + (uint32_t)c];
      }
    }
    for (uint32_t r = 0; r < 6; r++) {
      for (uint32_t c = 0; c < 6; c++) {
        out[MO_NODE_SIZE * r + c] += ji[6 * k + r] * kj[c];
      }
    }
  }
}

static void add_couplings(mo_newton_system *system, const mo_cone_block *block) {
  uint32_t sides = 2 * system->problem->pairs;
  for (uint32_t i = 0; i < sides; i++) {
    for (uint32_t j = 0; j < sides; j++) {
      add_coupling(system, block, i, j);
    }
  }
}

// J in the rows of a linear block's node, and -J^T in those of the body.
static void add_linear_side(mo_newton_system *system, const mo_cone_block *block, uint32_t node,
                            uint32_t body, const double *jacobian) {
  if (body == MO_NO_BODY) {
    return;
  }
  double *rows = mo_block_at(&system->matrix, node, body);
  double *columns = mo_block_at(&system->matrix, body, node);
  const double *j = jacobian + 6 * (size_t)block->first_row;
  for (uint32_t k = 0; k < block->row_count; k++) {
    for (uint32_t c = 0; c < 6; c++) {
      rows[MO_NODE_SIZE * k + c] += j[6 * k + c];
      columns[MO_NODE_SIZE * c + k] -= j[6 * k + c];
    }
  }
}

// B of a linear row is a multiple of the unit matrix; 0 for immovable rows.
static double linear_weight(const mo_newton_system *system, uint32_t first, uint32_t k) {
  double b = *mo_block_entry(system->b, first, k, k);
  return b != 0.0 ? 1.0 / b : 1.0;
}

static void add_linear_block(mo_newton_system *system, const mo_cone_block *block, uint32_t node) {
  const mo_scaled_problem *problem = system->problem;
  uint32_t first = block->first_row;
  for (uint32_t side = 0; side < 2 * problem->pairs; side++) {
    add_linear_side(system, block, node, mo_cone_body(block, side), problem->jacobian[side]);
  }
  double *diagonal = mo_block_at(&system->matrix, node, node);
  for (uint32_t k = 0; k < block->row_count; k++) {
    diagonal[(size_t)(MO_NODE_SIZE + 1) * k] +=
        problem->softening[first + k] +
        *mo_block_entry(system->a, first, k, k) * linear_weight(system, first, k);
  }
}

bool mo_newton_body_factorise(mo_newton_system *system) {
  const mo_scaled_problem *problem = system->problem;
  mo_block_matrix_clear(&system->matrix);
  for (uint32_t i = 0; i < problem->body_count; i++) {
    double *diagonal = mo_block_at(&system->matrix, i, i);
    for (size_t c = 0; c < 6; c++) {
      diagonal[(MO_NODE_SIZE + 1) * c] = 1.0;
    }
  }
  uint32_t node = problem->body_count;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    if (block->kind == MO_CONE_LINEAR) {
      add_linear_block(system, block, node++);
    } else if (block->kind != MO_CONE_IMMOVABLE) {
      if (!eliminate_block(system, block)) {
        return false;
      }
      add_couplings(system, block);
    }
  }
  return mo_block_factor(&system->matrix);
}

// --- solution -----------------------------------------------------------------------------------

// Right-hand sides of the nodes. `out` keeps E right of the eliminated rows.
static void condense(mo_newton_system *system, const double *right, double *out) {
  const mo_scaled_problem *problem = system->problem;
  memset(system->nodes, 0,
         MO_NODE_SIZE * (size_t)system->matrix.pattern->node_count * sizeof *system->nodes);
  uint32_t node = problem->body_count;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    for (uint32_t k = 0; k < block->row_count; k++) {
      size_t row = (size_t)first + k;
      if (block->kind == MO_CONE_LINEAR) {
        system->nodes[MO_NODE_SIZE * (size_t)node + k] =
            right[row] * linear_weight(system, first, k);
      } else if (block->kind == MO_CONE_IMMOVABLE) {
        out[row] = 0.0;
      } else {
        out[row] = 0.0;
        for (uint32_t j = 0; j < block->row_count; j++) {
          out[row] += *mo_block_entry(system->eliminate, first, k, j) * right[first + j];
        }
        mo_scaled_add_row(problem, block, row, out[row], system->nodes);
      }
    }
    node += block->kind == MO_CONE_LINEAR ? 1 : 0;
  }
}

void mo_newton_body_solve(mo_newton_system *system, const double *right, double *out) {
  const mo_scaled_problem *problem = system->problem;
  condense(system, right, out);
  mo_block_solve(&system->matrix, system->nodes);
  uint32_t node = problem->body_count;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    uint32_t first = block->first_row;
    if (block->kind == MO_CONE_LINEAR) {
      memcpy(out + first, system->nodes + MO_NODE_SIZE * (size_t)node++,
             block->row_count * sizeof *out);
      continue;
    }
    if (block->kind == MO_CONE_IMMOVABLE) {
      continue;
    }
    double w[3];
    for (uint32_t k = 0; k < block->row_count; k++) {
      w[k] = mo_scaled_row_velocity(problem, block, (size_t)first + k, system->nodes);
    }
    for (uint32_t k = 0; k < block->row_count; k++) {
      for (uint32_t j = 0; j < block->row_count; j++) {
        out[first + k] -= *mo_block_entry(system->stiffness, first, k, j) * w[j];
      }
    }
  }
}
