/// M v = H g + f block by block, where a block of M has the rows that entries couple: a body, or
/// bodies that move together.
#pragma once

#include "moreau.h"

/// One block with M = L L^T.
typedef struct mo_mass_block {
  uint32_t rows;          ///< of the block
  uint32_t columns;       ///< of H that have an entry in it
  const uint32_t *column; ///< their numbers
  const double *whitened; ///< L^-1 (H, f): rows x (columns + 1) by rows, f last
} mo_mass_block;

/// What is wrong with matrices; `what` is null if nothing is.
typedef struct mo_matrix_refusal {
  const char *what;
  uint32_t at; ///< entry, or row of M
  double value;
} mo_matrix_refusal;

/// Calls `visit` for each block that H has entries in, in the order of their first rows.
/// @param visit returns false to end the walk
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY, or MO_ERROR_INVALID_ARGUMENT with `refused` set
mo_result mo_mass_blocks_visit(const mo_triplets *mass, const mo_triplets *jacobian,
                               const double *force,
                               bool (*visit)(void *context, const mo_mass_block *block),
                               void *context, mo_matrix_refusal *refused);

/// mo_problem_reduce, which tells more about what is refused (matrix_reduction.c).
mo_result mo_masses_reduce(const mo_triplets *mass, const mo_triplets *jacobian,
                           const double *force, const double *offset, double *delassus,
                           double *free_velocity, mo_matrix_refusal *refused);
