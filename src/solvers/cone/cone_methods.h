/// The methods of the cone solver. All work on one mo_cone_state, take their memory from it, and
/// keep the best point by the certificate.
#pragma once

#include "solvers/cone/natural_map.h"
#include "solvers/cone/newton_system.h"

typedef struct mo_cone_point {
  double *x;
  double error; ///< certificate at x, m/s
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

/// Keeps x as `point` if its certificate is smaller.
void mo_cone_keep(const mo_cone_state *state, mo_cone_point *point, const double *x, double error);

/// How the semismooth Newton method runs.
typedef struct mo_semismooth_options {
  double r;      ///< the factor r of the natural map
  bool adaptive; ///< shift the diagonal in proportion to the error: a proximal step, for sticking
                 ///< contacts whose impulses are not unique
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

/// Sweeps of block Gauss-Seidel, in place: each block in turn gets the exact solution for the
/// velocities by the others. Updates `state->run` at the end. Ends sooner where the work of the
/// step is used up.
/// @return the certificate at the end
double mo_cone_sweep(mo_cone_state *state, double *x, uint32_t sweeps);
