/// The step to the solution of all joined rows inside their bounds.
#include "solvers/block_pgs/joined_rows.h"

#include "math/scalar.h"

#include <string.h>

// Fraction of a row's own mobility that is added to it. Rows of joints in a tree are independent,
// but bodies that are locked may leave them dependent.
#define JOINT_SHIFT 1e-10
// The same for rows with bounds, of which two may be opposite, as the limits of a locked
// coordinate.
#define BOUND_SHIFT 1e-6
// The most steps of a solve: each but the last ends at a bound, where a row leaves. The next sweep
// goes on.
#define MAX_STEPS 4

static bool is_bilateral(const mo_joined_rows *j, uint32_t row) {
  return j->lower[row] == -HUGE_VAL && j->upper[row] == HUGE_VAL;
}

static bool is_inside(const mo_joined_rows *j, uint32_t row) {
  double impulse = j->impulses[row] + j->changes[row];
  return j->lower[row] < impulse && impulse < j->upper[row];
}

// Factors the rows that are inside their bounds, unless they are those of the factors. Returns
// whether there are factors.
static bool factor(mo_joined_rows *j) {
  bool same = j->is_factored;
  for (uint32_t i = 0; i < j->count; i++) {
    bool active = is_inside(j, i);
    same = same && active == j->active[i];
    j->active[i] = active;
    j->shifts[i] = !active ? HUGE_VAL : is_bilateral(j, i) ? JOINT_SHIFT : BOUND_SHIFT;
  }
  j->is_factored = same || mo_row_system_factor(&j->system, j->shifts);
  return j->is_factored;
}

// The step that would bring the velocities, of which `rest` is left, to zero.
static void find_step(mo_joined_rows *j, double rest) {
  for (uint32_t i = 0; i < j->count; i++) {
    double root = j->system.root[i];
    j->step[i] = j->active[i] && root > 0.0 ? -rest * j->velocities[i] / root : 0.0;
  }
  mo_row_system_solve(&j->system, j->step);
  for (uint32_t i = 0; i < j->count; i++) {
    double root = j->system.root[i];
    j->step[i] = root > 0.0 ? j->step[i] / root : 0.0;
  }
}

// The distance of a row from the bound that the step leads to, N s.
static double room_of(const mo_joined_rows *j, uint32_t row) {
  double bound = j->step[row] > 0.0 ? j->upper[row] : j->lower[row];
  return fabs(bound - j->impulses[row] - j->changes[row]);
}

// The largest part of the step, up to all of it, that keeps the bounds. Rows that it brings to a
// bound get exactly that.
static double take_step(mo_joined_rows *j) {
  double part = 1.0;
  for (uint32_t i = 0; i < j->count; i++) {
    double room = j->active[i] ? room_of(j, i) : HUGE_VAL;
    part = room < part * fabs(j->step[i]) ? room / fabs(j->step[i]) : part;
  }
  for (uint32_t i = 0; i < j->count; i++) {
    bool stops = j->active[i] && room_of(j, i) <= part * fabs(j->step[i]);
    double bound = j->step[i] > 0.0 ? j->upper[i] : j->lower[i];
    j->changes[i] = stops ? bound - j->impulses[i] : j->changes[i] + part * j->step[i];
  }
  return part;
}

double mo_joined_rows_solve(mo_joined_rows *j) {
  double rest = 1.0, moved = 0.0;
  memset(j->changes, 0, j->count * sizeof *j->changes);
  for (int k = 0; k < MAX_STEPS && rest > 0.0 && factor(j); k++) {
    find_step(j, rest);
    rest *= 1.0 - take_step(j);
  }
  for (uint32_t i = 0; i < j->count; i++) {
    double change =
        is_bilateral(j, i) ? j->velocities[i] : j->changes[i] * mo_square(j->system.root[i]);
    moved = mo_max(moved, j->system.root[i] > 0.0 ? fabs(change) : 0.0);
  }
  return moved;
}
