#include "dynamics/body.h"

#include "math/simd.h"

// Relative difference of principal moments below which the gyroscopic torque is round-off.
#define ISOTROPY_TOLERANCE 1e-14

mo_mass mo_body_effective_mass(const mo_body *body) {
  mo_mass mass = body->mass;
  if (body->type != MO_BODY_DYNAMIC) {
    mass.mass = 0.0;
    mass.inverse_mass = 0.0;
    mass.inertia = mo_mat3_zero();
    mass.inverse_inertia = mo_mat3_zero();
    mass.is_isotropic = true;
  }
  return mass;
}

static bool is_isotropic(mo_mat3 m) {
  double scale = m.cx.x;
  double difference = mo_max(fabs(m.cy.y - scale), fabs(m.cz.z - scale));
  double off_diagonal = mo_max(fabs(m.cx.y), mo_max(fabs(m.cx.z), fabs(m.cy.z)));
  return mo_max(difference, off_diagonal) <= ISOTROPY_TOLERANCE * scale;
}

double mo_mass_single_scale(const mo_mass *mass) {
  mo_mat3 i = mass->inertia;
  return mass->inverse_inertia.cx.x > 0.0 ? 1.0 / (i.cx.x + i.cy.y + i.cz.z) : 0.0;
}

static void set_single(mo_mass *mass) {
  double scale = mo_mass_single_scale(mass);
  mo_mat3 i = scale > 0.0 ? mo_mat3_scale(scale, mass->inertia) : mo_mat3_identity();
  mo_mat3 j = mass->inverse_inertia;
  const double numbers[12] = {i.cx.x, i.cy.y, i.cz.z, i.cy.x, i.cz.x, i.cz.y,
                              j.cx.x, j.cy.y, j.cz.z, j.cy.x, j.cz.x, j.cz.y};
  for (int k = 0; k < 12; k++) {
    mass->single[k] = (float)numbers[k];
  }
}

void mo_mass_complete(mo_mass *mass) {
  mass->inverse_mass = mass->mass > 0.0 ? 1.0 / mass->mass : 0.0;
  bool turns = mo_mat3_determinant(mass->inertia) > 0.0;
  mass->inverse_inertia = turns ? mo_mat3_inverse(mass->inertia) : mo_mat3_zero();
  mass->is_isotropic = !turns || is_isotropic(mass->inertia);
  set_single(mass);
}

mo_mass mo_mass_of_shapes(const mo_placed_shape *shapes, uint32_t count) {
  mo_mass sum = {0};
  mo_vec3 moment = mo_v3_zero();
  for (uint32_t i = 0; i < count; i++) {
    double mass = shapes[i].density * shapes[i].shape->volume;
    mo_vec3 center =
        mo_transform_point(mo_transform_from_pose(shapes[i].pose), shapes[i].shape->centroid);
    sum.mass += mass;
    moment = mo_add_scaled(moment, mass, center);
  }
  if (sum.mass > 0.0) {
    sum.center_of_mass = mo_scale(1.0 / sum.mass, moment);
  }
  // Each shape's inertia about its own centre is rotated into body axes and moved to the common
  // centre.
  for (uint32_t i = 0; i < count; i++) {
    mo_transform placement = mo_transform_from_pose(shapes[i].pose);
    double mass = shapes[i].density * shapes[i].shape->volume;
    mo_vec3 offset =
        mo_sub(mo_transform_point(placement, shapes[i].shape->centroid), sum.center_of_mass);
    mo_mat3 own = mo_mat3_rotate_symmetric(placement.rotation, shapes[i].shape->inertia_per_mass);
    sum.inertia = mo_mat3_add(
        sum.inertia, mo_mat3_add(mo_mat3_scale(mass, own), mo_mat3_parallel_axis(mass, offset)));
  }
  return sum;
}

double mo_volume_of_shapes(const mo_placed_shape *shapes, uint32_t count) {
  double volume = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    volume += shapes[i].shape->volume;
  }
  return volume;
}

void mo_mass_set(mo_mass *mass, double kilograms) {
  if (mass->mass > 0.0) {
    mass->inertia = mo_mat3_scale(kilograms / mass->mass, mass->inertia);
  }
  mass->mass = kilograms;
  mo_mass_complete(mass);
}

bool mo_mass_is_finite(const mo_mass *mass) {
  return mo_is_finite(mass->mass) && mo_is_finite(mass->inverse_mass) &&
         mo_mat3_is_finite(mass->inertia) && mo_mat3_is_finite(mass->inverse_inertia) &&
         mo_v3_is_finite(mass->center_of_mass);
}

void mo_motion_update_center(mo_motion *motion, mo_vec3 local_center) {
  motion->center_of_mass =
      mo_add(motion->position, mo_quat_rotate(motion->orientation, local_center));
}

void mo_motion_update_origin(mo_motion *motion, mo_vec3 local_center) {
  motion->position = motion->center_of_mass;
  if (mo_v3_equal(local_center, mo_v3_zero())) {
    return; // true for most bodies
  }
  motion->position =
      mo_sub(motion->center_of_mass, mo_quat_rotate(motion->orientation, local_center));
}

mo_mat3 mo_motion_world_tensor(const mo_motion *motion, mo_mat3 body_tensor) {
  return mo_mat3_rotate_symmetric(mo_quat_to_mat3(motion->orientation), body_tensor);
}

// The sizes are multiplied last, because their product may overflow where the energy does not.
static double scaled_rotational_energy(const mo_mass *mass, const mo_motion *motion) {
  double rate = mo_v3_size(motion->angular_velocity);
  mo_vec3 w = mo_scale(1.0 / rate, motion->angular_velocity);
  mo_vec3 spin = mo_quat_rotate_inverse(motion->orientation, w);
  double size = mo_v3_size(mo_v3(mass->inertia.cx.x, mass->inertia.cy.y, mass->inertia.cz.z));
  double twice = mo_dot(spin, mo_mat3_mul(mo_mat3_scale(1.0 / size, mass->inertia), spin));
  return 0.5 * twice * size * rate * rate;
}

double mo_body_translational_energy(const mo_mass *mass, const mo_motion *motion) {
  double energy = 0.5 * mass->mass * mo_length_squared(motion->linear_velocity);
  if (mo_is_finite(energy)) {
    return energy;
  }
  double speed = mo_v3_size(motion->linear_velocity);
  mo_vec3 v = mo_scale(1.0 / speed, motion->linear_velocity);
  return 0.5 * mass->mass * mo_length_squared(v) * speed * speed;
}

double mo_body_rotational_energy(const mo_mass *mass, const mo_motion *motion) {
  mo_vec3 spin = mo_quat_rotate_inverse(motion->orientation, motion->angular_velocity);
  double energy = 0.5 * mo_dot(spin, mo_mat3_mul(mass->inertia, spin));
  return mo_is_finite(energy) ? energy : scaled_rotational_energy(mass, motion);
}

double mo_body_kinetic_energy(const mo_mass *mass, const mo_motion *motion) {
  return mo_body_translational_energy(mass, motion) + mo_body_rotational_energy(mass, motion);
}

// The same numbers of two vectors as lanes.
static mo_vec3x2 lanes_of(mo_vec3 a, mo_vec3 b) {
  return (mo_vec3x2){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}

// mo_quat_rotate_inverse, operation by operation.
static mo_vec3x2 turned_back(mo_quat a, mo_quat b, mo_vec3x2 v) {
  mo_vec3x2 u = {{-a.x, -b.x}, {-a.y, -b.y}, {-a.z, -b.z}};
  mo_vec3x2 t = mo_vec3x2_scale(mo_f64x2_splat(2.0), mo_vec3x2_cross(u, v));
  return mo_vec3x2_add(mo_vec3x2_add_scaled(v, (mo_f64x2){a.w, b.w}, t), mo_vec3x2_cross(u, t));
}

// mo_mat3_mul, operation by operation.
static mo_vec3x2 mat3_mul_lanes(const mo_mat3 *m, mo_vec3x2 v) {
  return (mo_vec3x2){m->cx.x * v.x + m->cy.x * v.y + m->cz.x * v.z,
                     m->cx.y * v.x + m->cy.y * v.y + m->cz.y * v.z,
                     m->cx.z * v.x + m->cy.z * v.y + m->cz.z * v.z};
}

void mo_body_kinetic_energies(const mo_mass *mass, const mo_motion *a, const mo_motion *b,
                              double energies[2]) {
  mo_vec3x2 v = lanes_of(a->linear_velocity, b->linear_velocity);
  mo_vec3x2 spin = turned_back(a->orientation, b->orientation,
                               lanes_of(a->angular_velocity, b->angular_velocity));
  mo_f64x2 half = mo_f64x2_splat(0.5);
  mo_f64x2 sum = half * mo_f64x2_splat(mass->mass) * mo_vec3x2_dot(v, v) +
                 half * mo_vec3x2_dot(spin, mat3_mul_lanes(&mass->inertia, spin));
  const mo_motion *motions[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    energies[i] = mo_is_finite(sum[i]) ? sum[i] : mo_body_kinetic_energy(mass, motions[i]);
  }
}

static mo_vec3 scaled_angular_momentum(const mo_mass *mass, const mo_motion *motion) {
  double rate = mo_v3_size(motion->angular_velocity);
  double size = mo_v3_size(mo_v3(mass->inertia.cx.x, mass->inertia.cy.y, mass->inertia.cz.z));
  mo_vec3 spin =
      mo_quat_rotate_inverse(motion->orientation, mo_scale(1.0 / rate, motion->angular_velocity));
  mo_vec3 momentum = mo_mat3_mul(mo_mat3_scale(1.0 / size, mass->inertia), spin);
  return mo_scale(rate, mo_scale(size, mo_quat_rotate(motion->orientation, momentum)));
}

mo_vec3 mo_body_angular_momentum(const mo_mass *mass, const mo_motion *motion) {
  mo_vec3 spin = mo_quat_rotate_inverse(motion->orientation, motion->angular_velocity);
  mo_vec3 momentum = mo_quat_rotate(motion->orientation, mo_mat3_mul(mass->inertia, spin));
  return mo_v3_is_finite(momentum) ? momentum : scaled_angular_momentum(mass, motion);
}
