/// Bounds of impulses.
#include "math/scalar.h"
#include "moreau.h"

mo_row_bounds mo_row_bounds_bilateral(void) {
  return (mo_row_bounds){.kind = MO_BOUND_BILATERAL, .lower = -INFINITY, .upper = INFINITY};
}

mo_row_bounds mo_row_bounds_unilateral(void) {
  return (mo_row_bounds){.kind = MO_BOUND_UNILATERAL, .lower = 0.0, .upper = INFINITY};
}

mo_result mo_row_bounds_box(double lower, double upper, mo_row_bounds *out) {
  if (!(lower <= upper && lower < INFINITY && upper > -INFINITY)) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  if (upper == INFINITY && lower == -INFINITY) {
    *out = mo_row_bounds_bilateral();
  } else if (upper == INFINITY && lower == 0.0) {
    *out = mo_row_bounds_unilateral();
  } else {
    *out = (mo_row_bounds){.kind = MO_BOUND_BOX, .lower = lower, .upper = upper};
  }
  return MO_OK;
}

mo_result mo_row_bounds_cone(double friction, mo_row_bounds *out) {
  if (!(friction >= 0.0 && mo_is_finite(friction))) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  *out =
      (mo_row_bounds){.kind = MO_BOUND_CONE, .lower = 0.0, .upper = INFINITY, .friction = friction};
  return MO_OK;
}
