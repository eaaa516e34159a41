/// From constraints to rows.
#include "constraints/constraint_class.h"

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

// The number of rows from `first` on that make one block.
static uint32_t block_rows(const mo_constraint *c, uint32_t first) {
  if (c->bounds[first].kind == MO_BOUND_CONE) {
    return 3;
  }
  uint32_t count = 1;
  while (c->bounds[first].kind == MO_BOUND_BILATERAL && count < MO_BLOCK_ROWS &&
         first + count < c->dimension && c->bounds[first + count].kind == MO_BOUND_BILATERAL) {
    count++;
  }
  return count;
}

static void append_block(const mo_constraint *c, uint32_t body_a, uint32_t body_b, uint32_t first,
                         uint32_t count, mo_row_problem *problem) {
  mo_row_bounds bounds = c->bounds[first];
  problem->blocks[problem->block_count++] =
      (mo_row_block){.body_a = body_a,
                     .body_b = body_b,
                     .first_row = problem->row_count,
                     .row_count = count,
                     .bound = bounds.kind,
                     .friction = bounds.friction,
                     .lower = bounds.lower,
                     .upper = bounds.upper,
                     .holds_position = !c->has_stabilization && bounds.kind != MO_BOUND_BOX};
}

mo_constraint_failure mo_constraint_append_rows(const mo_constraint *c,
                                                const mo_constraint_place *at, uint32_t body_a,
                                                uint32_t body_b,
                                                const mo_constraint_settings *settings,
                                                mo_row_problem *problem) {
  double errors[MO_CONSTRAINT_ROWS], rates[MO_CONSTRAINT_ROWS];
  double jacobian[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS];
  mo_constraint_failure failure = mo_constraint_evaluate(c, at, errors);
  if (!failure) {
    failure = mo_constraint_jacobian(c, at, jacobian);
  }
  if (!failure) {
    failure = mo_constraint_time_derivative(c, at, rates);
  }
  if (failure) {
    return failure;
  }
  for (uint32_t first = 0, count; first < c->dimension; first += count) {
    count = block_rows(c, first);
    append_block(c, body_a, body_b, first, count, problem);
    for (uint32_t i = first; i < first + count; i++) {
      const double *j = &jacobian[(size_t)MO_JACOBIAN_COLUMNS * i];
      mo_bound kind = c->bounds[i].kind;
      bool may_open = kind == MO_BOUND_UNILATERAL || (kind == MO_BOUND_CONE && i == first);
      double bias = rates[i] + correction(c, may_open, errors[i], settings);
      problem->rows[problem->row_count++] =
          (mo_row){.linear_a = mo_get_vec3(j),
                   .angular_a = mo_get_vec3(j + 3),
                   .linear_b = mo_get_vec3(j + 6),
                   .angular_b = mo_get_vec3(j + 9),
                   .bias = bias,
                   .plastic_bias = bias,
                   .gap = errors[i],
                   .softening = c->compliance,
                   .impulse = settings->impulse_scale * c->impulses[i]};
    }
  }
  return NULL;
}
