/// The linear systems of all Newton methods of the cone solver:
///
///     A_i y_i + B_i (W y)_i = right_i   for every block i, with small matrices A_i and B_i.
///
/// Two backends (CONE 7). `dense` factorises A + B W of the rows, with pivoting. `body` eliminates
/// the rows of cones and intervals, y = E right - K J v with E = A^-1, K = E B, and factorises
/// I + J^T K J, 6 x 6 blocks on the graph of bodies, with linear rows as further nodes of the
/// graph, so that joints are exact and not penalised. So that E stays bounded where contacts stick,
/// the elimination is made with a small compliance, which refinement on the rows takes out again
/// wherever the contacts' impulses are unique; where they are not it acts as a proximal step.
///
/// The work is counted in factorisations of the backend that the solve began with.
#pragma once

#include "solvers/cone/scaled_problem.h"
#include "solvers/linear/block_sparse.h"
#include "solvers/linear/dense_lu.h"
#include "solvers/linear/ordering_cache.h"

typedef enum mo_newton_backend {
  MO_NEWTON_DENSE,
  MO_NEWTON_BODY,
} mo_newton_backend;

typedef struct mo_newton_system {
  const mo_scaled_problem *problem;
  mo_arena *arena;
  mo_newton_backend backend;
  double *a, *b; ///< MO_BLOCK_ROWS entries per row; written by the caller
  double *residual, *product, *correction;
  uint32_t factorisations; ///< made so far, by both backends
  double spent;            ///< work so far
  double budget;           ///< work that may be spent
  double dense_cost;       ///< of a dense factorisation
  double sweep_cost;       ///< of a Gauss-Seidel sweep; 0 where the problem is a matrix
  double unit;             ///< floating-point operations of what `spent` counts as 1
  mo_work *work;           ///< shared with other solves; may be null
  bool out_of_memory;      ///< a change of the backend found no memory
  // dense
  const double *delassus; ///< W by rows; null before the backend's first use
  double *row_scaling;
  mo_dense_lu lu;
  // body
  double compliance; ///< that contacts are eliminated with, of the scaled W
  mo_block_matrix matrix;
  double *eliminate; ///< E, MO_BLOCK_ROWS entries per row
  double *stiffness; ///< K
  double *nodes;     ///< MO_NODE_SIZE per node: right-hand side and solution
} mo_newton_system;

/// Chooses the backend by the problem's shape and masses.
/// @param budget factorisations of that backend, or as much other work, that may be spent
/// @param work shared with other solves; may be null
/// @param cache of the orderings of earlier problems; may be null
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_newton_system_create(mo_newton_system *system, const mo_scaled_problem *problem,
                                  uint32_t budget, mo_work *work, mo_ordering_cache *cache,
                                  mo_arena *arena);

static inline double mo_newton_cost(const mo_newton_system *system) {
  return system->backend == MO_NEWTON_DENSE ? system->dense_cost : 1.0;
}

static inline bool mo_newton_may_factorise(const mo_newton_system *system) {
  double cost = mo_newton_cost(system);
  return system->spent + cost <= system->budget &&
         mo_work_allows(system->work, cost * system->unit);
}

/// Takes note of work done: `cost` factorisations of the first backend, or as much.
static inline void mo_newton_spend(mo_newton_system *system, double cost) {
  system->spent += cost;
  mo_work_spend(system->work, cost * system->unit);
}

/// Compliance of the elimination, of W scaled to a unit diagonal: what bounds E where A vanishes,
/// as it does of sticking contacts, and what is enough where it does not.
#define MO_COMPLIANCE_OF_MAPS 1e-7
#define MO_COMPLIANCE_OF_INTERIOR 1e-11

/// Changes over to the dense backend if it can be had: `false` if it was in use already, the
/// problem is too big for it, or there is no memory.
bool mo_newton_use_dense(mo_newton_system *system);

/// W by rows, formed where it was not before; null without memory.
const double *mo_newton_delassus(mo_newton_system *system);

/// Entry (k, j) of the matrix A_i or B_i of a block from row `first` on.
static inline double *mo_block_entry(double *matrix, uint32_t first, uint32_t k, uint32_t j) {
  return &matrix[MO_BLOCK_ROWS * ((size_t)first + k) + j];
}

/// Factorises with the present A and B, which must stay as they are until the last solve.
/// @return false where it is singular to working precision, or the limit is reached
bool mo_newton_factorise(mo_newton_system *system);

/// Solves for y, refined on the residual of the rows. `y` must not overlap `right`.
/// @return false if y is not finite
bool mo_newton_solve(mo_newton_system *system, const double *right, double *y);

// --- backends -----------------------------------------------------------------------------------

bool mo_newton_dense_create(mo_newton_system *system);
bool mo_newton_dense_factorise(mo_newton_system *system);
/// x = (A + B W)^-1 x
void mo_newton_dense_solve(mo_newton_system *system, double *x);

bool mo_newton_body_create(mo_newton_system *system, mo_ordering_cache *cache);
/// Floating-point operations of a factorisation with its solves.
double mo_newton_body_work(const mo_newton_system *system);
bool mo_newton_body_factorise(mo_newton_system *system);
/// `out` must not overlap `right`.
void mo_newton_body_solve(mo_newton_system *system, const double *right, double *out);
