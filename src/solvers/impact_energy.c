#include "solvers/impact_energy.h"

#include "memory/union_find.h"
#include "solvers/island_partition.h"

// Fraction of the energy of the approach that an island may gain unnoticed: more than the error of
// a solve that ended before convergence.
#define GAIN_TOLERANCE 1e-5

typedef struct island_energy {
  double gain;     // J
  double approach; // J: the work of the normal impulses against the approach, the scale of the gain
} island_energy;

static bool is_impact(const mo_row *row) { return row->bias != row->plastic_bias; }

// A body of the block that impulses move; its island is that of the block.
static uint32_t moving_body(const mo_row_problem *problem, const mo_row_block *block) {
  return mo_row_body_moves(&problem->bodies[block->body_a]) ? block->body_a : block->body_b;
}

static bool has_impacts(const mo_row_problem *problem) {
  for (uint32_t i = 0; i < problem->row_count; i++) {
    if (is_impact(&problem->rows[i])) {
      return true;
    }
  }
  return false;
}

static void add_block(const mo_row_problem *problem, const mo_row_block *block,
                      const mo_velocity *velocities, island_energy *energy) {
  const mo_row_body *a = &problem->bodies[block->body_a], *b = &problem->bodies[block->body_b];
  mo_velocity free_a = {a->free_linear, a->free_angular};
  mo_velocity free_b = {b->free_linear, b->free_angular};
  for (uint32_t k = 0; k < block->row_count; k++) {
    const mo_row *row = &problem->rows[block->first_row + k];
    double before = mo_row_velocity(row, &free_a, &free_b);
    double after = mo_row_velocity(row, &velocities[block->body_a], &velocities[block->body_b]);
    // The work of a driven joint or motor, lambda times its velocity, is no gain.
    bool driven = block->bound == MO_BOUND_BILATERAL || block->bound == MO_BOUND_BOX;
    energy->gain += 0.5 * row->impulse * (driven ? before - after : before + after);
    energy->approach += k == 0 ? 0.5 * fabs(row->impulse * before) : 0.0;
  }
}

mo_result mo_impact_energy_cure(mo_row_problem *problem, const mo_velocity *velocities, double keep,
                                mo_arena *arena, mo_impact_report *out) {
  *out = (mo_impact_report){0};
  if (!has_impacts(problem)) {
    return MO_OK;
  }
  uint32_t *parents = MO_ARENA_TAKE(arena, uint32_t, problem->body_count);
  island_energy *energies = MO_ARENA_TAKE(arena, island_energy, problem->body_count);
  if (!parents || !energies) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_island_partition_join(problem, parents);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    uint32_t island = mo_union_find_root(parents, moving_body(problem, block));
    add_block(problem, block, velocities, &energies[island]);
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    const island_energy *energy =
        &energies[mo_union_find_root(parents, moving_body(problem, block))];
    mo_row *normal = &problem->rows[block->first_row];
    bool gains = energy->gain > GAIN_TOLERANCE * energy->approach;
    if (gains && is_impact(normal)) {
      double restitution_part = normal->bias - normal->plastic_bias;
      normal->bias =
          keep > 0.0 ? normal->plastic_bias + keep * restitution_part : normal->plastic_bias;
      out->changed = true;
    }
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    if (energies[i].gain > GAIN_TOLERANCE * energies[i].approach) {
      out->gain += energies[i].gain;
    }
  }
  return MO_OK;
}
