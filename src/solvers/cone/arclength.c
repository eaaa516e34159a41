#include "solvers/cone/arclength.h"

#include "math/scalar.h"
#include "solvers/linear/dense_kernels.h"

#include <string.h>

// Points of the interior point method that are kept as starts. All figures here were tested on
// RockPile_tob1 of FCLib.
#define TRAIL_POINTS 70
// Starts that are tried, from the last point backwards.
#define STARTS 12
// Relative error of x o z = tau^2 e at which a start is on the path.
#define START_ACCURACY 1e-2
// Newton steps at fixed tau to get there.
#define START_STEPS 10
// Arclength of the first step.
#define FIRST_STEP 0.1
// Largest arclength of a step.
#define LONGEST_STEP 2.0
// The continuation ends when a step must be shorter than this.
#define SHORTEST_STEP 1e-5
// Relative error of x o z = tau^2 e at which a corrector ends.
#define CORRECTOR_ACCURACY 0.2
// Newton steps after which a corrector fails.
#define CORRECTOR_STEPS 5
// Fraction of the step by which a corrector may move its point: further away there is another
// branch.
#define CORRECTOR_REACH 0.4
// The same for the last correction, with the new tangent.
#define LAST_CORRECTION 0.15
// Relative error at which a point counts as on the path.
#define CENTRED 1e-3
// Newton steps that move the base point onto the path again.
#define CENTRING_STEPS 5
// m/s: the polish is tried when the certificate is below this.
#define POLISH_ERROR 1e-2
// Factor by which the certificate must have decreased before it is tried again.
#define POLISH_AGAIN 0.3

typedef struct continuation {
  mo_cone_state *state;
  uint32_t n;
  const double *delassus;
  mo_dense_lu lu; ///< of the bordered matrix, n + 1 rows
  int sign;       ///< of its determinant
  double first_tau;
  double *point; ///< x, and lambda = ln(tau / first_tau) at the end: the base of the step
  double *trial;
  double *tangent, *next_tangent;
  double *correction;
  double *weights, *trial_weights; ///< the metric at the base and at the trial point
  double *u, *f, *rate;
  double step;
} continuation;

// e^x for the small x of a path, to 1e-12: libm's results differ between systems.
static double exponential(double x) {
  double y = x / 1024.0, sum = 1.0;
  for (int k = 6; k > 0; k--) {
    sum = 1.0 + sum * y / k;
  }
  for (int k = 0; k < 10; k++) {
    sum *= sum;
  }
  return sum;
}

static double tau_at(const continuation *c, const double *point) {
  return c->first_tau * exponential(point[c->n]);
}

// --- the bordered system ------------------------------------------------------------------------

// F and its derivatives at a point.
// @return the largest relative error of x o z = tau^2 e
static double evaluate(continuation *c, const double *point) {
  const mo_scaled_problem *problem = c->state->problem;
  double tau = tau_at(c, point), worst = 0.0;
  mo_scaled_velocity(problem, point, c->u);
  mo_smoothed_map(problem, point, c->u, tau, c->f, c->state->system.a, c->state->system.b, c->rate);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    const double *f = c->f + block->first_row;
    double sum = 0.0;
    for (uint32_t k = 0; k < block->row_count; k++) {
      sum += f[k] * f[k];
    }
    double error = sqrt(sum) * mo_smoothed_weight(block, point + block->first_row,
                                                  c->u + block->first_row, tau);
    worst = error <= worst ? worst : error;
  }
  return worst;
}

// w = 1 / (blocks (tau^2 + |x|^2)). With these weights internal stress moves x by its own size, not
// by tau.
static void find_weights(const continuation *c, const double *point, double *weights) {
  const mo_scaled_problem *problem = c->state->problem;
  double tau = tau_at(c, point);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    double mu = mo_lorentz_friction(block);
    double w = 1.0 / (problem->block_count *
                      (tau * tau + mo_smoothed_size(block, point + block->first_row)));
    for (uint32_t k = 0; k < block->row_count; k++) {
      weights[block->first_row + k] = k == 0 ? mu * mu * w : w;
    }
  }
  weights[c->n] = 1.0;
}

static double inner(const continuation *c, const double *weights, const double *x,
                    const double *y) {
  double sum = 0.0;
  for (uint32_t i = 0; i <= c->n; i++) {
    sum += weights[i] * x[i] * y[i];
  }
  return sum;
}

static void form_rows(continuation *c, const mo_cone_block *block) {
  mo_newton_system *system = &c->state->system;
  for (uint32_t k = 0; k < block->row_count; k++) {
    double *out = c->lu.matrix + (block->first_row + k) * c->lu.stride;
    memset(out, 0, c->n * sizeof *out);
    for (uint32_t j = 0; j < block->row_count; j++) {
      uint32_t column = block->first_row + j;
      double b = *mo_block_entry(system->b, block->first_row, k, j);
      mo_dense_add_scaled(out, b, c->delassus + (size_t)column * c->n, c->n);
      out[column] += *mo_block_entry(system->a, block->first_row, k, j) +
                     b * system->problem->softening[column];
    }
    out[c->n] = c->rate[block->first_row + k];
  }
}

// Factorises [dF/dx dF/dlambda; (w t)^T] at the last evaluated point. A null tangent keeps lambda
// fixed.
static bool factorise(continuation *c, const double *weights, const double *tangent) {
  const mo_scaled_problem *problem = c->state->problem;
  if (!mo_newton_may_factorise(&c->state->system)) {
    return false;
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    form_rows(c, &problem->blocks[i]);
  }
  double *border = c->lu.matrix + c->n * c->lu.stride;
  for (uint32_t i = 0; i <= c->n; i++) {
    border[i] = tangent ? weights[i] * tangent[i] : i == c->n ? 1.0 : 0.0;
  }
  c->state->system.factorisations++;
  if (!mo_dense_lu_factorise(&c->lu)) {
    return false;
  }
  c->sign = mo_dense_lu_determinant_sign(&c->lu);
  return true;
}

// The Newton step for F at the last evaluated point, perpendicular to the tangent.
static void correct(continuation *c) {
  for (uint32_t i = 0; i < c->n; i++) {
    c->correction[i] = -c->f[i];
  }
  c->correction[c->n] = 0.0;
  mo_dense_lu_solve(&c->lu, c->correction);
}

// The unit tangent of the path, in the direction of the border's.
static void find_tangent(continuation *c, const double *weights, double *tangent) {
  memset(tangent, 0, c->n * sizeof *tangent);
  tangent[c->n] = 1.0;
  mo_dense_lu_solve(&c->lu, tangent);
  double length = sqrt(inner(c, weights, tangent, tangent));
  for (uint32_t i = 0; i <= c->n; i++) {
    tangent[i] /= length;
  }
}

// --- start --------------------------------------------------------------------------------------

static double merit(continuation *c, const double *scales) {
  double sum = 0.0;
  for (uint32_t i = 0; i < c->n; i++) {
    sum += mo_square(c->f[i] * scales[i]);
  }
  return sqrt(sum);
}

static void find_scales(const continuation *c, double *scales) {
  const mo_scaled_problem *problem = c->state->problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    double w = mo_smoothed_weight(block, c->point + block->first_row, c->u + block->first_row,
                                  tau_at(c, c->point));
    for (uint32_t k = 0; k < block->row_count; k++) {
      scales[block->first_row + k] = w;
    }
  }
}

// Damped Newton at fixed tau from c->point.
static bool centre(continuation *c) {
  double *scales = c->trial_weights;
  for (int step = 0; step < START_STEPS; step++) {
    if (evaluate(c, c->point) <= START_ACCURACY) {
      return true;
    }
    find_scales(c, scales);
    double before = merit(c, scales), part = 1.0;
    if (!factorise(c, NULL, NULL)) {
      return false;
    }
    correct(c);
    for (int cut = 0; cut < 12; cut++, part *= 0.5) {
      memcpy(c->trial, c->point, (c->n + 1) * sizeof *c->trial);
      mo_dense_add_scaled(c->trial, part, c->correction, c->n);
      evaluate(c, c->trial);
      if (merit(c, scales) <= (1.0 - 1e-3 * part) * before) {
        break;
      }
    }
    memcpy(c->point, c->trial, (c->n + 1) * sizeof *c->trial);
  }
  return false;
}

static bool start(continuation *c, const mo_interior_trail *trail) {
  static const double factors[2] = {1.0, 3.0};
  for (uint32_t i = 0; i < STARTS && 2 * i < trail->count; i++) {
    uint32_t index = trail->count - 1 - 2 * i;
    for (int k = 0; k < 2; k++) {
      memcpy(c->point, trail->x + (size_t)index * c->n, c->n * sizeof *c->point);
      c->point[c->n] = 0.0;
      c->first_tau = sqrt(trail->tau[index]) * factors[k];
      if (centre(c)) {
        return true;
      }
    }
  }
  return false;
}

// --- steps --------------------------------------------------------------------------------------

typedef struct corrector_result {
  bool accepted;
  int evaluations;
  double moved; ///< sum of the lengths of the corrections
  double error;
} corrector_result;

// Moves the trial point onto the path.
static corrector_result run_corrector(continuation *c) {
  corrector_result r = {0};
  double before = INFINITY;
  for (int k = 0; k <= CORRECTOR_STEPS; k++) {
    double change = c->trial[c->n] - c->point[c->n];
    if (!(fabs(change) <= 6.0)) {
      return r;
    }
    r.error = evaluate(c, c->trial);
    r.evaluations++;
    if (r.error < (k == 0 ? 0.1 : 1.0) * CORRECTOR_ACCURACY) {
      r.accepted = true;
      return r;
    }
    if (k == CORRECTOR_STEPS || !(r.error <= 1e4) || (k >= 2 && r.error > before) ||
        !factorise(c, c->weights, c->tangent)) {
      return r;
    }
    before = r.error;
    correct(c);
    r.moved += sqrt(inner(c, c->weights, c->correction, c->correction));
    if (!(r.moved <= CORRECTOR_REACH * c->step)) {
      return r;
    }
    mo_dense_add_scaled(c->trial, 1.0, c->correction, c->n + 1);
  }
  return r;
}

// Computes the tangent at the trial point, and a last correction. The determinant must have the
// sign of the start: another sign means a jump to the reverse branch of the path.
static bool confirm(continuation *c, int sign, double error) {
  find_weights(c, c->trial, c->trial_weights);
  if (!factorise(c, c->trial_weights, c->tangent)) {
    return false;
  }
  find_tangent(c, c->trial_weights, c->next_tangent);
  double cosine = inner(c, c->trial_weights, c->next_tangent, c->tangent) /
                  sqrt(inner(c, c->trial_weights, c->tangent, c->tangent));
  correct(c);
  double moved = sqrt(inner(c, c->trial_weights, c->correction, c->correction));
  if (c->sign != sign || !(moved <= LAST_CORRECTION * c->step) || !(cosine > 0.5)) {
    return false;
  }
  mo_dense_add_scaled(c->trial, 1.0, c->correction, c->n + 1);
  if (!(evaluate(c, c->trial) <= mo_max(error, CENTRED))) {
    mo_dense_add_scaled(c->trial, -1.0, c->correction, c->n + 1);
  }
  return true;
}

// Applies Newton's method to the base point itself, and renews its tangent.
static bool recentre(continuation *c) {
  memcpy(c->trial, c->point, (c->n + 1) * sizeof *c->trial);
  for (int k = 0; k < CENTRING_STEPS; k++) {
    double error = evaluate(c, c->trial);
    if (k > 0 && error < CENTRED) {
      break;
    }
    if (!factorise(c, c->weights, c->tangent)) {
      return false;
    }
    correct(c);
    mo_dense_add_scaled(c->trial, 1.0, c->correction, c->n + 1);
  }
  memcpy(c->point, c->trial, (c->n + 1) * sizeof *c->trial);
  find_weights(c, c->point, c->weights);
  find_tangent(c, c->weights, c->next_tangent);
  double same = inner(c, c->weights, c->next_tangent, c->tangent) > 0.0 ? 1.0 : -1.0;
  for (uint32_t i = 0; i <= c->n; i++) {
    c->tangent[i] = same * c->next_tangent[i];
  }
  return true;
}

// One step along the path, shortened until it succeeds.
static bool advance(continuation *c, int sign) {
  bool recentred = false;
  corrector_result r;
  for (;;) {
    memcpy(c->trial, c->point, (c->n + 1) * sizeof *c->trial);
    mo_dense_add_scaled(c->trial, c->step, c->tangent, c->n + 1);
    r = run_corrector(c);
    if (r.accepted && confirm(c, sign, r.error)) {
      break;
    }
    c->step *= 0.4;
    if (c->step < SHORTEST_STEP || !mo_newton_may_factorise(&c->state->system) ||
        (!recentred && !recentre(c))) {
      return false;
    }
    recentred = true;
  }
  double *kept = c->point;
  c->point = c->trial;
  c->trial = kept;
  kept = c->tangent;
  c->tangent = c->next_tangent;
  c->next_tangent = kept;
  find_weights(c, c->point, c->weights);
  if (r.evaluations <= 3) {
    c->step *= r.moved < 0.1 * c->step ? 2.0 : 1.3;
  } else if (r.evaluations >= 5) {
    c->step *= 0.8;
  }
  c->step = mo_min(mo_min(c->step, LONGEST_STEP), 4.0 / mo_max(fabs(c->tangent[c->n]), 1e-9));
  return true;
}

static void follow(continuation *c) {
  mo_cone_state *state = c->state;
  double first = c->point[c->n], polished = INFINITY;
  find_weights(c, c->point, c->weights);
  memset(c->tangent, 0, c->n * sizeof *c->tangent);
  c->tangent[c->n] = -1.0;
  evaluate(c, c->point);
  if (!factorise(c, c->weights, c->tangent)) {
    return;
  }
  find_tangent(c, c->weights, c->next_tangent);
  memcpy(c->tangent, c->next_tangent, (c->n + 1) * sizeof *c->tangent);
  int sign = c->sign;
  c->step = FIRST_STEP;
  while (state->run.error > state->tolerance && c->point[c->n] <= first + 2.0 && advance(c, sign)) {
    mo_scaled_velocity(state->problem, c->point, c->u);
    double error = mo_cone_measure(state, &state->run, c->point);
    if (error < POLISH_ERROR && error < POLISH_AGAIN * polished) {
      polished = error;
      mo_cone_polish(state, c->point, 4);
    }
  }
}

// --- entry --------------------------------------------------------------------------------------

mo_result mo_interior_trail_create(mo_interior_trail *trail, uint32_t row_count, mo_arena *arena) {
  *trail = (mo_interior_trail){.capacity = TRAIL_POINTS};
  trail->x = MO_ARENA_TAKE_RAW(arena, double, (size_t)TRAIL_POINTS *row_count);
  trail->tau = MO_ARENA_TAKE(arena, double, TRAIL_POINTS);
  return trail->x && trail->tau ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

mo_result mo_cone_continue(mo_cone_state *state, const mo_interior_trail *trail, mo_arena *arena) {
  continuation c = {.state = state, .n = state->problem->row_count};
  double **vectors[] = {&c.point,      &c.trial,   &c.tangent,       &c.next_tangent,
                        &c.correction, &c.weights, &c.trial_weights, &c.u,
                        &c.f,          &c.rate};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = MO_ARENA_TAKE(arena, double, c.n + (size_t)1);
    if (!*vectors[i]) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  c.delassus = mo_newton_delassus(&state->system);
  if (!c.delassus || !mo_dense_lu_create(&c.lu, c.n + 1, arena)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (start(&c, trail)) {
    follow(&c);
  }
  return MO_OK;
}
