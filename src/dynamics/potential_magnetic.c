/// A magnetic dipole that is fixed in a body, in a uniform field and that of a fixed dipole.
#include "dynamics/potential.h"

// mu_0 / (4 pi), T m / A; its measured value differs from 1e-7 in the tenth digit.
#define MAGNETIC_CONSTANT 1e-7

// The moment of the body and the distance from the fixed dipole, in world axes.
static mo_vec3 moment_of(const mo_potential_def *def, const mo_potential_body *body) {
  return mo_quat_rotate(body->orientation, def->moment);
}

static bool has_source(const mo_potential_def *def) {
  return mo_length_squared(def->source_moment) > 0.0;
}

// B = B_uniform + k (3 n (n.M) - M) / r^3
static mo_vec3 field_at(const mo_potential_def *def, mo_vec3 point) {
  if (!has_source(def)) {
    return def->field;
  }
  mo_vec3 r = mo_sub(point, def->center);
  double distance = mo_length(r);
  mo_vec3 n = mo_scale(1.0 / distance, r);
  mo_vec3 shape = mo_sub(mo_scale(3.0 * mo_dot(n, def->source_moment), n), def->source_moment);
  return mo_add_scaled(def->field, MAGNETIC_CONSTANT / (distance * distance * distance), shape);
}

// grad (m.B) = 3 k / r^4 ((m.n) M + (M.n) m + (m.M) n - 5 (m.n) (M.n) n); a uniform field pulls
// nowhere.
static mo_vec3 force_of(const mo_potential_def *def, mo_vec3 moment, mo_vec3 point) {
  if (!has_source(def)) {
    return mo_v3_zero();
  }
  mo_vec3 r = mo_sub(point, def->center), source = def->source_moment;
  double distance = mo_length(r);
  mo_vec3 n = mo_scale(1.0 / distance, r);
  double mn = mo_dot(moment, n), sn = mo_dot(source, n);
  mo_vec3 sum = mo_add(mo_scale(mn, source), mo_scale(sn, moment));
  sum = mo_add_scaled(sum, mo_dot(moment, source) - 5.0 * mn * sn, n);
  return mo_scale(3.0 * MAGNETIC_CONSTANT / mo_square(distance * distance), sum);
}

static bool magnetic_wrench(const mo_potential_def *def, const mo_potential_body *a,
                            const mo_potential_body *b, const mo_potential_scene *scene,
                            mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)scene;
  (void)on_b;
  mo_vec3 moment = moment_of(def, a);
  *on_a = (mo_wrench){force_of(def, moment, a->center_of_mass),
                      mo_cross(moment, field_at(def, a->center_of_mass))};
  return true;
}

// V = -m.B
static bool magnetic_energy(const mo_potential_def *def, const mo_potential_body *a,
                            const mo_potential_body *b, const mo_potential_scene *scene,
                            double *energy) {
  (void)b;
  (void)scene;
  *energy = -mo_dot(moment_of(def, a), field_at(def, a->center_of_mass));
  return true;
}

const mo_potential_kind mo_potential_magnetic = {
    .name = "magnetic", .wrench = magnetic_wrench, .energy = magnetic_energy};
