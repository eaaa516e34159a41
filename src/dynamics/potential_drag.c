/// Resistance of a medium at rest. It dissipates and has no energy.
#include "dynamics/potential.h"

// F = -(c1 + c2 |v|) v, torque -c3 w
static bool drag_wrench(const mo_potential_def *def, const mo_potential_body *a,
                        const mo_potential_body *b, double time, mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)time;
  (void)on_b;
  double coefficient = def->linear_drag + def->quadratic_drag * mo_length(a->linear_velocity);
  *on_a = (mo_wrench){mo_scale(-coefficient, a->linear_velocity),
                      mo_scale(-def->angular_drag, a->angular_velocity)};
  return true;
}

const mo_potential_kind mo_potential_drag = {.name = "drag", .wrench = drag_wrench};
