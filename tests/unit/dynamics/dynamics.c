#include "dynamics/integrator.h"
#include "dynamics/potential.h"
#include "test_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static mo_mass mass_with(double mass, mo_mat3 inertia) {
  mo_mass m = {.mass = mass, .inertia = inertia};
  mo_mass_complete(&m);
  return m;
}

static mo_motion spinning(mo_vec3 angular_velocity) {
  return (mo_motion){.orientation = mo_quat_identity(), .angular_velocity = angular_velocity};
}

static void spin(const mo_mass *mass, mo_motion *motion, double dt, int steps) {
  for (int i = 0; i < steps; i++) {
    motion->angular_velocity = mo_integrate_rotation(mass, motion, mo_v3_zero(), dt);
    mo_integrate_pose(motion, mo_v3_zero(), mo_v3_zero(), motion->angular_velocity, dt);
  }
}

// A49: the intermediate axis is unstable; without the gyroscopic term the body never flips (E18).
static void torque_free_top_flips_and_keeps_energy_and_momentum(void **state) {
  (void)state;
  mo_mass mass = mass_with(1.0, mo_mat3_diagonal(1, 2, 3));
  mo_motion motion = spinning(mo_v3(0.1, 2.0, 0.1));
  double energy = mo_body_kinetic_energy(&mass, &motion),
         momentum = mo_length(mo_body_angular_momentum(&mass, &motion));
  assert_true(fabs(energy - 4.02) < 1e-12);
  assert_true(fabs(momentum - 4.0124805) < 1e-7);
  double first_flip = 0.0;
  for (int i = 1; i <= 10000; i++) {
    spin(&mass, &motion, 0.001, 1);
    mo_vec3 body = mo_quat_rotate_inverse(motion.orientation, motion.angular_velocity);
    if (body.y < 0.0 && first_flip == 0.0) {
      first_flip = i * 0.001;
    }
    assert_true(fabs(mo_body_kinetic_energy(&mass, &motion) / energy - 1.0) < 1e-11);
    assert_true(fabs(mo_length(mo_body_angular_momentum(&mass, &motion)) / momentum - 1.0) < 1e-11);
  }
  assert_true(fabs(first_flip - 4.05) < 0.1);
}

// The midpoint rule has both as invariants at any step, also far beyond accuracy.
static void energy_and_momentum_hold_at_coarse_steps(void **state) {
  (void)state;
  mo_mass mass = mass_with(2.0, (mo_mat3){{1.0, 0.1, -0.05}, {0.1, 2.2, 0.2}, {-0.05, 0.2, 2.5}});
  mo_motion motion = spinning(mo_v3(3.0, -6.0, 2.0));
  double energy = mo_body_kinetic_energy(&mass, &motion),
         momentum = mo_length(mo_body_angular_momentum(&mass, &motion));
  spin(&mass, &motion, 1.0 / 60.0, 3600);
  assert_true(fabs(mo_body_kinetic_energy(&mass, &motion) / energy - 1.0) < 1e-11);
  assert_true(fabs(mo_length(mo_body_angular_momentum(&mass, &motion)) / momentum - 1.0) < 1e-11);
}

// Spins of up to several radians per step, and rods, where Newton's method alone diverges.
static void energy_and_momentum_hold_at_absurd_spins(void **state) {
  (void)state;
  static const struct {
    mo_vec3 inertia, spin;
  } cases[] = {{{1, 2, 3}, {-137.657, 256.567, 72.276}},
               {{0.5627, 0.01939, 0.5816}, {142.73, 17.18, 8.28}},
               {{1e-3, 1, 1}, {300, 20, -10}},
               {{1, 2, 3}, {1e5, -2e5, 1e5}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mo_vec3 d = cases[i].inertia;
    mo_mass mass = mass_with(1.0, mo_mat3_diagonal(d.x, d.y, d.z));
    mo_motion motion = spinning(cases[i].spin);
    double energy = mo_body_kinetic_energy(&mass, &motion);
    double momentum = mo_length(mo_body_angular_momentum(&mass, &motion));
    spin(&mass, &motion, 1.0 / 60.0, 100);
    assert_true(fabs(mo_body_kinetic_energy(&mass, &motion) / energy - 1.0) < 1e-9);
    assert_true(fabs(mo_length(mo_body_angular_momentum(&mass, &motion)) / momentum - 1.0) < 1e-9);
  }
}

// A50: constant spin of a sphere against the exact rotation.
static void constant_spin_keeps_attitude_and_unit_length(void **state) {
  (void)state;
  mo_mass mass = mass_with(1.0, mo_mat3_diagonal(0.4, 0.4, 0.4));
  mo_vec3 w = mo_v3(1, 2, 3);
  mo_motion motion = spinning(w);
  for (int i = 1; i <= 10000; i++) {
    spin(&mass, &motion, 0.016, 1);
    assert_true(fabs(mo_quat_norm_squared(motion.orientation) - 1.0) < 1e-10);
  }
  double half = 0.5 * mo_length(w) * 160.0;
  mo_vec3 axis = mo_normalize(w);
  mo_quat exact = {axis.x * sin(half), axis.y * sin(half), axis.z * sin(half), cos(half)};
  mo_quat error = mo_quat_mul(mo_quat_conjugate(exact), motion.orientation);
  assert_true(2.0 * sqrt(error.x * error.x + error.y * error.y + error.z * error.z) < 1e-6);
}

static void torque_changes_angular_momentum_at_its_own_rate(void **state) {
  (void)state;
  mo_mass mass = mass_with(1.0, mo_mat3_diagonal(2, 2, 2));
  mo_motion motion = spinning(mo_v3(0, 1, 0));
  mo_vec3 w = mo_integrate_rotation(&mass, &motion, mo_v3(0.5, 0, 0), 0.1);
  assert_true(mo_distance_between(w, mo_v3(0.025, 1, 0)) < 1e-15);
}

// A60 and E16: the force is minus the gradient of the energy.
static void gravity_is_minus_the_gradient_of_its_energy(void **state) {
  (void)state;
  mo_vec3 g = mo_v3(0, 0, -9.81), at = mo_v3(0, 0, 100);
  assert_true(fabs(mo_gravity_energy(g, 10.0, at) - 9810.0) < 1e-9);
  mo_wrench wrench = mo_gravity_wrench(g, 10.0);
  assert_true(mo_distance_between(wrench.force, mo_v3(0, 0, -98.1)) < 1e-12);
  assert_true(mo_length(wrench.torque) == 0.0);
  double h = 1e-3;
  double slope = (mo_gravity_energy(g, 10.0, mo_v3(0, 0, 100 + h)) -
                  mo_gravity_energy(g, 10.0, mo_v3(0, 0, 100 - h))) /
                 (2 * h);
  assert_true(fabs(-slope - wrench.force.z) < 1e-6);
}

static void mass_of_two_boxes_is_that_of_the_box_they_make(void **state) {
  (void)state;
  mo_result result;
  mo_shape *half = mo_shape_create_box(mo_v3(1, 0.5, 0.5), &result);
  assert_int_equal(result, MO_OK);
  mo_quat turned = mo_quat_exp(mo_v3(0, MO_PI / 2, 0));
  mo_placed_shape shapes[2] = {{.shape = half, .pose = {{0, 0.5, 0}, turned}, .density = 3.0},
                               {.shape = half, .pose = {{0, -0.5, 0}, turned}, .density = 3.0}};
  mo_mass mass = mo_mass_of_shapes(shapes, 2);
  // A box of 1 x 2 x 2 m after the turn.
  assert_true(fabs(mass.mass - 12.0) < 1e-12);
  assert_true(mo_length(mass.center_of_mass) < 1e-15);
  assert_true(fabs(mass.inertia.cx.x - 12.0 * 8.0 / 12.0) < 1e-12);
  assert_true(fabs(mass.inertia.cy.y - 12.0 * 5.0 / 12.0) < 1e-12);
  assert_true(fabs(mass.inertia.cz.z - 12.0 * 5.0 / 12.0) < 1e-12);
  mo_shape_release(half);
}

// Two at once are the same bits, also where products of one of them overflow.
static void energies_at_two_motions_are_those_of_each(void **state) {
  (void)state;
  mo_mass mass = mass_with(2.0, (mo_mat3){{1.0, 0.1, -0.05}, {0.1, 2.2, 0.2}, {-0.05, 0.2, 2.5}});
  mo_motion slow = spinning(mo_v3(3.0, -6.0, 2.0)), fast = slow;
  slow.linear_velocity = mo_v3(0.3, 1.7, -0.9);
  spin(&mass, &slow, 1.0 / 60.0, 10);
  fast.linear_velocity = mo_v3(1e154, 1e153, 0.0);
  const mo_motion *pairs[][2] = {{&slow, &fast}, {&fast, &slow}, {&slow, &slow}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    double energies[2];
    mo_body_kinetic_energies(&mass, pairs[i][0], pairs[i][1], energies);
    for (int k = 0; k < 2; k++) {
      double alone = mo_body_kinetic_energy(&mass, pairs[i][k]);
      assert_memory_equal(&energies[k], &alone, sizeof alone);
    }
  }
}

TEST_GROUP(dynamics) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_at_two_motions_are_those_of_each),
      cmocka_unit_test(torque_free_top_flips_and_keeps_energy_and_momentum),
      cmocka_unit_test(energy_and_momentum_hold_at_coarse_steps),
      cmocka_unit_test(energy_and_momentum_hold_at_absurd_spins),
      cmocka_unit_test(constant_spin_keeps_attitude_and_unit_length),
      cmocka_unit_test(torque_changes_angular_momentum_at_its_own_rate),
      cmocka_unit_test(gravity_is_minus_the_gradient_of_its_energy),
      cmocka_unit_test(mass_of_two_boxes_is_that_of_the_box_they_make),
  };
  return run_group(tests, NULL, NULL);
}
