/// Interior point method with the slip speed as an unknown (CONE 4).
///
/// Cones are taken in coordinates in which they are the Lorentz cone: x = (friction g_n, g_t)
/// sqrt(d), z = (u_n / friction + s, u_t) / sqrt(d), with x o z = tau e on the central path and s =
/// |z_t| in the limit. Intervals have one multiplier per finite bound, linear rows none.
#pragma once

#include "math/scalar.h"
#include "solvers/cone/cone_methods.h"

/// Where the method starts.
typedef enum mo_interior_start {
  MO_INTERIOR_NEAR,          ///< from the point of the central path that is near a given one
  MO_INTERIOR_LEAST_SQUARES, ///< from the impulses that would stop all rows; 1 factorisation
  MO_INTERIOR_UNIFORM,       ///< from the cones' axes
} mo_interior_start;

typedef struct mo_interior_options {
  mo_interior_start start;
  double size;       ///< uniform: of x, relative to the largest free velocity; near: of the root
                     ///< of tau, relative to the point's residual
  const double *x;   ///< near: the point, in the coordinates of the scaled problem
  double centrality; ///< products x o z keep at least this part of their mean
} mo_interior_options;

/// Changes of the unknowns, with the part of them that may be taken.
typedef struct mo_interior_step {
  double *x, *z, *s, *z_upper;
  double length;
} mo_interior_step;

/// Points near the central path for the arclength continuation to start from.
typedef struct mo_interior_trail {
  double *x;   ///< capacity x row_count
  double *tau; ///< of each
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
  uint32_t product_count;   ///< complementarity products
  double size;              ///< largest free velocity in these coordinates
  mo_interior_trail *trail; ///< null: not wanted
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
/// 1 / friction, the factor of the normal row between both coordinates.
static inline double mo_normal_factor(const mo_cone_block *block) {
  return block->kind == MO_CONE_COULOMB ? 1.0 / block->friction : 1.0;
}
static inline bool mo_has_lower(const mo_cone_block *block) { return mo_is_finite(block->lower); }
static inline bool mo_has_upper(const mo_cone_block *block) { return mo_is_finite(block->upper); }

/// The first point (interior_start.c).
void mo_interior_begin(mo_interior_point *ip, mo_interior_options options);

// --- what the step needs of the blocks (interior_blocks.c) ---------------------------------------

/// Writes the physical point (coordinates of the scaled problem) of the present x.
void mo_interior_point_of(const mo_interior_point *ip, double *x);
/// Residuals, directions and tau at velocities u of the scaled problem.
void mo_interior_residuals(mo_interior_point *ip, const double *u);
/// Fills A and B of the Newton system.
void mo_interior_matrices(mo_interior_point *ip);
/// Right-hand side for products that are to become target e - correction affine.
void mo_interior_right(mo_interior_point *ip, double target, double correction);
/// The steps of all unknowns from the solution y and W y of the linear system.
void mo_interior_expand(mo_interior_point *ip, mo_interior_step *step);
/// The largest step that keeps x and z inside.
double mo_interior_max_step(const mo_interior_point *ip, const mo_interior_step *step);
/// Mean product after a part of the step; `*smallest` gets the smallest geometric mean of a block's
/// eigenvalues.
double mo_interior_products(const mo_interior_point *ip, const mo_interior_step *step, double part,
                            double *smallest);
/// Keeps the products dx o dz of a step.
void mo_interior_keep_affine(mo_interior_point *ip, const mo_interior_step *step);
