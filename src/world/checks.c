#include "world/checks.h"

// Ratio of an inertia's asymmetry to its size up to which it counts as symmetric: rotations of a
// tensor leave round-off.
#define SYMMETRY_TOLERANCE 1e-9

mo_result mo_check_unlocked(mo_world *world, const char *function) {
  return world->is_locked
             ? mo_world_refuse_text(world, MO_ERROR_WORLD_LOCKED, function,
                                    "inside of a callback the world can be read, not changed")
             : MO_OK;
}

mo_result mo_check_vec3(mo_world *world, const char *function, const char *name, mo_vec3 v) {
  return mo_v3_is_finite(v) ? MO_OK
                            : mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, name,
                                                   "must be finite", v);
}

mo_result mo_check_range(mo_world *world, const char *function, const char *name, double x,
                         double lower, double upper, const char *must) {
  bool inside = x >= lower && x <= upper && mo_is_finite(x);
  return inside ? MO_OK
                : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, name, must, x);
}

mo_result mo_check_static_velocity(mo_world *world, const char *function, mo_body_type type,
                                   mo_vec3 velocity) {
  if (type == MO_BODY_STATIC && mo_length_squared(velocity) > 0.0) {
    return mo_world_refuse_vec3(
        world, MO_ERROR_INVALID_ARGUMENT, function, "velocity",
        "of a static body must be 0 (a kinematic body moves by its velocity)", velocity);
  }
  return MO_OK;
}

mo_result mo_check_above_zero(mo_world *world, const char *function, const char *name, double x) {
  bool good = x > 0.0 && mo_is_finite(x) && mo_is_finite(1.0 / x);
  return good ? MO_OK
              : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, name,
                                "must be a finite number above 0", x);
}

mo_result mo_check_orientation(mo_world *world, const char *function, mo_quat q) {
  double norm = mo_quat_norm_squared(q);
  if (!(norm > 0.0 && mo_is_finite(norm) && mo_is_finite(1.0 / norm))) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "orientation",
                           "must be a finite quaternion that is not zero; its squared length",
                           norm);
  }
  return MO_OK;
}

mo_result mo_check_inertia(mo_world *world, const char *function, mo_mat3 m) {
  double scale = fabs(m.cx.x) + fabs(m.cy.y) + fabs(m.cz.z);
  double asymmetry = fabs(m.cx.y - m.cy.x) + fabs(m.cx.z - m.cz.x) + fabs(m.cy.z - m.cz.y);
  if (!mo_mat3_is_finite(m) || asymmetry > SYMMETRY_TOLERANCE * scale) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "inertia must be finite and symmetric");
  }
  double second = m.cx.x * m.cy.y - m.cy.x * m.cx.y;
  if (!(m.cx.x > 0.0 && second > 0.0 && mo_mat3_determinant(m) > 0.0)) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, "inertia",
                                "must be positive definite; its diagonal",
                                mo_v3(m.cx.x, m.cy.y, m.cz.z));
  }
  return MO_OK;
}

mo_result mo_check_combine(mo_world *world, const char *function, const char *name,
                           mo_combine rule) {
  return (unsigned)rule <= MO_COMBINE_GEOMETRIC_MEAN
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, name,
                               "must be one of mo_combine", (double)rule);
}

mo_result mo_check_locks(mo_world *world, const char *function, const char *name, uint32_t axes) {
  return axes <= (MO_AXIS_X | MO_AXIS_Y | MO_AXIS_Z)
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, name,
                               "must be bits of MO_AXIS_X, MO_AXIS_Y and MO_AXIS_Z", axes);
}
