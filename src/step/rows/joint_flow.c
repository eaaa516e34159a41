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
#include "math/scalar.h"
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

// Counted operations of a part per row of joints: each of some five trials evaluates, packs and
// measures it (project_joints.c).
#define PART_WORK 2500.0
// Limits that let go and islands that something hits are few in a step.
#define MOST_ATTEMPTS 8
// m: a limit that is open by less is closed (contact.c).
#define CLOSED_GAP 1e-8

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

// Whether taut limits of a world move in the flow whatever its integrator is. Where soft-step moves
// bodies by itself, those in rows move as they do.
static bool flows_taut_limits(const mo_world *world) {
  return !mo_is_substep_solver(world->settings.solver);
}

// A rope or another limit that pulled in the last step and is closed: it moves as a joint as long
// as it pulls. One that is further open than the corrections of a step may close is not.
static bool is_taut(const mo_joint_stage *s, uint32_t block_index) {
  const mo_row_block *block = &s->rows->problem.blocks[block_index];
  double reach = s->world->settings.max_correction_speed * s->dt;
  bool taut = flows_taut_limits(s->world) && block_index < s->rows->constraint_block_count &&
              block->bound == MO_BOUND_UNILATERAL && block->holds_position;
  for (uint32_t i = block->first_row; taut && i < block->first_row + block->row_count; i++) {
    const mo_row *row = &s->rows->problem.rows[i];
    taut = row->impulse > 0.0 && row->softening == 0.0 && row->gap >= -reach &&
           row->gap <= CLOSED_GAP * mo_world_metre(s->world);
  }
  return taut;
}

// How a block takes part in the flow of its island.
typedef enum flow_role { ROLE_NONE, ROLE_HELD, ROLE_OPEN } flow_role;

static flow_role role_of(const mo_joint_trial *t, uint32_t block) {
  const mo_joint_stage *s = t->stage;
  if (is_rigid_joint(s, block, t->integrator->joints)) {
    return ROLE_HELD;
  }
  bool open = t->released[block] || bears_nothing(s, block);
  return open ? ROLE_OPEN : is_taut(s, block) ? ROLE_HELD : ROLE_NONE;
}

static void place_island(mo_joint_trial *t, uint32_t island, mo_placed placed) {
  const mo_island_partition *p = &t->partition;
  for (uint32_t k = p->first_body[island]; k < p->first_body[island + 1]; k++) {
    t->stage->ends->placed[p->bodies[k]] = (uint8_t)placed;
  }
}

static bool has_gyroscope(const mo_joint_trial *t, uint32_t island) {
  const mo_island_partition *p = &t->partition;
  for (uint32_t k = p->first_body[island]; k < p->first_body[island + 1]; k++) {
    if (t->gyroscopes->are[p->bodies[k]]) {
      return true;
    }
  }
  return false;
}

static bool has_taut_limit(const mo_joint_trial *t, uint32_t island) {
  const mo_island_partition *p = &t->partition;
  for (uint32_t k = p->first_block[island]; k < p->first_block[island + 1]; k++) {
    if (is_taut(t->stage, p->blocks[k])) {
      return true;
    }
  }
  return false;
}

// What moves joints in a world, or null.
static const mo_integrator_kind *integrator_of_joints(const mo_world *world) {
  const mo_integrator_kind *own = mo_integrator_kind_of(world->settings.integrator);
  return own->joints == MO_JOINTS_AFTER ? own->of_joints : own;
}

// Whether an island is to move in the flow.
static bool is_due(const mo_joint_trial *t, uint32_t island) {
  const mo_world *world = t->stage->world;
  return !t->refused[island] &&
         (integrator_of_joints(world) || has_gyroscope(t, island) || has_taut_limit(t, island));
}

static void take_part(mo_joint_trial *t, uint32_t island) {
  const mo_island_partition *p = &t->partition;
  for (uint32_t k = p->first_block[island]; k < p->first_block[island + 1]; k++) {
    uint32_t block = p->blocks[k];
    t->takes_part[block] = role_of(t, block) == ROLE_HELD;
    t->let_open[block] = !t->takes_part[block];
  }
}

// How bodies in joints move without the flow.
static mo_placed placed_without_flow(const mo_world *world) {
  bool corrects = !integrator_of_joints(world) &&
                  !mo_integrator_kind_of(world->settings.integrator)->moves_with_end_velocity;
  return corrects ? MO_PLACED_BY_CORRECTION : MO_PLACED_BY_END_VELOCITY;
}

// Marks the blocks and bodies of the islands that take part. Returns whether there are some.
static bool choose_islands(mo_joint_trial *t) {
  mo_joint_stage *s = t->stage;
  const mo_island_partition *p = &t->partition;
  mo_placed without = placed_without_flow(s->world);
  bool any = false;
  memset(t->takes_part, 0, s->rows->problem.block_count);
  memset(t->let_open, 0, s->rows->problem.block_count);
  for (uint32_t i = 0; i < p->island_count; i++) {
    bool good = is_due(t, i), joined = false, held = false;
    for (uint32_t k = p->first_block[i]; k < p->first_block[i + 1]; k++) {
      flow_role role = role_of(t, p->blocks[k]);
      good = good && role != ROLE_NONE;
      held = held || role == ROLE_HELD;
      joined = joined || p->blocks[k] < s->rows->constraint_block_count;
    }
    if (joined) {
      place_island(t, i, good && held ? MO_PLACED_BY_FLOW : without);
    }
    if (good && held) {
      take_part(t, i);
      any = true;
    }
  }
  return any;
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
  t->released = MO_ARENA_TAKE(arena, uint8_t, s->rows->problem.block_count);
  t->refused = MO_ARENA_TAKE(arena, uint8_t, t->partition.island_count);
  t->first_rows = MO_ARENA_TAKE(arena, uint32_t, s->world->constraint_ids.slot_count);
  t->rows.blocks = MO_ARENA_TAKE(arena, mo_row_block, rows);
  t->rows.rows = MO_ARENA_TAKE(arena, mo_row, rows);
  t->rows.pairs = mo_world_take_row_pairs(s->world, arena, 0);
  t->impulses = MO_ARENA_TAKE(arena, double, rows);
  t->sums = MO_ARENA_TAKE(arena, double, rows);
  t->start_rates = MO_ARENA_TAKE(arena, double, rows);
  t->least = MO_ARENA_TAKE(arena, double, rows);
  t->errors = MO_ARENA_TAKE(arena, double, rows);
  t->linear.bodies = MO_ARENA_TAKE(arena, mo_row_body, bodies);
  t->linear.blocks = MO_ARENA_TAKE(arena, mo_row_block, rows);
  t->linear.rows = MO_ARENA_TAKE(arena, mo_row, rows);
  return t->end && t->spare && t->joints.middle && t->pushes && t->takes_part && t->let_open &&
         t->released && t->refused && t->first_rows && t->rows.blocks && t->rows.rows &&
         t->rows.pairs && t->impulses && t->sums && t->start_rates && t->least && t->errors &&
         t->linear.bodies && t->linear.blocks && t->linear.rows;
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

// Runs a part of the step, from where the last one ended.
// is_last: the solve of the step fits the velocities at its end
static mo_result run_part(mo_joint_trial *t, bool is_last, bool *found) {
  bool follows = false;
  mo_result result = mo_joint_trial_find_impulses(t, found);
  if (result == MO_OK && *found && flows_taut_limits(t->stage->world)) {
    result = mo_joint_trial_follows(t, &follows);
    *found = follows;
  }
  for (uint32_t k = 0; k < t->rows.row_count; k++) {
    t->least[k] = mo_min(t->least[k], t->impulses[k]);
  }
  if (result == MO_OK && *found && !is_last && t->integrator->joints == MO_JOINTS_RATTLE) {
    result = mo_joint_trial_fit_velocities(t);
  }
  for (uint32_t k = 0; k < t->rows.row_count; k++) {
    t->sums[k] += t->impulses[k];
  }
  return result;
}

// Moves the islands that take part in equal parts of the step.
static mo_result run_parts(mo_joint_trial *t, uint32_t count, bool *found) {
  t->h = t->stage->dt / count;
  t->after = 0.0;
  t->start = t->stage->world->motions;
  for (uint32_t k = 0; k < t->rows.row_count; k++) { // of an attempt before
    t->impulses[k] = t->least[k] = t->sums[k] = 0.0;
  }
  begin_from_rows_of_the_step(t);
  mo_result result = MO_OK;
  *found = true;
  for (uint32_t part = 0; result == MO_OK && *found && part < count; part++) {
    result = part > 0 ? begin_part(t) : MO_OK;
    if (result == MO_OK) {
      result = run_part(t, part + 1 == count, found);
    }
  }
  return result;
}

// The same in twice as many parts as long as joints turn or swing too fast for these.
static mo_result run_enough_parts(mo_joint_trial *t, uint32_t count, bool *found) {
  mo_result result = run_parts(t, count, found);
  mo_work *work = &t->stage->world->exact.work;
  bool divides = flows_taut_limits(t->stage->world);
  while (result == MO_OK && !*found && divides && 2 * count <= MOST_PARTS) {
    mo_work_spend(work, PART_WORK * count * t->rows.row_count);
    if (!mo_work_allows(work, 0.0)) {
      return MO_OK;
    }
    count *= 2;
    result = run_parts(t, count, found);
  }
  return result;
}

// Whether a contact or limit that was let open closes in the step.
static bool closes(const mo_joint_trial *t, uint32_t block) {
  const mo_row_problem *problem = &t->stage->rows->problem;
  const mo_row_block *b = &problem->blocks[block];
  return t->let_open[block] &&
         mo_joint_trial_row_rate(t->stage, problem, b, b->first_row, t->end) < 0.0;
}

// Whether a limit that was held would have had to push in some part of the step.
static bool pushes(const mo_joint_trial *t, uint32_t block_index) {
  const mo_row_block *block = &t->stage->rows->problem.blocks[block_index];
  return t->takes_part[block_index] && block->bound == MO_BOUND_UNILATERAL &&
         t->least[block->first_row] < 0.0;
}

// Lets go limits that would have had to push, and refuses islands in which something closes: that
// is an impact. Returns whether the flow stands as it is.
static bool judge(mo_joint_trial *t) {
  const mo_island_partition *p = &t->partition;
  bool stands = true;
  for (uint32_t i = 0; i < p->island_count; i++) {
    for (uint32_t k = p->first_block[i]; k < p->first_block[i + 1]; k++) {
      uint32_t block = p->blocks[k];
      bool lets_go = pushes(t, block), hits = closes(t, block);
      t->released[block] |= lets_go;
      t->refused[i] |= hits;
      stands = stands && !lets_go && !hits;
    }
  }
  return stands;
}

static void place_without_flow(mo_joint_stage *s) {
  mo_placed placed = placed_without_flow(s->world);
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW) {
      s->ends->placed[i] = (uint8_t)placed;
    }
  }
}

// Searches for the flow of the islands that take part, and again without the limits that let go and
// the islands that something hits.
static mo_result search(mo_joint_trial *t, uint32_t parts, bool *found) {
  uint32_t attempts = flows_taut_limits(t->stage->world) ? MOST_ATTEMPTS : 1;
  *found = false;
  for (uint32_t i = 0; i < attempts && !*found; i++) {
    if (!choose_islands(t)) {
      return MO_OK;
    }
    mo_result result = run_enough_parts(t, parts, found);
    if (result != MO_OK || !*found) {
      return result;
    }
    *found = judge(t);
  }
  return MO_OK;
}

static mo_result flow_joints(mo_joint_stage *s, const mo_integrator_kind *integrator,
                             const mo_gyroscopes *gyroscopes, uint32_t parts, bool *found) {
  mo_joint_trial t = {.stage = s, .integrator = integrator, .gyroscopes = gyroscopes};
  mo_result result =
      mo_island_partition_make(&s->rows->problem, &s->world->step_arena, &t.partition);
  *found = false;
  if (result != MO_OK || !make_room(&t)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  result = search(&t, parts, found);
  if (result == MO_OK && *found) {
    return mo_joint_trial_rewrite_problem(&t);
  }
  place_without_flow(s);
  return result;
}

// Whether some limit may be taut.
static bool any_taut(const mo_joint_stage *s) {
  for (uint32_t i = 0; i < s->rows->constraint_block_count; i++) {
    if (is_taut(s, i)) {
      return true;
    }
  }
  return false;
}

// Moves gyroscopes and taut limits by RATTLE, with a share of the work of the step.
static mo_result flow_by_rattle(mo_joint_stage *s, const mo_gyroscopes *gyroscopes, bool *found) {
  double parts = mo_max(1.0, ceil(gyroscopes->most_turn / LARGEST_PART));
  if (!(parts <= MOST_PARTS)) {
    return MO_OK;
  }
  mo_work *work = &s->world->exact.work;
  double limit = work->limit;
  work->limit -= (1.0 - SHARE_OF_WORK) * mo_work_left(work);
  mo_result result = flow_joints(s, &mo_velocity_verlet, gyroscopes, (uint32_t)parts, found);
  work->limit = limit;
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
  const mo_integrator_kind *of_joints = integrator_of_joints(world);
  if (of_joints) {
    result = flow_joints(s, of_joints, &gyroscopes, 1, &found);
  }
  bool is_due = gyroscopes.any || (!of_joints && any_taut(s));
  return result != MO_OK || found || !is_due ? result : flow_by_rattle(s, &gyroscopes, &found);
}
