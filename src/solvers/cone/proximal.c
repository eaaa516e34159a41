/// Proximal points (Rockafellar 1976) around the semismooth Newton method, for sets of contacts
/// whose impulses are not unique. On these, Newton's method alone stagnates.
///
/// Each round solves to round-off the problem with W + epsilon instead of W, and with epsilon x_k
/// subtracted from the velocities. This is a compliance that pulls towards the last point and
/// vanishes in the limit. With it the Newton matrix has no null space, however redundant the
/// contacts are. A few rounds solve the degenerate towers for which polish and sweeps end at 1e-6
/// m/s.
#include "math/scalar.h"
#include "solvers/cone/cone_methods.h"

#include <string.h>

// First compliance, of W scaled to a unit diagonal.
#define FIRST_COMPLIANCE 1e-4
// Smallest compliance: below it the matrix has its null space again.
#define COMPLIANCE_MIN 1e-10
// Largest compliance: with it rounds converge no faster than sweeps.
#define COMPLIANCE_MAX 1.0
// The most rounds.
#define ROUNDS 40
// Newton steps of a round.
#define NEWTON_STEPS 15
// Newton steps without progress after which a round ends.
#define NEWTON_PATIENCE 5
// Fraction of the error: a round that leaves more was slowed down by its compliance, which is
// reduced.
#define SLOW 0.3
// Fraction of the error: a round that leaves more ends the method if the compliance cannot be
// reduced.
#define IDLE 0.9
// Fraction of the error before it to which a round reduces its own.
#define ACCURACY 0.02
// Shift of the diagonal, for rows of open contacts.
#define SHIFT 1e-13

// Keeps state->x by its own certificate, then sets u = W x + q + epsilon (x - base).
// @return the largest error of the compliant problem, m/s
static double measure_compliant(mo_cone_state *state, const double *base, double compliance) {
  const mo_scaled_problem *problem = state->problem;
  mo_cone_measure(state, &state->run, state->x);
  for (uint32_t i = 0; i < problem->row_count; i++) {
    if (problem->scale[i] > 0.0) {
      state->u[i] += compliance * (state->x[i] - base[i]);
    }
  }
  return mo_natural_error(problem, state->x, state->u, NULL);
}

static bool compliant_step(mo_cone_state *state, double compliance) {
  const mo_scaled_problem *problem = state->problem;
  mo_newton_system *system = &state->system;
  mo_natural_map(problem, state->x, state->u, 1.0, state->f, system->a, system->b);
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_cone_block *block = &problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      for (uint32_t j = 0; j < block->row_count; j++) {
        *mo_block_entry(system->a, block->first_row, k, j) +=
            compliance * *mo_block_entry(system->b, block->first_row, k, j) +
            (k == j ? SHIFT : 0.0);
      }
      state->f[block->first_row + k] = -state->f[block->first_row + k];
    }
  }
  if (!mo_newton_factorise(system) || !mo_newton_solve(system, state->f, state->dx)) {
    return false;
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    state->x[i] += state->dx[i];
  }
  return true;
}

// Newton's method on the compliant problem, from state->x.
static bool solve_compliant(mo_cone_state *state, const double *base, double compliance,
                            double accuracy) {
  double best = INFINITY;
  int idle = 0;
  for (int step = 0; step <= NEWTON_STEPS && idle < NEWTON_PATIENCE; step++) {
    double error = measure_compliant(state, base, compliance);
    if (error <= accuracy || state->run.error <= state->tolerance) {
      return true;
    }
    idle = error < 0.5 * best ? 0 : idle + 1;
    best = mo_min(best, error);
    if (step == NEWTON_STEPS || !compliant_step(state, compliance)) {
      return false;
    }
  }
  return false;
}

double mo_cone_proximal(mo_cone_state *state, double *x, bool patient) {
  size_t bytes = state->problem->row_count * sizeof *x;
  double compliance = FIRST_COMPLIANCE, lowest = COMPLIANCE_MIN;
  mo_scaled_velocity(state->problem, x, state->u);
  double error = mo_natural_error(state->problem, x, state->u, NULL);
  for (int round = 0; round < ROUNDS && compliance <= COMPLIANCE_MAX; round++) {
    memcpy(state->x, x, bytes);
    double accuracy = mo_max(0.01 * state->tolerance, ACCURACY * error);
    bool solved = solve_compliant(state, x, compliance, accuracy);
    if (state->run.error <= state->tolerance || !mo_newton_may_factorise(&state->system)) {
      break;
    }
    if (state->run.error < SLOW * error) {
      memcpy(x, state->run.x, bytes); // the best point of the whole run
      error = state->run.error;
      continue;
    }
    if (!solved) {
      if (!patient) {
        break;
      }
      compliance *= 10.0;
      lowest = compliance;
      continue;
    }
    mo_scaled_velocity(state->problem, state->x, state->u);
    double next = mo_natural_error(state->problem, state->x, state->u, NULL);
    memcpy(x, state->x, bytes);
    if (next > IDLE * error && compliance <= lowest) {
      break;
    }
    compliance = next > SLOW * error ? mo_max(0.1 * compliance, lowest) : compliance;
    error = next;
  }
  return state->run.error;
}
