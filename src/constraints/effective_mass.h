/// Effective masses of the rows of one constraint: what a push along a row has to move.
#pragma once

#include "constraints/constraint.h"

/// J_p M^-1 J_q^T of two rows of mo_jacobian_columns numbers. The same body may be two of the
/// sides, whose parts then add up.
double mo_constraint_coupling(const mo_constraint *constraint, const double *p, const double *q,
                              const mo_row_body bodies[MO_ROW_SIDES]);

/// Whether impulses along a row move anything, beside round-off of what locks of axes leave.
bool mo_constraint_row_moves(const mo_constraint *constraint, const double *row,
                             const mo_row_body bodies[MO_ROW_SIDES]);

/// The effective mass of a coordinate, kg or kg m^2, while the constraint's own rows hold: for the
/// angle of a hinge the moment of inertia about its axis, wherever the centres of mass are. 0 if
/// nothing can move along it.
///
/// It is 1 / (J M^-1 J^T - J M^-1 L^T (L M^-1 L^T)^-1 L M^-1 J^T) for the own rows L.
double mo_constraint_held_mass(const mo_constraint *constraint, const mo_constraint_place *at,
                               uint32_t coordinate, const mo_row_body bodies[MO_ROW_SIDES]);

/// The place after `dt` s and the bodies there, if all velocities stay as they are.
void mo_constraint_place_ahead(const mo_constraint_place *at,
                               const mo_row_body bodies[MO_ROW_SIDES], double dt,
                               mo_constraint_place *place_out, mo_row_body out[MO_ROW_SIDES]);
