#include "step/soft_step/soft_stage.h"

#include "solvers/soft_step/substep_solver.h"
#include "step/soft_step/asked_contacts.h"
#include "step/soft_step/joint_energy.h"
#include "step/soft_step/soft_constraints.h"
#include "step/soft_step/soft_contacts.h"
#include "step/soft_step/soft_impacts.h"
#include "step/soft_step/soft_surfaces.h"
#include "step/soft_step/solver_bodies.h"
#include "world/activity.h"

// Gap in slops up to which there is a contact: about what bodies approach by in a step at moderate
// speed.
#define SPECULATIVE_SLOPS 4.0
// m: the length used for margins in a world without slop, in which bodies touch all the same.
#define MARGIN_WITHOUT_SLOP 0.005

// --- solve -----------------------------------------------------------------------------------

static mo_substep_settings solver_settings(const mo_soft_step *s) {
  const mo_world *world = s->world;
  double dt = s->dt;
  const mo_world_def *def = &world->settings;
  return (mo_substep_settings){.dt = dt,
                               .metre = mo_world_metre(world),
                               .substeps = s->substeps,
                               .contact_hertz = def->contact_hertz,
                               .contact_damping = def->contact_damping,
                               .joint_hertz = def->joint_hertz,
                               .joint_damping = def->joint_damping,
                               .linear_slop = mo_world_linear_slop(world, true),
                               .max_correction_speed = def->max_correction_speed,
                               .restitution_threshold =
                                   def->impact_law == MO_IMPACT_NEWTON
                                       ? mo_world_restitution_threshold(world, dt / s->substeps)
                                       : INFINITY, // mo_soft_reflect_impacts has the impacts
                               .last_substeps = mo_world_substeps(world, world->last_step.dt),
                               .impulse_scale = mo_world_warm_start_scale(world, dt)};
}

static mo_result solve(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_soft_stage *soft = s->soft;
  soft->step.settings = solver_settings(s);
  soft->step.motions = world->motions;
  soft->step.starts = soft->start;
  soft->step.indices = soft->indices;
  soft->step.masses = soft->masses;
  soft->step.colours = world->pairs.colours;
  soft->step.arena = &world->step_arena;
  mo_result result = mo_soft_reflect_impacts(s);
  if (result != MO_OK || !mo_soft_surfaces_list(s)) {
    return result != MO_OK ? result : MO_ERROR_OUT_OF_MEMORY;
  }
  return mo_substep_solve(&soft->step) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// --- the stage -------------------------------------------------------------------------------

// The length by which the margins of this stage are measured: the slop, or a length that is small
// in this world.
static double small_length(const mo_world *world) {
  double slop = mo_world_linear_slop(world, true);
  return slop > 0.0 ? slop : MARGIN_WITHOUT_SLOP * mo_world_metre(world);
}

// Half of the largest gap that is a contact whatever the velocities is `near`.
static mo_contact_reach contact_reach(const mo_world *world, double dt) {
  double small = small_length(world);
  return (mo_contact_reach){.dt = dt,
                            .substep = dt / mo_world_substeps(world, dt),
                            .slop = small,
                            .near = 0.5 * SPECULATIVE_SLOPS * small};
}

mo_result mo_soft_stage_run(mo_world *world, double dt, const mo_solver_choice *choice,
                            mo_soft_stage *soft) {
  mo_soft_step step = {world, dt, mo_world_substeps(world, dt), choice, soft, NULL}, *s = &step;
  mo_contact_reach reach = contact_reach(world, dt);
  mo_profile_begin(&world->profiler, MO_PROFILE_NARROW_PHASE);
  bool is_found = mo_soft_contacts_reach_ahead(world, choice->in_rows, &reach) &&
                  mo_soft_contacts_update(world, choice->in_rows, &reach, &step.arms) &&
                  mo_world_sort_pairs_by_activity(world);
  mo_result result = is_found ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
  if (world->contact_rule.function && is_found) {
    result = mo_soft_contacts_ask(world);
  }
  mo_world_list_awake(world);
  mo_profile_end(&world->profiler, MO_PROFILE_NARROW_PHASE);
  if (result != MO_OK) {
    return result;
  }
  mo_profile_begin(&world->profiler, MO_PROFILE_FORCES);
  result = mo_solver_bodies_gather(s);
  mo_profile_end(&world->profiler, MO_PROFILE_FORCES);
  mo_profile_begin(&world->profiler, MO_PROFILE_PREPARE);
  if (result == MO_OK) {
    result = mo_soft_constraints_make(s);
  }
  mo_profile_end(&world->profiler, MO_PROFILE_PREPARE);
  mo_profile_begin(&world->profiler, MO_PROFILE_SOLVE);
  if (result == MO_OK) {
    result = solve(s);
  }
  mo_profile_end(&world->profiler, MO_PROFILE_SOLVE);
  mo_profile_begin(&world->profiler, MO_PROFILE_INTEGRATE);
  if (result == MO_OK) {
    result = mo_solver_bodies_move(s);
  }
  mo_profile_end(&world->profiler, MO_PROFILE_INTEGRATE);
  return result;
}

void mo_soft_stage_commit(mo_world *world, double dt, const mo_solver_choice *choice,
                          mo_soft_stage *soft) {
  mo_soft_step step = {world, dt, mo_world_substeps(world, dt), choice, soft, NULL};
  uint32_t sorted = mo_substep_store(&soft->step);
  mo_soft_surfaces_keep(&step);
  mo_pair_store_renew_places(&world->pairs, sorted);
  mo_soft_constraints_commit(&step);
  mo_joint_energy_commit(&step);
  mo_contact_reach reach = contact_reach(world, dt);
  mo_soft_contacts_cover_all(world, choice->in_rows, &reach);
}

mo_soft_record mo_soft_stage_record(const mo_world *world, const mo_soft_stage *soft) {
  const mo_substep_joints *joints = soft->step.joints;
  return (mo_soft_record){.rows = joints && joints->rows ? joints->rows->problem : NULL,
                          .start = soft->start,
                          .masses = soft->masses,
                          .slots = soft->slots,
                          .indices = soft->indices,
                          .body_count = soft->step.body_count,
                          .slot_count = world->ids.slot_count,
                          .substeps = soft->step.settings.substeps};
}
