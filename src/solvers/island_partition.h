/// The islands of a row problem.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

/// Islands in the order of their lowest body, with ascending blocks and bodies in each. Blocks
/// between two immovable bodies belong to none.
typedef struct mo_island_partition {
  uint32_t island_count;
  uint32_t *first_block;  ///< per island, and the end: index in `blocks`
  uint32_t *blocks;       ///< indices of the problem's blocks
  uint32_t *first_body;   ///< per island, and the end: index in `bodies`
  uint32_t *bodies;       ///< indices of the problem's bodies that move and have blocks
  uint32_t *local_bodies; ///< per body of the problem: its index in its island, or MO_NO_BODY
  uint32_t *by_size;      ///< the islands from the fewest rows to the most
} mo_island_partition;

/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_island_partition_make(const mo_row_problem *problem, mo_arena *arena,
                                   mo_island_partition *out);

/// A body of the block that impulses move, whose island is that of the block; MO_NO_BODY if there
/// is none.
uint32_t mo_island_moving_body(const mo_row_problem *problem, const mo_row_block *block);

/// Joins the moving bodies that blocks link: fills `parents` (one per body) for mo_union_find_root.
void mo_island_partition_join(const mo_row_problem *problem, uint32_t *parents);
