/// The joined rows among the groups of rows.
#include "solvers/block_pgs/row_group.h"

static bool find_rows(const mo_row_problem *problem, mo_arena *arena, mo_row_groups *groups) {
  mo_joined_groups *found = groups->joined;
  uint32_t count = found->joined.count;
  uint32_t *packed = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->row_count);
  uint32_t *owners = MO_ARENA_TAKE_RAW(arena, uint32_t, problem->row_count);
  found->rows = MO_ARENA_TAKE_RAW(arena, uint32_t, count);
  found->groups = MO_ARENA_TAKE_RAW(arena, uint32_t, count);
  if (!packed || !owners || !found->rows || !found->groups) {
    return false;
  }
  for (uint32_t i = 0; i < groups->count; i++) {
    const mo_row_group *g = &groups->groups[i];
    for (uint32_t k = 0; k < g->count * g->rows_per_point; k++) {
      packed[g->source_row + k] = g->first_row + k;
      owners[g->source_row + k] = i;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    found->rows[i] = packed[found->joined.sources[i]];
    found->groups[i] = owners[found->joined.sources[i]];
    mo_row_group *g = &groups->groups[found->groups[i]];
    g->is_joined = g->bilateral;
  }
  return true;
}

bool mo_joined_groups_make(const mo_row_problem *problem, mo_ordering_cache *cache, mo_arena *arena,
                           mo_row_groups *groups) {
  bool *chosen = MO_ARENA_TAKE_RAW(arena, bool, problem->block_count);
  uint32_t count = chosen ? mo_joined_rows_choose(problem, arena, chosen) : UINT32_MAX;
  if (count == UINT32_MAX || count == 0) {
    return count == 0;
  }
  groups->joined = MO_ARENA_TAKE(arena, mo_joined_groups, 1);
  return groups->joined &&
         mo_joined_rows_make(problem, chosen, false, cache, arena, &groups->joined->joined) &&
         find_rows(problem, arena, groups);
}

double mo_joined_groups_relax(mo_row_groups *groups, mo_velocity *velocities) {
  mo_joined_rows *joined = &groups->joined->joined;
  const uint32_t *rows = groups->joined->rows, *owners = groups->joined->groups;
  for (uint32_t i = 0; i < joined->count; i++) {
    const mo_row_group *g = &groups->groups[owners[i]];
    const mo_packed_row *row = &groups->rows[rows[i]];
    joined->impulses[i] = row->impulse;
    joined->velocities[i] =
        mo_packed_row_velocity(row, &velocities[g->body_a], &velocities[g->body_b]);
  }
  double moved = mo_joined_rows_solve(joined);
  for (uint32_t i = 0; i < joined->count; i++) {
    const mo_row_group *g = &groups->groups[owners[i]];
    mo_packed_row *row = &groups->rows[rows[i]];
    row->impulse += joined->changes[i];
    mo_packed_row_apply(g, row, joined->changes[i], &velocities[g->body_a], &velocities[g->body_b]);
  }
  return moved;
}
