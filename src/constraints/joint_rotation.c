#include "constraints/joint_rotation.h"

// Below this sine, the series of a swing is more accurate than quotients of small numbers.
#define SMALL_SINE 1e-4
// rad: below this angle, so is that of a rotation vector.
#define SMALL_ANGLE 1e-3
// The smallest sine that is divided by: rates stay finite for opposite axes.
#define LEAST_OPPOSITE_SINE 1e-6
// Fraction of the squared length of q's twist: below it, q is a half turn about an axis
// perpendicular to A's x axis.
#define LEAST_TWIST 1e-12

mo_vec3 mo_rotation_error(mo_quat q, mo_vec3 rates[3]) {
  double sign = q.w < 0.0 ? -1.0 : 1.0; // q and -q are one rotation; take the shorter
  double w = sign * q.w, s = mo_length(mo_v3(q.x, q.y, q.z));
  double angle = 2.0 * mo_arc_tangent(s, w);
  mo_vec3 error = mo_quat_log(q);

  // I - [e]x / 2 + c [e]x^2 with c = (1 - angle/2 cot(angle/2)) / angle^2; its rows are the columns
  // of the transpose.
  double c = angle > SMALL_ANGLE ? (1.0 - 0.5 * angle * w / s) / (angle * angle)
                                 : 1.0 / 12.0 + angle * angle / 720.0;
  mo_mat3 cross = mo_mat3_cross(error);
  mo_mat3 square = mo_mat3_mul_mat3(cross, cross);
  mo_mat3 transposed = mo_mat3_add(mo_mat3_add(mo_mat3_identity(), mo_mat3_scale(0.5, cross)),
                                   mo_mat3_scale(c, square));
  rates[0] = transposed.cx;
  rates[1] = transposed.cy;
  rates[2] = transposed.cz;
  return error;
}

void mo_swing_error(mo_quat q, double error[2], mo_vec3 rates[2]) {
  mo_vec3 b = mo_quat_rotate(q, mo_v3(1.0, 0.0, 0.0)); // B's x axis
  double s = sqrt(b.y * b.y + b.z * b.z);
  if (b.x < 0.0 && s < LEAST_OPPOSITE_SINE) {
    double scale = s > 0.0 ? LEAST_OPPOSITE_SINE / s : 0.0;
    b.y = s > 0.0 ? scale * b.y : LEAST_OPPOSITE_SINE;
    b.z = scale * b.z;
    s = LEAST_OPPOSITE_SINE;
  }
  // The error is f (-b.z, b.y), f = angle / sine. With db = w x b,
  // df = g (b.y db.y + b.z db.z) - db.x, g = (b.x - f) / s^2.
  bool small = b.x > 0.0 && s < SMALL_SINE;
  double f = small ? 1.0 + s * s / 6.0 : mo_arc_tangent(s, b.x) / s;
  double g = small ? -2.0 / 3.0 - s * s / 5.0 : (b.x - f) / (s * s);
  mo_vec3 rate_x = mo_v3(0.0, b.z, -b.y); // db.x = rate_x . w = (b x e_x) . w, and so on
  mo_vec3 rate_y = mo_v3(-b.z, 0.0, b.x);
  mo_vec3 rate_z = mo_v3(b.y, -b.x, 0.0);
  mo_vec3 rate_f =
      mo_sub(mo_scale(g, mo_add(mo_scale(b.y, rate_y), mo_scale(b.z, rate_z))), rate_x);
  error[0] = -f * b.z;
  error[1] = f * b.y;
  rates[0] = mo_neg(mo_add(mo_scale(b.z, rate_f), mo_scale(f, rate_z)));
  rates[1] = mo_add(mo_scale(b.y, rate_f), mo_scale(f, rate_y));
}

double mo_twist_angle(mo_quat q, mo_vec3 *rate) {
  mo_vec3 x = mo_v3(1.0, 0.0, 0.0), v = mo_v3(q.x, q.y, q.z);
  double squared = q.w * q.w + q.x * q.x;
  if (squared < LEAST_TWIST) {
    *rate = x;
    return 0.0;
  }
  // Of 2 atan2(q.x, q.w) with dq = (0, w) q / 2.
  mo_vec3 sum = mo_add_scaled(mo_scale(q.w * q.w, x), q.w, mo_cross(v, x));
  *rate = mo_scale(1.0 / squared, mo_add_scaled(sum, q.x, v));
  double sign = q.w < 0.0 ? -1.0 : 1.0;
  return 2.0 * mo_arc_tangent(sign * q.x, sign * q.w);
}

double mo_hinge_angle(mo_quat q, double last, mo_vec3 *rate) {
  double turn = mo_twist_angle(q, rate) - last;
  return last + (turn - 2.0 * MO_PI * floor(turn / (2.0 * MO_PI) + 0.5));
}
