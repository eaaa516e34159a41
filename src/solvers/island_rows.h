/// The rows of an island as a row problem of its own, for block-pgs.
#pragma once

#include "solvers/island_packing.h"

/// An island's problem. Its bodies are the world, those of the island in their order, and those
/// beside it that no impulse moves.
typedef struct mo_island_rows {
  mo_row_problem problem;
  uint32_t *bodies; ///< per body of `problem`: its index in the source
} mo_island_rows;

/// Copies an island's blocks, rows and bodies.
/// @param places one per body of the source, all zero before and after the call
/// @return false without memory in the arena
bool mo_island_rows_make(const mo_island_view *island, uint32_t *places, mo_arena *arena,
                         mo_island_rows *out);
/// Copies the impulses to the rows of `problem`, the island's source.
void mo_island_rows_write(const mo_island_view *island, const mo_island_rows *rows,
                          mo_row_problem *problem);
/// Copies velocities of the source's bodies to those of the island's problem.
void mo_island_rows_gather(const mo_island_rows *rows, const mo_velocity *velocities,
                           mo_velocity *own);
/// Copies velocities of the bodies that impulses move back.
void mo_island_rows_scatter(const mo_island_view *island, const mo_velocity *own,
                            mo_velocity *velocities);
