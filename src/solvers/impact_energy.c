#include "solvers/impact_energy.h"

#include "memory/union_find.h"
#include "solvers/contact_problem.h"
#include "solvers/island_partition.h"

// Fraction of the energy of the approach that an island may gain unnoticed: more than the error of
// a solve that ended before convergence.
#define GAIN_TOLERANCE 1e-5

typedef struct island_energy {
  double gain;     // J
  double approach; // J: the work of the normal impulses against the approach, the scale of the gain
} island_energy;

static bool is_impact(const mo_row *row) { return row->bias != row->plastic_bias; }

// The island of a block; that of its last body if none of them moves.
static uint32_t island_of(const mo_row_problem *problem, const mo_row_block *block,
                          uint32_t *parents) {
  uint32_t body = mo_island_moving_body(problem, block);
  return mo_union_find_root(parents, body == MO_NO_BODY ? block->body_b : body);
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
  mo_velocity free[MO_ROW_SIDES];
  mo_block_free_velocities(problem, block, free);
  for (uint32_t k = 0; k < block->row_count; k++) {
    const mo_row *row = &problem->rows[block->first_row + k];
    // Friction of a moving surface counts in the frame of the surface: what drives it is no gain.
    double drive = k > 0 && block->bound == MO_BOUND_CONE ? row->bias : 0.0;
    double before = mo_row_velocity_of_sides(row, mo_block_pair(problem, block, k), free) + drive;
    double after = mo_block_row_velocity(problem, block, k, velocities) + drive;
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
    add_block(problem, block, velocities, &energies[island_of(problem, block, parents)]);
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    const island_energy *energy = &energies[island_of(problem, block, parents)];
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
