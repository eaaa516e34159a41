/// From constraints to rows.
#include "constraints/constraint_class.h"
#include "constraints/drives.h"
#include "constraints/effective_mass.h"

#include <string.h>

// The part of the bias that removes the error.
static double correction(const mo_constraint *c, bool may_open, double error,
                         const mo_constraint_settings *settings) {
  if (may_open && error > 0.0) {
    return error / settings->dt;
  }
  if (!c->has_stabilization) {
    return mo_clamp(settings->baumgarte * error, -settings->max_correction_speed,
                    settings->max_correction_speed);
  }
  double denominator = c->beta + c->alpha * settings->dt;
  return denominator > 0.0 ? c->alpha * error / denominator : 0.0;
}

// The number of rows from `first` on that make one block. Each row with a law of its own is one.
static uint32_t block_rows(const mo_constraint *c, uint32_t first) {
  if (first >= c->base_dimension || c->class->apply_law) {
    return 1;
  }
  if (c->bounds[first].kind == MO_BOUND_CONE) {
    return 3;
  }
  uint32_t count = 1;
  while (c->bounds[first].kind == MO_BOUND_BILATERAL && count < MO_BLOCK_ROWS &&
         first + count < c->base_dimension && c->bounds[first + count].kind == MO_BOUND_BILATERAL) {
    count++;
  }
  return count;
}

// --- bodies ----------------------------------------------------------------------------------

// The bodies of the rows.
typedef struct row_sides {
  uint32_t bodies[MO_ROW_SIDES]; // indices in the problem
  uint32_t places[MO_ROW_SIDES]; // per body of the constraint: its place among them
  uint32_t count;
} row_sides;

// Both bodies of a constraint of two, or those of a constraint of four, each once and the world
// first. The parts of its Jacobian for one body are added: as two bodies it would have another
// effective mass.
static row_sides sides_of(const mo_constraint *c, const uint32_t bodies[MO_ROW_SIDES]) {
  if (!mo_constraint_joins_four(c)) {
    return (row_sides){.bodies = {bodies[0], bodies[1]}, .count = 2};
  }
  row_sides sides = {.count = 0};
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    sides.count = bodies[i] == 0 ? 1 : sides.count;
  }
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    uint32_t place = 0;
    while (place < sides.count && sides.bodies[place] != bodies[i]) {
      place++;
    }
    sides.places[i] = place;
    if (place == sides.count) {
      sides.bodies[sides.count++] = bodies[i];
    }
  }
  return sides;
}

// Numbers of a row's Jacobian for one body.
#define BODY_COLUMNS (MO_JACOBIAN_COLUMNS / 2)

// A row of the Jacobian of a constraint of four bodies with its parts in the places of `sides`.
static void place_row(const row_sides *sides, const double *j, double *out) {
  for (uint32_t i = 0; i < MO_ROW_SIDES * BODY_COLUMNS; i++) {
    out[i] = 0.0;
  }
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    for (uint32_t k = 0; k < BODY_COLUMNS; k++) {
      out[BODY_COLUMNS * sides->places[i] + k] += j[BODY_COLUMNS * i + k];
    }
  }
}

// --- rows ------------------------------------------------------------------------------------

// Appends the pair of a row with more than two bodies.
static void append_pair(const row_sides *sides, const double *j, mo_row_problem *problem) {
  if (sides->count > 2) {
    problem->pairs[problem->pair_count++] = (mo_row_pair){.body_c = sides->bodies[2],
                                                          .body_d = sides->bodies[3],
                                                          .row = {.linear_a = mo_get_vec3(j),
                                                                  .angular_a = mo_get_vec3(j + 3),
                                                                  .linear_b = mo_get_vec3(j + 6),
                                                                  .angular_b = mo_get_vec3(j + 9)}};
  }
}

static void append_block(const mo_constraint *c, const row_sides *sides, uint32_t first,
                         uint32_t count, mo_row_problem *problem) {
  mo_row_bounds bounds = c->bounds[first];
  problem->blocks[problem->block_count++] =
      (mo_row_block){.body_a = sides->bodies[0],
                     .body_b = sides->bodies[1],
                     .first_row = problem->row_count,
                     .row_count = count,
                     .pairs = sides->count > 2 ? problem->pair_count + 1 : 0,
                     .bound = bounds.kind,
                     .friction = bounds.friction,
                     .lower = bounds.lower,
                     .upper = bounds.upper,
                     .holds_position = !c->has_stabilization && bounds.kind != MO_BOUND_BOX};
}

// Whether a row has the law of a spring, a motor or friction.
static bool is_drive(const mo_constraint *c, uint32_t row) {
  return row >= c->base_dimension &&
         mo_drive_at(c, row - c->base_dimension).role >= MO_DRIVE_SPRING;
}

// Whether J v is to lead C through the step.
static bool is_led(const mo_constraint *c, const uint32_t bodies[MO_ROW_SIDES],
                   const mo_constraint_settings *settings, const mo_row_problem *problem) {
  bool is_exact = false;
  if (!c->class->curvature || !settings->leads) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    mo_solver solver = problem->bodies[bodies[i]].solver;
    is_exact = is_exact || (solver != MO_SOLVER_BLOCK_PGS && solver != MO_SOLVER_SOFT_STEP);
  }
  return settings->leads_exact || !is_exact || c->has_stabilization;
}

// Where the coordinate of a motor's row is: the error of the row is the way to its target.
static mo_drive_moment moment_of(const mo_constraint *c, const mo_constraint_place *at,
                                 uint32_t row, const double *j, double error,
                                 const mo_row_body bodies[MO_ROW_SIDES],
                                 const mo_constraint_settings *settings) {
  uint32_t coordinate = mo_drive_at(c, row - c->base_dimension).coordinate;
  double value = error + c->coordinates[coordinate].drive.target_position;
  return mo_drive_moment_of(c, at, coordinate, value, j, bodies, settings);
}

// Gives the last row of a problem, `row` of the constraint, its law.
static void apply_law(const mo_constraint *c, const mo_constraint_place *at, uint32_t row,
                      const double *j, const mo_row_body bodies[MO_ROW_SIDES],
                      const mo_constraint_settings *settings, mo_row_problem *problem) {
  mo_row *to = &problem->rows[problem->row_count - 1];
  mo_row_block *block = &problem->blocks[problem->block_count - 1];
  if (c->class->apply_law && row < c->base_dimension) {
    c->class->apply_law(c, at, row, bodies, settings, to, block);
  }
  if (is_drive(c, row)) {
    mo_drive_moment now = moment_of(c, at, row, j, to->gap, bodies, settings);
    mo_drive_apply_law(c, row, &now, to, block);
  }
}

static void find_bodies(const uint32_t bodies[MO_ROW_SIDES], const mo_row_problem *problem,
                        mo_row_body out[MO_ROW_SIDES]) {
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    out[i] = problem->bodies[bodies[i]];
  }
}

// Whether some axis of a body that moves is locked.
static bool has_locked_axes(const mo_row_body bodies[MO_ROW_SIDES]) {
  for (uint32_t i = 0; i < MO_ROW_SIDES; i++) {
    const mo_mat3 *turning = &bodies[i].inverse_inertia;
    bool turns = turning->cx.x > 0.0 && turning->cy.y > 0.0 && turning->cz.z > 0.0;
    if (bodies[i].inverse_mass > 0.0 && (!turns || bodies[i].locked_translation)) {
      return true;
    }
  }
  return false;
}

// Takes out the rows to which locked axes leave nothing but round-off: along what is left of them
// they would hold the bodies.
static void drop_idle_rows(const mo_constraint *c, const mo_row_body bodies[MO_ROW_SIDES],
                           double *jacobian) {
  if (!has_locked_axes(bodies)) {
    return;
  }
  uint32_t columns = mo_jacobian_columns(c);
  for (uint32_t i = 0; i < c->dimension; i++) {
    double *row = &jacobian[(size_t)columns * i];
    if (!mo_constraint_row_moves(c, row, bodies)) {
      memset(row, 0, columns * sizeof *row);
    }
  }
}

// A constraint at a place, linearised.
typedef struct linearised {
  double errors[MO_CONSTRAINT_ROWS], rates[MO_CONSTRAINT_ROWS], bends[MO_CONSTRAINT_ROWS];
  double jacobian[MO_JACOBIAN_NUMBERS];
  row_sides sides;
  mo_row_body bodies[MO_ROW_SIDES];
} linearised;

static mo_constraint_failure linearise(const mo_constraint *c, const mo_constraint_place *at,
                                       const uint32_t bodies[MO_ROW_SIDES],
                                       const mo_constraint_settings *settings,
                                       const mo_row_problem *problem, linearised *out) {
  mo_constraint_failure failure = mo_constraint_evaluate(c, at, out->errors);
  failure = failure ? failure : mo_constraint_jacobian(c, at, out->jacobian);
  failure = failure ? failure : mo_constraint_time_derivative(c, at, out->rates);
  if (failure) {
    return failure;
  }
  memset(out->bends, 0, sizeof out->bends);
  if (is_led(c, bodies, settings, problem)) {
    c->class->curvature(c, at, out->bends);
  }
  out->sides = sides_of(c, bodies);
  find_bodies(bodies, problem, out->bodies);
  drop_idle_rows(c, out->bodies, out->jacobian);
  return NULL;
}

static double bias_of(const mo_constraint *c, const linearised *l, uint32_t row, bool may_open,
                      const mo_constraint_settings *settings) {
  return l->rates[row] + 0.5 * settings->dt * l->bends[row] +
         correction(c, may_open, l->errors[row], settings);
}

// Adds the numbers of a row for both bodies, those of two more as a pair.
static void append_row(const mo_constraint *c, const linearised *l, uint32_t index, double bias,
                       const mo_constraint_settings *settings, mo_row_problem *problem) {
  double placed[MO_ROW_SIDES * BODY_COLUMNS];
  const double *j = &l->jacobian[(size_t)mo_jacobian_columns(c) * index];
  if (mo_constraint_joins_four(c)) {
    place_row(&l->sides, j, placed);
    append_pair(&l->sides, placed + MO_JACOBIAN_COLUMNS, problem);
    j = placed;
  }
  problem->rows[problem->row_count++] =
      (mo_row){.linear_a = mo_get_vec3(j),
               .angular_a = mo_get_vec3(j + 3),
               .linear_b = mo_get_vec3(j + 6),
               .angular_b = mo_get_vec3(j + 9),
               .bias = bias,
               .plastic_bias = bias,
               .gap = l->errors[index],
               .softening = c->compliance,
               .impulse = settings->impulse_scale * c->impulses[index]};
}

mo_constraint_failure mo_constraint_append_rows(const mo_constraint *c,
                                                const mo_constraint_place *at,
                                                const uint32_t bodies[MO_ROW_SIDES],
                                                const mo_constraint_settings *settings,
                                                mo_row_problem *problem) {
  linearised l;
  mo_constraint_failure failure = linearise(c, at, bodies, settings, problem, &l);
  for (uint32_t first = 0, count; !failure && first < c->dimension; first += count) {
    count = block_rows(c, first);
    append_block(c, &l.sides, first, count, problem);
    for (uint32_t i = first; i < first + count; i++) {
      mo_bound kind = c->bounds[i].kind;
      bool may_open = kind == MO_BOUND_UNILATERAL || (kind == MO_BOUND_CONE && i == first);
      append_row(c, &l, i, bias_of(c, &l, i, may_open, settings), settings, problem);
      const double *j = &l.jacobian[(size_t)mo_jacobian_columns(c) * i];
      apply_law(c, at, i, j, l.bodies, settings, problem);
    }
  }
  return failure;
}
