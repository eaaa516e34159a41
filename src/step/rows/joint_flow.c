/// Joints in the smooth motion: RATTLE and the midpoint rule for joints.
///
/// An island of the row problem takes part if all of its blocks are bilateral constraints without
/// softness: no contact, limit or motor. The impulses of its rows are found by trial: run the flow
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
#include "step/constraint_rows.h"
#include "step/stages.h"

#include <string.h>

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  mo_free_motions *free;
  mo_row_set *rows;
  mo_row_ends *ends;
} stage;

// Iterations: an error shrinks by about the square of the angle that a joint turns by in a step.
#define MAX_ROUNDS 40
// Iterations after which a growing error means divergence. Before that a first guess may have been
// good by chance.
#define FIRST_ROUNDS 4
// rad: the most by which joints may change a body's rotation in a step. C = 0 has further solutions
// that are full turns away.
#define MAX_TURN 1.0
// m/s: round-off for speeds of some m/s.
#define CONVERGED 1e-13
// m/s: an error below this that no longer shrinks is round-off too; above it, the iteration has
// failed.
#define STALLED 1e-8

typedef struct trial {
  stage *stage;
  const mo_integrator_kind *integrator;
  mo_flow_joints joints;
  mo_motion *end;        // per slot
  uint8_t *takes_part;   // per constraint block of the step's problem
  mo_row_problem rows;   // of all constraints, at the trial motions
  uint32_t *first_rows;  // of those, per constraint
  double *impulses;      // per row, N s
  double *start_rates;   // per row, J v + bias at the start of the step
  double *errors;        // per row, C at the end
  mo_wrench *pushes;     // per slot
  mo_row_problem linear; // blocks that take part
} trial;

// --- islands that take part ------------------------------------------------------------------

static bool block_takes_part(const stage *s, uint32_t block_index, mo_joint_rule rule) {
  const mo_row_block *block = &s->rows->problem.blocks[block_index];
  bool good = block_index < s->rows->constraint_block_count && block->bound == MO_BOUND_BILATERAL &&
              !(rule == MO_JOINTS_RATTLE && !block->holds_position);
  for (uint32_t i = 0; good && i < block->row_count; i++) {
    good = s->rows->problem.rows[block->first_row + i].softening == 0.0;
  }
  return good;
}

static void place_island(stage *s, const mo_island_partition *partition, uint32_t island,
                         mo_placed placed) {
  for (uint32_t k = partition->first_body[island]; k < partition->first_body[island + 1]; k++) {
    s->ends->placed[partition->bodies[k]] = (uint8_t)placed;
  }
}

// Marks the blocks and bodies of the islands that take part. Other bodies with constraints move
// with their end velocities.
static mo_result choose_islands(trial *t, bool *any) {
  stage *s = t->stage;
  mo_island_partition partition;
  mo_result result = mo_island_partition_make(&s->rows->problem, &s->world->step_arena, &partition);
  *any = false;
  for (uint32_t i = 0; result == MO_OK && i < partition.island_count; i++) {
    bool good = true, joined = false;
    for (uint32_t k = partition.first_block[i]; k < partition.first_block[i + 1]; k++) {
      good = good && block_takes_part(s, partition.blocks[k], t->integrator->joints);
      joined = joined || partition.blocks[k] < s->rows->constraint_block_count;
    }
    if (joined) {
      place_island(s, &partition, i, good ? MO_PLACED_BY_FLOW : MO_PLACED_BY_END_VELOCITY);
    }
    for (uint32_t k = partition.first_block[i]; good && k < partition.first_block[i + 1]; k++) {
      t->takes_part[partition.blocks[k]] = 1;
      *any = true;
    }
  }
  return result;
}

static bool make_room(trial *t) {
  stage *s = t->stage;
  mo_arena *arena = &s->world->step_arena;
  uint32_t slots = s->world->ids.slot_count, bodies = s->rows->problem.body_count;
  uint32_t rows = mo_world_constraint_row_count(s->world);
  t->end = MO_ARENA_TAKE(arena, mo_motion, slots);
  t->joints.middle = MO_ARENA_TAKE(arena, mo_motion, slots);
  t->pushes = MO_ARENA_TAKE(arena, mo_wrench, slots);
  t->takes_part = MO_ARENA_TAKE(arena, uint8_t, s->rows->problem.block_count);
  t->first_rows = MO_ARENA_TAKE(arena, uint32_t, s->world->constraint_ids.slot_count);
  t->rows.blocks = MO_ARENA_TAKE(arena, mo_row_block, rows);
  t->rows.rows = MO_ARENA_TAKE(arena, mo_row, rows);
  t->rows.pairs = mo_world_take_row_pairs(s->world, arena, 0);
  t->impulses = MO_ARENA_TAKE(arena, double, rows);
  t->start_rates = MO_ARENA_TAKE(arena, double, rows);
  t->errors = MO_ARENA_TAKE(arena, double, rows);
  t->linear.bodies = MO_ARENA_TAKE(arena, mo_row_body, bodies);
  t->linear.blocks = MO_ARENA_TAKE(arena, mo_row_block, rows);
  t->linear.rows = MO_ARENA_TAKE(arena, mo_row, rows);
  return t->end && t->joints.middle && t->pushes && t->takes_part && t->first_rows &&
         t->rows.blocks && t->rows.rows && t->rows.pairs && t->impulses && t->start_rates &&
         t->errors && t->linear.bodies && t->linear.blocks && t->linear.rows;
}

// --- one trial -------------------------------------------------------------------------------

static void push_body(const trial *t, uint32_t body, mo_vec3 linear, mo_vec3 angular,
                      double impulse) {
  if (body > 0) {
    mo_wrench *sum = &t->pushes[t->stage->rows->row_slots[body]];
    sum->force = mo_add_scaled(sum->force, impulse, linear);
    sum->torque = mo_add_scaled(sum->torque, impulse, angular);
  }
}

static void push(const trial *t, uint32_t body_a, uint32_t body_b, const mo_row *row,
                 double impulse) {
  push_body(t, body_a, row->linear_a, row->angular_a, impulse);
  push_body(t, body_b, row->linear_b, row->angular_b, impulse);
}

// J^T impulse, per body.
static void find_pushes(trial *t) {
  for (uint32_t slot = 0; slot < t->stage->world->ids.slot_count; slot++) {
    t->pushes[slot] = (mo_wrench){0};
  }
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &t->rows.blocks[i];
    for (uint32_t k = 0; t->takes_part[i] && k < block->row_count; k++) {
      const mo_row_pair *pair = mo_block_pair(&t->rows, block, k);
      double impulse = t->impulses[block->first_row + k];
      push(t, block->body_a, block->body_b, &t->rows.rows[block->first_row + k], impulse);
      if (pair) {
        push(t, pair->body_c, pair->body_d, &pair->row, impulse);
      }
    }
  }
}

static mo_result run_flow(trial *t, bool with_joints) {
  mo_arena_reset(&t->stage->world->trial_arena);
  mo_flow flow =
      mo_step_flow(t->stage->world, t->stage->dt, t->stage->choice, &t->stage->world->trial_arena);
  t->joints.impulses = t->pushes;
  flow.joints = with_joints ? &t->joints : NULL;
  return t->integrator->run(&flow, t->end);
}

static mo_constraint_pass pass_at(const trial *t, const mo_motion *motions, double after) {
  const stage *s = t->stage;
  return (mo_constraint_pass){.motions = motions,
                              .time = s->world->time + after,
                              .row_bodies = s->rows->row_bodies,
                              .decided = s->rows->constraint_rows,
                              .settings = {.dt = s->dt}};
}

// Evaluates the rows of all constraints at a trial state, with the numbers that they have in the
// problem.
static mo_result evaluate_rows(trial *t, const mo_motion *motions, double after) {
  mo_constraint_pass pass = pass_at(t, motions, after);
  t->rows.block_count = t->rows.row_count = t->rows.pair_count = 0;
  return mo_world_append_constraint_rows(t->stage->world, &pass, &t->rows, t->first_rows);
}

static mo_mat3 inverse_inertia_at(const stage *s, const mo_motion *motions, uint32_t slot) {
  mo_mass mass = mo_body_effective_mass(&s->world->bodies[slot]);
  return mo_motion_world_tensor(&motions[slot], mass.inverse_inertia);
}

// J v + bias of a row of a problem for bodies in a given state.
static double row_rate(const stage *s, const mo_row_problem *problem, const mo_row_block *block,
                       uint32_t index, const mo_motion *motions) {
  uint32_t bodies[MO_ROW_SIDES] = {0};
  mo_block_bodies(problem, block, bodies);
  mo_velocity v[MO_ROW_SIDES] = {0};
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    if (bodies[i] > 0) {
      const mo_motion *motion = &motions[s->rows->row_slots[bodies[i]]];
      v[i] = (mo_velocity){motion->linear_velocity, motion->angular_velocity};
    }
  }
  const mo_row *row = &problem->rows[index];
  const mo_row_pair *pair = mo_block_pair(problem, block, index - block->first_row);
  return mo_row_velocity_of_sides(row, pair, v) + row->bias;
}

// The value that J v of the mean velocity must have: C changes over the step only by Baumgarte's
// correction. To first order that is J v = 0, and for a distance exactly; J v = 0 alone would let
// the errors of rotating joints grow.
static double middle_bias(const trial *t, const mo_row_block *block, uint32_t index) {
  const stage *s = t->stage;
  const mo_row *row = &t->rows.rows[index];
  if (!block->holds_position) {
    return row->bias;
  }
  double before = s->rows->problem.rows[index].gap, correction = 0.0;
  if (s->world->settings.stabilization == MO_STABILIZATION_BAUMGARTE) {
    double limit = s->world->settings.max_correction_speed;
    correction = mo_clamp(s->world->settings.error_reduction * before / s->dt, -limit, limit);
  }
  double change = (t->errors[index] - before) / s->dt;
  return change + correction - (row_rate(s, &t->rows, block, index, t->joints.middle) - row->bias);
}

// Sets up the linear equations of the rows that take part, for bodies in `motions`, with their
// velocities or at rest.
static void make_linear(trial *t, const mo_motion *motions, bool from_rest) {
  const stage *s = t->stage;
  mo_row_problem *linear = &t->linear;
  linear->dt = s->dt;
  linear->body_count = s->rows->problem.body_count;
  linear->block_count = linear->row_count = 0;
  linear->pairs = t->rows.pairs;
  linear->pair_count = t->rows.pair_count;
  linear->bodies[0] = s->rows->problem.bodies[0];
  for (uint32_t i = 1; i < linear->body_count; i++) {
    const mo_motion *motion = &motions[s->rows->row_slots[i]];
    linear->bodies[i] =
        (mo_row_body){.free_linear = from_rest ? mo_v3_zero() : motion->linear_velocity,
                      .free_angular = from_rest ? mo_v3_zero() : motion->angular_velocity,
                      .inverse_mass = s->rows->problem.bodies[i].inverse_mass,
                      .inverse_inertia = inverse_inertia_at(s, motions, s->rows->row_slots[i]),
                      .solver = MO_SOLVER_EXACT};
  }
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &t->rows.blocks[i];
    if (!t->takes_part[i]) {
      continue;
    }
    linear->blocks[linear->block_count] = *block;
    linear->blocks[linear->block_count++].first_row = linear->row_count;
    for (uint32_t k = 0; k < block->row_count; k++) {
      uint32_t index = block->first_row + k;
      mo_row *row = &linear->rows[linear->row_count++];
      *row = t->rows.rows[index];
      row->impulse = 0.0;
      row->bias = from_rest ? t->errors[index] / s->dt : middle_bias(t, block, index);
      row->plastic_bias = row->bias;
    }
  }
}

// The largest |w| of the linear equations without impulses.
static double residual(const trial *t) {
  double worst = 0.0;
  for (uint32_t i = 0; i < t->linear.block_count; i++) {
    const mo_row_block *block = &t->linear.blocks[i];
    mo_velocity free[MO_ROW_SIDES];
    mo_block_free_velocities(&t->linear, block, free);
    for (uint32_t k = 0; k < block->row_count; k++) {
      const mo_row *row = &t->linear.rows[block->first_row + k];
      const mo_row_pair *pair = mo_block_pair(&t->linear, block, k);
      double w = fabs(mo_row_velocity_of_sides(row, pair, free) + row->bias);
      worst = w <= worst ? worst : w; // true for NaN too
    }
  }
  return worst;
}

// Subtracts from the velocities the change by the impulses of this trial, half of it for the
// midpoint rule.
static void take_pushes_out(trial *t) {
  for (uint32_t i = 1; i < t->linear.body_count; i++) {
    mo_row_body *body = &t->linear.bodies[i];
    const mo_wrench *push = &t->pushes[t->stage->rows->row_slots[i]];
    body->free_linear = mo_add_scaled(body->free_linear, -0.5 * body->inverse_mass, push->force);
    body->free_angular =
        mo_add_scaled(body->free_angular, -0.5, mo_mat3_mul(body->inverse_inertia, push->torque));
  }
}

// Solves the linear equations for the impulses of the next trial. RATTLE adds those that C lacks,
// along the same Jacobian. The midpoint rule has a new Jacobian, to which all of the impulses
// belong.
static mo_result correct_impulses(trial *t) {
  bool at_middle = t->integrator->joints == MO_JOINTS_AT_MIDDLE;
  if (at_middle) {
    take_pushes_out(t);
  }
  mo_world *world = t->stage->world;
  mo_arena *arena = &world->trial_arena;
  mo_solver_settings settings = {.max_iterations = world->settings.max_iterations,
                                 .tolerance = CONVERGED};
  mo_by_island_settings solvers = {.exact = settings, .sweeps = settings};
  mo_by_island by;
  mo_velocity *velocities = MO_ARENA_TAKE(arena, mo_velocity, t->linear.body_count);
  if (!velocities) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = mo_by_island_begin(&t->linear, arena, &by);
  if (result == MO_OK) {
    result = mo_by_island_solve(&t->linear, &solvers, &world->exact, arena, &by, velocities);
  }
  uint32_t at = 0;
  for (uint32_t i = 0; result == MO_OK && i < t->rows.block_count; i++) {
    for (uint32_t k = 0; t->takes_part[i] && k < t->rows.blocks[i].row_count; k++) {
      double solved = t->linear.rows[at++].impulse;
      double *impulse = &t->impulses[t->rows.blocks[i].first_row + k];
      *impulse = at_middle ? 2.0 * solved : *impulse + solved;
    }
  }
  return result;
}

// Runs the flow with the impulses so far and sets up the linear equations of the remaining error.
// whole: the integrator took the step without substeps, as joints need it.
static mo_result run_trial(trial *t, bool *whole) {
  stage *s = t->stage;
  find_pushes(t);
  mo_result result = run_flow(t, true);
  *whole = !t->joints.is_divided;
  if (result != MO_OK || !*whole) {
    return result;
  }
  mo_constraint_pass pass = pass_at(t, t->end, s->dt);
  result = mo_world_evaluate_constraints(s->world, &pass, s->rows->constraint_rows, t->errors);
  bool at_middle = t->integrator->joints == MO_JOINTS_AT_MIDDLE;
  if (result == MO_OK && at_middle) {
    result = evaluate_rows(t, t->joints.middle, 0.5 * s->dt);
  }
  if (result == MO_OK) {
    make_linear(t, at_middle ? t->joints.middle : s->world->motions, !at_middle);
  }
  return result;
}

// Whether joints changed no spin by so much that the body may have made another full turn.
static bool is_plausible(const trial *t) {
  const stage *s = t->stage;
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    uint32_t slot = s->rows->row_slots[i];
    double change =
        mo_distance_between(t->end[slot].angular_velocity, s->free->flow[slot].angular_velocity);
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW && !(change * s->dt < MAX_TURN)) {
      return false;
    }
  }
  return true;
}

// Iterates until the joints hold; then `found` is true.
static mo_result find_impulses(trial *t, bool *found) {
  double last = INFINITY;
  *found = false;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    bool whole;
    mo_result result = run_trial(t, &whole);
    if (result != MO_OK || !whole) {
      return result;
    }
    double left = residual(t);
    bool holds = left <= CONVERGED || (left <= STALLED && left >= 0.5 * last);
    *found = holds && is_plausible(t);
    if (holds || (round >= FIRST_ROUNDS && !(left < 2.0 * last))) {
      return MO_OK; // converged, or diverging
    }
    last = left;
    result = correct_impulses(t);
    if (result != MO_OK) {
      return result;
    }
  }
  return MO_OK;
}

// --- rows for the solve of the step ----------------------------------------------------------

// Writes a row as it is at the end of the step into the problem.
static void rewrite_row(trial *t, const mo_row_block *block, uint32_t index) {
  stage *s = t->stage;
  mo_row *row = &s->rows->problem.rows[index];
  *row = t->rows.rows[index];
  if (block->pairs) { // at the same place as at the start of the step
    uint32_t pair = block->pairs - 1 + index - block->first_row;
    s->rows->problem.pairs[pair] = t->rows.pairs[pair];
  }
  row->impulse = t->impulses[index];
  if (t->integrator->joints == MO_JOINTS_AT_MIDDLE) {
    row->bias -=
        0.5 * (t->start_rates[index] + row_rate(s, &s->rows->problem, block, index, t->end));
  }
  row->plastic_bias = row->bias;
  row->gap = t->errors[index] + s->dt * row->bias; // C at the end, without what velocities add
}

static void take_impulse_out(stage *s, uint32_t body_a, uint32_t body_b, const mo_row *row,
                             double impulse) {
  mo_row_body *a = &s->rows->problem.bodies[body_a], *b = &s->rows->problem.bodies[body_b];
  mo_velocity va = {a->free_linear, a->free_angular}, vb = {b->free_linear, b->free_angular};
  mo_row_apply(row, -impulse, a, &va, b, &vb);
  a->free_linear = va.linear;
  a->free_angular = va.angular;
  b->free_linear = vb.linear;
  b->free_angular = vb.angular;
}

// Free velocities from which the impulses found lead to the velocities at the end of the flow.
static void rewrite_bodies(trial *t) {
  stage *s = t->stage;
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    uint32_t slot = s->rows->row_slots[i];
    mo_row_body *body = &s->rows->problem.bodies[i];
    body->free_linear = t->end[slot].linear_velocity;
    body->free_angular = t->end[slot].angular_velocity;
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW) {
      body->inverse_inertia = inverse_inertia_at(s, t->end, slot);
    }
  }
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &t->rows.blocks[i];
    for (uint32_t k = 0; t->takes_part[i] && k < block->row_count; k++) {
      const mo_row *row = &s->rows->problem.rows[block->first_row + k];
      const mo_row_pair *pair = mo_block_pair(&s->rows->problem, block, k);
      take_impulse_out(s, block->body_a, block->body_b, row, row->impulse);
      if (pair) {
        take_impulse_out(s, pair->body_c, pair->body_d, &pair->row, row->impulse);
      }
    }
  }
}

static mo_result rewrite_problem(trial *t) {
  stage *s = t->stage;
  mo_constraint_pass pass = pass_at(t, t->end, s->dt);
  mo_result result =
      mo_world_evaluate_constraints(s->world, &pass, s->rows->constraint_rows, t->errors);
  if (result == MO_OK) {
    result = evaluate_rows(t, t->end, s->dt);
  }
  if (result != MO_OK) {
    return result;
  }
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    const mo_row_block *block = &t->rows.blocks[i];
    for (uint32_t k = 0; t->takes_part[i] && k < block->row_count; k++) {
      rewrite_row(t, block, block->first_row + k);
    }
  }
  rewrite_bodies(t);
  s->free->flow = t->end;
  return MO_OK;
}

// --- the stage -------------------------------------------------------------------------------

// Starts the first trial without impulses. Those of the last step have other directions, and their
// torque could turn a body of small inertia to anywhere.
static void begin_from_rows_of_the_step(trial *t) {
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
      t->start_rates[k] = row_rate(t->stage, problem, block, k, t->stage->world->motions);
      t->rows.row_count++;
    }
  }
}

static mo_result flow_joints(stage *s, const mo_integrator_kind *integrator) {
  trial t = {.stage = s, .integrator = integrator};
  bool any, found = false;
  if (!make_room(&t)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = choose_islands(&t, &any);
  if (result != MO_OK || !any) {
    return result;
  }
  begin_from_rows_of_the_step(&t);
  result = find_impulses(&t, &found);
  if (result == MO_OK && found) {
    result = rewrite_problem(&t);
  }
  for (uint32_t i = 1; !found && i < s->rows->problem.body_count; i++) {
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW) {
      s->ends->placed[i] = MO_PLACED_BY_END_VELOCITY;
    }
  }
  return result;
}

mo_result mo_step_flow_joints(mo_world *world, double dt, const mo_solver_choice *choice,
                              mo_free_motions *free, mo_row_set *rows, mo_row_ends *ends) {
  stage all = {world, dt, choice, free, rows, ends}, *s = &all;
  const mo_integrator_kind *integrator = mo_integrator_kind_of(s->world->settings.integrator);
  s->ends->placed = MO_ARENA_TAKE(&s->world->step_arena, uint8_t, s->rows->problem.body_count);
  if (!s->ends->placed) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; integrator->moves_with_end_velocity && i < s->rows->problem.body_count;
       i++) {
    s->ends->placed[i] = MO_PLACED_BY_END_VELOCITY;
  }
  bool none = integrator->joints == MO_JOINTS_AFTER || s->rows->constraint_block_count == 0;
  return none ? MO_OK : flow_joints(s, integrator);
}
