#include "step/rows/joint_trial.h"

#include "solvers/block_pgs/taut_joints.h"
#include "solvers/taut_body.h"

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

static void push_body(const mo_joint_trial *t, uint32_t body, mo_vec3 linear, mo_vec3 angular,
                      double impulse) {
  if (body > 0) {
    mo_wrench *sum = &t->pushes[t->stage->rows->row_slots[body]];
    sum->force = mo_add_scaled(sum->force, impulse, linear);
    sum->torque = mo_add_scaled(sum->torque, impulse, angular);
  }
}

static void push(const mo_joint_trial *t, uint32_t body_a, uint32_t body_b, const mo_row *row,
                 double impulse) {
  push_body(t, body_a, row->linear_a, row->angular_a, impulse);
  push_body(t, body_b, row->linear_b, row->angular_b, impulse);
}

// J^T impulse, per body.
static void find_pushes(mo_joint_trial *t) {
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

static mo_result run_flow(mo_joint_trial *t) {
  mo_world *world = t->stage->world;
  mo_arena_reset(&world->trial_arena);
  mo_flow flow = mo_step_flow(world, t->h, t->stage->choice, &world->trial_arena);
  flow.time += t->after;
  flow.start = t->start;
  t->joints.impulses = t->pushes;
  flow.joints = &t->joints;
  return t->integrator->run(&flow, t->end);
}

mo_constraint_pass mo_joint_trial_pass(const mo_joint_trial *t, const mo_motion *motions,
                                       double after) {
  const mo_joint_stage *s = t->stage;
  return (mo_constraint_pass){.motions = motions,
                              .time = s->world->time + after,
                              .row_bodies = s->rows->row_bodies,
                              .decided = s->rows->constraint_rows,
                              .settings = {.dt = s->dt}};
}

mo_result mo_joint_trial_evaluate_rows(mo_joint_trial *t, const mo_motion *motions, double after) {
  mo_constraint_pass pass = mo_joint_trial_pass(t, motions, after);
  t->rows.block_count = t->rows.row_count = t->rows.pair_count = 0;
  return mo_world_append_constraint_rows(t->stage->world, &pass, &t->rows, t->first_rows);
}

mo_mat3 mo_joint_trial_inverse_inertia(const mo_joint_stage *s, const mo_motion *motions,
                                       uint32_t slot) {
  mo_mass mass = mo_body_effective_mass(&s->world->bodies[slot]);
  return mo_motion_world_tensor(&motions[slot], mass.inverse_inertia);
}

double mo_joint_trial_row_rate(const mo_joint_stage *s, const mo_row_problem *problem,
                               const mo_row_block *block, uint32_t index,
                               const mo_motion *motions) {
  uint32_t bodies[MO_ROW_SIDES] = {0};
  mo_block_bodies(problem, block, bodies);
  mo_velocity v[MO_ROW_SIDES] = {0};
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    if (bodies[i] > 0) {
      v[i] = mo_step_velocity(&motions[s->rows->row_slots[bodies[i]]]);
    }
  }
  const mo_row *row = &problem->rows[index];
  const mo_row_pair *pair = mo_block_pair(problem, block, index - block->first_row);
  return mo_row_velocity_of_sides(row, pair, v) + row->bias;
}

// The value that J v of the mean velocity must have: C changes over the step only by Baumgarte's
// correction. To first order that is J v = 0, and for a distance exactly; J v = 0 alone would let
// the errors of rotating joints grow.
static double middle_bias(const mo_joint_trial *t, const mo_row_block *block, uint32_t index) {
  const mo_joint_stage *s = t->stage;
  const mo_row *row = &t->rows.rows[index];
  if (!block->holds_position) {
    return row->bias;
  }
  double before = s->rows->problem.rows[index].gap, correction = 0.0;
  if (s->world->settings.stabilization == MO_STABILIZATION_BAUMGARTE) {
    double limit = s->world->settings.max_correction_speed;
    correction = mo_clamp(s->world->settings.error_reduction * before / t->h, -limit, limit);
  }
  double change = (t->errors[index] - before) / t->h;
  return change + correction -
         (mo_joint_trial_row_rate(s, &t->rows, block, index, t->joints.middle) - row->bias);
}

// The bias of a row of the linear equations for the impulses that C lacks, from rest.
static double error_bias(const mo_joint_trial *t, const mo_row_block *block, uint32_t index) {
  (void)block;
  return t->errors[index] / t->h;
}

static double rate_bias(const mo_joint_trial *t, const mo_row_block *block, uint32_t index) {
  (void)block;
  return t->rows.rows[index].bias;
}

typedef double bias_function(const mo_joint_trial *t, const mo_row_block *block, uint32_t index);

static void make_linear_bodies(mo_joint_trial *t, const mo_motion *motions, bool from_rest) {
  const mo_joint_stage *s = t->stage;
  t->linear.bodies[0] = s->rows->problem.bodies[0];
  for (uint32_t i = 1; i < t->linear.body_count; i++) {
    uint32_t slot = s->rows->row_slots[i];
    const mo_motion *motion = &motions[slot];
    t->linear.bodies[i] =
        (mo_row_body){.free_linear = from_rest ? mo_v3_zero() : motion->linear_velocity,
                      .free_angular = from_rest ? mo_v3_zero() : motion->angular_velocity,
                      .inverse_mass = s->rows->problem.bodies[i].inverse_mass,
                      .inverse_inertia = mo_joint_trial_inverse_inertia(s, motions, slot),
                      .solver = MO_SOLVER_EXACT};
  }
}

static void append_linear_block(mo_joint_trial *t, const mo_row_block *block, bias_function *bias) {
  mo_row_problem *linear = &t->linear;
  mo_row_block *copy = &linear->blocks[linear->block_count++];
  *copy = *block;
  copy->first_row = linear->row_count;
  copy->bound = MO_BOUND_BILATERAL; // a taut limit holds as a joint does
  for (uint32_t k = 0; k < block->row_count; k++) {
    mo_row *row = &linear->rows[linear->row_count++];
    *row = t->rows.rows[block->first_row + k];
    row->impulse = 0.0;
    row->bias = bias(t, block, block->first_row + k);
    row->plastic_bias = row->bias;
  }
}

// Sets up the linear equations of the rows that take part, for bodies in `motions`, with their
// velocities or, for errors, at rest.
static void make_linear(mo_joint_trial *t, const mo_motion *motions, bias_function *bias) {
  mo_row_problem *linear = &t->linear;
  linear->dt = t->h;
  linear->body_count = t->stage->rows->problem.body_count;
  linear->block_count = linear->row_count = 0;
  linear->pairs = t->rows.pairs;
  linear->pair_count = t->rows.pair_count;
  make_linear_bodies(t, motions, bias == error_bias);
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    if (t->takes_part[i]) {
      append_linear_block(t, &t->rows.blocks[i], bias);
    }
  }
}

// The largest |w| of the linear equations without impulses.
static double residual(const mo_joint_trial *t) {
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
static void take_pushes_out(mo_joint_trial *t) {
  for (uint32_t i = 1; i < t->linear.body_count; i++) {
    mo_row_body *body = &t->linear.bodies[i];
    const mo_wrench *push = &t->pushes[t->stage->rows->row_slots[i]];
    body->free_linear = mo_add_scaled(body->free_linear, -0.5 * body->inverse_mass, push->force);
    body->free_angular =
        mo_add_scaled(body->free_angular, -0.5, mo_mat3_mul(body->inverse_inertia, push->torque));
  }
}

// Solves the linear equations. Returns the velocities per body, or null.
static mo_result solve_linear(mo_joint_trial *t, mo_velocity **velocities) {
  mo_world *world = t->stage->world;
  mo_arena *arena = &world->trial_arena;
  *velocities = MO_ARENA_TAKE(arena, mo_velocity, t->linear.body_count);
  return *velocities ? mo_world_solve_rows(world, &t->linear, CONVERGED * mo_world_metre(world),
                                           arena, *velocities)
                     : MO_ERROR_OUT_OF_MEMORY;
}

// Takes over the impulses of the linear equations.
// sum: adds them to those so far
static void take_impulses(mo_joint_trial *t, bool sum, double factor) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < t->rows.block_count; i++) {
    for (uint32_t k = 0; t->takes_part[i] && k < t->rows.blocks[i].row_count; k++) {
      double solved = factor * t->linear.rows[at++].impulse;
      double *impulse = &t->impulses[t->rows.blocks[i].first_row + k];
      *impulse = sum ? *impulse + solved : solved;
    }
  }
}

// Finds the impulses of the next trial. RATTLE adds those that C lacks, along the same Jacobian.
// The midpoint rule has a new Jacobian, to which all of the impulses belong.
static mo_result correct_impulses(mo_joint_trial *t) {
  bool at_middle = t->integrator->joints == MO_JOINTS_AT_MIDDLE;
  if (at_middle) {
    take_pushes_out(t);
  }
  mo_velocity *velocities;
  mo_result result = solve_linear(t, &velocities);
  if (result == MO_OK) {
    take_impulses(t, !at_middle, at_middle ? 2.0 : 1.0);
  }
  return result;
}

mo_result mo_joint_trial_fit_velocities(mo_joint_trial *t) {
  const mo_joint_stage *s = t->stage;
  mo_result result = mo_joint_trial_evaluate_rows(t, t->end, t->after + t->h);
  if (result != MO_OK) {
    return result;
  }
  make_linear(t, t->end, rate_bias);
  mo_velocity *velocities;
  result = solve_linear(t, &velocities);
  if (result != MO_OK) {
    return result;
  }
  take_impulses(t, true, 1.0);
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW) {
      mo_motion *motion = &t->end[s->rows->row_slots[i]];
      motion->linear_velocity = velocities[i].linear;
      motion->angular_velocity = velocities[i].angular;
    }
  }
  return MO_OK;
}

// Runs the flow with the impulses so far and sets up the linear equations of the remaining error.
// whole: the integrator took the step without substeps, as joints need it.
static mo_result run_trial(mo_joint_trial *t, bool *whole) {
  mo_joint_stage *s = t->stage;
  find_pushes(t);
  mo_result result = run_flow(t);
  *whole = !t->joints.is_divided;
  if (result != MO_OK || !*whole) {
    return result;
  }
  mo_constraint_pass pass = mo_joint_trial_pass(t, t->end, t->after + t->h);
  result = mo_world_evaluate_constraints(s->world, &pass, s->rows->constraint_rows, t->errors);
  bool at_middle = t->integrator->joints == MO_JOINTS_AT_MIDDLE;
  if (result == MO_OK && at_middle) {
    result = mo_joint_trial_evaluate_rows(t, t->joints.middle, t->after + 0.5 * t->h);
  }
  if (result == MO_OK) {
    make_linear(t, at_middle ? t->joints.middle : t->start, at_middle ? middle_bias : error_bias);
  }
  return result;
}

// Whether joints changed no spin by so much that the body may have made another full turn.
static bool is_plausible(const mo_joint_trial *t) {
  const mo_joint_stage *s = t->stage;
  for (uint32_t i = 1; i < s->rows->problem.body_count; i++) {
    uint32_t slot = s->rows->row_slots[i];
    mo_vec3 change =
        mo_mat3_mul(mo_joint_trial_inverse_inertia(s, t->start, slot), t->pushes[slot].torque);
    if (s->ends->placed[i] == MO_PLACED_BY_FLOW && !(mo_length(change) * t->h < MAX_TURN)) {
      return false;
    }
  }
  return true;
}

// The rows of a part have half of the impulses of the joints: the other half fits velocities.
mo_result mo_joint_trial_follows(mo_joint_trial *t, bool *follows) {
  *follows = true;
  if (t->integrator->joints != MO_JOINTS_RATTLE) {
    return MO_OK;
  }
  for (uint32_t k = 0; k < t->rows.row_count; k++) {
    t->rows.rows[k].impulse = 2.0 * t->impulses[k];
  }
  t->rows.dt = t->h;
  double swing;
  if (!mo_taut_joints_swing(&t->rows, &t->stage->world->trial_arena, &swing)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  *follows = swing <= MO_SWING_LIMIT;
  return MO_OK;
}

mo_result mo_joint_trial_find_impulses(mo_joint_trial *t, bool *found) {
  double last = INFINITY, metre = mo_world_metre(t->stage->world);
  *found = false;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    bool whole;
    mo_result result = run_trial(t, &whole);
    if (result != MO_OK || !whole) {
      return result;
    }
    double left = residual(t);
    bool holds = left <= CONVERGED * metre || (left <= STALLED * metre && left >= 0.5 * last);
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
