/// One island as the exact solvers see it: complementarity between impulses x and velocities w = W
/// x
/// + q + gamma x, row by row and block by block.
///
/// W = J M^-1 J^T comes in one of two forms. From a world: as scaled Jacobians J C per body, where
/// C C^T = M^-1, so that every body has unit mass (bodies without rotational mobility have zero
/// columns). From a user's matrix: dense.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

/// Stands for a body that no impulse moves, and for all bodies of a problem that has a matrix.
#define MO_NO_BODY UINT32_MAX

typedef struct mo_contact_problem {
  uint32_t body_count; ///< moving bodies; 0 with `delassus`
  uint32_t block_count;
  uint32_t row_count;
  const mo_row_block *blocks; ///< rows of consecutive blocks follow each other without holes
  const double *jacobian_a;   ///< row_count x 6 by rows, J C of the side A; null with `delassus`
  const double *jacobian_b;
  const double *delassus;      ///< W, row_count x row_count by rows, symmetric; or null
  const double *free_velocity; ///< q, m/s: w of each row at zero impulse, its bias included
  const double *softening;     ///< gamma per row, 1/kg
  double *impulse;             ///< in: the warm start (zeros: none); out: the solution; N s
} mo_contact_problem;

/// W_ii + gamma_i: how much a unit of the row's impulse changes its velocity, 1/kg.
double mo_contact_problem_mobility(const mo_contact_problem *problem, uint32_t row);
/// w = W x + q + gamma x of every row, m/s.
/// @param impulses x
/// @param[out] velocities w, row_count
/// @param work room for 6 body_count doubles
void mo_contact_problem_velocities(const mo_contact_problem *problem, const double *impulses,
                                   double *velocities, double *work);
/// Moves impulses that round-off has left outside of their bounds to the nearest ones inside, so
/// that what is reported never pulls nor rubs more than friction can.
void mo_contact_problem_enforce_bounds(const mo_contact_problem *problem);
