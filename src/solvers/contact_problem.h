/// One island as the exact solvers see it: complementarity between the impulses x and the
/// velocities w = W x + q + gamma x, row by row and block by block.
///
/// W = J M^-1 J^T has one of two forms. From a world, it is given by scaled Jacobians J C per body
/// with C C^T = M^-1, so that every body has unit mass (bodies that cannot rotate have zero
/// columns). From a user's matrix it is dense.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

/// Stands for a body that no impulse moves, and for every body of a problem with a matrix.
#define MO_NO_BODY UINT32_MAX

typedef struct mo_contact_problem {
  uint32_t body_count; ///< moving bodies; 0 with `delassus`
  uint32_t block_count;
  uint32_t row_count;
  const mo_row_block *blocks; ///< consecutive blocks have consecutive rows
  const double *jacobian_a;   ///< row_count x 6 by rows, J C of the side A; null with `delassus`
  const double *jacobian_b;
  const double *delassus;      ///< W, row_count x row_count by rows, symmetric; or null
  const double *free_velocity; ///< q, m/s: w of each row at zero impulse, its bias included
  const double *softening;     ///< gamma per row, 1/kg
  double *impulse;             ///< in: the warm start (zeros for none); out: the solution; N s
} mo_contact_problem;

/// W_ii + gamma_i: the change of the row's velocity per impulse, 1/kg.
double mo_contact_problem_mobility(const mo_contact_problem *problem, uint32_t row);
/// w = W x + q + gamma x of every row, m/s.
/// @param impulses x
/// @param[out] velocities w, row_count
/// @param work room for 6 body_count doubles
void mo_contact_problem_velocities(const mo_contact_problem *problem, const double *impulses,
                                   double *velocities, double *work);
/// Moves impulses that round-off left outside their bounds to the nearest ones inside, so that no
/// reported contact pulls, and none has more friction than the law allows.
void mo_contact_problem_enforce_bounds(const mo_contact_problem *problem);
