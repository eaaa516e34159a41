/// A contact problem with masses in body space: J = (L^-1 H)^T with M = L L^T, so that W = J J^T,
/// and nothing grows with the square of the contacts.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/problem/mass_blocks.h"

typedef struct mo_body_space {
  bool is_wide; ///< a contact acts on more bodies than a block has: the rest is not set
  mo_contact_problem problem; ///< three rows for each contact, with blocks for the velocities alone
  mo_row_block *blocks;       ///< those of `problem`, to be given bounds
} mo_body_space;

/// M = L L^T makes every row of L^T v a coordinate of unit mass. So any six of them may be a body:
/// those of a block of M, of a larger one in parts, and of smaller ones together that follow each
/// other.
/// @return as mo_mass_blocks_visit
mo_result mo_body_space_make(const mo_problem_def *def, mo_arena *arena, mo_body_space *out,
                             mo_matrix_refusal *refused);
