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

/// Two bodies of a block; MO_NO_BODY for none.
typedef struct mo_body_pair {
  uint32_t bodies[2];
} mo_body_pair;

typedef struct mo_contact_problem {
  uint32_t body_count; ///< moving bodies; 0 with `delassus`
  uint32_t block_count;
  uint32_t row_count;
  const mo_row_block *blocks; ///< consecutive blocks have consecutive rows
  /// Per side A, B, C, D: row_count x 6 by rows, J C of that side. Null with `delassus`; C and D
  /// are null too if all blocks have two bodies.
  const double *jacobian[MO_ROW_SIDES];
  const mo_body_pair *more_bodies; ///< C and D of each block; null if all blocks have two bodies
  const double *delassus;          ///< W, row_count x row_count by rows, symmetric; or null
  const double *free_velocity;     ///< q, m/s: w of each row at zero impulse, its bias included
  const double *softening;         ///< gamma per row, 1/kg
  double *impulse;                 ///< in: the warm start (zeros for none); out: the solution; N s
} mo_contact_problem;

/// How many pairs of bodies blocks have: 1, or 2 if a block has C and D.
static inline uint32_t mo_contact_problem_pairs(const mo_contact_problem *problem) {
  return problem->more_bodies ? 2 : 1;
}
/// The bodies A and B of a block (0), or C and D (1).
static inline mo_body_pair mo_contact_problem_pair(const mo_contact_problem *problem,
                                                   uint32_t block, uint32_t pair) {
  const mo_row_block *first = &problem->blocks[block];
  return pair == 0 || !problem->more_bodies ? (mo_body_pair){{first->body_a, first->body_b}}
                                            : problem->more_bodies[block];
}

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
