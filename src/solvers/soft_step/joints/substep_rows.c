#include "solvers/soft_step/joints/substep_row_blocks.h"

// --- bodies ----------------------------------------------------------------------------------

static mo_velocity velocity_of(const mo_solver_body *body) {
  return (mo_velocity){mo_v3_from_floats(body->linear_velocity),
                       mo_v3_from_floats(body->angular_velocity)};
}

static mo_velocity displacement_of(const mo_solver_body *body) {
  return (mo_velocity){mo_v3_from_floats(body->displacement), mo_v3_from_floats(body->rotation)};
}

static void set_velocity(mo_substep_solver *step, uint32_t index, const mo_velocity *v) {
  if (index > 0) {
    mo_v3_to_floats(v->linear, step->bodies[index].linear_velocity);
    mo_v3_to_floats(v->angular, step->bodies[index].angular_velocity);
  }
}

static void push(mo_velocity *v, const mo_velocity *direction, double impulse) {
  v->linear = mo_add_scaled(v->linear, impulse, direction->linear);
  v->angular = mo_add_scaled(v->angular, impulse, direction->angular);
}

// --- solving ---------------------------------------------------------------------------------

// A block in a pass.
typedef struct visit {
  const mo_substep_block *block;
  const mo_row *rows;
  mo_substep_row *states;
  mo_velocity velocities[MO_ROW_SIDES], displacements[MO_ROW_SIDES];
  const struct mo_substep_row_blocks *all;
  bool with_bias;
} visit;

static void push_by(visit *v, const mo_substep_row *row, double impulse) {
  for (uint32_t side = 0; side < v->block->sides; side++) {
    push(&v->velocities[side], &row->pushes[side], impulse);
  }
}

MO_APART void apply(visit *v, uint32_t i, double change) {
  v->states[i].impulse += change;
  push_by(v, &v->states[i], change);
}

// The rows that go on holding while row 0 of the block gets an impulse; null: there are none.
static mo_substep_row *lock_rows(const visit *v) {
  const mo_substep_block *lock = v->block->lock;
  return lock ? &v->all->rows[lock->block->first_row] : NULL;
}

static uint32_t lock_row_count(const visit *v) {
  return v->block->lock ? v->block->lock->block->row_count : 0;
}

// The pushes of row 0 have moved the bodies by the reactions too. These are impulses of the lock.
static void book_reactions(const visit *v, double impulse) {
  mo_substep_row *rows = lock_rows(v);
  for (uint32_t i = 0; i < lock_row_count(v); i++) {
    rows[i].impulse += impulse * v->block->reactions[i];
  }
}

// The present value of C, by the Jacobian that was made last.
static double error_now(const visit *v, uint32_t i) {
  return v->states[i].gap +
         mo_row_velocity_of_sides(&v->rows[i], mo_substep_pair_of(v->block, i), v->displacements) +
         v->states[i].law_bias * v->all->now;
}

// The velocity that a row lacks, and the softness with which it is corrected.
MO_APART double missing_velocity(const visit *v, uint32_t i, const mo_joint_softness **softness) {
  const mo_row_block *block = v->block->block;
  const mo_substep_row *state = &v->states[i];
  *softness = &v->all->rigid;
  double w = mo_row_velocity_of_sides(&v->rows[i], mo_substep_pair_of(v->block, i), v->velocities) +
             state->law_bias + state->softening * state->impulse;
  bool opens = mo_row_may_open(block, i), holds = i < mo_position_row_count(block);
  if (!opens && !(holds && v->with_bias)) {
    return w;
  }
  double error = error_now(v, i);
  if (opens && error > 0.0) {
    return w + error / v->all->h; // it may close within the substep
  }
  if (holds && v->with_bias) {
    *softness = &v->all->soft;
    w += (double)v->all->soft.bias_rate * error;
  }
  return w;
}

static void solve_bilateral(visit *v) {
  uint32_t count = v->block->block->row_count;
  const mo_joint_softness *softness = &v->all->rigid;
  double x[MO_BLOCK_ROWS];
  for (uint32_t i = 0; i < count; i++) {
    x[i] = missing_velocity(v, i, &softness);
  }
  mo_substep_block_solve(v->block, x);
  for (uint32_t i = 0; i < count; i++) {
    apply(v, i,
          -(double)softness->mass_scale * x[i] -
              (double)softness->impulse_scale * v->states[i].impulse);
  }
}

MO_APART void solve_bounded(visit *v, uint32_t i, double lower, double upper) {
  mo_substep_row *state = &v->states[i];
  const mo_joint_softness *softness;
  double w = missing_velocity(v, i, &softness);
  if (state->mobility > 0.0) {
    double change = -(double)softness->mass_scale * w / state->mobility -
                    (double)softness->impulse_scale * state->impulse;
    change = mo_clamp(state->impulse + change, lower, upper) - state->impulse;
    apply(v, i, change);
    book_reactions(v, change);
  }
}

// Friction: one step within the disc whose radius follows from the normal impulse.
static void solve_disc(visit *v, double friction) {
  const mo_joint_softness *softness;
  double rho = v->states[1].mobility;
  if (!(rho > 0.0)) {
    return;
  }
  double x = v->states[1].impulse - missing_velocity(v, 1, &softness) / rho;
  double y = v->states[2].impulse - missing_velocity(v, 2, &softness) / rho;
  double length = sqrt(x * x + y * y), radius = friction * v->states[0].impulse;
  double scale = length > radius ? radius / length : 1.0;
  apply(v, 1, scale * x - v->states[1].impulse);
  apply(v, 2, scale * y - v->states[2].impulse);
}

static visit visit_of(const mo_substep_rows *rows, const mo_substep_solver *step, uint32_t index) {
  const mo_substep_block *block = &rows->blocks->blocks[index];
  uint32_t first = block->block->first_row;
  visit v = {.block = block,
             .rows = &rows->problem->rows[first],
             .states = &rows->blocks->rows[first],
             .all = rows->blocks};
  for (uint32_t side = 0; side < block->sides; side++) {
    v.velocities[side] = velocity_of(&step->bodies[block->bodies[side]]);
    v.displacements[side] = displacement_of(&step->bodies[block->bodies[side]]);
  }
  return v;
}

static void end_visit(const visit *v, mo_substep_solver *step) {
  for (uint32_t side = 0; side < v->block->sides; side++) {
    set_velocity(step, v->block->bodies[side], &v->velocities[side]);
  }
}

void mo_substep_rows_warm_start(mo_substep_rows *rows, mo_substep_solver *step) {
  for (uint32_t k = 0; k < rows->problem->block_count; k++) {
    visit v = visit_of(rows, step, k);
    for (uint32_t i = 0; i < v.block->block->row_count; i++) {
      push_by(&v, &v.states[i], v.states[i].impulse);
    }
    for (uint32_t i = 0; i < lock_row_count(&v); i++) { // the lock has pushed these itself
      push_by(&v, &lock_rows(&v)[i], -v.states[0].impulse * v.block->reactions[i]);
    }
    end_visit(&v, step);
  }
}

static void solve_block(visit *v) {
  const mo_row_block *block = v->block->block;
  double share = v->all->share;
  switch (block->bound) {
  case MO_BOUND_BILATERAL:
    solve_bilateral(v);
    break;
  case MO_BOUND_UNILATERAL:
    solve_bounded(v, 0, 0.0, INFINITY);
    break;
  case MO_BOUND_BOX:
    solve_bounded(v, 0, share * block->lower, share * block->upper);
    break;
  case MO_BOUND_CONE:
    solve_bounded(v, 0, 0.0, INFINITY);
    solve_disc(v, block->friction);
    break;
  }
}

// Gives a row of a bent block another bias, and the C that it has now.
static void set_error(visit *v, uint32_t i, double law_bias, double error) {
  v->states[i].law_bias = law_bias;
  v->states[i].gap += error - error_now(v, i);
}

// Has the rows of a bend lead through the next move, or aims them where the last one ended.
static void follow_bend(mo_substep_rows *rows, const mo_substep_solver *step, uint32_t k,
                        bool with_bias) {
  const mo_substep_bend *bend = &rows->bends->items[k];
  double numbers[MO_SUBSTEP_BEND_ROWS];
  rows->bends->follow(rows, k, step, with_bias, numbers);
  for (uint32_t b = 0, row = 0; b < bend->block_count; b++) {
    visit v = visit_of(rows, step, bend->first_block + b);
    for (uint32_t i = 0; i < v.block->block->row_count; i++, row++) {
      double bias = mo_substep_law_bias(rows, v.block, i);
      set_error(&v, i, with_bias ? bias + numbers[row] : bias,
                with_bias ? error_now(&v, i) : numbers[row]);
    }
    if (!with_bias) {
      mo_substep_block_turn(rows, bend->first_block + b);
    }
  }
}

void mo_substep_rows_solve(mo_substep_rows *rows, mo_substep_solver *step, bool with_bias) {
  if (!with_bias) {
    rows->blocks->now += rows->blocks->h; // the bodies have moved
  }
  for (uint32_t k = 0; rows->bends && k < rows->bends->count; k++) {
    follow_bend(rows, step, k, with_bias);
  }
  for (uint32_t k = 0; k < rows->problem->block_count; k++) {
    visit v = visit_of(rows, step, k);
    v.with_bias = with_bias;
    solve_block(&v);
    end_visit(&v, step);
    for (uint32_t i = 0; !with_bias && i < v.block->block->row_count; i++) {
      v.states[i].total += v.states[i].impulse;
    }
  }
}

void mo_substep_rows_store(mo_substep_rows *rows, const mo_substep_solver *step) {
  (void)step;
  for (uint32_t i = 0; i < rows->problem->row_count; i++) {
    rows->problem->rows[i].impulse = rows->blocks->rows[i].total;
  }
}
