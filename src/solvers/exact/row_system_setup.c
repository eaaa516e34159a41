#include "solvers/exact/row_system.h"

#include "math/scalar.h"

#include <string.h>

// Cost of an operation relative to one in the blocks of bodies: blocks of single rows are stored as
// if they had six, which triples the time; the matrix is symmetric, which halves it.
#define SLOWNESS (3.0 * 0.5)
// Fraction of a row's squared length: a side with less gives its row no pivot, like the rotation of
// a body that cannot turn.
#define WEAK_SIDE 1e-8

static double squared_length(const double *row, uint32_t count) {
  double sum = 0.0;
  for (uint32_t k = 0; k < count; k++) {
    sum += row[k] * row[k];
  }
  return sum;
}

// --- scaling ---------------------------------------------------------------------------------

// W_ii + gamma_i of a row with Jacobians. A and B of a block may be the same body.
static double row_mobility(const mo_contact_problem *problem, const mo_row_block *block,
                           uint32_t row) {
  double both[MO_NODE_SIZE] = {0}, sum = 0.0;
  for (uint32_t side = 0; side < mo_contact_problem_sides(problem); side++) {
    const double *j = problem->jacobian[side] + (size_t)row * MO_NODE_SIZE;
    if (mo_contact_problem_body(problem, block, side) == MO_NO_BODY) {
      continue;
    }
    if (block->body_a != block->body_b) {
      sum += squared_length(j, MO_NODE_SIZE);
      continue;
    }
    for (uint32_t k = 0; k < MO_NODE_SIZE; k++) {
      both[k] += j[k];
    }
  }
  return sum + squared_length(both, MO_NODE_SIZE);
}

static void scale_row(mo_row_system *s, const mo_row_block *block, uint32_t row) {
  const mo_contact_problem *problem = s->problem;
  double w = problem->delassus ? problem->delassus[(size_t)row * s->row_count + row]
                               : row_mobility(problem, block, row);
  double d = w + problem->softening[row];
  double root = d > 0.0 ? sqrt(d) : 0.0;
  double inverse = root > 0.0 ? 1.0 / root : 0.0;
  s->root[row] = root;
  s->free_velocity[row] = inverse * problem->free_velocity[row];
  s->softening[row] = root > 0.0 ? problem->softening[row] / d : 0.0;
  bool bilateral = block->bound == MO_BOUND_BILATERAL, box = block->bound == MO_BOUND_BOX;
  s->lower[row] = bilateral ? -HUGE_VAL
                  : box     ? mo_is_finite(block->lower) ? root * block->lower : block->lower
                            : 0.0;
  s->upper[row] = box && mo_is_finite(block->upper) ? root * block->upper
                  : box                             ? block->upper
                                                    : HUGE_VAL;
  for (uint32_t side = 0; s->jacobian && side < s->sides; side++) {
    const double *from = problem->jacobian[side] + (size_t)row * MO_NODE_SIZE;
    double *to = mo_row_system_jacobian(s, row) + (size_t)side * MO_NODE_SIZE;
    bool moves = mo_contact_problem_body(problem, block, side) != MO_NO_BODY;
    for (uint32_t k = 0; k < MO_NODE_SIZE; k++) {
      to[k] = moves ? inverse * from[k] : 0.0;
    }
  }
}

static void scale_rows(mo_row_system *s) {
  for (uint32_t b = 0; b < s->problem->block_count; b++) {
    const mo_row_block *block = &s->problem->blocks[b];
    for (uint32_t k = 0; k < block->row_count; k++) {
      scale_row(s, block, block->first_row + k);
    }
  }
  uint32_t n = s->row_count;
  for (uint32_t i = 0; s->delassus && i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double roots = s->root[i] * s->root[j];
      double w = s->problem->delassus[(size_t)i * n + j];
      s->delassus[(size_t)i * n + j] = roots > 0.0 ? w / s->root[i] / s->root[j] : 0.0;
    }
  }
}

// --- graph -----------------------------------------------------------------------------------

typedef struct graph_builder {
  uint8_t *sizes, *turns;
  uint32_t *edges;
  uint32_t node_count, edge_count;
} graph_builder;

static bool begin_graph(graph_builder *g, size_t nodes, size_t edges, mo_arena *arena) {
  *g = (graph_builder){.sizes = MO_ARENA_TAKE(arena, uint8_t, nodes),
                       .turns = MO_ARENA_TAKE(arena, uint8_t, nodes),
                       .edges = MO_ARENA_TAKE_RAW(arena, uint32_t, 2 * edges)};
  return g->sizes && g->turns && g->edges;
}

static void add_edge(graph_builder *g, uint32_t i, uint32_t j) {
  uint32_t *edge = g->edges + 2 * (size_t)g->edge_count++;
  edge[0] = i;
  edge[1] = j;
}

// Whether a side alone may leave the row without a pivot: it hardly takes part, or several rows
// share a body that cannot turn.
static bool is_weak(const double *row, bool alone) {
  const double *linear = row, *angular = row + 3;
  double turn = squared_length(angular, 3), whole = squared_length(linear, 3) + turn;
  return whole < WEAK_SIDE || (!alone && turn < WEAK_SIDE * whole);
}

static void set_turn(const mo_row_system *s, const mo_row_block *block, uint8_t *turn) {
  uint32_t bodies = 0;
  bool any_weak = false;
  for (uint32_t side = 0; side < s->sides; side++) {
    bool moves = mo_contact_problem_body(s->problem, block, side) != MO_NO_BODY;
    bodies += moves;
    for (uint32_t r = 0; moves && r < block->row_count; r++) {
      const double *row = mo_row_system_jacobian(s, block->first_row + r);
      any_weak = any_weak || is_weak(row + (size_t)side * MO_NODE_SIZE, block->row_count == 1);
    }
  }
  if (any_weak && bodies > 1 && block->body_a != block->body_b) {
    *turn = MO_TURN_AFTER_ALL;
  }
}

static bool are_of_same_bodies(const mo_row_system *s, const mo_row_block *last,
                               const mo_row_block *block) {
  for (uint32_t side = 0; side < s->sides; side++) {
    if (mo_contact_problem_body(s->problem, last, side) !=
        mo_contact_problem_body(s->problem, block, side)) {
      return false;
    }
  }
  return true;
}

// Bodies come first, then nodes of rows; consecutive blocks of the same bodies share a node.
static bool build_body_graph(mo_row_system *s, graph_builder *g, mo_arena *arena) {
  const mo_contact_problem *problem = s->problem;
  uint32_t bodies = problem->body_count;
  if (!begin_graph(g, (size_t)bodies + problem->block_count,
                   s->sides * (size_t)problem->block_count, arena)) {
    return false;
  }
  memset(g->sizes, MO_NODE_SIZE, bodies);
  g->node_count = bodies;
  const mo_row_block *last = NULL;
  for (uint32_t b = 0; b < problem->block_count; b++) {
    const mo_row_block *block = &problem->blocks[b];
    uint32_t node = g->node_count - 1;
    if (!last || !are_of_same_bodies(s, last, block) ||
        g->sizes[node] + block->row_count > MO_NODE_SIZE) {
      node = g->node_count++;
      g->turns[node] = MO_TURN_AFTER_ONE;
      for (uint32_t side = 0; side < s->sides; side++) {
        uint32_t body = mo_contact_problem_body(problem, block, side);
        if (body != MO_NO_BODY) {
          add_edge(g, node, body);
        }
      }
    }
    for (uint32_t k = 0; k < block->row_count; k++) {
      s->index[block->first_row + k] = node * MO_NODE_SIZE + g->sizes[node]++;
    }
    set_turn(s, block, &g->turns[node]);
    last = block;
  }
  return true;
}

// Six rows per node, and an edge for every pair of nodes.
static bool build_dense_graph(mo_row_system *s, graph_builder *g, mo_arena *arena) {
  size_t nodes = (s->row_count + MO_NODE_SIZE - 1) / MO_NODE_SIZE;
  if (!begin_graph(g, nodes, nodes * (nodes > 0 ? nodes - 1 : 0) / 2, arena)) {
    return false;
  }
  g->node_count = (uint32_t)nodes;
  for (uint32_t i = 0; i < nodes; i++) {
    for (uint32_t j = 0; j < i; j++) {
      add_edge(g, j, i);
    }
  }
  for (uint32_t row = 0; row < s->row_count; row++) {
    s->index[row] = row;
    g->sizes[row / MO_NODE_SIZE]++;
  }
  return true;
}

// The place of a row of J: a row of the block of its node and the body, or a column of the
// transpose.
static mo_row_place find_place(const mo_row_system *s, uint32_t row, uint32_t body) {
  if (body == MO_NO_BODY) {
    return (mo_row_place){0};
  }
  uint32_t node = s->index[row] / MO_NODE_SIZE, k = s->index[row] % MO_NODE_SIZE;
  double *block = mo_block_at(&s->matrix, node, body);
  if (block) {
    return (mo_row_place){block + (size_t)k * MO_NODE_SIZE, 1};
  }
  return (mo_row_place){mo_block_at(&s->matrix, body, node) + k, MO_NODE_SIZE};
}

static void find_places(mo_row_system *s) {
  for (uint32_t b = 0; b < s->problem->block_count; b++) {
    const mo_row_block *block = &s->problem->blocks[b];
    for (uint32_t k = 0; k < block->row_count; k++) {
      uint32_t row = block->first_row + k;
      for (uint32_t side = 0; side < s->sides; side++) {
        s->places[s->sides * (size_t)row + side] =
            find_place(s, row, mo_contact_problem_body(s->problem, block, side));
      }
    }
  }
}

static bool take_rows(mo_row_system *s, mo_arena *arena) {
  size_t n = s->row_count;
  s->index = MO_ARENA_TAKE_RAW(arena, uint32_t, n);
  s->shifts = MO_ARENA_TAKE(arena, double, n);
  s->weights = MO_ARENA_TAKE(arena, double, n);
  s->root = MO_ARENA_TAKE_RAW(arena, double, n);
  s->free_velocity = MO_ARENA_TAKE_RAW(arena, double, n);
  s->softening = MO_ARENA_TAKE_RAW(arena, double, n);
  s->lower = MO_ARENA_TAKE_RAW(arena, double, n);
  s->upper = MO_ARENA_TAKE_RAW(arena, double, n);
  if (!s->index || !s->shifts || !s->weights || !s->root || !s->free_velocity || !s->softening ||
      !s->lower || !s->upper) {
    return false;
  }
  if (s->problem->delassus) {
    s->delassus = mo_arena_take_matrix(arena, n, n);
    return s->delassus != NULL;
  }
  s->jacobian = MO_ARENA_TAKE_RAW(arena, double, n * s->sides * MO_NODE_SIZE);
  s->places = MO_ARENA_TAKE_RAW(arena, mo_row_place, n * s->sides);
  s->body_velocity = MO_ARENA_TAKE_RAW(arena, double, (size_t)s->problem->body_count *MO_NODE_SIZE);
  return s->jacobian && s->places && s->body_velocity;
}

mo_result mo_row_system_init(mo_row_system *system, const mo_contact_problem *problem,
                             mo_work *work, mo_ordering_cache *cache, mo_arena *arena) {
  *system = (mo_row_system){.problem = problem,
                            .row_count = problem->row_count,
                            .sides = mo_contact_problem_sides(problem),
                            .work = work};
  if (!take_rows(system, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  scale_rows(system);
  graph_builder g;
  bool dense = problem->delassus != NULL;
  if (dense ? !build_dense_graph(system, &g, arena) : !build_body_graph(system, &g, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_block_graph graph = {g.node_count, g.edge_count, g.sizes,
                          g.turns,      g.edges,      mo_work_left(work)};
  const mo_block_pattern *pattern = mo_ordering_cache_find(cache, &graph, arena);
  system->node_count = g.node_count;
  system->solution = MO_ARENA_TAKE(arena, double, (size_t)g.node_count *MO_NODE_SIZE);
  system->signs = MO_ARENA_TAKE_RAW(arena, int8_t, g.node_count);
  if (!pattern || !system->solution || !system->signs ||
      !mo_block_matrix_init(&system->matrix, pattern, MO_FORM_LDL, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  system->factor_work = SLOWNESS * mo_block_pattern_work(pattern);
  uint32_t positive = dense ? g.node_count : problem->body_count;
  memset(system->signs, 1, positive);
  memset(system->signs + positive, -1, g.node_count - positive);
  system->matrix.signs = system->signs;
  if (!dense) {
    find_places(system);
  }
  return MO_OK;
}
