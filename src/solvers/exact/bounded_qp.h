/// Interior point method for rows with bounds: comes near the solution in 10 to 30 factorisations
/// whatever rows touch, where methods of active sets change a few rows per factorisation.
#pragma once

#include "solvers/exact/row_system.h"

/// One bound of all rows: distance of the impulse from it, and its multiplier.
typedef struct mo_qp_bound {
  double *slack;      ///< > 0; unused where the bound is infinite
  double *multiplier; ///< > 0; 0 where the bound is infinite
  double *multiplier_change;
} mo_qp_bound;

/// Minimises x (W + gamma) x / 2 + q x within the bounds: its optimality conditions are the rows'
/// complementarity. Mehrotra's predictor-corrector method (1992; Nocedal and Wright 2006, 16.6).
typedef struct mo_bounded_qp {
  mo_row_system *system;
  double *x; ///< per row, scaled as in row_system.h
  mo_qp_bound lower, upper;
  double *velocity, *shifts, *change, *right_side; ///< work space
  double scale;                                    ///< of velocities, and of impulses at the start
  double complementarity; ///< mean of slack times multiplier, in scale^2: falls towards 0
} mo_bounded_qp;

/// Takes the work space. @return false without memory
bool mo_bounded_qp_init(mo_bounded_qp *point, mo_row_system *system, mo_arena *arena);
/// Goes to the starting point: one factorisation. @return false if numbers overflow
bool mo_bounded_qp_start(mo_bounded_qp *point);
/// One step: one factorisation. @return false if it gets no further
bool mo_bounded_qp_step(mo_bounded_qp *point);
