/// Ground below wheels that contacts, joints or springs carry.
///
/// The wheels' problem has the ground alone and knows nothing of what it rests on. That shows in
/// how the ground moved in the last step, against what gravity, forces and wheels alone would have
/// made of it. The impulse that is missing has a direction, along which the same is expected again.
#include "control/wheel_rows.h"
#include "math/scalar.h"

#include <float.h>

void mo_wheel_body_carry_again(mo_wheel_body *body) {
  double now = mo_wheel_twist_dot(&body->carrying_jacobian, &body->velocity);
  double part = body->carried + (body->carried_velocity - now) * body->inverse_carrying;
  double change = mo_clamp(part, 0.0, 1.0) - body->carried;
  body->carried += change;
  mo_wheel_twist_add(&body->velocity, change, &body->carrying);
}

void mo_wheel_body_carry(mo_wheel_body *body, const mo_wheel_twist *without, double mass,
                         const mo_mat3 *inertia) {
  body->carrying = body->before;
  mo_wheel_twist_add(&body->carrying, -1.0, without);
  body->carrying_jacobian =
      mo_wheel_twist_of(mo_scale(mass, mo_wheel_twist_linear(&body->carrying)),
                        mo_mat3_mul(*inertia, mo_wheel_twist_angular(&body->carrying)));
  body->carried_velocity = mo_wheel_twist_dot(&body->carrying_jacobian, &body->before);
  double whole = mo_wheel_twist_dot(&body->carrying_jacobian, &body->carrying);
  body->inverse_carrying = whole >= DBL_MIN && whole <= DBL_MAX ? 1.0 / whole : 0.0;
  mo_wheel_body_carry_again(body);
}
