/// The linear systems of all Newton methods of the cone solver:
///
///     A_i y_i + B_i (W y)_i = right_i   for every block i, with small matrices A_i and B_i.
///
/// There are two backends. `dense` factorises A + B W of the rows, with pivoting. `body` eliminates
/// the rows of cones and intervals, y = E right - K J v with E = A^-1 and K = E B, and factorises I
/// + J^T K J: 6 x 6 blocks on the graph of bodies. Linear rows are further nodes of the graph, so
/// joints are exact and not penalised. For sticking contacts A vanishes; a small compliance in the
/// elimination keeps E bounded. Refinement on the rows removes its effect where the contacts'
/// impulses are unique; elsewhere it acts as a proximal step.
///
/// Work is counted in factorisations of the backend with which the solve began.
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
  uint32_t factorisations; ///< by both backends so far
  double spent;            ///< work so far
  double budget;           ///< work that the solve may use
  double dense_cost;       ///< cost of a dense factorisation
  double sweep_cost;       ///< cost of a Gauss-Seidel sweep; 0 if the problem is a matrix
  double unit;             ///< floating-point operations that `spent` counts as 1
  mo_work *work;           ///< shared with other solves; may be null
  bool out_of_memory;      ///< there was no memory for the other backend
  // dense
  const double *delassus; ///< W by rows; null before the backend is first used
  double *row_scaling;
  mo_dense_lu lu;
  // body
  double compliance; ///< of the elimination of contacts, for the scaled W
  mo_block_matrix matrix;
  double *eliminate; ///< E, MO_BLOCK_ROWS entries per row
  double *stiffness; ///< K
  double *nodes;     ///< MO_NODE_SIZE per node, bodies first: right-hand side and solution
} mo_newton_system;

/// Chooses the backend from the problem's shape and masses.
/// @param budget factorisations of that backend, or equal other work, that the solve may use
/// @param work shared with other solves; may be null
/// @param cache of the orderings of earlier problems; may be null
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_newton_system_create(mo_newton_system *system, const mo_scaled_problem *problem,
                                  uint32_t budget, mo_work *work, mo_ordering_cache *cache,
                                  mo_arena *arena);

static inline double mo_newton_cost(const mo_newton_system *system) {
  return system->backend == MO_NEWTON_DENSE ? system->dense_cost : 1.0;
}

/// Whether the budget and the work of the step pay for so many factorisations.
static inline bool mo_newton_affords(const mo_newton_system *system, double count) {
  double cost = count * mo_newton_cost(system);
  return system->spent + cost <= system->budget &&
         mo_work_allows(system->work, cost * system->unit);
}

static inline bool mo_newton_may_factorise(const mo_newton_system *system) {
  return mo_newton_affords(system, 1.0);
}

/// Adds work: `cost` factorisations of the first backend, or equal other work.
static inline void mo_newton_spend(mo_newton_system *system, double cost) {
  system->spent += cost;
  mo_work_spend(system->work, cost * system->unit);
}

/// Compliance of the elimination, of W scaled to a unit diagonal. It bounds E where A vanishes, as
/// for sticking contacts, and is small enough elsewhere.
#define MO_COMPLIANCE_OF_MAPS 1e-7
#define MO_COMPLIANCE_OF_INTERIOR 1e-11

/// Changes to the dense backend. Returns false if it is in use already, if the problem is too large
/// for it, or without memory.
bool mo_newton_use_dense(mo_newton_system *system);

/// W by rows, computed at the first call; null without memory.
const double *mo_newton_delassus(mo_newton_system *system);

/// Entry (k, j) of the matrix A_i or B_i of a block from row `first` on.
static inline double *mo_block_entry(double *matrix, uint32_t first, uint32_t k, uint32_t j) {
  return &matrix[MO_BLOCK_ROWS * ((size_t)first + k) + j];
}

/// Factorises with the present A and B, which must not change until the last solve.
/// @return false if the matrix is singular to working precision, or the budget is used up
bool mo_newton_factorise(mo_newton_system *system);

/// Solves for y, with refinement on the residual of the rows. `y` must not overlap `right`.
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
