/// A contact problem in the coordinates of the cone solver.
///
/// Every block is scaled by the mean d of the diagonal of its part of W. With x = sqrt(d) impulse
/// and u = velocity / sqrt(d), all unknowns are square roots of energies, and the scaled W has a
/// mean diagonal of 1 in every block, whatever the masses. One factor per cone keeps its shape;
/// rows of other blocks are scaled one by one.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/linear/dense_kernels.h"
#include "solvers/solver.h"

typedef enum mo_cone_kind {
  MO_CONE_COULOMB,      ///< 3 rows: the second-order cone
  MO_CONE_FRICTIONLESS, ///< 3 rows with so little friction that only the polish uses it
  MO_CONE_INTERVAL,     ///< 1 row: lower <= x <= upper, one of them finite
  MO_CONE_LINEAR,       ///< 1 to 6 rows: u = 0
  MO_CONE_FIXED,        ///< 1 row: x = lower = upper
  MO_CONE_IMMOVABLE,    ///< rows that no impulse moves: x = 0
} mo_cone_kind;

typedef struct mo_cone_block {
  mo_cone_kind kind;
  uint32_t first_row, row_count;
  mo_body_pair pairs[2]; ///< the second counts in problems with two
  double friction;
  double lower, upper; ///< of x
} mo_cone_block;

/// The body of a side.
static inline uint32_t mo_cone_body(const mo_cone_block *block, uint32_t side) {
  return block->pairs[side / 2].bodies[side % 2];
}

/// Entry (k, j) of the matrix of a block whose first row is `first` is `matrix[MO_BLOCK_ROWS *
/// (first + k) + j]`.
typedef struct mo_scaled_problem {
  uint32_t row_count, block_count, body_count;
  mo_cone_block *blocks;
  double *scale; ///< per row: impulse = scale metre x, u = scale velocity / metre; 0: immovable
  double metre;  ///< in the unit of lengths of the problem, so that u and errors are in m/s
  double *free_velocity;                ///< u at x = 0
  double *softening;                    ///< per row, added to the diagonal of W
  const double *delassus;               ///< scaled W by rows; null in body form
  uint32_t pairs;                       ///< mo_contact_problem_pairs; 0 in matrix form
  const double *jacobian[MO_ROW_SIDES]; ///< per side: scaled, row_count x 6
  double *body_velocity;                ///< 6 per body: workspace for products
  bool convex;                          ///< friction without the shift of De Saxce and Feng
  double speed;                         ///< largest free velocity, m/s
} mo_scaled_problem;

/// Methods that divide by friction treat a smaller one as none.
#define MO_CONE_TINY_FRICTION 1e-6

/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_scaled_problem_create(mo_scaled_problem *scaled, const mo_contact_problem *problem,
                                   mo_friction_law law, double metre, mo_arena *arena);

/// out = W x, softening included.
void mo_scaled_apply(const mo_scaled_problem *scaled, const double *x, double *out);

/// J v of a row for the bodies C and D of its block, in a problem with two pairs.
/// @param velocities 6 per body
double mo_scaled_more_velocity(const mo_scaled_problem *scaled, const mo_cone_block *block,
                               size_t row, const double *velocities);
/// v += J^T x of a row for the same.
void mo_scaled_add_more(const mo_scaled_problem *scaled, const mo_cone_block *block, size_t row,
                        double x, double *velocities);

/// J v of a row for all of its bodies.
/// @param velocities 6 per body
static inline double mo_scaled_row_velocity(const mo_scaled_problem *scaled,
                                            const mo_cone_block *block, size_t row,
                                            const double *velocities) {
  const uint32_t *bodies = block->pairs[0].bodies;
  double sum = 0.0;
  for (uint32_t side = 0; side < 2; side++) {
    if (bodies[side] != MO_NO_BODY) {
      sum += mo_dense_dot6(scaled->jacobian[side] + 6 * row, velocities + 6 * (size_t)bodies[side]);
    }
  }
  return scaled->pairs > 1 ? sum + mo_scaled_more_velocity(scaled, block, row, velocities) : sum;
}

/// v += J^T x of a row for the same.
static inline void mo_scaled_add_row(const mo_scaled_problem *scaled, const mo_cone_block *block,
                                     size_t row, double x, double *velocities) {
  const uint32_t *bodies = block->pairs[0].bodies;
  for (uint32_t side = 0; side < 2; side++) {
    if (bodies[side] != MO_NO_BODY) {
      mo_dense_add_scaled6(velocities + 6 * (size_t)bodies[side], x,
                           scaled->jacobian[side] + 6 * row);
    }
  }
  if (scaled->pairs > 1) {
    mo_scaled_add_more(scaled, block, row, x, velocities);
  }
}

/// u = W x + free velocity.
void mo_scaled_velocity(const mo_scaled_problem *scaled, const double *x, double *u);

/// Entry (i, j) of W without softening, from the matrix or the Jacobians.
double mo_scaled_entry(const mo_scaled_problem *scaled, const mo_cone_block *block_i, uint32_t i,
                       const mo_cone_block *block_j, uint32_t j);
