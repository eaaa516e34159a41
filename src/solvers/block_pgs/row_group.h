/// One group of rows, for the files that pack and relax groups.
#pragma once

#include "solvers/block_pgs/row_groups.h"

/// Contact points of one pair of bodies that are relaxed in one visit.
#define MO_GROUP_POINTS 4

/// A row packed for the sweeps: J, M^-1 J^T (the linear parts are masses times J), and its impulse,
/// in the order in which they are read.
struct mo_packed_row {
  mo_vec3 linear_a, angular_a, linear_b, angular_b;
  mo_vec3 turn_a, turn_b; ///< I_A^-1 angular_a, I_B^-1 angular_b
  double bias;
  double softening;
  double lower, upper; ///< of the impulse; the tangents of a cone use their disc instead
  double impulse;
  double mobility; ///< change of velocity per impulse: K_ii + softening; rho for the tangents of a
                   ///< cone
  double effective_mass; ///< its inverse
  double change;         ///< by the last sweep
  double direction;      ///< for the acceleration, N s
  mo_packed_pair *pair;  ///< of a row with more than two bodies
};

/// The bodies C and D of a row.
struct mo_packed_pair {
  uint32_t body_c, body_d;
  double inverse_mass_c, inverse_mass_d;
  /// J and M^-1 J^T for them, the bias without what they move the row by, and the impulse that they
  /// have got.
  mo_packed_row row;
};

/// L D L^T of the K of a bilateral block: L below the diagonal, D^-1 on it, D L^T above it.
typedef struct mo_row_block_factor {
  double entries[MO_BLOCK_ROWS][MO_BLOCK_ROWS];
} mo_row_block_factor;

/// What is relaxed in one visit: the contact points of one pair of bodies, a row with bounds, or
/// the rows of one bilateral block.
struct mo_row_group {
  uint32_t body_a, body_b;
  uint32_t first_row;      ///< among the packed rows
  uint32_t source_row;     ///< in the problem
  uint32_t count;          ///< points, or bilateral rows
  uint32_t rows_per_point; ///< 3 with friction, 1 without; 1 for bilateral rows
  bool bilateral;
  bool has_pairs; ///< of its rows
  bool is_joined; ///< its rows are among the joined ones, which relax them
  bool slipping;  ///< after the last sweep: it is not extrapolated
  double friction;
  double inverse_mass_a, inverse_mass_b;
  const mo_row_block_factor *factor;                 ///< of a bilateral block
  double coupling[MO_GROUP_POINTS][MO_GROUP_POINTS]; ///< J M^-1 J^T + softening of the normal rows
};

/// The normal row of a contact point.
static inline mo_packed_row *mo_group_normal_row(const mo_row_group *g, mo_packed_row *rows,
                                                 uint32_t point) {
  return &rows[g->first_row + point * g->rows_per_point];
}

/// w of a row of two bodies.
static inline double mo_packed_row_velocity(const mo_packed_row *row, const mo_velocity *a,
                                            const mo_velocity *b) {
  return mo_dot(row->linear_a, a->linear) + mo_dot(row->angular_a, a->angular) +
         mo_dot(row->linear_b, b->linear) + mo_dot(row->angular_b, b->angular) + row->bias +
         row->softening * row->impulse;
}

/// Adds the change by an impulse to the velocities of two bodies.
static inline void mo_packed_row_apply(const mo_row_group *g, const mo_packed_row *row,
                                       double impulse, mo_velocity *a, mo_velocity *b) {
  a->linear = mo_add_scaled(a->linear, impulse * g->inverse_mass_a, row->linear_a);
  a->angular = mo_add_scaled(a->angular, impulse, row->turn_a);
  b->linear = mo_add_scaled(b->linear, impulse * g->inverse_mass_b, row->linear_b);
  b->angular = mo_add_scaled(b->angular, impulse, row->turn_b);
}
