/// The interface between constraints and solvers: bodies, scalar rows w = J v + bias, and blocks of
/// rows with their bounds.
///
/// A constraint writes rows and knows no solver. A solver reads rows and does not know which
/// constraint wrote them.
#pragma once

#include "math/mat3.h"

/// A body in terms of rows. Index 0 of a problem is the world, which never moves.
typedef struct mo_row_body {
  mo_vec3 free_linear;     ///< m/s: the velocity v* that the body would have without constraints
  mo_vec3 free_angular;    ///< rad/s
  double inverse_mass;     ///< 1/kg, 0 for bodies that no impulse moves
  mo_mat3 inverse_inertia; ///< world axes
  mo_solver solver;        ///< the one it asks for; its island uses the most exact of them
  /// Bits of the axes along which no impulse moves it. Rows of blocks leave them out by themselves:
  /// mo_block_lock_axes.
  uint32_t locked_translation;
} mo_row_body;

typedef struct mo_velocity {
  mo_vec3 linear, angular;
} mo_velocity;

/// One row of the Jacobian: J v = linear_a . v_A + angular_a . w_A + linear_b . v_B + angular_b .
/// w_B.
typedef struct mo_row {
  mo_vec3 linear_a, angular_a, linear_b, angular_b;
  double bias;         ///< m/s: the row's velocity is w = J v + bias
  double plastic_bias; ///< m/s: the bias without restitution, which differs only for impacts
  double gap; ///< m: position error C of the row at the start of the step (a contact's separation)
  double softening; ///< gamma, 1/kg, 0 or more: w = J v + bias + gamma impulse
  double impulse;   ///< N s: in, the warm start; out, the solution
} mo_row;

/// The most bodies of a row: A, B, C and D.
#define MO_ROW_SIDES 4

/// The bodies C and D of a row that has more than two, as that of a gear between two joints has: J
/// v also has linear_a . v_C + angular_a . w_C + linear_b . v_D + angular_b . w_D.
typedef struct mo_row_pair {
  uint32_t body_c, body_d; ///< indices into the problem's bodies, the world only as A or B; D may
                           ///< be 0, for none
  mo_row row;              ///< only its Jacobian counts
} mo_row_pair;

/// The most rows of a block, a bilateral one. Cones have 3, unilateral and box blocks 1.
#define MO_BLOCK_ROWS 6

typedef struct mo_row_block {
  uint32_t body_a, body_b; ///< indices into the problem's bodies
  uint32_t first_row;
  uint32_t row_count;
  mo_bound bound;
  uint32_t pairs;      ///< 0: two bodies; else one more than the index of its first row's pair.
                       ///< The bodies of a block with pairs are different ones
  double friction;     ///< cone: |impulse_t| <= friction impulse_n
  double lower, upper; ///< box, N s; may be infinite
  /// A box whose bounds follow a load: they are +- `load_friction` times the normal impulses of
  /// `load_count` blocks from `load_block` on. Rows of rolling and spinning friction. 0: no load.
  uint32_t load_block, load_count;
  double load_friction; ///< m
  uint32_t disc_block;  ///< 0; or one more than the index of a block with the same load: the bound
                        ///< is that of the length of both impulses together
  bool holds_position;  ///< position correction removes the gaps of the rows (of a cone, of its
                        ///< normal row)
  bool arrives;         ///< a motor without gains to a position, whose bias brings its row to gap 0
                        ///< within the step. Solvers by sweeps start it without an impulse
  bool point_contact;   ///< a cone whose three rows are those of one point, as
                      ///< mo_contact_append_rows writes them: J = [-d, -(rA x d), d, rB x d] for d
                      ///< of a right-handed frame (n, t1, t2), no softening, and biases of the
                      ///< tangents that all points of a contact share. Of neighbouring blocks of a
                      ///< pair with one n, one frame
} mo_row_block;

/// All rows of one step. They are kept for the certificate until the next step replaces them.
typedef struct mo_row_problem {
  mo_row_body *bodies;
  uint32_t body_count;
  mo_row_block *blocks;
  uint32_t block_count;
  mo_row *rows;
  uint32_t row_count;
  mo_row_pair *pairs; ///< of the rows that have more than two bodies
  uint32_t pair_count;
  double dt; ///< s
} mo_row_problem;

/// Takes locked axes of translation out of the Jacobians of a block's rows: bits per side A, B, C,
/// D. With these rows the body has its whole inverse mass along the free axes, and none along the
/// others.
void mo_block_lock_axes(mo_row_problem *problem, mo_row_block *block,
                        const uint32_t axes[MO_ROW_SIDES]);

/// Whether impulses can move a body.
static inline bool mo_row_body_moves(const mo_row_body *body) {
  return body->inverse_mass > 0.0 || body->inverse_inertia.cx.x > 0.0 ||
         body->inverse_inertia.cy.y > 0.0 || body->inverse_inertia.cz.z > 0.0;
}

/// How many of a block's rows hold positions, from the first on. Friction does not.
static inline uint32_t mo_position_row_count(const mo_row_block *block) {
  if (!block->holds_position) {
    return 0;
  }
  return block->bound == MO_BOUND_CONE ? 1 : block->row_count;
}

/// J v of the bodies A and B of a row, without the bias.
static inline double mo_row_velocity(const mo_row *row, const mo_velocity *a,
                                     const mo_velocity *b) {
  return mo_dot(row->linear_a, a->linear) + mo_dot(row->angular_a, a->angular) +
         mo_dot(row->linear_b, b->linear) + mo_dot(row->angular_b, b->angular);
}

/// v += M^-1 J^T impulse for the bodies A and B of a row.
static inline void mo_row_apply(const mo_row *row, double impulse, const mo_row_body *body_a,
                                mo_velocity *a, const mo_row_body *body_b, mo_velocity *b) {
  a->linear = mo_add_scaled(a->linear, impulse * body_a->inverse_mass, row->linear_a);
  a->angular =
      mo_add_scaled(a->angular, impulse, mo_mat3_mul(body_a->inverse_inertia, row->angular_a));
  b->linear = mo_add_scaled(b->linear, impulse * body_b->inverse_mass, row->linear_b);
  b->angular =
      mo_add_scaled(b->angular, impulse, mo_mat3_mul(body_b->inverse_inertia, row->angular_b));
}

/// J_p M^-1 J_q^T for the bodies A and B of two rows of one block.
double mo_row_coupling(const mo_row *p, const mo_row *q, const mo_row_body *body_a,
                       const mo_row_body *body_b);

/// J v of a row for the velocities of its bodies A, B, C and D, without the bias.
/// @param pair of the row; null: it has no C and D
double mo_row_velocity_of_sides(const mo_row *row, const mo_row_pair *pair,
                                const mo_velocity sides[MO_ROW_SIDES]);

// --- rows of all their bodies ----------------------------------------------------------------
//
// `k` is the number of a row in its block, and velocities are per body of the problem.

/// The bodies C and D of a row, or null.
static inline const mo_row_pair *mo_block_pair(const mo_row_problem *problem,
                                               const mo_row_block *block, uint32_t k) {
  return block->pairs ? &problem->pairs[block->pairs - 1 + k] : NULL;
}

/// The bodies of a block: A and B, then C and D if it has pairs, D 0 for none. Returns their
/// number: 2, 3 or 4.
static inline uint32_t mo_block_bodies(const mo_row_problem *problem, const mo_row_block *block,
                                       uint32_t bodies[MO_ROW_SIDES]) {
  bodies[0] = block->body_a;
  bodies[1] = block->body_b;
  if (!block->pairs) {
    return 2;
  }
  const mo_row_pair *pair = mo_block_pair(problem, block, 0);
  bodies[2] = pair->body_c;
  bodies[3] = pair->body_d;
  return pair->body_d ? 4 : 3;
}

/// J v of a pair's bodies.
double mo_row_pair_velocity(const mo_row_pair *pair, const mo_velocity *velocities);
/// v += M^-1 J^T impulse of a row for two bodies of the problem: A and B, or of a pair C and D.
void mo_row_apply_to(const mo_row *row, double impulse, const mo_row_body *bodies, uint32_t a,
                     uint32_t b, mo_velocity *velocities);
static inline void mo_row_pair_apply(const mo_row_pair *pair, double impulse,
                                     const mo_row_body *bodies, mo_velocity *velocities) {
  mo_row_apply_to(&pair->row, impulse, bodies, pair->body_c, pair->body_d, velocities);
}

/// J_p M^-1 J_q^T of the pairs of two rows of one block.
double mo_row_pair_coupling(const mo_row_pair *p, const mo_row_pair *q, const mo_row_body *bodies);

/// J v without the bias.
double mo_block_row_velocity(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                             const mo_velocity *velocities);
/// v += M^-1 J^T impulse.
void mo_block_row_apply(const mo_row_problem *problem, const mo_row_block *block, uint32_t k,
                        double impulse, mo_velocity *velocities);

/// The velocities of a block's bodies without constraints, for mo_row_velocity_of_sides.
void mo_block_free_velocities(const mo_row_problem *problem, const mo_row_block *block,
                              mo_velocity sides[MO_ROW_SIDES]);

/// J_p M^-1 J_q^T of two rows of the block.
static inline double mo_block_row_coupling(const mo_row_problem *problem, const mo_row_block *block,
                                           uint32_t p, uint32_t q) {
  const mo_row *rows = &problem->rows[block->first_row];
  double sum = mo_row_coupling(&rows[p], &rows[q], &problem->bodies[block->body_a],
                               &problem->bodies[block->body_b]);
  return block->pairs
             ? sum + mo_row_pair_coupling(mo_block_pair(problem, block, p),
                                          mo_block_pair(problem, block, q), problem->bodies)
             : sum;
}
