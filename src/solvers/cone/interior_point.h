/// Interior point method with the slip speed as an unknown.
///
/// Cones are scaled to the Lorentz cone: x = (friction g_n, g_t) sqrt(d) and z = (u_n / friction +
/// s, u_t) / sqrt(d). On the central path x o z = tau e, and s = |z_t| in the limit. Intervals have
/// one multiplier per finite bound, linear rows have none.
#pragma once

#include "math/scalar.h"
#include "solvers/cone/cone_methods.h"

/// The starting point of the method.
typedef enum mo_interior_start {
  MO_INTERIOR_NEAR,          ///< from the point of the central path near a given one
  MO_INTERIOR_LEAST_SQUARES, ///< from the impulses that would stop all rows; 1 factorisation
  MO_INTERIOR_UNIFORM,       ///< from the axes of the cones
} mo_interior_start;

typedef struct mo_interior_options {
  mo_interior_start start;
  double size; ///< uniform: of x, relative to the largest free velocity; near: of the root of tau,
               ///< relative to the point's residual
  const double *x;   ///< near: the point, in scaled coordinates
  double centrality; ///< products x o z stay above this fraction of their mean
} mo_interior_options;

/// Changes of the unknowns, and the fraction of them that may be applied.
typedef struct mo_interior_step {
  double *x, *z, *s, *z_upper;
  double length;
} mo_interior_step;

/// Points near the central path from which the arclength continuation may start.
typedef struct mo_interior_trail {
  double *x;   ///< capacity x row_count
  double *tau; ///< tau of each point
  uint32_t count, capacity;
} mo_interior_trail;

typedef struct mo_interior_point {
  mo_cone_state *state;
  double *x, *z;                 ///< per row
  double *s, *z_upper;           ///< per block: slip speed, multiplier of the upper bound
  double *r2;                    ///< per row: z - s e - u
  double *r4;                    ///< per block: s - |z_t|
  double *direction;             ///< 2 per block: z_t / |z_t|
  double *affine, *affine_upper; ///< second-order terms of the predictor
  double *right_z, *right_upper; ///< right-hand sides of the products
  double *right, *y, *wy;        ///< of the linear system
  mo_interior_step step, other;
  double tau;               ///< mean of x . z
  uint32_t product_count;   ///< number of complementarity products
  double size;              ///< largest free velocity in these coordinates
  mo_interior_trail *trail; ///< null: no trail is kept
} mo_interior_point;

/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_interior_point_create(mo_interior_point *ip, mo_cone_state *state, mo_arena *arena);

/// Runs until the certificate is within the tolerance or no progress is made. Updates `state->run`.
void mo_interior_point_solve(mo_interior_point *ip, mo_interior_options options);

// --- blocks -------------------------------------------------------------------------------------

static inline bool mo_has_cone(const mo_cone_block *block) {
  return block->kind == MO_CONE_COULOMB || block->kind == MO_CONE_FRICTIONLESS;
}
static inline uint32_t mo_cone_dimension(const mo_cone_block *block) {
  return block->kind == MO_CONE_COULOMB ? 3 : 1;
}
/// 1 / friction, the factor of the normal row between the two coordinates.
static inline double mo_normal_factor(const mo_cone_block *block) {
  return block->kind == MO_CONE_COULOMB ? 1.0 / block->friction : 1.0;
}
static inline bool mo_has_lower(const mo_cone_block *block) { return mo_is_finite(block->lower); }
static inline bool mo_has_upper(const mo_cone_block *block) { return mo_is_finite(block->upper); }

/// Sets the first point (interior_start.c).
void mo_interior_begin(mo_interior_point *ip, mo_interior_options options);

// --- residuals, matrices and steps of the blocks (interior_blocks.c) -------------------------

/// Writes the point x in the coordinates of the scaled problem.
void mo_interior_point_of(const mo_interior_point *ip, double *x);
/// Computes residuals, directions and tau at velocities u of the scaled problem.
void mo_interior_residuals(mo_interior_point *ip, const double *u);
/// Fills A and B of the Newton system.
void mo_interior_matrices(mo_interior_point *ip);
/// The right-hand side for products that become target e - correction affine.
void mo_interior_right(mo_interior_point *ip, double target, double correction);
/// The changes of all unknowns from the solution y and W y of the linear system.
void mo_interior_expand(mo_interior_point *ip, mo_interior_step *step);
/// The longest step that keeps x and z inside.
double mo_interior_max_step(const mo_interior_point *ip, const mo_interior_step *step);
/// The mean product after a part of the step. `*smallest` gets the smallest geometric mean of a
/// block's eigenvalues.
double mo_interior_products(const mo_interior_point *ip, const mo_interior_step *step, double part,
                            double *smallest);
/// Keeps the second-order products dx o dz of a step.
void mo_interior_keep_affine(mo_interior_point *ip, const mo_interior_step *step);
