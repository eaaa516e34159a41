#include "solvers/block_pgs.h"

#include "math/scalar.h"
#include "solvers/contact_lanes.h"
#include "solvers/row_groups.h"

// Of the tolerance: by how much the velocities of the rows of a manifold may miss their targets
// where they are solved together.
#define MISFIT 0.01

typedef struct sweeper {
  mo_row_groups groups;
  mo_contact_lanes lanes;
  uint32_t body_count;
  mo_velocity *velocities;
  mo_velocity *before;     // the last sweep, at its bodies
  mo_velocity *directions; // of the acceleration
} sweeper;

// --- packing ---------------------------------------------------------------------------------

// Whether a contact point continues a manifold: same bodies, same frame.
static bool continues(const mo_row_problem *problem, const mo_row_block *first,
                      const mo_row_block *block) {
  return block->point_contact && block->body_a == first->body_a && block->body_b == first->body_b &&
         block->friction == first->friction &&
         mo_v3_equal(problem->rows[block->first_row].linear_b,
                     problem->rows[first->first_row].linear_b);
}

// Finds the manifolds, and which blocks they take.
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

static bool make_sweeper(const mo_row_problem *problem, double tolerance, mo_velocity *velocities,
                         mo_arena *arena, sweeper *out) {
  mo_manifold_range *ranges = MO_ARENA_TAKE_RAW(arena, mo_manifold_range, problem->block_count);
  bool *taken = MO_ARENA_TAKE_RAW(arena, bool, problem->block_count);
  *out = (sweeper){.body_count = problem->body_count,
                   .velocities = velocities,
                   .before = MO_ARENA_TAKE_RAW(arena, mo_velocity, problem->body_count),
                   .directions = MO_ARENA_TAKE(arena, mo_velocity, problem->body_count)};
  if (!ranges || !taken || !out->before || !out->directions) {
    return false;
  }
  uint32_t count = find_manifolds(problem, ranges, taken);
  return mo_row_groups_make(problem, taken, arena, &out->groups) &&
         mo_contact_lanes_make(problem, ranges, count, MISFIT * tolerance, arena, &out->lanes);
}

static void warm_start(const mo_row_problem *problem, sweeper *s) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    s->velocities[i] =
        (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
  mo_row_groups_warm_start(&s->groups, s->velocities);
  mo_contact_lanes_warm_start(&s->lanes, s->velocities);
}

// --- acceleration ----------------------------------------------------------------------------
//
// Sweeps alone carry news through a tower at one body per sweep or so: 20 of them let a tower of 20
// cubes fall. Nonsmooth nonlinear conjugate gradients (Silcowitz-Hansen, Niebe and Erleben 2010)
// take a sweep for the gradient of a function whose minimum is the fixed point, and move on along
// conjugate directions; towers of 25 stand. The sweeps keep the bounds: the last one has the last
// word.
//
// Directions are kept twice, as impulses by those who own them and as velocities of bodies here, so
// that moving on costs a sum over bodies.

static mo_velocity add_scaled(mo_velocity a, double s, mo_velocity b) {
  return (mo_velocity){mo_add_scaled(a.linear, s, b.linear),
                       mo_add_scaled(a.angular, s, b.angular)};
}

static mo_sweep_report sweep(sweeper *s, double beta, double tolerance) {
  for (uint32_t i = 0; i < s->body_count; i++) {
    s->before[i] = s->velocities[i];
  }
  mo_sweep_report report = {0};
  mo_row_groups_sweep(&s->groups, beta, tolerance, s->velocities, &report);
  mo_contact_lanes_sweep(&s->lanes, beta, tolerance, s->velocities, &report);
  return report;
}

// Moves the velocities on by `beta` (Fletcher and Reeves 1964) times the direction, and turns the
// direction; the next sweep does the same to the impulses. With beta = 0 a new direction begins.
static void move_on(sweeper *s, double beta) {
  mo_velocity *changes = s->before;
  for (uint32_t i = 0; i < s->body_count; i++) {
    changes[i] = add_scaled(s->velocities[i], -1.0, changes[i]);
  }
  mo_row_groups_leave_out_slipping(&s->groups, changes, s->directions);
  mo_contact_lanes_leave_out_slipping(&s->lanes, changes, s->directions);
  mo_velocity still = {mo_v3_zero(), mo_v3_zero()};
  for (uint32_t i = 0; i < s->body_count; i++) {
    mo_velocity step = add_scaled(still, beta, s->directions[i]);
    s->velocities[i] = add_scaled(s->velocities[i], 1.0, step);
    s->directions[i] = add_scaled(step, 1.0, changes[i]);
  }
}

mo_solve_result mo_block_pgs_solve(mo_row_problem *problem, mo_velocity *velocities,
                                   const mo_solver_settings *settings, mo_arena *arena) {
  sweeper s;
  if (!make_sweeper(problem, settings->tolerance, velocities, arena, &s)) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  warm_start(problem, &s);
  mo_solve_result result = {.result = MO_OK, .status = MO_SOLVE_MAX_ITERATIONS};
  double last_length = 0.0, beta = 0.0;
  for (;;) {
    mo_sweep_report report = sweep(&s, beta, settings->tolerance);
    result.iterations++;
    if (report.moved <= settings->tolerance) {
      result.status = MO_SOLVE_CONVERGED;
      break;
    }
    if (result.iterations >= settings->max_iterations) {
      break;
    }
    // The first sweep, and one that went further than the one before it, begin a direction.
    bool closer = last_length > 0.0 && report.length <= last_length;
    beta = closer ? report.length / last_length : 0.0;
    move_on(&s, beta);
    last_length = report.length;
  }
  mo_row_groups_finish(&s.groups, problem, velocities);
  mo_contact_lanes_finish(&s.lanes, problem, velocities);
  return result;
}
