/// Constraints that are functions of the user.
#include "constraints/constraint_class.h"

// Half of the step of differences in time, s. A power of two, so that it adds no round-off.
#define TIME_STEP 0x1p-17

static const mo_constraint_body *second_body(const mo_constraint *c,
                                             const mo_constraint_place *at) {
  return c->slot_b == MO_WORLD_SLOT ? NULL : &at->b;
}

static mo_constraint_failure custom_evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  bool good = c->user_evaluate(c->user, &at->a, second_body(c, at), at->time, out);
  return good ? NULL : "evaluate failed";
}

static mo_constraint_failure custom_jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  if (!c->user_jacobian) {
    return mo_constraint_difference_jacobian(c, at, out);
  }
  if (!c->user_jacobian(c->user, &at->a, second_body(c, at), at->time, out)) {
    return "jacobian failed";
  }
  if (c->slot_b == MO_WORLD_SLOT) {
    // 6 columns become 12, from the last row on.
    for (uint32_t i = c->dimension; i-- > 0;) {
      for (uint32_t k = MO_JACOBIAN_COLUMNS; k-- > 0;) {
        out[MO_JACOBIAN_COLUMNS * i + k] = k < 6 ? out[6 * i + k] : 0.0;
      }
    }
  }
  return NULL;
}

static mo_constraint_failure custom_time_derivative(const mo_constraint *c,
                                                    const mo_constraint_place *at, double *out) {
  if (c->user_time_derivative) {
    bool good = c->user_time_derivative(c->user, &at->a, second_body(c, at), at->time, out);
    return good ? NULL : "timeDerivative failed";
  }
  double before[MO_CONSTRAINT_ROWS] = {0};
  mo_constraint_place earlier = *at, later = *at;
  earlier.time -= TIME_STEP;
  later.time += TIME_STEP;
  mo_constraint_failure failure = custom_evaluate(c, &earlier, before);
  if (!failure) {
    failure = custom_evaluate(c, &later, out);
  }
  for (uint32_t i = 0; !failure && i < c->dimension; i++) {
    out[i] = (out[i] - before[i]) / (later.time - earlier.time);
  }
  return failure;
}

static mo_constraint_failure custom_is_active(const mo_constraint *c, const mo_constraint_place *at,
                                              bool *out) {
  double answer = 1.0;
  if (c->user_is_active &&
      !c->user_is_active(c->user, &at->a, second_body(c, at), at->time, &answer)) {
    return "isActive failed";
  }
  *out = answer != 0.0;
  return NULL;
}

const mo_constraint_class mo_custom_class = {.name = "custom",
                                             .makes_rows = true,
                                             .evaluate = custom_evaluate,
                                             .jacobian = custom_jacobian,
                                             .time_derivative = custom_time_derivative,
                                             .is_active = custom_is_active};
