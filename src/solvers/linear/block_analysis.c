// Minimum degree on the explicit elimination graph. Every node keeps the sorted list of its
// neighbours, and eliminating a node merges its list into those of its neighbours. A merge costs
// two lists where the numeric factorisation needs hundreds of multiplications per pair, so a
// quotient graph would save nothing for graphs of the size of islands. Degrees are exact, and a
// node's list at its elimination is its row of the factor.

#include "memory/sort.h"
#include "solvers/linear/block_sparse.h"

#include <string.h>

// A node's neighbours that are not eliminated, ascending.
typedef struct neighbours {
  uint32_t *nodes;
  uint32_t count;
  uint32_t capacity;
} neighbours;

typedef struct analysis {
  const mo_block_graph *graph;
  mo_arena *arena;
  uint32_t edge_count; // without repeats and loops
  neighbours *lists;
  uint32_t *first;    // per node: start of its neighbours in the graph
  uint32_t *adjacent; // the graph's neighbours, ascending, each once; not changed by elimination
  uint32_t *degree;   // their number
  uint32_t *waiting;  // per node: neighbours that must be eliminated first; 0: it may be eliminated
  uint32_t *heap;     // nodes that may be eliminated, the one of smallest degree first
  uint32_t *heap_index;
  uint32_t heap_count;
  uint32_t *order; // per position: its node
  uint32_t order_count;
  uint32_t *merged;
} analysis;

#define NOT_IN_HEAP UINT32_MAX

// --- heap of the nodes that may be eliminated ------------------------------------------------

static bool goes_before(const analysis *a, uint32_t i, uint32_t j) {
  uint32_t di = a->lists[i].count, dj = a->lists[j].count;
  return di != dj ? di < dj : i < j;
}

static void heap_put(analysis *a, uint32_t index, uint32_t node) {
  a->heap[index] = node;
  a->heap_index[node] = index;
}

static void heap_up(analysis *a, uint32_t index, uint32_t node) {
  while (index > 0 && goes_before(a, node, a->heap[(index - 1) / 2])) {
    heap_put(a, index, a->heap[(index - 1) / 2]);
    index = (index - 1) / 2;
  }
  heap_put(a, index, node);
}

static void heap_down(analysis *a, uint32_t index, uint32_t node) {
  for (;;) {
    uint32_t child = 2 * index + 1;
    if (child + 1 < a->heap_count && goes_before(a, a->heap[child + 1], a->heap[child])) {
      child++;
    }
    if (child >= a->heap_count || !goes_before(a, a->heap[child], node)) {
      break;
    }
    heap_put(a, index, a->heap[child]);
    index = child;
  }
  heap_put(a, index, node);
}

static void heap_add(analysis *a, uint32_t node) { heap_up(a, a->heap_count++, node); }

static uint32_t heap_take(analysis *a) {
  uint32_t node = a->heap[0];
  a->heap_index[node] = NOT_IN_HEAP;
  uint32_t last = a->heap[--a->heap_count];
  if (a->heap_count > 0) {
    heap_down(a, 0, last);
  }
  return node;
}

static void heap_degree_changed(analysis *a, uint32_t node) {
  uint32_t index = a->heap_index[node];
  if (index != NOT_IN_HEAP) {
    heap_up(a, index, node);
    heap_down(a, a->heap_index[node], node);
  }
}

// --- the graph -------------------------------------------------------------------------------

// Lists of neighbours with repeats, in the order of the edges.
static bool collect_edges(const mo_block_graph *graph, mo_arena *arena, uint32_t *first,
                          uint32_t **unsorted) {
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    uint32_t i = graph->edges[2 * (size_t)e], j = graph->edges[2 * (size_t)e + 1];
    if (i != j) {
      first[i + 1]++;
      first[j + 1]++;
    }
  }
  mo_sum_counts(first, graph->node_count);
  uint32_t *next = MO_ARENA_TAKE_RAW(arena, uint32_t, graph->node_count);
  *unsorted = MO_ARENA_TAKE_RAW(arena, uint32_t, first[graph->node_count]);
  if (!next || !*unsorted) {
    return false;
  }
  memcpy(next, first, graph->node_count * sizeof *next);
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    uint32_t i = graph->edges[2 * (size_t)e], j = graph->edges[2 * (size_t)e + 1];
    if (i != j) {
      (*unsorted)[next[i]++] = j;
      (*unsorted)[next[j]++] = i;
    }
  }
  return true;
}

// The graph's lists of neighbours, sorted and without repeats: the transpose of a symmetric
// relation is itself, with every list in ascending order.
static bool build_lists(analysis *a) {
  const mo_block_graph *graph = a->graph;
  uint32_t n = graph->node_count;
  uint32_t *first = MO_ARENA_TAKE(a->arena, uint32_t, (size_t)n + 1);
  uint32_t *unsorted;
  if (!first || !collect_edges(graph, a->arena, first, &unsorted)) {
    return false;
  }
  a->adjacent = MO_ARENA_TAKE_RAW(a->arena, uint32_t, first[n]);
  a->degree = MO_ARENA_TAKE_RAW(a->arena, uint32_t, n);
  uint32_t *copy = MO_ARENA_TAKE_RAW(a->arena, uint32_t, first[n]);
  if (!a->adjacent || !a->degree || !copy) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    a->lists[i].nodes = a->adjacent + first[i];
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = first[i]; k < first[i + 1]; k++) {
      neighbours *list = &a->lists[unsorted[k]];
      if (list->count == 0 || list->nodes[list->count - 1] != i) {
        list->nodes[list->count++] = i;
      }
    }
  }
  // Elimination changes a copy of its own.
  for (uint32_t i = 0; i < n; i++) {
    neighbours *list = &a->lists[i];
    list->nodes = copy + first[i];
    list->capacity = list->count;
    memcpy(list->nodes, a->adjacent + first[i], list->count * sizeof *copy);
    a->degree[i] = list->count;
    a->edge_count += list->count;
  }
  a->edge_count /= 2;
  a->first = first;
  return true;
}

static mo_node_turn turn_of(const mo_block_graph *graph, uint32_t node) {
  return graph->turns ? (mo_node_turn)graph->turns[node] : MO_TURN_ANY;
}

static uint32_t must_wait_for(const analysis *a, uint32_t node) {
  const neighbours *list = &a->lists[node];
  mo_node_turn turn = turn_of(a->graph, node);
  if (turn == MO_TURN_ANY) {
    return 0;
  }
  uint32_t count = 0;
  for (uint32_t k = 0; k < list->count; k++) {
    count += turn_of(a->graph, list->nodes[k]) == MO_TURN_ANY;
  }
  return turn == MO_TURN_AFTER_ONE && count > 1 ? 1 : count;
}

static bool begin(analysis *a) {
  uint32_t n = a->graph->node_count;
  a->lists = MO_ARENA_TAKE(a->arena, neighbours, n);
  a->waiting = MO_ARENA_TAKE_RAW(a->arena, uint32_t, n);
  a->heap = MO_ARENA_TAKE_RAW(a->arena, uint32_t, n);
  a->heap_index = MO_ARENA_TAKE_RAW(a->arena, uint32_t, n);
  a->order = MO_ARENA_TAKE_RAW(a->arena, uint32_t, n);
  a->merged = MO_ARENA_TAKE_RAW(a->arena, uint32_t, n);
  if (!a->lists || !a->waiting || !a->heap || !a->heap_index || !a->order || !a->merged ||
      !build_lists(a)) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    a->heap_index[i] = NOT_IN_HEAP;
    a->waiting[i] = must_wait_for(a, i);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (a->waiting[i] == 0) {
      heap_add(a, i);
    }
  }
  return true;
}

// --- elimination -----------------------------------------------------------------------------

// The union of (list of q without p) and (list of p without q).
static uint32_t merge(const neighbours *of_q, const neighbours *of_p, uint32_t q, uint32_t p,
                      uint32_t *out) {
  uint32_t i = 0, j = 0, count = 0;
  while (i < of_q->count || j < of_p->count) {
    uint32_t x = i < of_q->count ? of_q->nodes[i] : UINT32_MAX;
    uint32_t y = j < of_p->count ? of_p->nodes[j] : UINT32_MAX;
    uint32_t least = x < y ? x : y;
    i += x == least;
    j += y == least;
    if (least != p && least != q) {
      out[count++] = least;
    }
  }
  return count;
}

static bool replace_list(analysis *a, neighbours *list, uint32_t count) {
  if (count > list->capacity) {
    list->capacity = 2 * count;
    list->nodes = MO_ARENA_TAKE_RAW(a->arena, uint32_t, list->capacity);
    if (!list->nodes) {
      return false;
    }
  }
  list->count = count;
  memcpy(list->nodes, a->merged, count * sizeof *list->nodes);
  return true;
}

// One neighbour less is waited for by each graph neighbour of `node`.
static void release_waiting(analysis *a, uint32_t node) {
  if (!a->graph->turns || turn_of(a->graph, node) != MO_TURN_ANY) {
    return;
  }
  for (uint32_t k = 0; k < a->degree[node]; k++) {
    uint32_t neighbour = a->adjacent[a->first[node] + k];
    if (a->waiting[neighbour] > 0 && --a->waiting[neighbour] == 0) {
      heap_add(a, neighbour);
    }
  }
}

static bool eliminate(analysis *a, uint32_t node) {
  const neighbours *list = &a->lists[node];
  a->order[a->order_count++] = node;
  for (uint32_t k = 0; k < list->count; k++) {
    uint32_t q = list->nodes[k];
    uint32_t count = merge(&a->lists[q], list, q, node, a->merged);
    if (!replace_list(a, &a->lists[q], count)) {
      return false;
    }
    heap_degree_changed(a, q);
  }
  release_waiting(a, node);
  return true;
}

// --- work ------------------------------------------------------------------------------------

// Floating-point operations of a product of two blocks that is added to a third.
#define PRODUCT_WORK 432.0

// Work of eliminating a node with so many neighbours.
static double elimination_work(uint32_t neighbour_count) {
  double blocks = neighbour_count + 1.0;
  return PRODUCT_WORK * blocks * blocks;
}

double mo_block_pattern_work(const mo_block_pattern *pattern) {
  const uint32_t *first = mo_pattern_first_slot(pattern);
  double work = 0.0;
  for (uint32_t i = 0; i < pattern->node_count; i++) {
    work += elimination_work(first[i + 1] - first[i]);
  }
  return work;
}

bool mo_block_work_is_of_use(const mo_block_graph *graph, double work) {
  bool is_of_use = graph->most_work == 0.0 || work <= graph->most_work;
  if (!is_of_use && graph->stopped) {
    *graph->stopped = true;
  }
  return is_of_use;
}

// --- the pattern -----------------------------------------------------------------------------

static size_t pattern_bytes(uint32_t node_count, uint32_t slot_count) {
  size_t words = (size_t)node_count * 3 + 1 + slot_count;
  return (sizeof(mo_block_pattern) + words * sizeof(uint32_t) + node_count + 15) & ~(size_t)15;
}

// Makes rows of the factor with ascending columns by transposing twice: `a->lists` hold them as
// nodes in any order.
static void fill_slots(const analysis *a, const uint32_t *position, uint32_t *column_end,
                       uint32_t *rows_of_column, uint32_t *first_slot, uint32_t *slot_column) {
  uint32_t n = a->graph->node_count;
  for (uint32_t p = 0; p < n; p++) {
    const neighbours *list = &a->lists[a->order[p]];
    for (uint32_t k = 0; k < list->count; k++) {
      rows_of_column[column_end[position[list->nodes[k]]]++] = p;
    }
  }
  // `first_slot` is the cursor of each row, and ends at the next row.
  uint32_t begin_of_column = 0;
  for (uint32_t c = 0; c < n; c++) {
    for (uint32_t k = begin_of_column; k < column_end[c]; k++) {
      slot_column[first_slot[rows_of_column[k]]++] = c;
    }
    begin_of_column = column_end[c];
  }
  memmove(first_slot + 1, first_slot, n * sizeof *first_slot);
  first_slot[0] = 0;
}

static const mo_block_pattern *make_pattern(const analysis *a) {
  const mo_block_graph *graph = a->graph;
  uint32_t n = graph->node_count;
  size_t slot_count = 0;
  for (uint32_t i = 0; i < n; i++) {
    slot_count += a->lists[i].count;
  }
  if (slot_count > UINT32_MAX / 16) {
    return NULL;
  }
  size_t bytes = pattern_bytes(n, (uint32_t)slot_count);
  mo_block_pattern *pattern = mo_arena_take(a->arena, bytes, 1);
  uint32_t *column_end = MO_ARENA_TAKE(a->arena, uint32_t, (size_t)n + 1);
  uint32_t *rows_of_column = MO_ARENA_TAKE_RAW(a->arena, uint32_t, slot_count);
  if (!pattern || !column_end || !rows_of_column) {
    return NULL;
  }
  *pattern = (mo_block_pattern){.bytes = (uint32_t)bytes,
                                .node_count = n,
                                .slot_count = (uint32_t)slot_count,
                                .fill_count = (uint32_t)slot_count - a->edge_count};
  uint32_t *first_slot = (uint32_t *)mo_pattern_first_slot(pattern);
  uint32_t *position = (uint32_t *)mo_pattern_position(pattern);
  memcpy((uint32_t *)mo_pattern_node(pattern), a->order, n * sizeof *a->order);
  uint8_t *sizes = (uint8_t *)mo_pattern_sizes(pattern);
  for (uint32_t p = 0; p < n; p++) {
    position[a->order[p]] = p;
    sizes[p] = graph->sizes[a->order[p]];
    first_slot[p + 1] = first_slot[p] + a->lists[a->order[p]].count;
  }
  for (uint32_t p = 0; p < n; p++) {
    const neighbours *list = &a->lists[a->order[p]];
    for (uint32_t k = 0; k < list->count; k++) {
      column_end[position[list->nodes[k]] + 1]++;
    }
  }
  mo_sum_counts(column_end, n);
  fill_slots(a, position, column_end, rows_of_column, first_slot,
             (uint32_t *)mo_pattern_slot_column(pattern));
  return pattern;
}

const mo_block_pattern *mo_block_analyse(const mo_block_graph *graph, mo_arena *arena) {
  analysis a = {.graph = graph, .arena = arena};
  if (!begin(&a)) {
    return NULL;
  }
  double work = 0.0;
  while (a.heap_count > 0) {
    uint32_t node = heap_take(&a);
    work += elimination_work(a.lists[node].count);
    if (!mo_block_work_is_of_use(graph, work) || !eliminate(&a, node)) {
      return NULL;
    }
  }
  return make_pattern(&a);
}
