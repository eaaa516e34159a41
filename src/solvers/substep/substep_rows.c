#include "solvers/substep/substep_rows.h"

#include "math/scalar.h"
#include "solvers/substep/joint_softness.h"

// Fraction of the diagonal below which a pivot belongs to a redundant row, which gives no impulse.
#define LEAST_PIVOT 1e-9

// The data of a row for the sweeps.
typedef struct substep_row {
  mo_velocity *pushes;   // M^-1 J^T, per side of the block
  double rate;           // J v + rate is the rate of change of the row's C; m/s
  double law_bias;       // bias of the row's own law, without the part that closes a gap; m/s
  double softening;      // per impulse of a substep, 1/kg
  double mobility;       // J M^-1 J^T + softening; of a cone's tangents the larger eigenvalue
  double impulse, total; // of this substep; over the step
} substep_row;

typedef struct substep_block {
  const mo_row_block *block;
  const mo_row_pair *pairs;      // per row; null: the block has two bodies
  uint32_t bodies[MO_ROW_SIDES]; // indices of mo_solver_body
  uint32_t sides;
  // L D L^T of a bilateral block: L below the diagonal, 1/D on it.
  double factor[MO_BLOCK_ROWS][MO_BLOCK_ROWS];
} substep_block;

struct mo_substep_row_blocks {
  substep_block *blocks;
  substep_row *rows;
  mo_joint_softness soft, rigid;
  double h;     // s, of a substep
  double share; // fraction of a step's impulse that belongs to a substep
  double now;   // s since the start of the step
};

// --- preparing -------------------------------------------------------------------------------

// A body as the block of rows sees it: index 0 does not move.
static mo_row_body pushed_body(const mo_substep_rows *rows, uint32_t body) {
  return rows->bodies[body] ? rows->problem->bodies[body] : (mo_row_body){0};
}

// L D L^T with redundant rows left out.
static void factorise(double k[MO_BLOCK_ROWS][MO_BLOCK_ROWS], uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    double diagonal = k[j][j], pivot = diagonal;
    double scaled[MO_BLOCK_ROWS];
    for (uint32_t i = 0; i < j; i++) {
      scaled[i] = k[i][i] > 0.0 ? k[j][i] / k[i][i] : 0.0; // L_ji D_i
      pivot -= scaled[i] * k[j][i];
    }
    k[j][j] = pivot > LEAST_PIVOT * diagonal ? 1.0 / pivot : 0.0;
    for (uint32_t r = j + 1; r < count; r++) {
      double sum = k[r][j];
      for (uint32_t i = 0; i < j; i++) {
        sum -= k[r][i] * scaled[i];
      }
      k[r][j] = sum * k[j][j];
    }
  }
}

// x <- (L D L^T)^-1 x
static void solve_factored(const double k[MO_BLOCK_ROWS][MO_BLOCK_ROWS], uint32_t count,
                           double *x) {
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      x[i] -= k[i][j] * x[j];
    }
  }
  for (uint32_t i = count; i-- > 0;) {
    x[i] *= k[i][i];
    for (uint32_t j = i + 1; j < count; j++) {
      x[i] -= k[j][i] * x[j];
    }
  }
}

static bool may_open(const mo_row_block *block, uint32_t row) {
  return block->bound == MO_BOUND_UNILATERAL || (block->bound == MO_BOUND_CONE && row == 0);
}

static const mo_row_pair *pair_of(const substep_block *block, uint32_t i) {
  return block->pairs ? &block->pairs[i] : NULL;
}

// J_p M^-1 J_q^T of rows p and q of a block.
MO_APART double coupling(const mo_substep_rows *rows, const substep_block *block, uint32_t p,
                         uint32_t q) {
  uint32_t first = block->block->first_row;
  return mo_row_velocity_of_sides(&rows->problem->rows[first + p], pair_of(block, p),
                                  rows->blocks->rows[first + q].pushes);
}

// A motor that arrives within the step starts without an impulse. Sweeps take away only a part c of
// what its rate lacks in a step, 0 < c <= 1, and the next step asks for the way that is left. That
// ends for every c: the rate and the error then shrink by sqrt(1 - c) per step. An impulse that
// stays from step to step would be the integral part of this controller, with which errors grow
// as soon as c is below 1/4: in a chain of three links on motors.
static void make_row(mo_substep_rows *rows, const substep_block *block, uint32_t i,
                     const mo_row_body *bodies, double substeps) {
  uint32_t index = block->block->first_row + i;
  const mo_row *row = &rows->problem->rows[index];
  const mo_row_pair *pair = pair_of(block, i);
  substep_row *out = &rows->blocks->rows[index];
  *out = (substep_row){.pushes = out->pushes,
                       .law_bias = row->bias,
                       .softening = substeps * row->softening,
                       .impulse = block->block->arrives ? 0.0 : row->impulse / substeps};
  if (may_open(block->block, i) && row->gap > 0.0) {
    out->law_bias -= row->gap / rows->problem->dt;
  }
  mo_row_apply_to(row, 1.0, bodies, 0, 1, out->pushes);
  if (pair) {
    mo_row_apply_to(&pair->row, 1.0, bodies, 2, 3, out->pushes);
  }
  out->mobility = coupling(rows, block, i, i) + out->softening;
}

// Finds the bodies of a block, and gives its rows room for their pushes. Returns the room after it.
static mo_velocity *begin_block(mo_substep_rows *rows, uint32_t index, mo_velocity *room,
                                mo_row_body *bodies) {
  const mo_row_block *block = &rows->problem->blocks[index];
  const mo_row_pair *pairs = mo_block_pair(rows->problem, block, 0);
  substep_block *out = &rows->blocks->blocks[index];
  const uint32_t all[MO_ROW_SIDES] = {block->body_a, block->body_b, pairs ? pairs->body_c : 0,
                                      pairs ? pairs->body_d : 0};
  out->block = block;
  out->pairs = pairs;
  out->sides = pairs ? MO_ROW_SIDES : 2;
  for (uint32_t side = 0; side < out->sides; side++) {
    out->bodies[side] = rows->bodies[all[side]];
    bodies[side] = pushed_body(rows, all[side]);
  }
  for (uint32_t i = 0; i < block->row_count; i++, room += out->sides) {
    rows->blocks->rows[block->first_row + i].pushes = room;
  }
  return room;
}

static mo_velocity *make_block(mo_substep_rows *rows, uint32_t index, double substeps,
                               mo_velocity *room) {
  const mo_row_block *block = &rows->problem->blocks[index];
  substep_block *out = &rows->blocks->blocks[index];
  mo_row_body bodies[MO_ROW_SIDES];
  room = begin_block(rows, index, room, bodies);
  substep_row *target = &rows->blocks->rows[block->first_row];
  for (uint32_t i = 0; i < block->row_count; i++) {
    make_row(rows, out, i, bodies, substeps);
    for (uint32_t j = 0; j <= i && block->bound == MO_BOUND_BILATERAL; j++) {
      out->factor[i][j] = i == j ? target[i].mobility : coupling(rows, out, i, j);
    }
  }
  if (block->bound == MO_BOUND_BILATERAL) {
    factorise(out->factor, block->row_count);
  } else if (block->bound == MO_BOUND_CONE) {
    double p = target[1].mobility, q = target[2].mobility;
    double cross = coupling(rows, out, 1, 2);
    double largest = 0.5 * (p + q + sqrt((p - q) * (p - q) + 4.0 * cross * cross));
    target[1].mobility = target[2].mobility = largest;
  }
  return room;
}

bool mo_substep_rows_prepare(mo_substep_rows *rows, mo_substep_solver *step) {
  const mo_row_problem *problem = rows->problem;
  struct mo_substep_row_blocks *blocks =
      MO_ARENA_TAKE(step->arena, struct mo_substep_row_blocks, 1);
  rows->blocks = blocks;
  if (!blocks) {
    return false;
  }
  blocks->blocks = MO_ARENA_TAKE(step->arena, substep_block, problem->block_count);
  blocks->rows = MO_ARENA_TAKE(step->arena, substep_row, problem->row_count);
  mo_velocity *room = MO_ARENA_TAKE(step->arena, mo_velocity,
                                    2 * ((size_t)problem->row_count + problem->pair_count));
  if (!blocks->blocks || !blocks->rows || !room) {
    return false;
  }
  double substeps = step->settings.substeps;
  blocks->soft = mo_joint_softness_of(&step->settings);
  blocks->rigid = mo_joint_softness_rigid(&step->settings);
  blocks->h = step->settings.dt / substeps;
  blocks->share = 1.0 / substeps;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    room = make_block(rows, i, substeps, room);
  }
  return true;
}

// --- bodies ----------------------------------------------------------------------------------

static mo_vec3 widened(const float v[4]) { return mo_v3((double)v[0], (double)v[1], (double)v[2]); }

static void narrow(mo_vec3 v, float out[4]) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}

static mo_velocity velocity_of(const mo_solver_body *body) {
  return (mo_velocity){widened(body->linear_velocity), widened(body->angular_velocity)};
}

static mo_velocity displacement_of(const mo_solver_body *body) {
  return (mo_velocity){widened(body->displacement), widened(body->rotation)};
}

static void set_velocity(mo_substep_solver *step, uint32_t index, const mo_velocity *v) {
  if (index > 0) {
    narrow(v->linear, step->bodies[index].linear_velocity);
    narrow(v->angular, step->bodies[index].angular_velocity);
  }
}

static void push(mo_velocity *v, const mo_velocity *direction, double impulse) {
  v->linear = mo_add_scaled(v->linear, impulse, direction->linear);
  v->angular = mo_add_scaled(v->angular, impulse, direction->angular);
}

// --- solving ---------------------------------------------------------------------------------

// A block in a pass.
typedef struct visit {
  const substep_block *block;
  const mo_row *rows;
  substep_row *states;
  mo_velocity velocities[MO_ROW_SIDES], displacements[MO_ROW_SIDES];
  const struct mo_substep_row_blocks *all;
  bool with_bias;
} visit;

static void push_sides(visit *v, uint32_t i, double impulse) {
  for (uint32_t side = 0; side < v->block->sides; side++) {
    push(&v->velocities[side], &v->states[i].pushes[side], impulse);
  }
}

MO_APART void apply(visit *v, uint32_t i, double change) {
  v->states[i].impulse += change;
  push_sides(v, i, change);
}

// The present value of C, by the Jacobian of the start of the step.
static double error_now(const visit *v, uint32_t i) {
  return v->rows[i].gap +
         mo_row_velocity_of_sides(&v->rows[i], pair_of(v->block, i), v->displacements) +
         v->states[i].law_bias * v->all->now;
}

// The velocity that a row lacks, and the softness with which it is corrected.
MO_APART double missing_velocity(const visit *v, uint32_t i, const mo_joint_softness **softness) {
  const mo_row_block *block = v->block->block;
  const substep_row *state = &v->states[i];
  *softness = &v->all->rigid;
  double w = mo_row_velocity_of_sides(&v->rows[i], pair_of(v->block, i), v->velocities) +
             state->law_bias + state->softening * state->impulse;
  bool opens = may_open(block, i), holds = i < mo_position_row_count(block);
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
  solve_factored(v->block->factor, count, x);
  for (uint32_t i = 0; i < count; i++) {
    apply(v, i,
          -(double)softness->mass_scale * x[i] -
              (double)softness->impulse_scale * v->states[i].impulse);
  }
}

MO_APART void solve_bounded(visit *v, uint32_t i, double lower, double upper) {
  substep_row *state = &v->states[i];
  const mo_joint_softness *softness;
  double w = missing_velocity(v, i, &softness);
  if (state->mobility > 0.0) {
    double change = -(double)softness->mass_scale * w / state->mobility -
                    (double)softness->impulse_scale * state->impulse;
    apply(v, i, mo_clamp(state->impulse + change, lower, upper) - state->impulse);
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
  const substep_block *block = &rows->blocks->blocks[index];
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
      push_sides(&v, i, v.states[i].impulse);
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

void mo_substep_rows_solve(mo_substep_rows *rows, mo_substep_solver *step, bool with_bias) {
  if (!with_bias) {
    rows->blocks->now += rows->blocks->h; // the bodies have moved
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
