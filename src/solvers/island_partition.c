#include "solvers/island_partition.h"

#include "memory/sort.h"
#include "memory/union_find.h"
#include "solvers/contact_problem.h"

uint32_t mo_island_moving_body(const mo_row_problem *problem, const mo_row_block *block) {
  if (mo_row_body_moves(&problem->bodies[block->body_a])) {
    return block->body_a;
  }
  if (mo_row_body_moves(&problem->bodies[block->body_b])) {
    return block->body_b;
  }
  const mo_row_pair *pair = mo_block_pair(problem, block, 0);
  if (pair && mo_row_body_moves(&problem->bodies[pair->body_c])) {
    return pair->body_c;
  }
  return pair && mo_row_body_moves(&problem->bodies[pair->body_d]) ? pair->body_d : MO_NO_BODY;
}

static void join_block(const mo_row_problem *problem, const mo_row_block *block,
                       uint32_t *parents) {
  uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(problem, block, bodies);
  uint32_t first = mo_island_moving_body(problem, block);
  for (uint32_t i = 1; i < count; i++) {
    if (bodies[i] != first && mo_row_body_moves(&problem->bodies[bodies[i]])) {
      mo_union_find_join(parents, first, bodies[i]);
    }
  }
}

void mo_island_partition_join(const mo_row_problem *problem, uint32_t *parents) {
  mo_union_find_reset(parents, problem->body_count);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    join_block(problem, &problem->blocks[i], parents);
  }
}

// Numbers the islands that have blocks by their lowest body: `islands` per body, or MO_NO_BODY.
// Returns their number.
static uint32_t number_islands(const mo_row_problem *problem, uint32_t *parents,
                               uint32_t *islands) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    islands[i] = MO_NO_BODY;
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    uint32_t body = mo_island_moving_body(problem, &problem->blocks[i]);
    if (body != MO_NO_BODY) {
      islands[mo_union_find_root(parents, body)] = 0;
    }
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < problem->body_count; i++) {
    if (mo_union_find_root(parents, i) == i) {
      islands[i] = islands[i] == MO_NO_BODY ? MO_NO_BODY : count++;
    } else {
      islands[i] = islands[mo_union_find_root(parents, i)]; // the root comes before its members
    }
  }
  return count;
}

static void place_blocks(const mo_row_problem *problem, const uint32_t *islands,
                         mo_island_partition *out, uint32_t *next) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    uint32_t body = mo_island_moving_body(problem, &problem->blocks[i]);
    if (body != MO_NO_BODY) {
      out->first_block[islands[body] + 1]++;
    }
  }
  mo_sum_counts(out->first_block, out->island_count);
  for (uint32_t i = 0; i < out->island_count; i++) {
    next[i] = out->first_block[i];
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    uint32_t body = mo_island_moving_body(problem, &problem->blocks[i]);
    if (body != MO_NO_BODY) {
      out->blocks[next[islands[body]]++] = i;
    }
  }
}

static void place_bodies(const mo_row_problem *problem, const uint32_t *islands,
                         mo_island_partition *out, uint32_t *next) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    if (islands[i] != MO_NO_BODY) {
      out->first_body[islands[i] + 1]++;
    }
  }
  mo_sum_counts(out->first_body, out->island_count);
  for (uint32_t i = 0; i < out->island_count; i++) {
    next[i] = out->first_body[i];
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    out->local_bodies[i] = MO_NO_BODY;
    if (islands[i] != MO_NO_BODY) {
      out->local_bodies[i] = next[islands[i]] - out->first_body[islands[i]];
      out->bodies[next[islands[i]]++] = i;
    }
  }
}

// Returns false without memory.
static bool order_by_size(const mo_row_problem *problem, mo_arena *arena,
                          mo_island_partition *out) {
  mo_sort_entry *entries = MO_ARENA_TAKE(arena, mo_sort_entry, out->island_count);
  if (!entries) {
    return false;
  }
  for (uint32_t i = 0; i < out->island_count; i++) {
    entries[i].value = i;
    for (uint32_t k = out->first_block[i]; k < out->first_block[i + 1]; k++) {
      entries[i].key += problem->blocks[out->blocks[k]].row_count;
    }
  }
  mo_sort(entries, out->island_count);
  for (uint32_t i = 0; i < out->island_count; i++) {
    out->by_size[i] = entries[i].value;
  }
  return true;
}

mo_result mo_island_partition_make(const mo_row_problem *problem, mo_arena *arena,
                                   mo_island_partition *out) {
  uint32_t *parents = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count);
  uint32_t *islands = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count);
  if (!parents || !islands) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_island_partition_join(problem, parents);
  uint32_t count = number_islands(problem, parents, islands);
  *out =
      (mo_island_partition){.island_count = count,
                            .first_block = MO_ARENA_TAKE(arena, uint32_t, count + 1),
                            .blocks = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->block_count),
                            .first_body = MO_ARENA_TAKE(arena, uint32_t, count + 1),
                            .bodies = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count),
                            .local_bodies = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->body_count),
                            .by_size = MO_ARENA_TAKE_RAW(arena, uint32_t, count)};
  if (!out->first_block || !out->blocks || !out->first_body || !out->bodies || !out->local_bodies ||
      !out->by_size) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  place_blocks(problem, islands, out, parents);
  place_bodies(problem, islands, out, parents);
  return order_by_size(problem, arena, out) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}
