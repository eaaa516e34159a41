#include "solvers/substep/substep_rows.h"

#include "math/scalar.h"
#include "solvers/substep/joint_softness.h"

// Fraction of the diagonal below which a pivot belongs to a redundant row, which gives no impulse.
#define LEAST_PIVOT 1e-9

// The data of a row for the sweeps.
typedef struct substep_row {
  mo_velocity push_a, push_b; // M^-1 J^T
  double rate;                // J v + rate is the rate of change of the row's C; m/s
  double law_bias;            // bias of the row's own law, without the part that closes a gap; m/s
  double softening;           // per impulse of a substep, 1/kg
  double mobility;            // J M^-1 J^T + softening; of a cone's tangents the larger eigenvalue
  double impulse, total;      // of this substep; over the step
} substep_row;

typedef struct substep_block {
  const mo_row_block *block;
  uint32_t body_a, body_b; // indices of mo_solver_body
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

// J_p M^-1 J_q^T
MO_APART double coupling(const mo_row *p, const substep_row *q) {
  return mo_row_velocity(p, &q->push_a, &q->push_b);
}

static substep_row make_row(const mo_row *row, const mo_row_block *block, uint32_t index,
                            const mo_row_body *a, const mo_row_body *b, double dt,
                            double substeps) {
  substep_row out = {.law_bias = row->bias,
                     .softening = substeps * row->softening,
                     .impulse = row->impulse / substeps};
  if (may_open(block, index) && row->gap > 0.0) {
    out.law_bias -= row->gap / dt;
  }
  mo_row_apply(row, 1.0, a, &out.push_a, b, &out.push_b);
  out.mobility = coupling(row, &out) + out.softening;
  return out;
}

static void make_block(mo_substep_rows *rows, uint32_t index, double substeps) {
  const mo_row_problem *problem = rows->problem;
  const mo_row_block *block = &problem->blocks[index];
  substep_block *out = &rows->blocks->blocks[index];
  out->block = block;
  out->body_a = rows->bodies[block->body_a];
  out->body_b = rows->bodies[block->body_b];
  mo_row_body a = pushed_body(rows, block->body_a), b = pushed_body(rows, block->body_b);
  const mo_row *source = &problem->rows[block->first_row];
  substep_row *target = &rows->blocks->rows[block->first_row];
  for (uint32_t i = 0; i < block->row_count; i++) {
    target[i] = make_row(&source[i], block, i, &a, &b, problem->dt, substeps);
    for (uint32_t j = 0; j <= i && block->bound == MO_BOUND_BILATERAL; j++) {
      out->factor[i][j] = i == j ? target[i].mobility : coupling(&source[i], &target[j]);
    }
  }
  if (block->bound == MO_BOUND_BILATERAL) {
    factorise(out->factor, block->row_count);
  } else if (block->bound == MO_BOUND_CONE) {
    double p = target[1].mobility, q = target[2].mobility;
    double cross = coupling(&source[1], &target[2]);
    double largest = 0.5 * (p + q + sqrt((p - q) * (p - q) + 4.0 * cross * cross));
    target[1].mobility = target[2].mobility = largest;
  }
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
  if (!blocks->blocks || !blocks->rows) {
    return false;
  }
  double substeps = step->settings.substeps;
  blocks->soft = mo_joint_softness_of(&step->settings);
  blocks->rigid = mo_joint_softness_rigid(&step->settings);
  blocks->h = step->settings.dt / substeps;
  blocks->share = 1.0 / substeps;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    make_block(rows, i, substeps);
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
  mo_velocity a, b;
  mo_velocity displacement_a, displacement_b;
  const struct mo_substep_row_blocks *all;
  bool with_bias;
} visit;

MO_APART void apply(visit *v, uint32_t i, double change) {
  v->states[i].impulse += change;
  push(&v->a, &v->states[i].push_a, change);
  push(&v->b, &v->states[i].push_b, change);
}

// The present value of C, by the Jacobian of the start of the step.
static double error_now(const visit *v, uint32_t i) {
  return v->rows[i].gap + mo_row_velocity(&v->rows[i], &v->displacement_a, &v->displacement_b) +
         v->states[i].law_bias * v->all->now;
}

// The velocity that a row lacks, and the softness with which it is corrected.
MO_APART double missing_velocity(const visit *v, uint32_t i, const mo_joint_softness **softness) {
  const mo_row_block *block = v->block->block;
  const substep_row *state = &v->states[i];
  *softness = &v->all->rigid;
  double w = mo_row_velocity(&v->rows[i], &v->a, &v->b) + state->law_bias +
             state->softening * state->impulse;
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
  return (visit){.block = block,
                 .rows = &rows->problem->rows[first],
                 .states = &rows->blocks->rows[first],
                 .a = velocity_of(&step->bodies[block->body_a]),
                 .b = velocity_of(&step->bodies[block->body_b]),
                 .displacement_a = displacement_of(&step->bodies[block->body_a]),
                 .displacement_b = displacement_of(&step->bodies[block->body_b]),
                 .all = rows->blocks};
}

static void end_visit(const visit *v, mo_substep_solver *step) {
  set_velocity(step, v->block->body_a, &v->a);
  set_velocity(step, v->block->body_b, &v->b);
}

void mo_substep_rows_warm_start(mo_substep_rows *rows, mo_substep_solver *step) {
  for (uint32_t k = 0; k < rows->problem->block_count; k++) {
    visit v = visit_of(rows, step, k);
    for (uint32_t i = 0; i < v.block->block->row_count; i++) {
      push(&v.a, &v.states[i].push_a, v.states[i].impulse);
      push(&v.b, &v.states[i].push_b, v.states[i].impulse);
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
