/// The methods of the cone solver. All work on one mo_cone_state, take their memory from it, and
/// keep the best point by the certificate.
#pragma once

#include "solvers/cone/natural_map.h"
#include "solvers/cone/newton_system.h"

typedef struct mo_cone_point {
  double *x;
  double error;  ///< certificate at x, m/s
  double length; ///< root of the sum of the squares of its blocks' certificates, m/s
} mo_cone_point;

typedef struct mo_cone_state {
  const mo_scaled_problem *problem;
  mo_newton_system system;
  double tolerance;   ///< m/s
  mo_cone_point best; ///< of the whole solve
  mo_cone_point run;  ///< the best of the present start
  // Workspaces of the polish: point, velocity, residual, step.
  double *x, *u, *f, *dx;
} mo_cone_state;

/// No point yet.
static inline void mo_cone_forget(mo_cone_point *point) { point->error = point->length = INFINITY; }

/// Keeps `point` in `best` if it is better. Of two points outside of the tolerance that is the one
/// with the smaller sum of squares over all rows: the worst row alone says nothing of a smooth
/// error that many rows share. Within the tolerance it is the one with the smaller certificate.
void mo_cone_keep(const mo_cone_state *state, mo_cone_point *best, const mo_cone_point *point);

/// Sets `state->u` to the velocities at x, and keeps x in `best` if it is better.
/// @return the certificate at x
double mo_cone_measure(mo_cone_state *state, mo_cone_point *best, const double *x);

/// How the semismooth Newton method runs.
typedef struct mo_semismooth_options {
  double r;       ///< the factor r of the natural map
  bool adaptive;  ///< shift the diagonal in proportion to the error: a proximal step, for sticking
                  ///< contacts whose impulses are not unique
  bool compliant; ///< add a compliance to W in the matrix, in proportion to the error: for points
                  ///< that another method has found, with fewer contacts at their bounds
  uint32_t max_steps;
  uint32_t patience; ///< steps in a row without halving the best certificate, after which it ends
} mo_semismooth_options;

/// Full Newton steps on the natural map from `start`. Updates `state->run`.
/// @return the smallest certificate found
double mo_cone_semismooth(mo_cone_state *state, const double *start, mo_semismooth_options options);

/// The last Newton steps: semismooth variants with different r and shifts from `start`, the first
/// `variants` of them, until one is below the tolerance. Updates `state->run`.
/// @return the smallest certificate found
double mo_cone_polish(mo_cone_state *state, const double *start, uint32_t variants);

/// Proximal points from x, in place: Newton's method with a vanishing compliance. Updates
/// `state->run`.
/// @param patient try a larger compliance if Newton's method fails
/// @return the smallest certificate of the present start
double mo_cone_proximal(mo_cone_state *state, double *x, bool patient);

/// Factorisations that a step must pay for to try Newton's method further from the solution.
#define MO_RICH 30.0

/// Of the largest free velocity: the error below which Newton's method is worth a factorisation
/// that the step can hardly pay for.
#define MO_NEAR 1e-5

/// Rounds of splitting (splitting.h) from x, with sweeps after each and Newton's method near the
/// solution, as far as the work of the step lasts. Updates `state->run`.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_cone_split(mo_cone_state *state, const double *x, mo_arena *arena);

/// Sweeps of block Gauss-Seidel, in place: each block in turn gets the exact solution for the
/// velocities by the others. Updates `state->run` at the end. Ends sooner where the work of the
/// step is used up.
/// @return the certificate at the end
double mo_cone_sweep(mo_cone_state *state, double *x, uint32_t sweeps);
