#include "solvers/impact_energy.h"

// Fraction of the energy of the approach that an island may gain unnoticed: more than the error of
// a solve that ended before convergence.
#define GAIN_TOLERANCE 1e-5

typedef struct island_energy {
  double gain;     // J
  double approach; // J: the work of the normal impulses against the approach, the scale of the gain
} island_energy;

static bool is_impact(const mo_row *row) { return row->bias != row->plastic_bias; }

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

// Whether an island gains energy. Counts its gain.
static bool gains_energy(const mo_row_problem *problem, const mo_island_partition *partition,
                         uint32_t island, const mo_velocity *velocities, double *gain) {
  island_energy energy = {0};
  for (uint32_t k = partition->first_block[island]; k < partition->first_block[island + 1]; k++) {
    add_block(problem, &problem->blocks[partition->blocks[k]], velocities, &energy);
  }
  bool gains = energy.gain > GAIN_TOLERANCE * energy.approach;
  *gain += gains ? energy.gain : 0.0;
  return gains;
}

// Returns whether the island has impacts.
static bool reduce(mo_row_problem *problem, const mo_island_partition *partition, uint32_t island,
                   double keep) {
  bool any = false;
  for (uint32_t k = partition->first_block[island]; k < partition->first_block[island + 1]; k++) {
    mo_row *normal = &problem->rows[problem->blocks[partition->blocks[k]].first_row];
    if (is_impact(normal)) {
      double restitution_part = normal->bias - normal->plastic_bias;
      normal->bias =
          keep > 0.0 ? normal->plastic_bias + keep * restitution_part : normal->plastic_bias;
      any = true;
    }
  }
  return any;
}

static bool has_impacts(const mo_row_problem *problem) {
  for (uint32_t i = 0; i < problem->row_count; i++) {
    if (is_impact(&problem->rows[i])) {
      return true;
    }
  }
  return false;
}

double mo_impact_energy_cure(mo_row_problem *problem, const mo_island_partition *partition,
                             const mo_velocity *velocities, double keep, bool *changed) {
  double gain = 0.0;
  bool any = has_impacts(problem);
  for (uint32_t i = 0; i < partition->island_count; i++) {
    changed[i] = any && gains_energy(problem, partition, i, velocities, &gain) &&
                 reduce(problem, partition, i, keep);
  }
  return gain;
}
