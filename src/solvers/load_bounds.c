#include "solvers/load_bounds.h"

#include "math/scalar.h"

double mo_load_bound(const mo_row_problem *problem, const mo_row_block *block) {
  double load = 0.0;
  for (uint32_t i = 0; i < block->load_count; i++) {
    const mo_row_block *of = &problem->blocks[block->load_block + i];
    load += mo_max(0.0, problem->rows[of->first_row].impulse);
  }
  double bound = block->load_friction * load;
  if (block->disc_block == 0) {
    return bound;
  }
  const mo_row_block *first = &problem->blocks[block->disc_block - 1];
  double used = mo_min(fabs(problem->rows[first->first_row].impulse), bound);
  return sqrt((bound - used) * (bound + used));
}

// How far the bounds of some blocks moved, and the largest of them.
typedef struct bound_change {
  double change, largest;
} bound_change;

static void follow(mo_row_problem *problem, mo_row_block *block, bound_change *of) {
  double bound = mo_load_bound(problem, block);
  of->change = mo_max(of->change, fabs(bound - block->upper));
  of->largest = mo_max(of->largest, mo_max(bound, block->upper));
  block->lower = -bound;
  block->upper = bound;
  mo_row *row = &problem->rows[block->first_row];
  row->impulse = mo_clamp(row->impulse, -bound, bound);
}

bool mo_load_bounds_follow(mo_row_problem *problem, const mo_island_partition *partition,
                           double tolerance, bool *changed) {
  bool any = false;
  for (uint32_t i = 0; i < partition->island_count; i++) {
    bound_change of = {0};
    for (uint32_t k = partition->first_block[i]; k < partition->first_block[i + 1]; k++) {
      mo_row_block *block = &problem->blocks[partition->blocks[k]];
      if (block->load_count > 0) {
        follow(problem, block, &of);
      }
    }
    changed[i] = of.change > tolerance * of.largest;
    any = any || changed[i];
  }
  return any;
}
