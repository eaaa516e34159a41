/// Potentials of gravity: uniform, of a point mass, and the tide of a point mass on extended
/// bodies.
#include "dynamics/potential.h"

// --- uniform ---------------------------------------------------------------------------------

double mo_gravity_energy(mo_vec3 gravity, double mass, mo_vec3 center_of_mass) {
  return -mass * mo_dot(gravity, center_of_mass);
}

static bool gravity_wrench(const mo_potential_def *def, const mo_potential_body *a,
                           const mo_potential_body *b, const mo_potential_scene *scene,
                           mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)scene;
  (void)on_b;
  *on_a = mo_gravity_wrench(def->gravity, a->mass);
  return true;
}

static bool gravity_energy(const mo_potential_def *def, const mo_potential_body *a,
                           const mo_potential_body *b, const mo_potential_scene *scene,
                           double *energy) {
  (void)b;
  (void)scene;
  *energy = mo_gravity_energy(def->gravity, a->mass, a->center_of_mass);
  return true;
}

const mo_potential_kind mo_potential_gravity = {
    .name = "gravity", .wrench = gravity_wrench, .energy = gravity_energy};

// --- a point mass ----------------------------------------------------------------------------

// sqrt(r^2 + softening^2) (Plummer 1911)
static double softened(mo_vec3 r, double softening) {
  return sqrt(mo_length_squared(r) + softening * softening);
}

// F = -mu m r / (r^2 + s^2)^(3/2)
static bool point_gravity_wrench(const mo_potential_def *def, const mo_potential_body *a,
                                 const mo_potential_body *b, const mo_potential_scene *scene,
                                 mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)scene;
  (void)on_b;
  mo_vec3 r = mo_sub(a->center_of_mass, def->center);
  double distance = softened(r, def->softening);
  double strength = -def->mu * a->mass / (distance * distance * distance);
  *on_a = (mo_wrench){mo_scale(strength, r), mo_v3_zero()};
  return true;
}

// V = -mu m / sqrt(r^2 + s^2)
static bool point_gravity_energy(const mo_potential_def *def, const mo_potential_body *a,
                                 const mo_potential_body *b, const mo_potential_scene *scene,
                                 double *energy) {
  (void)b;
  (void)scene;
  mo_vec3 r = mo_sub(a->center_of_mass, def->center);
  *energy = -def->mu * a->mass / softened(r, def->softening);
  return true;
}

const mo_potential_kind mo_potential_point_gravity = {
    .name = "pointGravity", .wrench = point_gravity_wrench, .energy = point_gravity_energy};

// --- the tide of a point mass ----------------------------------------------------------------

// What MacCullagh's formula needs: r from the source to the centre of mass, the world inertia times
// r, and the inertia's trace.
typedef struct tide {
  mo_vec3 r, inertia_r;
  double distance, trace;
} tide;

static tide tide_on(const mo_potential_def *def, const mo_potential_body *body) {
  mo_vec3 r = mo_sub(body->center_of_mass, def->center);
  mo_vec3 local = mo_quat_rotate_inverse(body->orientation, r);
  return (tide){.r = r,
                .inertia_r = mo_quat_rotate(body->orientation, mo_mat3_mul(body->inertia, local)),
                .distance = mo_length(r),
                .trace = body->inertia.cx.x + body->inertia.cy.y + body->inertia.cz.z};
}

// F = -dV/dr = mu/2 (15 (r.Ir) r / r^7 - 3 tr(I) r / r^5 - 6 I r / r^5), torque 3 mu r x I r / r^5
static bool tidal_wrench(const mo_potential_def *def, const mo_potential_body *a,
                         const mo_potential_body *b, const mo_potential_scene *scene,
                         mo_wrench *on_a, mo_wrench *on_b) {
  (void)b;
  (void)scene;
  (void)on_b;
  tide t = tide_on(def, a);
  double square = t.distance * t.distance;
  double fifth = square * square * t.distance;
  double radial = 15.0 * mo_dot(t.r, t.inertia_r) / square - 3.0 * t.trace;
  mo_vec3 pull = mo_add_scaled(mo_scale(radial, t.r), -6.0, t.inertia_r);
  *on_a = (mo_wrench){mo_scale(0.5 * def->mu / fifth, pull),
                      mo_scale(3.0 * def->mu / fifth, mo_cross(t.r, t.inertia_r))};
  return true;
}

// V = -mu / (2 r^3) (tr(I) - 3 n.In), n = r / |r| (MacCullagh 1840)
static bool tidal_energy(const mo_potential_def *def, const mo_potential_body *a,
                         const mo_potential_body *b, const mo_potential_scene *scene,
                         double *energy) {
  (void)b;
  (void)scene;
  tide t = tide_on(def, a);
  double square = t.distance * t.distance;
  double about_line = mo_dot(t.r, t.inertia_r) / square;
  *energy = -0.5 * def->mu / (square * t.distance) * (t.trace - 3.0 * about_line);
  return true;
}

const mo_potential_kind mo_potential_tidal = {
    .name = "tidal", .wrench = tidal_wrench, .energy = tidal_energy};

// --- masses that attract each other ----------------------------------------------------------

// r from b to a, and sqrt(r^2 + softening^2).
static double apart(const mo_potential_def *def, const mo_potential_body *a,
                    const mo_potential_body *b, mo_vec3 *r) {
  *r = mo_sub(a->center_of_mass, b->center_of_mass);
  return softened(*r, def->softening);
}

// F = -G m_a m_b r / (r^2 + s^2)^(3/2). Two masses at one place pull nowhere.
static bool mutual_gravity_wrench(const mo_potential_def *def, const mo_potential_body *a,
                                  const mo_potential_body *b, const mo_potential_scene *scene,
                                  mo_wrench *on_a, mo_wrench *on_b) {
  (void)scene;
  (void)on_b;
  mo_vec3 r;
  double distance = apart(def, a, b, &r);
  double strength = distance > 0.0 ? -def->gravitational_constant * a->mass * b->mass /
                                         (distance * distance * distance)
                                   : 0.0;
  *on_a = (mo_wrench){mo_scale(strength, r), mo_v3_zero()};
  return true;
}

// Half of V = -G m_a m_b / sqrt(r^2 + s^2), because each pair is asked about twice.
static bool mutual_gravity_energy(const mo_potential_def *def, const mo_potential_body *a,
                                  const mo_potential_body *b, const mo_potential_scene *scene,
                                  double *energy) {
  (void)scene;
  mo_vec3 r;
  double distance = apart(def, a, b, &r);
  *energy =
      distance > 0.0 ? -0.5 * def->gravitational_constant * a->mass * b->mass / distance : 0.0;
  return true;
}

const mo_potential_kind mo_potential_mutual_gravity = {.name = "mutualGravity",
                                                       .is_mutual = true,
                                                       .wrench = mutual_gravity_wrench,
                                                       .energy = mutual_gravity_energy};
