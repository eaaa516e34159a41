#include "step/late_impacts.h"

#include "math/scalar.h"
#include "step/impact_solve.h"

#include <string.h>

typedef struct late_impacts {
  mo_impact_solve solve;
  mo_impact_targets *out;
  double threshold; // m/s: of an approach with restitution
} late_impacts;

static double gap_of(const mo_impact_solve *r, uint32_t block) {
  return r->problem->rows[r->problem->blocks[block].first_row].gap;
}

// Whether a contact touches and does not part: such a one shares an impact.
static bool touches(const mo_impact_solve *r, uint32_t block, const mo_velocity *velocities) {
  return r->may_be_hit[block] && gap_of(r, block) <= MO_CLOSED_GAP * mo_world_metre(r->world) &&
         mo_impact_normal_speed(r, block, velocities) <= r->slowest;
}

// What was hit once is closed, whatever its gap was.
static bool approaches(const late_impacts *l, uint32_t block, const mo_velocity *velocities) {
  if (l->out->is_hit[block]) {
    return mo_impact_normal_speed(&l->solve, block, velocities) < -l->solve.slowest;
  }
  return mo_impact_approaches(&l->solve, block, velocities);
}

// Chooses the contacts that approach, and those that touch, with the speeds at which they are to
// part. Returns whether one rebounds.
static bool choose(late_impacts *l, const mo_velocity *velocities) {
  mo_impact_solve *r = &l->solve;
  bool any = false;
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    bool closes = r->may_be_hit[i] && approaches(l, i, velocities);
    double speed = closes ? -mo_impact_normal_speed(r, i, velocities) : 0.0;
    bool rebounds = closes && r->restitutions[i] > 0.0 && speed > l->threshold;
    r->chosen[i] = closes || touches(r, i, velocities);
    r->biases[i] = rebounds ? -r->restitutions[i] * speed : 0.0;
    any = any || rebounds;
  }
  return any;
}

static void take_hits(late_impacts *l) {
  for (uint32_t i = 0; i < l->solve.problem->block_count; i++) {
    if (l->solve.chosen[i] && l->solve.impulses[i] > 0.0) {
      l->out->is_hit[i] = true;
      l->out->impulses[i] += l->solve.impulses[i];
    }
  }
}

static mo_result run(late_impacts *l, mo_velocity *velocities) {
  mo_impact_solve *r = &l->solve;
  int round = 0;
  memcpy(velocities, r->start, r->problem->body_count * sizeof *velocities);
  for (; round < MO_MOST_IMPACTS && choose(l, velocities); round++) {
    mo_result result = mo_impact_solve_stop(r, velocities);
    if (result != MO_OK) {
      return result;
    }
    take_hits(l);
    memcpy(velocities, r->changed, r->problem->body_count * sizeof *velocities);
  }
  l->out->any = round > 1;
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    double speed = l->out->is_hit[i] ? mo_impact_normal_speed(r, i, velocities) : 0.0;
    l->out->speeds[i] = mo_max(0.0, speed);
  }
  return MO_OK;
}

mo_result mo_late_impacts_find(mo_world *world, const mo_row_problem *problem,
                               const double *restitutions, mo_velocity *start, mo_arena *arena,
                               mo_impact_targets *out) {
  late_impacts l = {.solve = {.world = world,
                              .problem = problem,
                              .restitutions = restitutions,
                              .start = start,
                              .biases = MO_ARENA_TAKE(arena, double, problem->block_count)},
                    .out = out,
                    .threshold = mo_world_restitution_threshold(world, problem->dt)};
  mo_velocity *velocities = MO_ARENA_TAKE_RAW(arena, mo_velocity, problem->body_count);
  bool any = false;
  if (!mo_impact_targets_begin(out, problem, start, arena) || !l.solve.biases || !velocities ||
      !mo_impact_solve_make_room(&l.solve, arena) ||
      !mo_impact_solve_find_islands(&l.solve, arena, &any)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  return any ? run(&l, velocities) : MO_OK;
}
