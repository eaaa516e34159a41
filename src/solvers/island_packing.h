/// Islands of a row problem packed for the exact solvers.
#pragma once

#include "solvers/contact_problem.h"
#include "solvers/island_partition.h"

/// One island of a partition.
typedef struct mo_island_view {
  const mo_row_problem *source;
  const mo_island_partition *partition;
  uint32_t index;
} mo_island_view;

static inline uint32_t mo_island_block_begin(const mo_island_view *island) {
  return island->partition->first_block[island->index];
}
static inline uint32_t mo_island_block_end(const mo_island_view *island) {
  return island->partition->first_block[island->index + 1];
}
/// The block at a place of the island.
static inline const mo_row_block *mo_island_block(const mo_island_view *island, uint32_t place) {
  return &island->source->blocks[island->partition->blocks[place]];
}
static inline uint32_t mo_island_body_count(const mo_island_view *island) {
  return island->partition->first_body[island->index + 1] -
         island->partition->first_body[island->index];
}
/// The problem's index of the island's body `local`.
static inline uint32_t mo_island_body(const mo_island_view *island, uint32_t local) {
  return island->partition->bodies[island->partition->first_body[island->index] + local];
}

uint32_t mo_island_row_count(const mo_island_view *island);

/// An island's problem, with what is needed to unpack its solution.
typedef struct mo_packed_island {
  mo_contact_problem problem; ///< its arrays are those below
  mo_row_block *blocks;
  double *jacobian[MO_ROW_SIDES], *free_velocity, *softening;
  mo_body_pair *more_bodies;
  mo_mat3 *inertia_factors; ///< per local body: C with C C^T = inverse inertia, world axes
  double *mass_factors;     ///< per local body: square root of the inverse mass
} mo_packed_island;

/// Packs the velocity problem: all rows with their biases and warm start.
/// @return false without memory
bool mo_island_pack_velocities(const mo_island_view *island, mo_arena *arena,
                               mo_packed_island *out);
/// Sets the impulses of the island's rows, in their order, in `problem`, the island's source.
void mo_island_put_impulses(const mo_island_view *island, const double *impulses,
                            mo_row_problem *problem);

/// Packs the position problem: the rows that hold gaps must move at `targets` or faster, bilateral
/// ones exactly.
/// @param targets per row of the source, m/s
/// @return false without memory
bool mo_island_pack_positions(const mo_island_view *island, const double *targets, mo_arena *arena,
                              mo_packed_island *out);
/// Adds M^-1 J^T x to the velocities of the problem's bodies.
void mo_island_add_velocities(const mo_island_view *island, const mo_packed_island *packed,
                              mo_velocity *velocities);
