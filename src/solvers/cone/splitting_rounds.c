/// The rounds of splitting: what a step can have that cannot pay for Newton's method.
#include "math/scalar.h"
#include "solvers/cone/splitting.h"

#include <string.h>

// Iterations of the first round, their growth, and where it ends.
#define FIRST_ROUND 20.0
#define GROWTH 1.3
#define LONGEST_ROUND 60.0
// Sweeps after a round: they take out what is rough in the error, which splitting leaves.
#define SWEEPS_AFTER 3
// Rounds at most, and those without a gain.
#define ROUNDS 12u
#define ROUNDS_OF_RICH 3u
#define IDLE_ROUNDS 4u
// A round gains if it leaves less than this part of the least residual.
#define GAIN 0.7
// As MO_NEAR, where the step can pay for many factorisations.
#define NEAR_OF_RICH 1e-4

typedef struct rounds {
  mo_cone_state *state;
  mo_splitting splitting;
  double *swept; // workspace
  bool is_rich;
  double tried;  // error from which Newton's method was tried last
  double least;  // length of the natural map
  uint32_t idle; // rounds without a gain
} rounds;

static bool is_done(const rounds *r) { return r->state->run.error <= r->state->tolerance; }

// Newton's method from y. What it gains is where the splitting goes on.
static void try_newton(rounds *r, double error, double length) {
  mo_cone_state *state = r->state;
  double near = (r->is_rich ? NEAR_OF_RICH : MO_NEAR) * state->problem->speed;
  if (!(error < near) || !(error < 0.5 * r->tried || r->is_rich)) {
    return;
  }
  r->tried = error;
  mo_semismooth_options options = {
      .r = 1.0 / MO_SPLITTING_RHO, .compliant = true, .max_steps = 6, .patience = 2};
  mo_cone_semismooth(state, r->splitting.y, options);
  r->splitting.is_factorised = false;
  if (!is_done(r) && state->run.length < 0.5 * length) {
    mo_splitting_start(&r->splitting, state->run.x);
  }
}

// Returns whether there is work for another round.
static bool run_round(rounds *r, uint32_t count) {
  mo_cone_state *state = r->state;
  double sweeps_work = SWEEPS_AFTER * state->system.sweep_cost * state->system.unit;
  uint32_t made = mo_splitting_run(&r->splitting, count, sweeps_work);
  if (made == 0) {
    return false;
  }
  mo_cone_point y = {.x = r->swept};
  mo_cone_forget(&y);
  double error = mo_cone_measure(state, &y, r->splitting.y), length = y.length;
  mo_cone_keep(state, &state->run, &y);
  mo_cone_sweep(state, r->swept, SWEEPS_AFTER);
  if (is_done(r) || made < count) {
    return false;
  }
  try_newton(r, error, length);
  r->idle = length < GAIN * r->least ? 0 : r->idle + 1;
  r->least = mo_min(r->least, length);
  return !is_done(r) && r->idle < IDLE_ROUNDS;
}

mo_result mo_cone_split(mo_cone_state *state, const double *x, mo_arena *arena) {
  rounds r = {.state = state,
              .swept = MO_ARENA_TAKE(arena, double, state->problem->row_count),
              .is_rich = mo_newton_affords(&state->system, MO_RICH),
              .tried = INFINITY,
              .least = INFINITY};
  if (!r.swept || mo_splitting_create(&r.splitting, state, arena) != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_splitting_start(&r.splitting, x);
  double count = FIRST_ROUND;
  uint32_t most = r.is_rich ? ROUNDS_OF_RICH : ROUNDS;
  for (uint32_t round = 0; round < most && run_round(&r, (uint32_t)count); round++) {
    count = mo_min(GROWTH * count, LONGEST_ROUND);
  }
  return MO_OK;
}
