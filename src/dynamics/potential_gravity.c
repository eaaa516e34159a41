/// Potentials of gravity: uniform, of a point mass, and the tide of a point mass on extended
/// bodies.
#include "dynamics/potential.h"

// --- uniform ---------------------------------------------------------------------------------

double mo_gravity_energy(mo_vec3 gravity, double mass, mo_vec3 center_of_mass) {
  return -mass * mo_dot(gravity, center_of_mass);
}

static bool gravity_wrench(const mo_potential_def *def, const mo_potential_body *a,
                           const mo_potential_body *b, double time, mo_wrench *on_a,
                           mo_wrench *on_b) {
  (void)b;
  (void)time;
  (void)on_b;
  *on_a = mo_gravity_wrench(def->gravity, a->mass);
  return true;
}

static bool gravity_energy(const mo_potential_def *def, const mo_potential_body *a,
                           const mo_potential_body *b, double time, double *energy) {
  (void)b;
  (void)time;
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
                                 const mo_potential_body *b, double time, mo_wrench *on_a,
                                 mo_wrench *on_b) {
  (void)b;
  (void)time;
  (void)on_b;
  mo_vec3 r = mo_sub(a->center_of_mass, def->center);
  double distance = softened(r, def->softening);
  double strength = -def->mu * a->mass / (distance * distance * distance);
  *on_a = (mo_wrench){mo_scale(strength, r), mo_v3_zero()};
  return true;
}

// V = -mu m / sqrt(r^2 + s^2)
static bool point_gravity_energy(const mo_potential_def *def, const mo_potential_body *a,
                                 const mo_potential_body *b, double time, double *energy) {
  (void)b;
  (void)time;
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
                         const mo_potential_body *b, double time, mo_wrench *on_a,
                         mo_wrench *on_b) {
  (void)b;
  (void)time;
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
                         const mo_potential_body *b, double time, double *energy) {
  (void)b;
  (void)time;
  tide t = tide_on(def, a);
  double square = t.distance * t.distance;
  double about_line = mo_dot(t.r, t.inertia_r) / square;
  *energy = -0.5 * def->mu / (square * t.distance) * (t.trace - 3.0 * about_line);
  return true;
}

const mo_potential_kind mo_potential_tidal = {
    .name = "tidal", .wrench = tidal_wrench, .energy = tidal_energy};
