/// L D L^T of small symmetric matrices that may be singular, as those of rows are of which some are
/// redundant or push what cannot move.
#pragma once

#include <stdint.h>

#define MO_SEMIDEFINITE_SIZE 6

/// Factorises in place.
/// @param[in,out] k in: the lower triangle; out: L below the diagonal, 1 / D on it, with zeros for
/// the rows that those before them contain
void mo_semidefinite_factor(double k[MO_SEMIDEFINITE_SIZE][MO_SEMIDEFINITE_SIZE], uint32_t count);

/// x = K^-1 x with the factors of K; 0 in the rows that were left out.
void mo_semidefinite_solve(const double k[MO_SEMIDEFINITE_SIZE][MO_SEMIDEFINITE_SIZE],
                           uint32_t count, double *x);
