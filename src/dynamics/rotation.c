#include "dynamics/rotation.h"

#include "math/trig.h"

// The most rounds of Newton's method. It converges quadratically from the old velocity if the body
// turns by less than about a radian in the step, and needs 3 to 5 rounds then.
#define MAX_NEWTON_ROUNDS 12
// Relative to the angular velocity: after a smaller update the next one would be round-off.
#define NEWTON_TOLERANCE 1e-11
// The most parts of a step. Steps of fast spins, and of bodies much longer than thick, are divided
// into halves, quarters, and so on.
#define MAX_SUBSTEPS 1024

// rad: a free rotation is divided into parts of at most this angle. The Cayley map reaches half a
// turn only for infinite spins.
#define LARGEST_PART 1.5

// The direction of a torque during a step.
typedef enum torque_frame {
  TURNS_WITH_BODY, // constant in body axes
  STAYS_IN_WORLD,  // constant in world axes; given in body axes at the start of the step
} torque_frame;

// Solves I (w1 - w0) = dt (tau - m x I m), m = (w0 + w1) / 2, for w1, all in body axes. False if
// Newton's method did not converge. Every solution keeps both invariants, so which one is found
// does not matter.
//
// After a rotation by the Cayley map of dt m (mo_integrate_rotation_midpoint), the body has the
// angular momentum R1 I w1 = R0 I w0 + dt R0 (1 - dt/2 [m]x)^-1 tau. For a torque T that is
// constant in the world, tau = (1 - dt/2 [m]x) R0^T T, which makes that L1 = L0 + dt T.
static bool midpoint_euler_equations(const mo_mass *mass, mo_vec3 torque, torque_frame frame,
                                     double dt, mo_vec3 *w) {
  mo_mat3 inertia = mass->inertia;
  mo_vec3 w0 = *w;
  mo_vec3 w1 = mo_add_scaled(w0, dt, mo_mat3_mul(mass->inverse_inertia, torque));
  for (int round = 0; round < MAX_NEWTON_ROUNDS; round++) {
    mo_vec3 m = mo_scale(0.5, mo_add(w0, w1));
    mo_vec3 im = mo_mat3_mul(inertia, m);
    mo_vec3 gyro = mo_sub(mo_cross(m, im), torque);
    if (frame == STAYS_IN_WORLD) {
      gyro = mo_add_scaled(gyro, 0.5 * dt, mo_cross(m, torque));
    }
    mo_vec3 f = mo_add_scaled(mo_mat3_mul(inertia, mo_sub(w1, w0)), dt, gyro);

    // d/dw1 of f: I + dt/2 ([m]x I - [I m]x - dt/2 [tau]x)
    mo_mat3 d = mo_mat3_add(mo_mat3_mul_mat3(mo_mat3_cross(m), inertia),
                            mo_mat3_scale(-1.0, mo_mat3_cross(im)));
    if (frame == STAYS_IN_WORLD) {
      d = mo_mat3_add(d, mo_mat3_scale(-0.5 * dt, mo_mat3_cross(torque)));
    }
    mo_mat3 jacobian = mo_mat3_add(inertia, mo_mat3_scale(0.5 * dt, d));
    mo_vec3 update = mo_mat3_mul(mo_mat3_inverse(jacobian), f);
    w1 = mo_sub(w1, update);
    if (mo_length(update) <= NEWTON_TOLERANCE * mo_length(w1)) {
      *w = w1;
      return true;
    }
  }
  return false;
}

static bool substeps_of_euler_equations(const mo_mass *mass, mo_vec3 torque, double dt, int count,
                                        mo_vec3 *w) {
  for (int i = 0; i < count; i++) {
    if (!midpoint_euler_equations(mass, torque, TURNS_WITH_BODY, dt / count, w)) {
      return false;
    }
  }
  return true;
}

static mo_vec3 free_rotation(const mo_mass *mass, mo_vec3 w0, mo_vec3 torque, double dt) {
  for (int count = 1; count <= MAX_SUBSTEPS; count *= 2) {
    mo_vec3 w = w0;
    if (substeps_of_euler_equations(mass, torque, dt, count, &w)) {
      return w;
    }
  }
  // For extreme spins: without the gyroscopic term the spin conserves its energy and |L| too.
  return mo_add_scaled(w0, dt, mo_mat3_mul(mass->inverse_inertia, torque));
}

mo_vec3 mo_integrate_rotation(const mo_mass *mass, const mo_motion *motion, mo_vec3 torque,
                              double dt) {
  mo_mat3 rotation = mo_quat_to_mat3(motion->orientation);
  mo_vec3 body_torque = mo_mat3_mul_transposed(rotation, torque);
  if (mass->is_isotropic) {
    mo_vec3 change = mo_mat3_mul(rotation, mo_mat3_mul(mass->inverse_inertia, body_torque));
    return mo_add_scaled(motion->angular_velocity, dt, change);
  }
  mo_vec3 body_velocity = mo_mat3_mul_transposed(rotation, motion->angular_velocity);
  return mo_mat3_mul(rotation, free_rotation(mass, body_velocity, body_torque, dt));
}

// --- velocity and orientation together -------------------------------------------------------

// The state of a rotation that is computed in parts.
typedef struct partial_turn {
  mo_quat orientation;
  mo_vec3 spin; // body axes
  mo_vec3 mean; // world
} partial_turn;

static bool turn_in_parts(const mo_mass *mass, mo_vec3 torque, double dt, int count,
                          partial_turn *turn) {
  double h = dt / count;
  for (int i = 0; i < count; i++) {
    mo_vec3 local = mo_quat_rotate_inverse(turn->orientation, torque);
    mo_vec3 before = turn->spin;
    if (!midpoint_euler_equations(mass, local, STAYS_IN_WORLD, h, &turn->spin)) {
      return false;
    }
    mo_vec3 m = mo_scale(0.5, mo_add(before, turn->spin));
    turn->mean = mo_add_scaled(turn->mean, 1.0 / count, mo_quat_rotate(turn->orientation, m));
    mo_vec3 half = mo_scale(0.5 * h, m);
    mo_quat cayley = {half.x, half.y, half.z, 1.0};
    turn->orientation = mo_quat_normalize(mo_quat_mul(turn->orientation, cayley));
  }
  return true;
}

// For equal moments of inertia the exponential map of the mean velocity conserves the same
// invariants, and is exact for a constant spin.
static mo_rotation turn_isotropic(const mo_mass *mass, mo_quat orientation, mo_vec3 w0,
                                  mo_vec3 torque, double dt) {
  mo_mat3 rotation = mo_quat_to_mat3(orientation);
  mo_vec3 local = mo_mat3_mul_transposed(rotation, torque);
  mo_vec3 change = mo_mat3_mul(rotation, mo_mat3_mul(mass->inverse_inertia, local));
  mo_vec3 mean = mo_add_scaled(w0, 0.5 * dt, change);
  mo_quat turned = mo_quat_mul(mo_quat_exp(mo_scale(dt, mean)), orientation);
  return (mo_rotation){.orientation = mo_quat_normalize(turned),
                       .angular_velocity = mo_add_scaled(w0, dt, change),
                       .mean_angular_velocity = mean};
}

mo_rotation mo_integrate_rotation_midpoint(const mo_mass *mass, mo_quat orientation,
                                           mo_vec3 angular_velocity, mo_vec3 torque, double dt) {
  if (mass->is_isotropic) {
    return turn_isotropic(mass, orientation, angular_velocity, torque, dt);
  }
  for (int count = 1; count <= MAX_SUBSTEPS; count *= 2) {
    partial_turn turn = {.orientation = orientation,
                         .spin = mo_quat_rotate_inverse(orientation, angular_velocity)};
    if (turn_in_parts(mass, torque, dt, count, &turn)) {
      return (mo_rotation){.orientation = turn.orientation,
                           .angular_velocity = mo_quat_rotate(turn.orientation, turn.spin),
                           .mean_angular_velocity = turn.mean};
    }
  }
  // For extreme spins: as if all moments were equal.
  return turn_isotropic(mass, orientation, angular_velocity, torque, dt);
}

// The factor by which a Cayley map must stretch a rotation to turn by its whole angle.
static double cayley_stretch(double angle) {
  mo_sin_cos half = mo_sine_cosine(0.5 * angle);
  return angle > 0.0 ? half.sin / (half.cos * 0.5 * angle) : 1.0;
}

mo_rotation mo_integrate_free_rotation(const mo_mass *mass, mo_quat orientation,
                                       mo_vec3 angular_velocity, double dt) {
  double angle = dt * mo_length(angular_velocity), count = ceil(angle / LARGEST_PART);
  if (mass->is_isotropic || count < 1.0 || !(count <= MAX_SUBSTEPS)) {
    return turn_isotropic(mass, orientation, angular_velocity, mo_v3_zero(), dt);
  }
  mo_rotation all = {orientation, angular_velocity, mo_v3_zero()};
  for (int i = 0; i < (int)count; i++) {
    double stretched = dt / count * cayley_stretch(dt / count * mo_length(all.angular_velocity));
    mo_rotation part = mo_integrate_rotation_midpoint(mass, all.orientation, all.angular_velocity,
                                                      mo_v3_zero(), stretched);
    part.mean_angular_velocity =
        mo_add_scaled(all.mean_angular_velocity, 1.0 / count, part.mean_angular_velocity);
    all = part;
  }
  return all;
}

// The rotation vector of a rotation, of those that differ by whole turns, that is nearest to
// another one.
static mo_vec3 unwound(mo_vec3 vector, mo_vec3 near) {
  double turns =
      floor((mo_length(near) - mo_dot(vector, near) / mo_length(near)) / (2.0 * MO_PI) + 0.5);
  if (!(turns > 0.0 || turns < 0.0)) {
    return vector;
  }
  double angle = mo_length(vector);
  bool is_along = mo_dot(vector, near) > 0.0;
  mo_vec3 axis =
      angle > 0.0 ? mo_scale((is_along ? 1.0 : -1.0) / angle, vector) : mo_normalize(near);
  return mo_add_scaled(vector, 2.0 * MO_PI * turns, axis);
}

mo_vec3 mo_mean_free_spin(const mo_mass *mass, mo_quat orientation, mo_vec3 angular_velocity,
                          double dt) {
  mo_rotation turn = mo_integrate_free_rotation(mass, orientation, angular_velocity, dt);
  if (mass->is_isotropic || !(mo_length_squared(turn.mean_angular_velocity) > 0.0)) {
    return angular_velocity;
  }
  mo_vec3 vector = mo_quat_log(mo_quat_mul(turn.orientation, mo_quat_conjugate(orientation)));
  return mo_scale(1.0 / dt, unwound(vector, mo_scale(dt, turn.mean_angular_velocity)));
}

mo_vec3 mo_spin_after(const mo_mass *mass, mo_quat from, mo_vec3 angular_velocity, mo_quat to) {
  mo_vec3 local = mo_quat_rotate_inverse(from, angular_velocity);
  mo_vec3 momentum = mo_quat_rotate(from, mo_mat3_mul(mass->inertia, local));
  return mo_quat_rotate(to,
                        mo_mat3_mul(mass->inverse_inertia, mo_quat_rotate_inverse(to, momentum)));
}
