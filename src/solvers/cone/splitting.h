/// Douglas-Rachford splitting with Anderson acceleration: one factorisation, then cheap iterations.
/// It takes out the smooth part of the error, which sweeps leave, and needs no Newton step that
/// only pays near the solution.
///
/// With the set K of a block, N its normal cone and u^ as in natural_map.h the laws are 0 in u^(x)
/// + N(x). For w = x - u^ / rho (Lions and Mercier 1979; Eckstein and Bertsekas 1992)
///
///     y = P_K(w),   (rho + W) z = rho (2 y - w) - q - mu rho |y_T - w_T| n,   w <- w + z - y,
///
/// where rho (y - w) is u^, so that its tangents are those of u. The fixed point has z = y and is a
/// solution. W has a diagonal of about 1, so that rho needs no scale.
#pragma once

#include "solvers/cone/cone_methods.h"

/// rho. A smaller one is better near rest, and a larger one after impacts.
#define MO_SPLITTING_RHO 0.3
/// Steps that Anderson's method remembers.
#define MO_SPLITTING_MEMORY 10

typedef struct mo_splitting {
  mo_cone_state *state;
  bool is_factorised;
  double *w, *y;
  // of the last iteration: the image of w, and f = z - y
  double *image, *f;
  // Anderson: differences of f and of images, and the products of the former
  double *last_image, *last_f, *f_changes, *image_changes;
  double products[MO_SPLITTING_MEMORY][MO_SPLITTING_MEMORY];
  uint32_t used, next;
  bool has_last;
  double least; ///< the smallest |f| since the last restart
} mo_splitting;

/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_splitting_create(mo_splitting *splitting, mo_cone_state *state, mo_arena *arena);
/// Counted operations of an iteration.
double mo_splitting_work(const mo_splitting *splitting);
/// Begins at x.
void mo_splitting_start(mo_splitting *splitting, const double *x);
/// Makes up to `count` iterations, and fewer if the work of the step does not last for them and
/// `kept` operations more. Then `y` is the point.
/// @return how many
uint32_t mo_splitting_run(mo_splitting *splitting, uint32_t count, double kept);
