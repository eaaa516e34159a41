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

double mo_load_bounds_follow(mo_row_problem *problem) {
  double change = 0.0, largest = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    mo_row_block *block = &problem->blocks[i];
    if (block->load_count == 0) {
      continue;
    }
    double bound = mo_load_bound(problem, block);
    change = mo_max(change, fabs(bound - block->upper));
    largest = mo_max(largest, mo_max(bound, block->upper));
    block->lower = -bound;
    block->upper = bound;
    mo_row *row = &problem->rows[block->first_row];
    row->impulse = mo_clamp(row->impulse, -bound, bound);
  }
  return largest > 0.0 ? change / largest : 0.0;
}
