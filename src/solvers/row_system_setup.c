#include "solvers/row_system.h"

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

// The part of one pair of bodies in W_ii of a row with Jacobians. Both bodies may be the same.
static double pair_mobility(const mo_contact_problem *problem, uint32_t block, uint32_t pair,
                            uint32_t row) {
  mo_body_pair of_block = mo_contact_problem_pair(problem, block, pair);
  double both[MO_NODE_SIZE] = {0}, sum = 0.0;
  for (int side = 0; side < 2; side++) {
    const double *j = problem->jacobian[2 * pair + (uint32_t)side] + (size_t)row * MO_NODE_SIZE;
    if (of_block.bodies[side] == MO_NO_BODY) {
      continue;
    }
    if (of_block.bodies[0] != of_block.bodies[1]) {
      sum += squared_length(j, MO_NODE_SIZE);
      continue;
    }
    for (uint32_t k = 0; k < MO_NODE_SIZE; k++) {
      both[k] += j[k];
    }
  }
  return sum + squared_length(both, MO_NODE_SIZE);
}

// The Jacobian of a row for one pair of bodies.
static void scale_pair(mo_row_system *s, uint32_t block, uint32_t pair, uint32_t row,
                       double factor) {
  mo_body_pair of_block = mo_contact_problem_pair(s->problem, block, pair);
  double *to = s->jacobian[pair] + (size_t)row * MO_PAIR_NUMBERS;
  for (int side = 0; side < 2; side++, to += MO_NODE_SIZE) {
    const double *from =
        s->problem->jacobian[2 * pair + (uint32_t)side] + (size_t)row * MO_NODE_SIZE;
    bool moves = of_block.bodies[side] != MO_NO_BODY;
    for (uint32_t k = 0; k < MO_NODE_SIZE; k++) {
      to[k] = moves ? factor * from[k] : 0.0;
    }
  }
}

static void scale_row(mo_row_system *s, uint32_t index, uint32_t row) {
  const mo_contact_problem *problem = s->problem;
  const mo_row_block *block = &problem->blocks[index];
  double w = problem->delassus ? problem->delassus[(size_t)row * s->row_count + row] : 0.0;
  for (uint32_t pair = 0; pair < s->pairs; pair++) {
    w += pair_mobility(problem, index, pair, row);
  }
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
  for (uint32_t pair = 0; pair < s->pairs; pair++) {
    scale_pair(s, index, pair, row, inverse);
  }
}

static void scale_rows(mo_row_system *s) {
  for (uint32_t b = 0; b < s->problem->block_count; b++) {
    const mo_row_block *block = &s->problem->blocks[b];
    for (uint32_t k = 0; k < block->row_count; k++) {
      scale_row(s, b, block->first_row + k);
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

// Whether a body of a pair may alone leave a row of the block without a pivot.
static bool has_weak_side(const mo_row_system *s, const mo_row_block *block, uint32_t pair,
                          mo_body_pair of_block) {
  bool alone = block->row_count == 1;
  for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
    const double *row = s->jacobian[pair] + (size_t)r * MO_PAIR_NUMBERS;
    if ((of_block.bodies[0] != MO_NO_BODY && is_weak(row, alone)) ||
        (of_block.bodies[1] != MO_NO_BODY && is_weak(row + MO_NODE_SIZE, alone))) {
      return true;
    }
  }
  return false;
}

// A block of one body has no other that could come before it.
static void set_turn(const mo_row_system *s, uint32_t index, uint8_t *turn) {
  const mo_row_block *block = &s->problem->blocks[index];
  uint32_t moving = 0;
  bool any_weak = false;
  for (uint32_t pair = 0; pair < s->pairs; pair++) {
    mo_body_pair of_block = mo_contact_problem_pair(s->problem, index, pair);
    moving += (of_block.bodies[0] != MO_NO_BODY) + (of_block.bodies[1] != MO_NO_BODY);
    any_weak = any_weak || has_weak_side(s, block, pair, of_block);
  }
  if (any_weak && moving > 1 && block->body_a != block->body_b) {
    *turn = MO_TURN_AFTER_ALL;
  }
}

// Whether a block shares the node of the block before it: it has the same bodies.
static bool continues(const mo_row_system *s, uint32_t index) {
  for (uint32_t pair = 0; index > 0 && pair < s->pairs; pair++) {
    mo_body_pair of_block = mo_contact_problem_pair(s->problem, index, pair);
    mo_body_pair of_last = mo_contact_problem_pair(s->problem, index - 1, pair);
    if (of_block.bodies[0] != of_last.bodies[0] || of_block.bodies[1] != of_last.bodies[1]) {
      return false;
    }
  }
  return index > 0;
}

// Bodies come first, then nodes of rows; consecutive blocks of the same bodies share a node.
static bool build_body_graph(mo_row_system *s, graph_builder *g, mo_arena *arena) {
  const mo_contact_problem *problem = s->problem;
  uint32_t bodies = problem->body_count;
  if (!begin_graph(g, (size_t)bodies + problem->block_count,
                   2 * (size_t)s->pairs * problem->block_count, arena)) {
    return false;
  }
  memset(g->sizes, MO_NODE_SIZE, bodies);
  g->node_count = bodies;
  for (uint32_t b = 0; b < problem->block_count; b++) {
    const mo_row_block *block = &problem->blocks[b];
    uint32_t node = g->node_count - 1;
    if (!continues(s, b) || g->sizes[node] + block->row_count > MO_NODE_SIZE) {
      node = g->node_count++;
      g->turns[node] = MO_TURN_AFTER_ONE;
      for (uint32_t side = 0; side < 2 * s->pairs; side++) {
        uint32_t body = mo_contact_problem_pair(problem, b, side / 2).bodies[side % 2];
        if (body != MO_NO_BODY) {
          add_edge(g, node, body);
        }
      }
    }
    for (uint32_t k = 0; k < block->row_count; k++) {
      s->index[block->first_row + k] = node * MO_NODE_SIZE + g->sizes[node]++;
    }
    set_turn(s, b, &g->turns[node]);
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

static void find_places(mo_row_system *s, uint32_t pair) {
  for (uint32_t b = 0; b < s->problem->block_count; b++) {
    const mo_row_block *block = &s->problem->blocks[b];
    mo_body_pair of_block = mo_contact_problem_pair(s->problem, b, pair);
    for (uint32_t row = block->first_row; row < block->first_row + block->row_count; row++) {
      s->places[pair][2 * (size_t)row] = find_place(s, row, of_block.bodies[0]);
      s->places[pair][2 * (size_t)row + 1] = find_place(s, row, of_block.bodies[1]);
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
  s->pairs = mo_contact_problem_pairs(s->problem);
  s->body_velocity = MO_ARENA_TAKE_RAW(arena, double, (size_t)s->problem->body_count *MO_NODE_SIZE);
  bool has_room = s->body_velocity != NULL;
  for (uint32_t pair = 0; pair < s->pairs; pair++) {
    s->jacobian[pair] = MO_ARENA_TAKE_RAW(arena, double, n *MO_PAIR_NUMBERS);
    s->places[pair] = MO_ARENA_TAKE_RAW(arena, mo_row_place, 2 * n);
    has_room = has_room && s->jacobian[pair] && s->places[pair];
  }
  return has_room;
}

mo_result mo_row_system_init(mo_row_system *system, const mo_contact_problem *problem,
                             mo_work *work, mo_ordering_cache *cache, mo_arena *arena) {
  *system = (mo_row_system){.problem = problem, .row_count = problem->row_count, .work = work};
  if (!take_rows(system, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  scale_rows(system);
  graph_builder g;
  bool dense = problem->delassus != NULL;
  if (dense ? !build_dense_graph(system, &g, arena) : !build_body_graph(system, &g, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_block_graph graph = {g.node_count,
                          g.edge_count,
                          g.sizes,
                          g.turns,
                          g.edges,
                          mo_work_left(work),
                          work ? &work->is_short : NULL};
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
  for (uint32_t pair = 0; pair < system->pairs; pair++) {
    find_places(system, pair);
  }
  return MO_OK;
}
