/// Interior point method for rows with bounds. It approaches the solution in 10 to 30
/// factorisations, whatever the number of active rows; active-set methods change a few rows per
/// factorisation.
#pragma once

#include "solvers/row_system.h"

/// One bound of every row: the distance of the impulse from it, and its multiplier.
typedef struct mo_qp_bound {
  double *slack;      ///< > 0; unused where the bound is infinite
  double *multiplier; ///< > 0; 0 where the bound is infinite
  double *multiplier_change;
} mo_qp_bound;

/// Minimises x (W + gamma) x / 2 + q x within the bounds. Its optimality conditions are the
/// complementarity of the rows. Mehrotra's predictor-corrector method (1992; Nocedal and Wright
/// 2006, 16.6).
typedef struct mo_bounded_qp {
  mo_row_system *system;
  double *x; ///< per row, scaled as in row_system.h
  mo_qp_bound lower, upper;
  double *velocity, *shifts, *change, *right_side; ///< work space
  double scale;                                    ///< of velocities, and of the first impulses
  double complementarity; ///< mean of slack times multiplier, in scale^2; it decreases towards 0
} mo_bounded_qp;

/// Takes the work space. @return false without memory
bool mo_bounded_qp_init(mo_bounded_qp *point, mo_row_system *system, mo_arena *arena);
/// Finds the starting point with one factorisation. @return false if numbers overflow
bool mo_bounded_qp_start(mo_bounded_qp *point);
/// One step with one factorisation. @return false if it makes no progress
bool mo_bounded_qp_step(mo_bounded_qp *point);
