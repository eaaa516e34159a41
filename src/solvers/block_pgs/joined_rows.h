/// Rows of joints that form trees of bodies, solved together in each sweep.
///
/// Sweeps that visit one joint at a time hand an impulse on by one body per sweep, and a light body
/// between two heavy ones returns most of it: with a heavy end a chain opens without bound. The
/// rows of a tree of joints are independent of each other, and a sparse factorisation solves them
/// at a cost that is linear in their number (Baraff 1996). Joints that close a loop may contradict
/// the others, and stay with the sweeps.
///
/// Limits, motors and friction of these joints take part while their impulses are inside their
/// bounds: a sweep decides which these are, the step to the solution of all of them ends at the
/// first bound, and goes on without that row (PGS with subspace minimisation, Silcowitz-Hansen,
/// Niebe and Erleben 2010).
#pragma once

#include "solvers/island_packing.h"
#include "solvers/row_system.h"

typedef struct mo_joined_rows {
  uint32_t count;     ///< rows; 0: no joints share a body
  uint32_t *sources;  ///< per row: its row in the problem
  double *velocities; ///< in: w, m/s
  double *impulses;   ///< in: N s
  double *changes;    ///< out: of the impulses
  double *lower, *upper;
  double *step, *shifts; ///< working data
  uint8_t *active;       ///< per row: it is in the factors
  bool is_factored;
  mo_island_partition partition; ///< one island
  mo_packed_island island;
  mo_row_system system;
} mo_joined_rows;

/// Chooses the blocks of trees of joints.
/// @param[out] chosen per block
/// @return their number, 0 if no two joints share a body; UINT32_MAX without memory
uint32_t mo_joined_rows_choose(const mo_row_problem *problem, mo_arena *arena, bool *chosen);

/// Packs the rows of the chosen blocks.
/// @param positions only rows that hold positions, without softening
/// @param cache may be null
/// @return false without memory
bool mo_joined_rows_make(const mo_row_problem *problem, const bool *chosen, bool positions,
                         mo_ordering_cache *cache, mo_arena *arena, mo_joined_rows *out);

/// Finds the changes that bring the velocities of all rows inside their bounds to zero, or as far
/// towards it as the bounds allow.
/// @return the largest change of a row's velocity, m/s
double mo_joined_rows_solve(mo_joined_rows *joined);
