/// Semismooth Newton method on the natural map, for warm starts and for the last digits of all
/// other methods.
#include "math/scalar.h"
#include "solvers/cone/cone_methods.h"

#include <string.h>

// Shift of the diagonal that keeps redundant contacts from a zero pivot.
#define FIXED_SHIFT 1e-12
// The adaptive shift, as a fraction of the largest residual.
#define ADAPTIVE_SHIFT 1e-2
// Lower bound of the adaptive shift.
#define ADAPTIVE_SHIFT_MIN 1e-13
// Upper bound of the adaptive shift.
#define ADAPTIVE_SHIFT_MAX 1e-5
// The compliance of W scaled to a unit diagonal, per m/s of the certificate, and at least.
#define COMPLIANCE 1e-3
#define LEAST_COMPLIANCE 1e-4

void mo_cone_keep(const mo_cone_state *state, mo_cone_point *best, const mo_cone_point *point) {
  bool is_outside = point->error > state->tolerance && best->error > state->tolerance;
  if (is_outside ? point->length < best->length : point->error < best->error) {
    best->error = point->error;
    best->length = point->length;
    memcpy(best->x, point->x, state->problem->row_count * sizeof *point->x);
  }
}

double mo_cone_measure(mo_cone_state *state, mo_cone_point *best, const double *x) {
  double length;
  mo_scaled_velocity(state->problem, x, state->u);
  double error = mo_natural_error(state->problem, x, state->u, &length);
  mo_cone_point point = {.x = (double *)x, .error = error, .length = length};
  mo_cone_keep(state, best, &point);
  return error;
}

static double measure(mo_cone_state *state) {
  return mo_cone_measure(state, &state->run, state->x);
}

// Adds B compliance to A.
static void add_compliance(mo_cone_state *state, double compliance) {
  mo_newton_system *system = &state->system;
  for (uint32_t i = 0; i < state->problem->block_count; i++) {
    const mo_cone_block *block = &state->problem->blocks[i];
    for (uint32_t k = 0; block->kind != MO_CONE_LINEAR && k < block->row_count; k++) {
      for (uint32_t j = 0; j < block->row_count; j++) {
        *mo_block_entry(system->a, block->first_row, k, j) +=
            compliance * *mo_block_entry(system->b, block->first_row, k, j);
      }
    }
  }
}

// x += dx with (A + B (W + compliance) + shift) dx = -F. Returns false if the step is useless.
static bool newton_step(mo_cone_state *state, double r, bool adaptive, double compliance) {
  uint32_t n = state->problem->row_count;
  mo_newton_system *system = &state->system;
  double worst =
      mo_natural_map(state->problem, state->x, state->u, r, state->f, system->a, system->b);
  double shift = adaptive ? mo_clamp(ADAPTIVE_SHIFT * worst, ADAPTIVE_SHIFT_MIN, ADAPTIVE_SHIFT_MAX)
                          : FIXED_SHIFT;
  for (uint32_t i = 0; i < state->problem->block_count; i++) {
    const mo_cone_block *block = &state->problem->blocks[i];
    for (uint32_t k = 0; k < block->row_count; k++) {
      *mo_block_entry(system->a, block->first_row, k, k) += shift;
    }
  }
  if (compliance > 0.0) {
    add_compliance(state, compliance);
  }
  for (uint32_t i = 0; i < n; i++) {
    state->f[i] = -state->f[i];
  }
  if (!mo_newton_factorise(system) || !mo_newton_solve(system, state->f, state->dx)) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    state->x[i] += state->dx[i];
  }
  return true;
}

double mo_cone_semismooth(mo_cone_state *state, const double *start,
                          mo_semismooth_options options) {
  if (start != state->x) {
    memcpy(state->x, start, state->problem->row_count * sizeof *start);
  }
  double best = measure(state);
  uint32_t idle = 0;
  // One more step below the tolerance: in the quadratic phase it adds several digits.
  bool last = false;
  for (uint32_t step = 0; step < options.max_steps && best > 0.1 * state->tolerance && !last;
       step++) {
    last = best <= state->tolerance;
    double compliance = options.compliant ? mo_max(LEAST_COMPLIANCE, COMPLIANCE * best) : 0.0;
    if (!newton_step(state, options.r, options.adaptive, compliance)) {
      break;
    }
    double error = measure(state);
    idle = error < 0.5 * best ? 0 : idle + 1;
    best = mo_min(best, error);
    if (idle >= options.patience) {
      break;
    }
  }
  return best;
}

double mo_cone_polish(mo_cone_state *state, const double *start, uint32_t variants) {
  static const mo_semismooth_options options[] = {
      {.r = 1.0, .adaptive = false, .max_steps = 8, .patience = 3},
      {.r = 1.0, .adaptive = true, .max_steps = 8, .patience = 3},
      {.r = 10.0, .adaptive = false, .max_steps = 10, .patience = 3},
      {.r = 10.0, .adaptive = true, .max_steps = 10, .patience = 3},
  };
  double best = INFINITY;
  for (uint32_t i = 0; i < variants && best > state->tolerance; i++) {
    best = mo_min(best, mo_cone_semismooth(state, start, options[i]));
  }
  return best;
}
