#include "solvers/cone/interior_point.h"

#include "math/scalar.h"

#include <string.h>

// Steps after which the method ends.
#define MAX_STEPS 70
// Fraction of the distance to the boundary that a step may go.
#define TO_BOUNDARY 0.99
// The same for a predictor.
#define PREDICTOR_TO_BOUNDARY 0.999
// Lower bound of the centring parameter sigma.
#define SIGMA_MIN 1e-3
// Upper bound of sigma.
#define SIGMA_MAX 0.8
// A shorter step is tried again without second-order terms, with the same factorisation.
#define SHORT_STEP 0.3
// Three steps in a row that are shorter than this end the method.
#define STALLED_STEP 0.1
// Fraction of the largest free velocity: the first polish is tried when the error is smaller.
#define FIRST_POLISH 1e-4
// The same for proximal points, in body space.
#define FIRST_PROXIMAL 3e-6

static bool take_step_memory(mo_interior_step *step, uint32_t rows, uint32_t blocks,
                             mo_arena *arena) {
  step->x = MO_ARENA_TAKE(arena, double, rows);
  step->z = MO_ARENA_TAKE(arena, double, rows);
  step->s = MO_ARENA_TAKE(arena, double, blocks);
  step->z_upper = MO_ARENA_TAKE(arena, double, blocks);
  return step->x && step->z && step->s && step->z_upper;
}

mo_result mo_interior_point_create(mo_interior_point *ip, mo_cone_state *state, mo_arena *arena) {
  uint32_t rows = state->problem->row_count, blocks = state->problem->block_count;
  *ip = (mo_interior_point){.state = state};
  double **of_rows[] = {&ip->x,       &ip->z,     &ip->r2, &ip->affine,
                        &ip->right_z, &ip->right, &ip->y,  &ip->wy};
  double **of_blocks[] = {&ip->s, &ip->z_upper, &ip->r4, &ip->affine_upper, &ip->right_upper};
  bool taken = true;
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) {
    *of_rows[i] = MO_ARENA_TAKE(arena, double, rows);
    taken = taken && *of_rows[i];
  }
  for (size_t i = 0; i < sizeof of_blocks / sizeof *of_blocks; i++) {
    *of_blocks[i] = MO_ARENA_TAKE(arena, double, blocks);
    taken = taken && *of_blocks[i];
  }
  ip->direction = MO_ARENA_TAKE(arena, double, 2 * (size_t)blocks);
  taken = taken && ip->direction && take_step_memory(&ip->step, rows, blocks, arena) &&
          take_step_memory(&ip->other, rows, blocks, arena);
  return taken ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// Solves for the step towards products equal to target e - correction affine.
static bool find_step(mo_interior_point *ip, mo_interior_step *step, double target,
                      double correction) {
  mo_interior_right(ip, target, correction);
  if (!mo_newton_solve(&ip->state->system, ip->right, ip->y)) {
    return false;
  }
  mo_scaled_apply(ip->state->problem, ip->y, ip->wy);
  mo_interior_expand(ip, step);
  return true;
}

// The part of a step that stays inside and keeps the products close together.
static double step_length(const mo_interior_point *ip, const mo_interior_step *step,
                          double centrality, double present) {
  double length = mo_min(1.0, TO_BOUNDARY * mo_interior_max_step(ip, step));
  for (int cut = 0; cut < 12; cut++) {
    double smallest, mean = mo_interior_products(ip, step, length, &smallest);
    if (smallest >= centrality * mean || smallest >= present) {
      break;
    }
    length *= 0.8;
  }
  return length;
}

// Sets sigma by Mehrotra's rule from the predictor, whose second-order terms are kept.
static bool predict(mo_interior_point *ip, double *sigma, double *correction) {
  if (!find_step(ip, &ip->step, 0.0, 0.0)) {
    return false;
  }
  double part = mo_min(1.0, PREDICTOR_TO_BOUNDARY * mo_interior_max_step(ip, &ip->step));
  double smallest, mean = mo_interior_products(ip, &ip->step, part, &smallest);
  double ratio = mo_max(mean, 0.0) / ip->tau;
  *sigma = mo_clamp(ratio < 1.0 ? ratio * ratio * ratio : 1.0, SIGMA_MIN, SIGMA_MAX);
  if (part < STALLED_STEP) {
    *sigma = mo_max(*sigma, 0.5);
  }
  *correction = part * part;
  mo_interior_keep_affine(ip, &ip->step);
  return true;
}

// Sets the corrector step in ip->step, or the one without second-order terms if that is longer.
static bool choose_step(mo_interior_point *ip, double centrality) {
  double sigma, correction, present;
  if (!predict(ip, &sigma, &correction)) {
    return false;
  }
  mo_interior_products(ip, &ip->step, 0.0, &present);
  if (!find_step(ip, &ip->step, sigma * ip->tau, correction)) {
    return false;
  }
  ip->step.length = step_length(ip, &ip->step, centrality, present);
  if (ip->step.length >= SHORT_STEP) {
    return true;
  }
  double trials[2] = {sigma, mo_max(sigma, SIGMA_MAX)};
  for (int i = 0; i < 2; i++) {
    if (!find_step(ip, &ip->other, trials[i] * ip->tau, 0.0)) {
      continue;
    }
    ip->other.length = step_length(ip, &ip->other, centrality, present);
    if (ip->other.length > 1.5 * ip->step.length) {
      mo_interior_step kept = ip->step;
      ip->step = ip->other;
      ip->other = kept;
    }
  }
  return true;
}

// The step of this point in ip->step.
static bool find_direction(mo_interior_point *ip, double centrality) {
  mo_newton_system *system = &ip->state->system;
  mo_interior_matrices(ip);
  system->compliance = MO_COMPLIANCE_OF_INTERIOR;
  bool found = mo_newton_factorise(system) && choose_step(ip, centrality);
  system->compliance = MO_COMPLIANCE_OF_MAPS;
  return found;
}

// The last digits from the present point. In body space the contacts of heaps are redundant: there
// proximal points find the digits from 1e-6 m/s downwards, and the polish rarely does.
static double finish(mo_interior_point *ip) {
  mo_cone_state *state = ip->state;
  mo_interior_point_of(ip, ip->y); // the polish works in state->x
  return state->system.backend == MO_NEWTON_BODY ? mo_cone_proximal(state, ip->y, false)
                                                 : mo_cone_polish(state, ip->y, 2);
}

static void take_step(mo_interior_point *ip) {
  const mo_scaled_problem *problem = ip->state->problem;
  double part = ip->step.length;
  for (uint32_t i = 0; i < problem->row_count; i++) {
    ip->x[i] += part * ip->step.x[i];
    ip->z[i] += part * ip->step.z[i];
  }
  for (uint32_t i = 0; i < problem->block_count; i++) {
    ip->s[i] += part * ip->step.s[i];
    ip->z_upper[i] += part * ip->step.z_upper[i];
  }
}

// Computes the residuals at the present point.
// @return its certificate
static double evaluate(mo_interior_point *ip) {
  mo_cone_state *state = ip->state;
  mo_interior_point_of(ip, state->x);
  double error = mo_cone_measure(state, &state->run, state->x);
  mo_interior_residuals(ip, state->u);
  return error;
}

// Keeps the point for the continuation if it is near the path: a long step led to it, and the
// velocities match.
static void keep_on_trail(mo_interior_point *ip) {
  mo_interior_trail *trail = ip->trail;
  double worst = 0.0;
  for (uint32_t i = 0; i < ip->state->problem->row_count; i++) {
    worst = mo_max(worst, fabs(ip->r2[i]));
  }
  if (!trail || ip->step.length <= SHORT_STEP || worst >= 1e-2 * ip->size ||
      trail->count == trail->capacity) {
    return;
  }
  double smallest;
  size_t rows = ip->state->problem->row_count;
  mo_interior_point_of(ip, trail->x + trail->count * rows);
  trail->tau[trail->count++] = mo_interior_products(ip, &ip->step, 0.0, &smallest);
}

static void iterate(mo_interior_point *ip, double centrality) {
  mo_cone_state *state = ip->state;
  bool body = state->system.backend == MO_NEWTON_BODY;
  double next_polish = (body ? FIRST_PROXIMAL : FIRST_POLISH) * state->problem->speed;
  int stalled = 0;
  for (int k = 0; k < MAX_STEPS && stalled < 3; k++) {
    double error = evaluate(ip);
    if (state->run.error <= state->tolerance || !mo_is_finite(error)) {
      return;
    }
    if (error < next_polish && k > 4) {
      next_polish = 0.1 * error;
      if (finish(ip) <= state->tolerance) {
        return;
      }
    }
    if (!find_direction(ip, centrality)) {
      return;
    }
    take_step(ip);
    keep_on_trail(ip);
    stalled = ip->step.length < STALLED_STEP ? stalled + 1 : 0;
    // Below the round-off of the energy no further progress is possible.
    if (ip->tau < 1e-21 * ip->size * ip->size) {
      return;
    }
  }
}

void mo_interior_point_solve(mo_interior_point *ip, mo_interior_options options) {
  mo_cone_state *state = ip->state;
  mo_interior_begin(ip, options);
  if (ip->product_count > 0 && ip->size > 0.0) {
    iterate(ip, options.centrality);
  }
  if (mo_is_finite(state->run.error) && state->run.error > state->tolerance) {
    if (state->system.backend == MO_NEWTON_DENSE) {
      mo_cone_polish(state, state->run.x, 4);
    }
  }
}
