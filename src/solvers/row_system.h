/// The linear systems of one island's rows: (W + gamma + shifts) x = b on any subset of the rows.
///
/// All numbers are in the rows' own scale. With d_i = W_ii + gamma_i, a row's impulse is sqrt(d_i)
/// times the real one and its velocity 1 / sqrt(d_i) times (both in sqrt(J)). So every diagonal
/// entry of the scaled matrix is 1, whatever the masses.
///
/// With Jacobians a system is solved as the quasi-definite matrix [1, -J^T; -J, -(gamma + shift)]
/// on the graph of bodies and of nodes of up to 6 rows, which is factored in linear time for trees
/// (Baraff 1996). A dense matrix is solved as one dense matrix of blocks. The graph does not depend
/// on the subset, so one analysis serves a whole solve.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/ordering_cache.h"
#include "solvers/solver.h"

/// Numbers of a row of J for one pair of bodies.
#define MO_PAIR_NUMBERS 12

/// Where the numbers of one row of J, for one of its bodies, are in the factored matrix.
typedef struct mo_row_place {
  double *first; ///< null: that side is immovable
  uint32_t step; ///< distance between consecutive numbers
} mo_row_place;

typedef struct mo_row_system {
  const mo_contact_problem *problem;
  mo_block_matrix matrix;
  uint32_t node_count;
  uint32_t row_count;
  uint32_t *index;         ///< per row: its number in `solution`
  uint32_t pairs;          ///< of bodies: mo_contact_problem_pairs; 0 for a dense matrix
  double *delassus;        ///< scaled dense matrix; null with Jacobians
  double *jacobian[2];     ///< per pair: scaled, 12 numbers per row, its first body and its second
  mo_row_place *places[2]; ///< per pair: two per row
  int8_t *signs;           ///< per node
  double *shifts;          ///< per row, of the last factorisation
  double *weights;         ///< per row: scale of its row and column in the matrix; 0: not active
  double *root;            ///< sqrt(d) per row; 0: no impulse can change the row's velocity
  double *free_velocity, *softening, *lower, *upper; ///< scaled, per row; bounds may be infinite
  double *solution;                                  ///< of the matrix, 6 per node
  double *body_velocity;                             ///< 6 per body: work space for products
  uint32_t factorisations;
  double factor_work; ///< floating-point operations of one factorisation
  mo_work *work;      ///< shared with other solves; may be null
} mo_row_system;

/// Scales the problem's rows and analyses their graph. The problem must live as long as the system.
/// @param work shared with other solves; may be null
/// @param cache may be null
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_row_system_init(mo_row_system *system, const mo_contact_problem *problem,
                             mo_work *work, mo_ordering_cache *cache, mo_arena *arena);

/// Whether work is left for another factorisation.
static inline bool mo_row_system_may_factor(const mo_row_system *system) {
  return mo_work_allows(system->work, system->factor_work);
}

/// Factors W + gamma + diag(shifts). Rows with an infinite shift, and rows that nothing can move,
/// are not active.
/// @param shifts per row, > 0, relative: the scaled matrix has ones on its diagonal
/// @return false if the numbers are not finite, or no work is left for it
bool mo_row_system_factor(mo_row_system *system, const double *shifts);
/// x in: right-hand sides, ignored for rows that were not active; out: the solution, 0 for rows
/// that were not active.
void mo_row_system_solve(mo_row_system *system, double *x);
/// out = W x + gamma x, plus the free velocity with `affine`. `out` must not be `x`.
void mo_row_system_velocity(mo_row_system *system, const double *x, bool affine, double *out);
/// An estimate of the condition number of W + gamma + shifts as last factored, in the 1-norm and in
/// the rows' scale (that of the raw matrix would depend on units). -1 without memory.
double mo_row_system_condition(mo_row_system *system, mo_arena *arena);
