/// Joints in the smooth motion: RATTLE and the midpoint rule for joints.
///
/// An island of the row problem takes part if all of its blocks are bilateral constraints without
/// softness: no contact, limit or motor. The impulses of its rows are found by iteration: run the
/// flow of all bodies with them, compute the joint errors that remain, solve the linear equations
/// of the rows for the missing impulses, and repeat. Other islands keep their rows of the start of
/// the step and move with the velocities at its end. If the iteration does not converge, all
/// islands do.
///
/// The rows of islands that take part are then replaced by those at the end of the step, for the
/// solve of the whole step. That solve starts from the impulses found, so that read-outs cover the
/// whole step, and makes the velocities fit the joints at the end. RATTLE asks for J v = 0. The
/// midpoint rule must not: J v = 0 half-way leaves a small smooth J v at the ends, and removing it
/// in every step costs energy. But a J v that alternates between +w and -w, as inconsistent initial
/// velocities cause it, must die out. The mean of J v before and after the step keeps the first and
/// removes the second.
///
/// Islands with gyroscopes take part with every integrator: a joint that is solved once per step,
/// at its start, takes of first order energy and angular momentum from a gyroscope, which falls.
/// Where the integrator has no rule for joints, or its iteration does not converge because a body
/// turns too far in a step, they are moved by RATTLE in as many parts as spins need.
#include "step/rows/gyroscopes.h"
#include "step/rows/joint_trial.h"

#include <math.h>
#include <string.h>

// rad: the most that a gyroscope turns by in a part. The axis of a flat one turns about its angular
// momentum twice as far, and the iteration converges as long as that is about a radian.
#define LARGEST_PART 0.5
// Bounds the time of a step. Spins above 32 rad per step are solved as others are.
#define MOST_PARTS 64.0
// Of the work that is left for the step: what gyroscopes may use of it. If their iteration does not
// converge, the joints are solved with the rest.
#define SHARE_OF_WORK 0.25

// --- islands that take part ------------------------------------------------------------------

static bool is_rigid_joint(const mo_joint_stage *s, uint32_t block_index, mo_joint_rule rule) {
  const mo_row_block *block = &s->rows->problem.blocks[block_index];
  bool good = block_index < s->rows->constraint_block_count && block->bound == MO_BOUND_BILATERAL &&
              !(rule == MO_JOINTS_RATTLE && !block->holds_position);
  for (uint32_t i = 0; good && i < block->row_count; i++) {
    good = s->rows->problem.rows[block->first_row + i].softening == 0.0;
  }
  return good;
}

// A contact or limit that bore nothing in the last step.
static bool bears_nothing(const mo_joint_stage *s, uint32_t block_index) {
  const mo_row_block *block = &s->rows->problem.blocks[block_index];
  bool nothing = block->bound == MO_BOUND_UNILATERAL || block->bound == MO_BOUND_CONE;
  for (uint32_t i = 0; nothing && i < block->row_count; i++) {
    nothing = s->rows->problem.rows[block->first_row + i].impulse == 0.0;
  }
  return nothing;
}

static void place_island(mo_joint_stage *s, const mo_island_partition *partition, uint32_t island,
                         mo_placed placed) {
  for (uint32_t k = partition->first_body[island]; k < partition->first_body[island + 1]; k++) {
    s->ends->placed[partition->bodies[k]] = (uint8_t)placed;
  }
}

static bool has_gyroscope(const mo_gyroscopes *gyroscopes, const mo_island_partition *partition,
                          uint32_t island) {
  for (uint32_t k = partition->first_body[island]; k < partition->first_body[island + 1]; k++) {
    if (gyroscopes->are[partition->bodies[k]]) {
      return true;
    }
  }
  return false;
}

static void take_part(mo_joint_trial *t, const mo_island_partition *partition, uint32_t island) {
  for (uint32_t k = partition->first_block[island]; k < partition->first_block[island + 1]; k++) {
    uint32_t block = partition->blocks[k];
    t->takes_part[block] = is_rigid_joint(t->stage, block, t->integrator->joints);
    t->let_open[block] = !t->takes_part[block];
  }
}

// How bodies in joints move without the flow.
static mo_placed placed_without_flow(const mo_integrator_kind *of_world) {
  return of_world->joints == MO_JOINTS_AFTER && !of_world->moves_with_end_velocity
             ? MO_PLACED_BY_CORRECTION
             : MO_PLACED_BY_END_VELOCITY;
}

// Marks the blocks and bodies of the islands that take part.
// gyroscopes: null, or those for which RATTLE runs; then contacts and limits may be there
static mo_result choose_islands(mo_joint_trial *t, const mo_gyroscopes *gyroscopes, bool *any) {
  mo_joint_stage *s = t->stage;
  const mo_integrator_kind *of_world = mo_integrator_kind_of(s->world->settings.integrator);
  mo_island_partition partition;
  mo_result result = mo_island_partition_make(&s->rows->problem, &s->world->step_arena, &partition);
  *any = false;
  for (uint32_t i = 0; result == MO_OK && i < partition.island_count; i++) {
    bool good = !gyroscopes || of_world->joints != MO_JOINTS_AFTER ||
                has_gyroscope(gyroscopes, &partition, i);
    bool joined = false;
    for (uint32_t k = partition.first_block[i]; k < partition.first_block[i + 1]; k++) {
      good = good && (is_rigid_joint(s, partition.blocks[k], t->integrator->joints) ||
                      (gyroscopes && bears_nothing(s, partition.blocks[k])));
      joined = joined || partition.blocks[k] < s->rows->constraint_block_count;
    }
    if (joined) {
      place_island(s, &partition, i, good ? MO_PLACED_BY_FLOW : placed_without_flow(of_world));
    }
    if (joined && good) {
      take_part(t, &partition, i);
      *any = true;
    }
  }
  return result;
}

static bool make_room(mo_joint_trial *t) {
  mo_joint_stage *s = t->stage;
  mo_arena *arena = &s->world->step_arena;
  uint32_t slots = s->world->ids.slot_count, bodies = s->rows->problem.body_count;
  uint32_t rows = mo_world_constraint_row_count(s->world);
  t->end = MO_ARENA_TAKE(arena, mo_motion, slots);
  t->spare = MO_ARENA_TAKE(arena, mo_motion, slots);
  t->joints.middle = MO_ARENA_TAKE(arena, mo_motion, slots);
  t->pushes = MO_ARENA_TAKE(arena, mo_wrench, slots);
  t->takes_part = MO_ARENA_TAKE(arena, uint8_t, s->rows->problem.block_count);
  t->let_open = MO_ARENA_TAKE(arena, uint8_t, s->rows->problem.block_count);
  t->first_rows = MO_ARENA_TAKE(arena, uint32_t, s->world->constraint_ids.slot_count);
  t->rows.blocks = MO_ARENA_TAKE(arena, mo_row_block, rows);
  t->rows.rows = MO_ARENA_TAKE(arena, mo_row, rows);
  t->rows.pairs = mo_world_take_row_pairs(s->world, arena, 0);
  t->impulses = MO_ARENA_TAKE(arena, double, rows);
  t->sums = MO_ARENA_TAKE(arena, double, rows);
  t->start_rates = MO_ARENA_TAKE(arena, double, rows);
  t->errors = MO_ARENA_TAKE(arena, double, rows);
  t->linear.bodies = MO_ARENA_TAKE(arena, mo_row_body, bodies);
  t->linear.blocks = MO_ARENA_TAKE(arena, mo_row_block, rows);
  t->linear.rows = MO_ARENA_TAKE(arena, mo_row, rows);
  return t->end && t->spare && t->joints.middle && t->pushes && t->takes_part && t->let_open &&
         t->first_rows && t->rows.blocks && t->rows.rows && t->rows.pairs && t->impulses &&
         t->sums && t->start_rates && t->errors && t->linear.bodies && t->linear.blocks &&
         t->linear.rows;
}

// --- the stage -------------------------------------------------------------------------------

// Starts the first trial without impulses. Those of the last step have other directions, and their
// torque could turn a body of small inertia to anywhere.
static void begin_from_rows_of_the_step(mo_joint_trial *t) {
  const mo_row_problem *problem = &t->stage->rows->problem;
  t->rows.bodies = problem->bodies;
  t->rows.body_count = problem->body_count;
  t->rows.dt = problem->dt;
  t->rows.block_count = t->stage->rows->constraint_block_count;
  t->rows.row_count = 0;
  t->rows.pair_count = problem->pair_count;
  memcpy(t->rows.pairs, problem->pairs, problem->pair_count * sizeof *problem->pairs);
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    t->rows.blocks[i] = *block;
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      t->rows.rows[k] = problem->rows[k];
      t->start_rates[k] =
          mo_joint_trial_row_rate(t->stage, problem, block, k, t->stage->world->motions);
      t->rows.row_count++;
    }
  }
}

// Starts a part where the one before has ended.
static mo_result begin_part(mo_joint_trial *t) {
  mo_motion *end = t->end;
  t->after += t->h;
  t->start = end;
  t->end = t->spare;
  t->spare = end;
  for (uint32_t k = 0; k < t->rows.row_count; k++) {
    t->impulses[k] = 0.0;
  }
  return mo_joint_trial_evaluate_rows(t, t->start, t->after);
}

// Moves the islands that take part in equal parts of the step.
static mo_result run_parts(mo_joint_trial *t, uint32_t count, bool *found) {
  t->h = t->stage->dt / count;
  t->start = t->stage->world->motions;
  begin_from_rows_of_the_step(t);
  mo_result result = MO_OK;
  for (uint32_t part = 0; result == MO_OK && part < count; part++) {
    result = part > 0 ? begin_part(t) : MO_OK;
    if (result == MO_OK) {
      result = mo_joint_trial_find_impulses(t, found);
    }
    if (result != MO_OK || !*found) {
      return result;
    }
    if (part + 1 < count) {
      result = mo_joint_trial_fit_velocities(t);
    }
    for (uint32_t k = 0; k < t->rows.row_count; k++) {
      t->sums[k] += t->impulses[k];
    }
  }
  return result;
}

// Whether contacts and limits of islands that took part would bear nothing in this step either.
static bool stay_open(const mo_joint_trial *t) {
  const mo_row_problem *problem = &t->stage->rows->problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    if (t->let_open[i] &&
        mo_joint_trial_row_rate(t->stage, problem, block, block->first_row, t->end) < 0.0) {
      return false;
    }
  }
  return true;
}

static void place_without_flow(mo_joint_stage *s) {
  mo_placed placed = placed_without_flow(mo_integrator_kind_of(s->world->settings.integrator));
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW) {
      s->ends->placed[i] = (uint8_t)placed;
    }
  }
}

// gyroscopes: as in choose_islands
static mo_result flow_joints(mo_joint_stage *s, const mo_integrator_kind *integrator,
                             const mo_gyroscopes *gyroscopes, uint32_t parts, bool *found) {
  mo_joint_trial t = {.stage = s, .integrator = integrator};
  bool any;
  *found = false;
  if (!make_room(&t)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = choose_islands(&t, gyroscopes, &any);
  if (result != MO_OK || !any) {
    return result;
  }
  result = run_parts(&t, parts, found);
  *found = *found && stay_open(&t);
  if (result == MO_OK && *found) {
    return mo_joint_trial_rewrite_problem(&t);
  }
  place_without_flow(s);
  return result;
}

mo_result mo_step_flow_joints(mo_world *world, double dt, const mo_solver_choice *choice,
                              mo_free_motions *free, mo_row_set *rows, mo_row_ends *ends) {
  mo_joint_stage all = {world, dt, choice, free, rows, ends}, *s = &all;
  const mo_integrator_kind *integrator = mo_integrator_kind_of(s->world->settings.integrator);
  s->ends->placed = MO_ARENA_TAKE(&s->world->step_arena, uint8_t, s->rows->problem.body_count);
  if (!s->ends->placed) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; integrator->moves_with_end_velocity && i < s->rows->problem.body_count;
       i++) {
    s->ends->placed[i] = MO_PLACED_BY_END_VELOCITY;
  }
  if (s->rows->constraint_block_count == 0) {
    return MO_OK;
  }
  mo_gyroscopes gyroscopes;
  if (!mo_gyroscopes_find(world, dt, rows, &world->step_arena, &gyroscopes)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  bool found = false;
  mo_result result = MO_OK;
  if (integrator->joints != MO_JOINTS_AFTER) {
    result = flow_joints(s, integrator, NULL, 1, &found);
  }
  double parts = ceil(gyroscopes.most_turn / LARGEST_PART);
  if (result != MO_OK || found || !gyroscopes.any || !(parts <= MOST_PARTS)) {
    return result;
  }
  mo_work *work = &world->exact.work;
  double limit = work->limit;
  work->limit -= (1.0 - SHARE_OF_WORK) * mo_work_left(work);
  result = flow_joints(s, &mo_velocity_verlet, &gyroscopes, (uint32_t)parts, &found);
  work->limit = limit;
  return result;
}
