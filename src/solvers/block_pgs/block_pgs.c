#include "solvers/block_pgs/block_pgs.h"

#include "math/scalar.h"

#include <string.h>

// The sweeps end without convergence if three conditions hold together.
//
// m/s: all bodies are slower than this, which is as slow as bodies that may fall asleep.
#define CREEP 1e-4
// m/s: no row's velocity changes by more than this.
#define LITTLE 1e-5
// Fraction of the allowed sweeps, plus one: the number of sweeps over which progress is measured.
#define PATIENCE 0.1
// Over that number the changes shrank to no less than this fraction.
#define STALLED 0.5

// Fraction of the tolerance by which the velocities of the rows of a manifold may miss their
// targets if they are solved together.
#define MISFIT 0.01

// A problem packed for the sweeps.
typedef struct packed_rows {
  mo_row_groups groups;
  mo_contact_lanes lanes;
  mo_velocity *changes;    // of each body, by the last sweep
  mo_velocity *directions; // of each body, for the acceleration
} packed_rows;

// --- packing ---------------------------------------------------------------------------------

// Whether a contact point continues a manifold: same bodies, same frame, same slide.
static bool continues(const mo_row_problem *problem, const mo_row_block *first,
                      const mo_row_block *block) {
  const mo_row *rows = &problem->rows[first->first_row], *more = &problem->rows[block->first_row];
  return block->point_contact && block->body_a == first->body_a && block->body_b == first->body_b &&
         block->friction == first->friction && mo_v3_equal(more->linear_b, rows->linear_b) &&
         more[1].bias == rows[1].bias && more[2].bias == rows[2].bias;
}

// Finds the manifolds, and the blocks that they take.
static uint32_t find_manifolds(const mo_row_problem *problem, mo_manifold_range *ranges,
                               bool *taken) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    taken[i] = block->point_contact;
    if (!block->point_contact) {
      continue;
    }
    mo_manifold_range *last = count > 0 ? &ranges[count - 1] : NULL;
    if (last && last->first_block + last->point_count == i && last->point_count < MO_LANE_POINTS &&
        continues(problem, &problem->blocks[last->first_block], block)) {
      last->point_count++;
    } else {
      ranges[count++] = (mo_manifold_range){.first_block = i, .point_count = 1};
    }
  }
  return count;
}

static bool pack(const mo_row_problem *problem, double tolerance, mo_ordering_cache *cache,
                 mo_arena *arena, packed_rows *out) {
  double misfit = MISFIT * tolerance;
  mo_manifold_range *ranges = MO_ARENA_TAKE_RAW(arena, mo_manifold_range, problem->block_count);
  bool *taken = MO_ARENA_TAKE_RAW(arena, bool, problem->block_count);
  *out = (packed_rows){.changes = MO_ARENA_TAKE_RAW(arena, mo_velocity, problem->body_count),
                       .directions = MO_ARENA_TAKE(arena, mo_velocity, problem->body_count)};
  if (!ranges || !taken || !out->changes || !out->directions) {
    return false;
  }
  uint32_t count = find_manifolds(problem, ranges, taken);
  return mo_row_groups_make(problem, taken, arena, &out->groups) &&
         mo_joined_groups_make(problem, cache, arena, &out->groups) &&
         mo_contact_lanes_make(problem, ranges, count, misfit, arena, &out->lanes);
}

// --- acceleration ----------------------------------------------------------------------------
//
// Sweeps alone spread information through a tower by about one body per sweep: with 20 of them a
// tower of 20 cubes falls. Nonsmooth nonlinear conjugate gradients (Silcowitz-Hansen, Niebe and
// Erleben 2010) use a sweep as the gradient of a function whose minimum is the fixed point, and
// extrapolate along conjugate directions; with them towers of 25 stand. Sweeps keep the bounds, and
// the last step is a sweep.
//
// Directions are stored twice: as impulses with the rows that own them, and as velocities of bodies
// here. So extrapolation costs only a sum over bodies.

static mo_velocity add_scaled(mo_velocity a, double s, mo_velocity b) {
  return (mo_velocity){mo_add_scaled(a.linear, s, b.linear),
                       mo_add_scaled(a.angular, s, b.angular)};
}

static mo_sweep_report sweep(packed_rows *p, uint32_t body_count, double beta, double tolerance,
                             mo_velocity *velocities) {
  for (uint32_t i = 0; i < body_count; i++) {
    p->changes[i] = velocities[i];
  }
  mo_sweep_report report = {0};
  mo_row_groups_sweep(&p->groups, beta, tolerance, velocities, &report);
  mo_contact_lanes_sweep(&p->lanes, beta, tolerance, velocities, &report);
  for (uint32_t i = 0; i < body_count; i++) {
    p->changes[i] = add_scaled(velocities[i], -1.0, p->changes[i]);
  }
  return report;
}

// Adds `beta` (Fletcher and Reeves 1964) times the direction to the velocities, and updates the
// direction; the next sweep does the same to the impulses. beta = 0 starts a new direction.
static void extrapolate(packed_rows *p, uint32_t body_count, double beta, mo_velocity *velocities) {
  mo_row_groups_leave_out_slipping(&p->groups, p->changes, p->directions);
  mo_contact_lanes_leave_out_slipping(&p->lanes, p->changes, p->directions);
  mo_velocity still = {mo_v3_zero(), mo_v3_zero()};
  for (uint32_t i = 0; i < body_count; i++) {
    mo_velocity step = add_scaled(still, beta, p->directions[i]);
    velocities[i] = add_scaled(velocities[i], 1.0, step);
    p->directions[i] = add_scaled(step, 1.0, p->changes[i]);
  }
}

// --- solve -----------------------------------------------------------------------------------

static void warm_start(packed_rows *p, const mo_row_problem *problem, mo_velocity *velocities) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    velocities[i] = (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
  memset(p->directions, 0, problem->body_count * sizeof *p->directions);
  mo_row_groups_warm_start(&p->groups, velocities);
  mo_contact_lanes_warm_start(&p->lanes, velocities);
}

// m^2/s^2
static double largest_speed_squared(const mo_row_problem *problem, const mo_velocity *velocities) {
  double largest = 0.0;
  for (uint32_t i = 0; i < problem->body_count; i++) {
    largest = mo_max(largest, mo_length_squared(velocities[i].linear));
  }
  return largest;
}

// The progress of the sweeps.
typedef struct progress {
  uint32_t patience;
  double marked_length; // mo_sweep_report.length at the last measurement
} progress;

static mo_solve_status judge(progress *p, const mo_sweep_report *report, uint32_t iterations,
                             const mo_row_problem *problem, const mo_velocity *velocities,
                             const mo_solver_settings *settings) {
  double metre = mo_solver_metre(settings), little = LITTLE * metre, creep = CREEP * metre;
  if (report->moved <= settings->tolerance) {
    return MO_SOLVE_CONVERGED;
  }
  if ((iterations - 1) % p->patience == 0) {
    bool stalled = iterations > 1 && report->length > STALLED * p->marked_length;
    p->marked_length = report->length;
    if (stalled && report->moved <= little &&
        largest_speed_squared(problem, velocities) <= creep * creep) {
      return MO_SOLVE_STALLED;
    }
  }
  return MO_SOLVE_BUDGET;
}

// Sweeps until the rows converge, stall, or have used up their iterations.
static mo_solve_result relax(packed_rows *p, const mo_row_problem *problem,
                             const mo_solver_settings *settings, mo_velocity *velocities) {
  progress so_far = {.patience = 1 + (uint32_t)(PATIENCE * settings->max_iterations)};
  mo_solve_result result = {.result = MO_OK};
  double last_length = 0.0, beta = 0.0;
  for (;;) {
    mo_sweep_report report = sweep(p, problem->body_count, beta, settings->tolerance, velocities);
    result.iterations++;
    result.status = judge(&so_far, &report, result.iterations, problem, velocities, settings);
    if (result.status != MO_SOLVE_BUDGET || result.iterations >= settings->max_iterations) {
      return result;
    }
    // The first sweep starts a direction, and so does a sweep that changed more than the one
    // before.
    bool closer = last_length > 0.0 && report.length <= last_length;
    beta = closer ? report.length / last_length : 0.0;
    extrapolate(p, problem->body_count, beta, velocities);
    last_length = report.length;
  }
}

mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities,
                                   const mo_solver_settings *settings, mo_ordering_cache *cache,
                                   mo_arena *arena) {
  packed_rows packed;
  if (!pack(problem, settings->tolerance, cache, arena, &packed)) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  warm_start(&packed, problem, velocities);
  mo_solve_result result = relax(&packed, problem, settings, velocities);
  mo_row_groups_finish(&packed.groups, problem, velocities);
  mo_contact_lanes_finish(&packed.lanes, velocities);
  for (uint32_t i = 0; i < packed.lanes.count; i++) {
    mo_manifold_lanes_write(&packed.lanes.manifolds[i], problem);
  }
  return result;
}
