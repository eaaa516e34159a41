/// Constraints that are functions of the user.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

// s: half of the step of finite differences in time. It is a power of two, so it adds no round-off.
#define TIME_STEP 0x1p-17

// --- definition ------------------------------------------------------------------------------

// The three rows of a cone share one bound, which is given with each of them.
static bool is_cone(const mo_constraint_def *def, uint32_t row) {
  const mo_row_bounds *bounds = &def->bounds[row];
  for (uint32_t k = 1; k < 3; k++) {
    if (row + k >= def->dimension || bounds[k].kind != MO_BOUND_CONE ||
        bounds[k].friction != bounds[0].friction) {
      return false;
    }
  }
  return true;
}

static mo_constraint_refusal check_bounds(const mo_constraint_def *def) {
  for (uint32_t i = 0; def->bounds && i < def->dimension; i++) {
    if (!mo_row_bounds_are_valid(def->bounds[i])) {
      return (mo_constraint_refusal){
          "bounds", "must come from mo_row_bounds_..., lower <= upper; see row", i};
    }
    if (def->bounds[i].kind == MO_BOUND_CONE) {
      if (!is_cone(def, i)) {
        return (mo_constraint_refusal){"bounds",
                                       "must have three equal entries for a cone; see row", i};
      }
      i += 2;
    }
  }
  return (mo_constraint_refusal){0};
}

static mo_constraint_refusal check(const mo_constraint_def *def) {
  if (!def->evaluate) {
    return (mo_constraint_refusal){"evaluate", "must not be null", 0.0};
  }
  if (def->dimension < 1 || def->dimension > MO_CONSTRAINT_ROWS) {
    return (mo_constraint_refusal){"dimension", "must be 1 to 32", def->dimension};
  }
  return check_bounds(def);
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  (void)at;
  c->base_dimension = def->dimension;
  c->user_evaluate = def->evaluate;
  c->user_jacobian = def->jacobian;
  c->user_time_derivative = def->time_derivative;
  c->user_is_active = def->is_active;
  c->user = def->user;
  if (def->name) {
    mo_constraint_set_name(c, def->name);
  }
}

// --- rows ------------------------------------------------------------------------------------

static const mo_constraint_body *second_body(const mo_constraint *c,
                                             const mo_constraint_place *at) {
  return c->slot_b == MO_WORLD_SLOT ? NULL : &at->b;
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  bool good = c->user_evaluate(c->user, &at->a, second_body(c, at), at->time, out);
  return good ? NULL : "evaluate failed";
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
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

static mo_constraint_failure time_derivative(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  if (c->user_time_derivative) {
    bool good = c->user_time_derivative(c->user, &at->a, second_body(c, at), at->time, out);
    return good ? NULL : "timeDerivative failed";
  }
  double before[MO_CONSTRAINT_ROWS] = {0};
  mo_constraint_place earlier = *at, later = *at;
  earlier.time -= TIME_STEP;
  later.time += TIME_STEP;
  mo_constraint_failure failure = evaluate(c, &earlier, before);
  if (!failure) {
    failure = evaluate(c, &later, out);
  }
  for (uint32_t i = 0; !failure && i < c->dimension; i++) {
    out[i] = (out[i] - before[i]) / (later.time - earlier.time);
  }
  return failure;
}

static mo_constraint_failure is_active(const mo_constraint *c, const mo_constraint_place *at,
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
                                             .bodies = MO_CONSTRAINT_STARTS_WITH_A,
                                             .has_bounds = true,
                                             .stabilizes_itself = true,
                                             .leaves_contacts = true,
                                             .check = check,
                                             .init = init,
                                             .makes_rows = true,
                                             .evaluate = evaluate,
                                             .jacobian = jacobian,
                                             .time_derivative = time_derivative,
                                             .is_active = is_active};
