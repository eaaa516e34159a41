/// Sparse factorisations of matrices of small blocks on a graph: LU for values without symmetry,
/// LDL^T for symmetric ones (definite or quasi-definite).
///
/// The graph's nodes are bodies (6 numbers) or joints (1 to 6 numbers). An edge is a pair of nodes
/// with a block off the diagonal. The analysis orders the nodes by minimum degree and finds the
/// fill. It depends only on the graph, is one flat block of memory, and can be cached
/// (ordering_cache.h). Chains and trees have no fill. Pivoting stays inside the diagonal blocks: a
/// pivot that is too small there is replaced and counted, and the caller refines.
///
/// Every block is stored 6 x 6 by rows. Blocks of smaller nodes are in the upper left, with zeros
/// around them, because rows of fixed width vectorise. Vectors have 6 numbers per node too, in the
/// caller's order of nodes.
#pragma once

#include "memory/arena.h"

#include <stdbool.h>
#include <stdint.h>

/// The most numbers of a node, and the width of all stored rows.
#define MO_NODE_SIZE 6
#define MO_BLOCK_VALUES 36
_Static_assert(MO_BLOCK_VALUES == MO_NODE_SIZE * MO_NODE_SIZE, "a block is square");

/// When a node may be eliminated. A joint's diagonal block is zero (or tiny) until a neighbouring
/// body has been eliminated (Baraff 1996).
typedef enum mo_node_turn {
  MO_TURN_ANY = 0,
  MO_TURN_AFTER_ONE = 1, ///< after at least one of its neighbours in the graph, if it has any
  MO_TURN_AFTER_ALL = 2, ///< after all of its neighbours whose turn is MO_TURN_ANY
} mo_node_turn;

typedef struct mo_block_graph {
  uint32_t node_count;
  uint32_t edge_count;
  const uint8_t *sizes; ///< per node: 1 to MO_NODE_SIZE
  const uint8_t *turns; ///< per node: mo_node_turn; null: all MO_TURN_ANY
  /// edge_count pairs of nodes, in any order within a pair; repeats and loops are allowed.
  const uint32_t *edges;
  double most_work; ///< the analysis stops at a larger mo_block_pattern_work; 0: no limit
  bool *stopped;    ///< set where it stopped there; may be null
} mo_block_graph;

/// Order and fill of a graph: this header and its arrays, in one block of `bytes` bytes that can be
/// copied anywhere. Position 0 is eliminated first.
typedef struct mo_block_pattern {
  uint32_t bytes;
  uint32_t node_count;
  uint32_t slot_count; ///< blocks above the diagonal, fill included
  uint32_t fill_count; ///< of these, blocks that are not edges of the graph
} mo_block_pattern;

/// Minimum degree ordering (ties: the lowest index) and symbolic factorisation. The result is in
/// the arena. Null without memory, or if its work exceeds most_work.
const mo_block_pattern *mo_block_analyse(const mo_block_graph *graph, mo_arena *arena);

/// Approximate floating-point operations of a factorisation; the same for LU and LDL^T.
double mo_block_pattern_work(const mo_block_pattern *pattern);
bool mo_block_work_is_of_use(const mo_block_graph *graph, double work);

// The arrays behind the header.
static inline const uint32_t *mo_pattern_first_slot(const mo_block_pattern *p) {
  return (const uint32_t *)(p + 1); ///< per position, and the end: its slots
}
static inline const uint32_t *mo_pattern_slot_column(const mo_block_pattern *p) {
  return mo_pattern_first_slot(p) + p->node_count + 1; ///< per slot: later position, ascending
}
static inline const uint32_t *mo_pattern_node(const mo_block_pattern *p) {
  return mo_pattern_slot_column(p) + p->slot_count; ///< per position: its node
}
static inline const uint32_t *mo_pattern_position(const mo_block_pattern *p) {
  return mo_pattern_node(p) + p->node_count; ///< per node: its position
}
static inline const uint8_t *mo_pattern_sizes(const mo_block_pattern *p) {
  return (const uint8_t *)(mo_pattern_position(p) + p->node_count); ///< per position
}

typedef enum mo_block_form {
  MO_FORM_LU,  ///< structurally symmetric, values without symmetry
  MO_FORM_LDL, ///< symmetric: half the work
} mo_block_form;

/// A matrix, and after mo_block_factor its factors in the same place.
typedef struct mo_block_matrix {
  const mo_block_pattern *pattern;
  mo_block_form form;
  double *diagonal;       ///< per position
  double *upper;          ///< per slot: block (earlier, later)
  double *lower;          ///< per slot: block (later, earlier); null with MO_FORM_LDL
  uint8_t *exchanges;     ///< LU, per position x 6: rows exchanged by the pivoting
  double *inverse_pivots; ///< per position x 6
  double *scale;          ///< per position: largest entry of its blocks before the factorisation
  /// Pivots below this fraction of the largest entry of their node's row of blocks are replaced by
  /// that value. Init sets it to 1e-14; the caller may change it.
  double smallest_pivot;
  /// LDL^T, per node, optional: +1 or -1, the sign of the node's pivots in exact arithmetic. A
  /// pivot of the other sign counts as too small. Null after init.
  const int8_t *signs;
  uint32_t replaced_pivots; ///< in the last mo_block_factor
} mo_block_matrix;

/// A zero matrix with the blocks of the pattern, in the arena. The pattern must live as long as it.
/// @return false without memory
bool mo_block_matrix_init(mo_block_matrix *matrix, const mo_block_pattern *pattern,
                          mo_block_form form, mo_arena *arena);
/// Sets the values to zero, for the next matrix on the same pattern.
void mo_block_matrix_clear(mo_block_matrix *matrix);

/// The address of block (i, j) of nodes, in rows of MO_NODE_SIZE numbers, for adding values before
/// mo_block_factor. It stays the same for all matrices made in this one. With MO_FORM_LDL only one
/// of (i, j) and (j, i) exists, and the other gives null; of a diagonal block the lower triangle
/// counts. Null if the pattern has no such block.
double *mo_block_at(const mo_block_matrix *matrix, uint32_t i, uint32_t j);
/// Adds to block (i, j): size(i) x size(j) numbers, with rows `stride` numbers apart. For
/// MO_FORM_LDL a pair is given in one order only, whichever.
void mo_block_add(mo_block_matrix *matrix, uint32_t i, uint32_t j, const double *values,
                  uint32_t stride);

/// Replaces the matrix by its factors.
/// @return false if a value was not finite; then the factors are invalid
bool mo_block_factor(mo_block_matrix *matrix);
/// x = A^-1 x with the factors; node_count x 6 numbers, those beyond a node's size are ignored.
void mo_block_solve(const mo_block_matrix *matrix, double *x);
