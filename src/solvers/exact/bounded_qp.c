#include "solvers/exact/bounded_qp.h"

#include "math/scalar.h"

// Fraction of a row's mobility that is added to rows without bounds, which have no barrier.
#define SHIFT 1e-12
// The same at the start, for the impulses that would stop all rows, so that redundant rows share
// their load.
#define START_SHIFT 1e-6
// Fraction of the scale: the smallest distance of the first impulses from their bounds.
#define START_SLACK 0.1
// Fraction of the distance to the nearest bound that a step may go.
#define STEP_PART 0.995
// Shorter steps make no progress.
#define SHORTEST_STEP 1e-8

bool mo_bounded_qp_init(mo_bounded_qp *point, mo_row_system *system, mo_arena *arena) {
  *point = (mo_bounded_qp){.system = system};
  double **arrays[] = {&point->x,
                       &point->lower.slack,
                       &point->lower.multiplier,
                       &point->lower.multiplier_change,
                       &point->upper.slack,
                       &point->upper.multiplier,
                       &point->upper.multiplier_change,
                       &point->velocity,
                       &point->shifts,
                       &point->change,
                       &point->right_side};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = MO_ARENA_TAKE(arena, double, system->row_count);
    if (!*arrays[i]) {
      return false;
    }
  }
  return true;
}

// Rows that cannot change do not take part.
static bool is_fixed(const mo_row_system *s, uint32_t row) {
  return s->root[row] == 0.0 || s->lower[row] >= s->upper[row];
}

static void set_bound(mo_qp_bound *bound, uint32_t row, bool finite, double slack,
                      double multiplier) {
  bound->slack[row] = finite ? slack : 1.0;
  bound->multiplier[row] = finite ? multiplier : 0.0;
}

static void place_row(mo_bounded_qp *p, uint32_t row) {
  const mo_row_system *s = p->system;
  double lower = s->lower[row], upper = s->upper[row], slack = START_SLACK * p->scale;
  bool below = mo_is_finite(lower), above = mo_is_finite(upper), fixed = is_fixed(s, row);
  if (below && above) {
    slack = mo_min(slack, START_SLACK * (upper - lower));
  }
  double x = p->x[row];
  x = below ? mo_max(x, lower + slack) : x;
  x = above ? mo_min(x, upper - slack) : x;
  p->x[row] = !fixed ? x : s->root[row] > 0.0 ? lower : 0.0;
  set_bound(&p->lower, row, below && !fixed, x - lower, p->scale);
  set_bound(&p->upper, row, above && !fixed, upper - x, p->scale);
}

// Mean of slack times multiplier after a step of the given length. The slacks change with x.
static double mean_complementarity(const mo_bounded_qp *p, double length) {
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->system->row_count; i++) {
    const mo_qp_bound *l = &p->lower, *u = &p->upper;
    double dx = length * p->change[i];
    sum += l->multiplier[i] > 0.0
               ? (l->slack[i] + dx) * (l->multiplier[i] + length * l->multiplier_change[i])
               : 0.0;
    sum += u->multiplier[i] > 0.0
               ? (u->slack[i] - dx) * (u->multiplier[i] + length * u->multiplier_change[i])
               : 0.0;
    count += (l->multiplier[i] > 0.0) + (u->multiplier[i] > 0.0);
  }
  return count > 0 ? sum / count : 0.0;
}

bool mo_bounded_qp_start(mo_bounded_qp *point) {
  mo_row_system *s = point->system;
  point->scale = 0.0;
  for (uint32_t i = 0; i < s->row_count; i++) {
    point->shifts[i] = is_fixed(s, i) ? HUGE_VAL : START_SHIFT;
    point->x[i] = -s->free_velocity[i];
    point->scale = mo_max(point->scale, fabs(s->free_velocity[i]));
  }
  if (!mo_row_system_factor(s, point->shifts)) {
    return false;
  }
  mo_row_system_solve(s, point->x);
  for (uint32_t i = 0; i < s->row_count; i++) {
    place_row(point, i);
  }
  point->complementarity = mean_complementarity(point, 0.0) / mo_square(point->scale);
  return mo_is_finite(point->complementarity);
}

// Solves for the changes of impulses and multipliers that bring each product of slack and
// multiplier to `wanted`. With `correct`, the second-order term of the last direction is
// subtracted.
static void find_direction(mo_bounded_qp *p, double wanted, bool correct) {
  mo_row_system *s = p->system;
  mo_qp_bound *l = &p->lower, *u = &p->upper;
  for (uint32_t i = 0; i < s->row_count; i++) {
    double dx = correct ? p->change[i] : 0.0;
    // The changes now hold the wanted products, divided by the slacks.
    bool below = l->multiplier[i] > 0.0, above = u->multiplier[i] > 0.0;
    l->multiplier_change[i] = below ? (wanted - dx * l->multiplier_change[i]) / l->slack[i] : 0.0;
    u->multiplier_change[i] = above ? (wanted + dx * u->multiplier_change[i]) / u->slack[i] : 0.0;
    p->right_side[i] = l->multiplier_change[i] - u->multiplier_change[i] - p->velocity[i];
  }
  mo_row_system_solve(s, p->right_side);
  for (uint32_t i = 0; i < s->row_count; i++) {
    double dx = p->right_side[i];
    p->change[i] = dx;
    l->multiplier_change[i] -= l->multiplier[i] + l->multiplier[i] / l->slack[i] * dx;
    u->multiplier_change[i] -= u->multiplier[i] - u->multiplier[i] / u->slack[i] * dx;
  }
}

static double limit(double length, double number, double change) {
  return number + length * change < 0.0 ? -number / change : length;
}

// The longest step, up to 1, that keeps slacks and multipliers from becoming negative.
static double longest_step(const mo_bounded_qp *p) {
  double length = 1.0;
  for (uint32_t i = 0; i < p->system->row_count; i++) {
    if (p->lower.multiplier[i] > 0.0) {
      length = limit(length, p->lower.slack[i], p->change[i]);
      length = limit(length, p->lower.multiplier[i], p->lower.multiplier_change[i]);
    }
    if (p->upper.multiplier[i] > 0.0) {
      length = limit(length, p->upper.slack[i], -p->change[i]);
      length = limit(length, p->upper.multiplier[i], p->upper.multiplier_change[i]);
    }
  }
  return length;
}

static void move(mo_bounded_qp *p, double length) {
  for (uint32_t i = 0; i < p->system->row_count; i++) {
    double dx = length * p->change[i];
    p->x[i] += dx;
    if (p->lower.multiplier[i] > 0.0) {
      p->lower.slack[i] += dx;
      p->lower.multiplier[i] += length * p->lower.multiplier_change[i];
    }
    if (p->upper.multiplier[i] > 0.0) {
      p->upper.slack[i] -= dx;
      p->upper.multiplier[i] += length * p->upper.multiplier_change[i];
    }
  }
}

bool mo_bounded_qp_step(mo_bounded_qp *point) {
  mo_row_system *s = point->system;
  for (uint32_t i = 0; i < s->row_count; i++) {
    double barrier = point->lower.multiplier[i] / point->lower.slack[i] +
                     point->upper.multiplier[i] / point->upper.slack[i];
    point->shifts[i] = is_fixed(s, i) ? HUGE_VAL : SHIFT + barrier;
  }
  mo_row_system_velocity(s, point->x, true, point->velocity);
  if (!mo_row_system_factor(s, point->shifts)) {
    return false;
  }
  double now = mean_complementarity(point, 0.0);
  find_direction(point, 0.0, false);
  double ahead = mean_complementarity(point, longest_step(point));
  double part = now > 0.0 ? ahead / now : 0.0;
  find_direction(point, part * part * part * now, true);
  double longest = longest_step(point);
  double length = longest < 1.0 ? STEP_PART * longest : 1.0;
  move(point, length);
  point->complementarity = mean_complementarity(point, 0.0) / mo_square(point->scale);
  return length > SHORTEST_STEP && mo_is_finite(point->complementarity);
}
