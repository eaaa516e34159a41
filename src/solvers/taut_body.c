#include "solvers/taut_body.h"

void mo_taut_body_add(mo_taut_body *body, mo_vec3 arm, mo_vec3 impulse, double dt) {
  double pull = dt * mo_dot(arm, impulse), length = mo_length(arm);
  body->joints++;
  if (!(pull > 0.0)) {
    return;
  }
  mo_vec3 u = mo_scale(1.0 / length, arm);
  mo_mat3 across = mo_mat3_diagonal(pull, pull, pull);
  across.cx = mo_add_scaled(across.cx, -pull * u.x, u);
  across.cy = mo_add_scaled(across.cy, -pull * u.y, u);
  across.cz = mo_add_scaled(across.cz, -pull * u.z, u);
  body->stiffness = mo_mat3_add(body->stiffness, across);
}

// The sum of the eigenvalues of I^-1 K, which no eigenvalue exceeds.
static double swing_of(mo_mat3 inverse_inertia, mo_mat3 stiffness) {
  return mo_dot(inverse_inertia.cx, stiffness.cx) + mo_dot(inverse_inertia.cy, stiffness.cy) +
         mo_dot(inverse_inertia.cz, stiffness.cz);
}

// (I + s K)^-1 = (1 + s I^-1 K)^-1 I^-1, made symmetric to the bit.
static mo_mat3 add_inertia(mo_mat3 inverse_inertia, double s, mo_mat3 stiffness) {
  mo_mat3 sum = mo_mat3_add(mo_mat3_identity(),
                            mo_mat3_scale(s, mo_mat3_mul_mat3(inverse_inertia, stiffness)));
  mo_mat3 m = mo_mat3_mul_mat3(mo_mat3_inverse(sum), inverse_inertia);
  return mo_mat3_scale(0.5, mo_mat3_add(m, mo_mat3_transpose(m)));
}

double mo_taut_body_swing(const mo_taut_body *body, const mo_mat3 *inverse_inertia) {
  return body->joints > 1 ? swing_of(*inverse_inertia, body->stiffness) : 0.0;
}

bool mo_taut_body_stiffen(const mo_taut_body *body, mo_mat3 *inverse_inertia) {
  double swing = mo_taut_body_swing(body, inverse_inertia);
  if (swing > MO_SWING_LIMIT) {
    *inverse_inertia =
        add_inertia(*inverse_inertia, 1.0 / MO_SWING_LIMIT - 1.0 / swing, body->stiffness);
  }
  return swing > MO_SWING_LIMIT;
}
