/// The 1-norm of a matrix that is known only by its products with vectors.
#pragma once

#include <stdint.h>

/// x = B x, in place.
typedef void mo_linear_map(const void *context, double *x);

/// A lower bound of |B|_1 for a matrix B of `count` columns, rarely below it by more than a factor
/// of 3 (Hager 1984; Higham 1988, algorithm 4.1). Infinite if a product is not finite.
/// @param workspace 2 * count numbers
double mo_norm1_estimate(uint32_t count, mo_linear_map *map, mo_linear_map *transposed,
                         const void *context, double *workspace);
