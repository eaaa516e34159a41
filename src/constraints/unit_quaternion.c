/// |Q|^2 - 1 = 0 of a body. Orientations have 3 degrees of freedom here: the exponential map and
/// normalisation keep C below 1e-15 (Baumgarte terms of 10 would leave up to 0.09), no velocity
/// changes it, and it needs no rows.
#include "constraints/constraint_table.h"

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  (void)c;
  out[0] = mo_quat_norm_squared(at->a.orientation) - 1.0;
  return NULL;
}

// Its Jacobian by velocities is zero: 2 Q . dQ/dt = Q . (0, w) Q = 0 for every w.
const mo_constraint_class mo_unit_quaternion_class = {.name = "unitQuaternion",
                                                      .bodies = MO_CONSTRAINT_HAS_ONE,
                                                      .dimension = 1,
                                                      .evaluate = evaluate};
