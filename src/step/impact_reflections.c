#include "step/impact_reflections.h"

#include "step/impact_solve.h"

#include <string.h>

// Chooses the contacts that approach, besides those chosen before if `keep`. Returns whether there
// are new ones.
static bool choose(mo_impact_solve *r, const mo_velocity *velocities, bool keep) {
  bool any = false;
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    bool is_new =
        r->may_be_hit[i] && !(keep && r->chosen[i]) && mo_impact_approaches(r, i, velocities);
    r->chosen[i] = is_new || (keep && r->chosen[i]);
    any = any || is_new;
  }
  return any;
}

// Notes the contacts that were hit. Of the impulses of this solve, times `factor`, each takes the
// part that its restitution gives them.
static void take_hits(const mo_impact_solve *r, bool elastic, double factor,
                      mo_impact_targets *out) {
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    if (r->chosen[i] && r->impulses[i] > 0.0) {
      double e = r->restitutions[i];
      out->is_hit[i] = true;
      out->impulses[i] += factor * (elastic ? e : 1.0 - e) * r->impulses[i];
    }
  }
}

// Adds a fraction of the speeds with which contacts part.
static void add_speeds(const mo_impact_solve *r, const mo_velocity *velocities, bool elastic,
                       mo_impact_targets *out) {
  for (uint32_t i = 0; i < r->problem->block_count; i++) {
    double e = r->restitutions[i];
    double part = elastic ? e : 1.0 - e;
    double speed = r->may_be_hit[i] && part > 0.0 ? mo_impact_normal_speed(r, i, velocities) : 0.0;
    out->speeds[i] += speed > 0.0 ? part * speed : 0.0;
  }
}

// All contacts that approach are stopped at once.
static mo_result impact_plastically(mo_impact_solve *r, mo_velocity *velocities,
                                    mo_impact_targets *out) {
  memset(r->chosen, 0, r->problem->block_count * sizeof *r->chosen);
  memcpy(r->changed, r->start, r->problem->body_count * sizeof *r->changed);
  for (int round = 0; round < MO_MOST_IMPACTS && choose(r, r->changed, true); round++) {
    mo_result result = mo_impact_solve_stop(r, r->start);
    if (result != MO_OK) {
      return result;
    }
  }
  memcpy(velocities, r->changed, r->problem->body_count * sizeof *velocities);
  take_hits(r, false, 1.0, out);
  return MO_OK;
}

// Contacts that approach are reflected together, until none does.
static mo_result impact_elastically(mo_impact_solve *r, mo_velocity *velocities,
                                    mo_impact_targets *out) {
  memcpy(velocities, r->start, r->problem->body_count * sizeof *velocities);
  for (int round = 0; choose(r, velocities, false); round++) {
    mo_result result = mo_impact_solve_stop(r, velocities);
    if (result != MO_OK) {
      return result;
    }
    double reflected = round < MO_MOST_IMPACTS ? 2.0 : 1.0;
    for (uint32_t i = 0; i < r->problem->body_count; i++) {
      mo_velocity *v = &velocities[i];
      v->linear = mo_add_scaled(v->linear, reflected, mo_sub(r->changed[i].linear, v->linear));
      v->angular = mo_add_scaled(v->angular, reflected, mo_sub(r->changed[i].angular, v->angular));
    }
    take_hits(r, true, reflected, out);
    if (round >= MO_MOST_IMPACTS) {
      break;
    }
  }
  return MO_OK;
}

bool mo_impact_targets_begin(mo_impact_targets *targets, const mo_row_problem *problem,
                             mo_velocity *start, mo_arena *arena) {
  *targets = (mo_impact_targets){.is_hit = MO_ARENA_TAKE(arena, bool, problem->block_count),
                                 .speeds = MO_ARENA_TAKE(arena, double, problem->block_count),
                                 .impulses = MO_ARENA_TAKE(arena, double, problem->block_count),
                                 .start = start};
  return targets->is_hit && targets->speeds && targets->impulses;
}

mo_result mo_impacts_find(mo_world *world, const mo_row_problem *problem,
                          const double *restitutions, mo_velocity *start, mo_arena *arena,
                          mo_impact_targets *out) {
  mo_impact_solve all = {.world = world, .problem = problem, .restitutions = restitutions},
                  *r = &all;
  r->start = start;
  mo_velocity *velocities = MO_ARENA_TAKE_RAW(arena, mo_velocity, problem->body_count);
  if (!mo_impact_targets_begin(out, problem, start, arena) || !velocities ||
      !mo_impact_solve_make_room(r, arena) || !mo_impact_solve_find_islands(r, arena, &out->any)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (!out->any) {
    return MO_OK;
  }
  mo_result result = impact_plastically(r, velocities, out);
  if (result == MO_OK) {
    add_speeds(r, velocities, false, out);
    result = impact_elastically(r, velocities, out);
  }
  if (result == MO_OK) {
    add_speeds(r, velocities, true, out);
  }
  return result;
}

mo_result mo_impacts_separate(mo_world *world, const mo_row_problem *problem,
                              const mo_impact_targets *targets, mo_velocity *velocities,
                              double *impulses, mo_arena *arena) {
  mo_impact_solve r = {
      .world = world, .problem = problem, .start = velocities, .slowest = MO_SLOWEST_APPROACH};
  r.biases = MO_ARENA_TAKE(arena, double, problem->block_count);
  if (!r.biases || !mo_impact_solve_make_room(&r, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    r.chosen[i] = targets->is_hit[i];
    r.biases[i] = -targets->speeds[i];
  }
  mo_result result = mo_impact_solve_stop(&r, velocities);
  if (result == MO_OK) {
    memcpy(velocities, r.changed, problem->body_count * sizeof *velocities);
    memcpy(impulses, r.impulses, problem->block_count * sizeof *impulses);
  }
  return result;
}
