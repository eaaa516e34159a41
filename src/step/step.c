#include "dynamics/locks.h"
#include "math/scalar.h"
#include "memory/scratch.h"
#include "step/boundary.h"
#include "step/carriers.h"
#include "step/certificate.h"
#include "step/constraint_rows.h"
#include "step/contact_function.h"
#include "step/events.h"
#include "step/soft_step/soft_stage.h"
#include "step/stages.h"
#include "step/transaction.h"
#include "world/activity.h"
#include "world/checks.h"
#include "world/constraints.h"

static bool pose_differs(const mo_motion *a, const mo_motion *b) {
  return !mo_v3_equal(a->position, b->position) || a->orientation.x != b->orientation.x ||
         a->orientation.y != b->orientation.y || a->orientation.z != b->orientation.z ||
         a->orientation.w != b->orientation.w;
}

// The data of a step. Only this file sees all of it; each stage takes what it declares.
typedef struct mo_step {
  mo_world *world;
  double dt;
  mo_solver_choice choice;
  mo_free_motions free;
  mo_row_contacts contacts;
  mo_row_set rows;
  mo_row_solution solution;
  mo_row_ends ends;
  mo_soft_stage soft;
  float *sleep_room; // for the commit: 3 per slot
} mo_step;

// Writes the motion of a body at the end of the step into the world.
// rate: 1/s, of one step
static void commit_motion(mo_world *world, double dt, double rate, uint32_t slot,
                          const mo_motion *end) {
  mo_body *body = &world->bodies[slot];
  mo_motion *old = &world->motions[slot];
  body->linear_acceleration = mo_scale(rate, mo_sub(end->linear_velocity, old->linear_velocity));
  body->angular_acceleration = mo_scale(rate, mo_sub(end->angular_velocity, old->angular_velocity));
  if (body->type == MO_BODY_KINEMATIC) {
    mo_velocity last = mo_carrier_end(world, slot, dt);
    body->last_linear_velocity = last.linear;
    body->last_angular_velocity = last.angular;
  }
  body->force = mo_v3_zero();
  body->torque = mo_v3_zero();
  double displacement = mo_world_displacement_between(body, old, end);
  world->displacements[slot] += displacement;
  world->step_displacements[slot] = (float)displacement;
  mo_quat before = old->orientation;
  mo_step_copy_motion(old, end);
  if (world->target_count > 0 && body->target.state != MO_TARGET_NONE) {
    mo_world_follow_target(world, slot, dt);
  }
  if (body->locks && body->type == MO_BODY_DYNAMIC) {
    mo_body_keep_momentum(body, before, old);
    mo_body_apply_locks(body, old);
  }
}

static void commit_bodies(mo_step *s) {
  mo_world *world = s->world;
  double dt = s->dt, rate = 1.0 / dt;
  world->moved_count = 0;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    const mo_motion *end =
        mo_step_is_in_rows(&s->choice, slot) ? &s->ends.motions[slot] : &s->soft.end[i];
    if (pose_differs(&world->motions[slot], end)) {
      world->moved[world->moved_count++] = slot;
    }
    commit_motion(world, dt, rate, slot, end);
    mo_world_publish_motion(world, slot);
  }
}

// Boxes of bodies in rows are made for where they may meet others in the step, and a fast body ends
// it outside of its box. What looks for shapes after the step, as queries and sensors do, looks at
// boxes. Those of soft-step's bodies are moved by its own commit.
static void cover_row_bodies(mo_step *s) {
  mo_world *world = s->world;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (mo_step_is_in_rows(&s->choice, slot)) {
      mo_world_cover_body(world, slot, &world->motions[slot], 0.0, mo_v3_zero());
    }
  }
}

static void take_fresh_contacts(mo_step *s) {
  mo_world *world = s->world;
  uint32_t block = s->rows.constraint_block_count;
  for (uint32_t i = 0; i < s->contacts.count; i++) {
    if (s->contacts.is_solved[i]) {
      block = mo_contact_read_impulses(&world->fresh_contacts[i], &s->rows.problem, block);
    }
  }
  for (uint32_t i = 0; world->surface_count > 0 && i < s->contacts.count; i++) {
    if (s->contacts.is_solved[i]) {
      block = mo_contact_read_twist(&world->fresh_contacts[i], &s->rows.problem, block);
    }
  }
  mo_world_take_fresh_contacts(world, s->contacts.count);
}

static void commit_row_contacts(mo_step *s) {
  mo_world *world = s->world;
  take_fresh_contacts(s);
  mo_world_take_constraint_impulses(world, &s->rows.problem, s->solution.turn_impulses,
                                    s->rows.constraint_rows);
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    mo_world_link(world, world->contacts[i].slot_a, world->contacts[i].slot_b);
  }
}

static mo_stats collect_stats(const mo_step *s) {
  const mo_world *world = s->world;
  mo_stats stats = {.pairs = world->pairs.near_count + mo_pair_store_contact_count(&world->pairs),
                    .refused_pairs = world->broad_phase.refused_count,
                    .iterations = s->solution.by_island.total.iterations,
                    .factorisations = s->solution.by_island.total.factorisations,
                    .work = world->exact.work.spent,
                    .cured_energy_gain = s->solution.cured_gain,
                    .step_bytes = world->step_arena.used_bytes + world->problem_arena.used_bytes};
  if (s->choice.has_soft && s->soft.step.body_count > 1) {
    stats.iterations += mo_world_substeps(world, s->dt);
  }
  for (uint32_t i = 0; i < s->solution.by_island.partition.island_count; i++) {
    const mo_island_solution *solution = &s->solution.by_island.solutions[i];
    stats.missed_islands += solution->event != MO_ISLAND_AS_ASKED;
    if (mo_is_finite(solution->residual)) { // not left to block-pgs unseen
      stats.residual = mo_max(stats.residual, solution->residual);
    }
  }
  return stats;
}

static void commit_problem(mo_step *s) {
  mo_world *world = s->world;
  mo_arena last = world->problem_arena;
  world->problem_arena = world->spare_problem_arena;
  world->spare_problem_arena = last;
}

static void commit(mo_step *s) {
  mo_world *world = s->world;
  mo_profile_begin(&world->profiler, MO_PROFILE_COMMIT);
  commit_bodies(s);
  if (s->choice.in_rows) {
    cover_row_bodies(s);
  }
  if (s->choice.has_soft) {
    mo_soft_stage_commit(world, s->dt, &s->choice, &s->soft);
  }
  if (!s->choice.has_soft || s->choice.in_rows) {
    mo_world_forget_joints(world);
  }
  if (s->choice.in_rows) {
    commit_row_contacts(s);
  } else {
    mo_world_take_fresh_contacts(world, 0); // soft-step has taken over some of them
  }
  mo_contact_store_commit(&world->pairs.records);
  commit_problem(s);
  world->time += s->dt;
  world->step_count++;
  world->last_step = (mo_step_record){.soft = mo_soft_stage_record(world, &s->soft),
                                      .has_problem = !s->choice.has_soft,
                                      .problem = s->rows.problem,
                                      .row_slots = s->rows.row_slots,
                                      .by_island = s->solution.by_island,
                                      .friction_law = world->settings.friction_law,
                                      .stats = collect_stats(s),
                                      .dt = s->dt};
  mo_step_collect_contact_events(world, s->dt);
  mo_step_collect_sensor_events(world);
  mo_profile_end(&world->profiler, MO_PROFILE_COMMIT);
  mo_profile_begin(&world->profiler, MO_PROFILE_SLEEP);
  mo_world_put_to_sleep(world, s->dt, s->sleep_room);
  mo_world_collect_sleep_events(world);
  mo_profile_end(&world->profiler, MO_PROFILE_SLEEP);
}

// Chooses the solvers and finds the contacts of the bodies in rows. It starts again as long as
// those contacts wake other bodies.
static mo_result find_row_contacts(mo_step *s) {
  mo_world *world = s->world;
  mo_result result = MO_OK;
  do {
    s->contacts.has_woken_others = false;
    if (!mo_world_sort_pairs_by_activity(world)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    mo_world_list_awake(world);
    result = mo_step_choose_solvers(world, s->dt, &s->choice);
    if (result == MO_OK && s->choice.in_rows) {
      result = mo_step_find_free_motions(world, s->dt, &s->choice, &s->free);
    }
    mo_profile_begin(&world->profiler, MO_PROFILE_NARROW_PHASE);
    if (result == MO_OK && s->choice.in_rows) {
      result = mo_step_find_contacts(world, s->dt, &s->choice, &s->free, &s->contacts);
    }
    mo_profile_end(&world->profiler, MO_PROFILE_NARROW_PHASE);
  } while (result == MO_OK && s->contacts.has_woken_others);
  return result;
}

// Runs the stages of the bodies in rows.
static mo_result run_rows(mo_step *s) {
  mo_world *world = s->world;
  mo_profile_begin(&world->profiler, MO_PROFILE_PREPARE);
  mo_result result = mo_step_make_rows(world, s->dt, &s->choice, &s->free, &s->contacts, &s->rows);
  if (result == MO_OK) {
    result = mo_step_reflect_impacts(world, s->dt, &s->contacts, &s->rows);
  }
  mo_profile_end(&world->profiler, MO_PROFILE_PREPARE);
  mo_profile_begin(&world->profiler, MO_PROFILE_SOLVE);
  if (result == MO_OK) {
    result = mo_step_flow_joints(world, s->dt, &s->choice, &s->free, &s->rows, &s->ends);
  }
  if (result == MO_OK) {
    result = mo_step_solve(world, &s->ends, &s->rows, &s->solution);
  }
  mo_profile_end(&world->profiler, MO_PROFILE_SOLVE);
  mo_profile_begin(&world->profiler, MO_PROFILE_INTEGRATE);
  if (result == MO_OK) {
    result = mo_step_integrate_poses(world, s->dt, &s->choice, &s->free, &s->rows, &s->solution,
                                     &s->ends);
  }
  if (result == MO_OK) {
    result = mo_step_project_joints(world, s->dt, &s->rows, &s->solution, &s->ends);
  }
  if (result == MO_OK) {
    result = mo_step_check_motions(world, s->dt, &s->choice, &s->ends);
  }
  mo_profile_end(&world->profiler, MO_PROFILE_INTEGRATE);
  if (result == MO_OK &&
      !mo_boundary_find_pushes(world, s->dt, &s->choice, &s->rows, &s->soft.pushes)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  return result;
}

static mo_result run(mo_step *s) {
  mo_world *world = s->world;
  mo_profile_begin(&world->profiler, MO_PROFILE_BROAD_PHASE);
  mo_result result = mo_world_aim_at_targets(world, s->dt);
  if (result == MO_OK && !mo_world_complete_pairs(world)) {
    result = MO_ERROR_OUT_OF_MEMORY;
  }
  mo_profile_end(&world->profiler, MO_PROFILE_BROAD_PHASE);
  if (result == MO_OK) {
    result = find_row_contacts(s);
  }
  if (result == MO_OK && s->choice.in_rows) {
    result = run_rows(s);
  }
  if (result == MO_OK && s->choice.has_soft) {
    result = mo_soft_stage_run(world, s->dt, &s->choice, &s->soft);
  }
  if (result == MO_OK) {
    mo_profile_begin(&world->profiler, MO_PROFILE_CONTINUOUS);
    result = mo_step_stop_fast_bodies(world, s->dt, &s->choice, &s->free, &s->ends, &s->soft);
    mo_profile_end(&world->profiler, MO_PROFILE_CONTINUOUS);
  }
  return result;
}

// How often the heap gave nothing to what a step works in.
static uint32_t heap_refusals(const mo_world *world) {
  return world->step_arena.refusals + world->spare_problem_arena.refusals +
         world->trial_arena.refusals + world->query_arena.refusals + world->joints.arena.refusals +
         world->exact.arena.refusals + world->exact.sweeps.refusals;
}

// Runs the stages and refuses the step if any of them lacked memory. Without memory the exact
// solvers leave an island to block-pgs, whose result differs, and no bit may depend on the heap.
static mo_result run_with_memory(mo_step *s) {
  mo_world *world = s->world;
  uint32_t before = heap_refusals(world);
  mo_result result = run(s);
  s->sleep_room = MO_ARENA_TAKE_RAW(&world->step_arena, float, 3 * (size_t)world->ids.slot_count);
  bool lacks_memory =
      heap_refusals(world) != before || (result == MO_OK && !mo_step_reserve_events(world));
  return result == MO_OK && lacks_memory ? MO_ERROR_OUT_OF_MEMORY : result;
}

// Counted operations that the exact solvers may use in a step, over all islands and stages, with
// MO_EFFORT_FRAME: about 12 ms of one core in WebAssembly. A jam of 200 bodies takes some 5 ms more
// for the rest of its step. Where 'auto' alone asks for them they have MO_SHORT_WORK, because a
// scene of soft-step should not wait for a jam.
#define FRAME_WORK (10.0 * MO_SHORT_WORK)
// Frames that a step may take with MO_EFFORT_STEP.
#define FRAMES_OF_STEP 5.0
// More operations than any solve makes: each ends by itself.
#define UNBOUNDED_WORK 1e300

static double work_budget(const mo_world *world) {
  const mo_world_def *settings = &world->settings;
  if (settings->work_budget >= 0.0) {
    return mo_max(settings->work_budget, 1.0); // a limit of 0 would be none
  }
  if (settings->effort == MO_EFFORT_OFFLINE) {
    return UNBOUNDED_WORK;
  }
  bool is_auto = settings->solver == MO_SOLVER_AUTO && world->solver_override_count == 0;
  double frame = is_auto ? MO_SHORT_WORK : FRAME_WORK;
  return settings->effort == MO_EFFORT_STEP ? FRAMES_OF_STEP * frame : frame;
}

// What a step works in and nobody reads after it, and where it builds the next problem.
static void take_working_memory(mo_world *world) {
  mo_scratch_take(&world->step_arena);
  mo_scratch_take(&world->trial_arena);
  mo_scratch_take(&world->exact.arena);
  mo_scratch_take(&world->exact.sweeps);
  mo_scratch_take(&world->broad_phase.work);
  mo_scratch_take_like(&world->spare_problem_arena, &world->problem_arena);
  mo_scratch_take_notes(&world->journal);
}

static void give_working_memory(mo_world *world) {
  mo_scratch_give_notes(&world->journal);
  mo_scratch_give_like(&world->spare_problem_arena);
  mo_scratch_give(&world->broad_phase.work);
  mo_scratch_give(&world->exact.sweeps);
  mo_scratch_give(&world->exact.arena);
  mo_scratch_give(&world->trial_arena);
  mo_scratch_give(&world->step_arena);
  mo_arena_settle(&world->query_arena);
}

mo_result mo_world_step(mo_world *world, double dt) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, "mo_world_step"));
  if (dt == 0.0) {
    return MO_OK;
  }
  if (!(dt > 0.0 && mo_is_finite(dt) && mo_is_finite(1.0 / dt))) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, "mo_world_step", "dt",
                           "must be 0 or a finite number of seconds above 1e-308", dt);
  }
  if (!mo_is_finite(world->time + dt)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, "mo_world_step", "dt",
                           "must leave the time of the world finite", dt);
  }
  mo_step s = {.world = world, .dt = dt, .rows = {.problem = {.dt = dt}}};
  mo_world_release_record(world);
  world->running_dt = dt;
  take_working_memory(world);
  mo_arena_reset(&world->step_arena);
  mo_arena_reset(&world->spare_problem_arena);
  world->exact.arena.limit_bytes = (size_t)world->settings.exact_memory_limit;
  world->exact.work = (mo_work){.limit = work_budget(world)};
  mo_profile_begin(&world->profiler, MO_PROFILE_STEP);
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  if (mo_world_begin_transaction(world)) {
    mo_step_begin_contact_function(world);
    result = run_with_memory(&s);
    mo_world_end_transaction(world, result != MO_OK);
  }
  if (result == MO_OK) {
    commit(&s);
    if (s.choice.has_soft && world->settings.certify) {
      mo_step_certify(world);
    }
    mo_world_break_marked(world);
    mo_profile_end(&world->profiler, MO_PROFILE_STEP);
  }
  give_working_memory(world);
  if (result == MO_OK) {
    return MO_OK;
  }
  if (result != MO_ERROR_OUT_OF_MEMORY) {
    return result; // the error text names the cause
  }
  return mo_world_refuse_text(world, result, "mo_world_step",
                              "no memory for the step; nothing was changed");
}
