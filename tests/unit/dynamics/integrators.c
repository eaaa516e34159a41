#include "dynamics/rotation.h"
#include "test_group.h"
#include "world_fixture.h"

#define INTEGRATORS 5
static const char *const names[INTEGRATORS] = {"semi-implicit-euler", "explicit-euler",
                                               "velocity-verlet", "rk4", "implicit-midpoint"};
static const int orders[INTEGRATORS] = {1, 1, 2, 4, 2};

static mo_world *world_with(mo_integrator integrator) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_BLOCK_PGS;
  settings.gravity = vec(0, 0, 0);
  settings.integrator = integrator;
  return make_world(settings);
}

static void add_potential(mo_world *world, const mo_potential_def *def) {
  assert_false(mo_potential_id_is_null(mo_potential_create(world, def)));
}

static double difference(mo_vec3 a, mo_vec3 b) { return mo_distance_between(a, b); }

// log2 of the ratio of two errors of which the second is with half the step.
static void assert_order(double coarse, double fine, int order, const char *name) {
  double measured = log(coarse / fine) / log(2.0);
  if (!(fabs(measured - order) < 0.2)) {
    fail_msg("%s: order %.3f instead of %d (errors %.3e, %.3e)", name, measured, order, coarse,
             fine);
  }
}

// --- Kepler ----------------------------------------------------------------------------------

typedef struct orbit {
  double miss;         // m from where it should be at the end
  double energy_drift; // relative, largest seen
  double last_drift;   // at the end
} orbit;

// An ellipse of eccentricity 0.3 and semi-major axis 1 about a unit point mass, from its
// pericentre: period 2 pi. Kepler's equation gives the exact place.
static mo_vec3 exact_place(double time) {
  double anomaly = time;
  for (int i = 0; i < 50; i++) {
    anomaly -= (anomaly - 0.3 * sin(anomaly) - time) / (1.0 - 0.3 * cos(anomaly));
  }
  return vec(cos(anomaly) - 0.3, sqrt(1.0 - 0.09) * sin(anomaly), 0);
}

static orbit fly(mo_integrator integrator, int steps, double time) {
  mo_world *world = world_with(integrator);
  mo_body_def def = body_at(0.7, 0, 0, 2);
  def.linear_velocity = vec(0, sqrt(1.3 / 0.7), 0);
  mo_body_id body = add_body(world, def, sphere(0.01));
  mo_potential_def sun = mo_potential_def_default(MO_POTENTIAL_POINT_GRAVITY);
  sun.mu = 1.0;
  add_potential(world, &sun);
  double energy = mo_world_energy(world).total;
  assert_true(fabs(energy + 1.0) < 1e-12); // -mu m / 2a
  orbit result = {0};
  for (int i = 0; i < steps; i++) {
    step_many(world, time / steps, 1);
    result.last_drift = mo_world_energy(world).total / energy - 1.0;
    result.energy_drift = fmax(result.energy_drift, fabs(result.last_drift));
  }
  result.miss = difference(state_of(world, body).position, exact_place(time));
  mo_world_destroy(world);
  return result;
}

static void global_error_on_a_kepler_orbit_has_the_order_of_the_method(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    int steps = orders[i] == 1 ? 4000 : 400;
    assert_order(fly((mo_integrator)i, steps, 4.0).miss, fly((mo_integrator)i, 2 * steps, 4.0).miss,
                 orders[i], names[i]);
  }
}

static orbit fly_periods(mo_integrator integrator, int periods) {
  return fly(integrator, 200 * periods, 2.0 * MO_PI * periods);
}

static void energy_of_an_orbit_is_bounded_where_the_method_is_symplectic(void **state) {
  (void)state;
  // Over 5 and over 50 periods: bounded ones do not get worse.
  const mo_integrator bounded[] = {MO_INTEGRATOR_SEMI_IMPLICIT_EULER, MO_INTEGRATOR_VELOCITY_VERLET,
                                   MO_INTEGRATOR_IMPLICIT_MIDPOINT};
  for (int i = 0; i < 3; i++) {
    orbit five = fly_periods(bounded[i], 5), fifty = fly_periods(bounded[i], 50);
    assert_true(five.energy_drift > 1e-7);
    assert_true(fifty.energy_drift < 1.02 * five.energy_drift);
  }
  // Explicit Euler flies away; Runge and Kutta's loses energy steadily, but little.
  assert_true(fly_periods(MO_INTEGRATOR_EXPLICIT_EULER, 5).last_drift < -0.2);
  double five = -fly_periods(MO_INTEGRATOR_RK4, 5).last_drift,
         fifty = -fly_periods(MO_INTEGRATOR_RK4, 50).last_drift;
  assert_true(fabs(fifty / five - 10.0) < 0.5);
  assert_true(fabs(fifty) < 1e-4);
}

// --- springs ---------------------------------------------------------------------------------

// A mass of 2 kg on a spring without rest length, k = 8 N/m: cos 2t.
static double oscillate(mo_integrator integrator, int steps) {
  mo_world *world = world_with(integrator);
  mo_body_id body = add_body(world, body_at(1, 0.5, 0, 2), sphere(0.1));
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  spring.bodies = &body;
  spring.body_count = 1;
  spring.stiffness = 8.0;
  add_potential(world, &spring);
  step_many(world, 1.0 / steps, steps);
  mo_body_state end = state_of(world, body);
  double error = difference(end.position, mo_scale(cos(2.0), vec(1, 0.5, 0))) +
                 difference(end.linear_velocity, mo_scale(-2.0 * sin(2.0), vec(1, 0.5, 0)));
  mo_world_destroy(world);
  return error;
}

static void global_error_on_a_spring_has_the_order_of_the_method(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    int steps = orders[i] == 4 ? 50 : 400;
    assert_order(oscillate((mo_integrator)i, steps), oscillate((mo_integrator)i, 2 * steps),
                 orders[i], names[i]);
  }
}

// Linear and angular damping with a drag beside them: methods of second order and more stay of
// second order.
static double slow_down(mo_integrator integrator, int steps) {
  mo_world *world = world_with(integrator);
  mo_body_def def = body_at(0, 0, 0, 2);
  def.linear_velocity = vec(1, 0, 0);
  def.linear_damping = 0.6;
  mo_body_id body = add_body(world, def, sphere(0.1));
  mo_potential_def drag = mo_potential_def_default(MO_POTENTIAL_DRAG);
  drag.linear_drag = 1.4; // 0.7 per s
  add_potential(world, &drag);
  step_many(world, 1.0 / steps, steps);
  double error = fabs(state_of(world, body).linear_velocity.x - exp(-1.3));
  mo_world_destroy(world);
  return error;
}

static void damping_and_drag_keep_the_order_up_to_two(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    assert_order(slow_down((mo_integrator)i, 50), slow_down((mo_integrator)i, 100),
                 orders[i] == 1 ? 1 : 2, names[i]);
  }
}

// Two turning bodies on a spring between points off their centres.
static mo_world *two_bodies(mo_integrator integrator, double stiffness, mo_body_id bodies[2]) {
  mo_world *world = world_with(integrator);
  mo_body_def a = body_at(-2, 0.3, 0, 1), b = body_at(2, 0, 0.2, 3);
  a.linear_velocity = vec(0.1, 0.5, -0.2);
  a.angular_velocity = vec(1, -2, 0.5);
  b.angular_velocity = vec(-0.3, 0.4, 1.5);
  a.has_inertia = b.has_inertia = true; // and no shape: they pass through each other
  a.inertia = mo_mat3_diagonal(0.11, 0.1, 0.04);
  b.inertia = mo_mat3_diagonal(0.6, 0.45, 0.35);
  bodies[0] = mo_body_create(world, &a);
  bodies[1] = mo_body_create(world, &b);
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  spring.bodies = bodies;
  spring.body_count = 2;
  spring.anchor_a = vec(0.2, 0.3, 0);
  spring.anchor_b = vec(0, 0.3, 0.6);
  spring.stiffness = stiffness;
  spring.rest_length = 1;
  add_potential(world, &spring);
  return world;
}

// Checks the momenta on the way; the largest relative error of the energy in 2 s.
static double conserve_on_a_spring(int steps) {
  mo_body_id bodies[2];
  mo_world *world = two_bodies(MO_INTEGRATOR_IMPLICIT_MIDPOINT, 20.0, bodies);
  mo_momentum before = mo_world_momentum(world);
  double energy = mo_world_energy(world).total, worst = 0.0;
  for (int i = 0; i < steps; i++) {
    step_many(world, 2.0 / steps, 1);
    mo_momentum now = mo_world_momentum(world);
    assert_true(difference(now.linear, before.linear) < 1e-12);
    assert_true(difference(now.angular, before.angular) < 1e-11 * mo_length(before.angular));
    worst = fmax(worst, fabs(mo_world_energy(world).total / energy - 1.0));
  }
  mo_world_destroy(world);
  return worst;
}

static void midpoint_keeps_both_momenta_of_bodies_on_a_spring(void **state) {
  (void)state;
  double coarse = conserve_on_a_spring(120), fine = conserve_on_a_spring(240);
  assert_true(coarse < 0.01 && fabs(coarse / fine - 4.0) < 0.8);
}

// Whole positions and velocities of both bodies after a second, against a far finer step.
static mo_vec3 seen_after_a_second(mo_integrator integrator, int steps) {
  mo_body_id bodies[2];
  mo_world *world = two_bodies(integrator, 20.0, bodies);
  step_many(world, 1.0 / steps, steps);
  mo_body_state a = state_of(world, bodies[0]), b = state_of(world, bodies[1]);
  mo_vec3 sum = mo_add(mo_add(a.position, mo_quat_rotate(a.orientation, vec(1, 2, 3))),
                       mo_add(b.linear_velocity, b.angular_velocity));
  mo_world_destroy(world);
  return sum;
}

// Tumbling bodies with torques: second order, Runge and Kutta's too (midpoint gyroscopic term).
static void tumbling_bodies_on_a_spring_converge_with_their_order(void **state) {
  (void)state;
  mo_vec3 reference = seen_after_a_second(MO_INTEGRATOR_IMPLICIT_MIDPOINT, 20000);
  for (int i = 0; i < INTEGRATORS; i++) {
    int steps = orders[i] == 1 ? 2000 : 200;
    double coarse = difference(seen_after_a_second((mo_integrator)i, steps), reference);
    double fine = difference(seen_after_a_second((mo_integrator)i, 2 * steps), reference);
    assert_order(coarse, fine, orders[i] == 1 ? 1 : 2, names[i]);
  }
}

// The natural frequency times dt is 43 here: iterating alone would diverge.
static void midpoint_finds_its_way_on_a_stiff_spring(void **state) {
  (void)state;
  mo_world *world = world_with(MO_INTEGRATOR_IMPLICIT_MIDPOINT);
  mo_body_id body = add_body(world, body_at(1.1, 0, 0, 1), sphere(0.1));
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  spring.bodies = &body;
  spring.body_count = 1;
  spring.stiffness = 6.76e6;
  spring.rest_length = 1.0;
  add_potential(world, &spring);
  double energy = mo_world_energy(world).total;
  step_many(world, 1.0 / 60, 300);
  assert_true(fabs(mo_world_energy(world).total / energy - 1.0) < 1e-6);
  mo_world_destroy(world);
}

// --- rotation --------------------------------------------------------------------------------

static mo_body_id add_top(mo_world *world, mo_mat3 inertia, mo_vec3 spin) {
  mo_body_def def = body_at(0, 0, 0, 1);
  def.has_inertia = true;
  def.inertia = inertia;
  def.angular_velocity = spin;
  return add_body(world, def, sphere(0.1));
}

// The intermediate axis: the spin about it turns over 12 times in 60 s, in every integrator, and
// energy and |L| stay.
static void torque_free_top_flips_12_times_in_a_minute(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    mo_world *world = world_with((mo_integrator)i);
    mo_body_id top = add_top(world, mo_mat3_diagonal(1, 2, 3), vec(0.01, 5, 0.01));
    double energy = mo_world_energy(world).total,
           momentum = mo_length(mo_world_momentum(world).angular);
    int flips = 0;
    double side = 1.0;
    for (int k = 0; k < 3600; k++) {
      step_many(world, 1.0 / 60, 1);
      mo_body_state now = state_of(world, top);
      double along = mo_quat_rotate_inverse(now.orientation, now.angular_velocity).y;
      flips += along * side < 0.0;
      side = along < 0.0 ? -1.0 : 1.0;
    }
    assert_int_equal(flips, 12);
    assert_true(fabs(mo_world_energy(world).total / energy - 1.0) < 1e-9);
    assert_true(fabs(mo_length(mo_world_momentum(world).angular) / momentum - 1.0) < 1e-9);
    mo_world_destroy(world);
  }
}

static double momentum_error(mo_integrator integrator, int steps) {
  mo_world *world = world_with(integrator);
  add_top(world, (mo_mat3){{1.0, 0.1, -0.05}, {0.1, 2.2, 0.2}, {-0.05, 0.2, 2.5}},
          vec(0.5, 2, -0.7));
  mo_vec3 before = mo_world_momentum(world).angular;
  step_many(world, 1.0 / steps, steps);
  double error = difference(mo_world_momentum(world).angular, before);
  mo_world_destroy(world);
  return error;
}

static void angular_momentum_of_a_free_body_is_conserved_as_a_vector(void **state) {
  (void)state;
  assert_true(momentum_error(MO_INTEGRATOR_IMPLICIT_MIDPOINT, 60) < 1e-13);
  assert_true(momentum_error(MO_INTEGRATOR_VELOCITY_VERLET, 60) < 1e-13);
  assert_true(momentum_error(MO_INTEGRATOR_RK4, 60) < 1e-13);
  assert_true(momentum_error(MO_INTEGRATOR_SEMI_IMPLICIT_EULER, 60) < 1e-13);
  assert_true(momentum_error(MO_INTEGRATOR_EXPLICIT_EULER, 60) < 1e-13);
}

// The Lie-group midpoint rule alone: a torque that stays in the world changes the momentum by
// exactly its impulse, and the energy by exactly its work.
static void midpoint_rotation_balances_momentum_and_work(void **state) {
  (void)state;
  const mo_mat3 inertias[] = {{{1.0, 0.1, -0.05}, {0.1, 2.2, 0.2}, {-0.05, 0.2, 2.5}},
                              {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
  for (int i = 0; i < 2; i++) {
    mo_mass mass = {.mass = 1.0, .inertia = inertias[i]};
    mo_mass_complete(&mass);
    mo_motion motion = {.orientation = mo_quat_exp(vec(0.3, -1, 2)),
                        .angular_velocity = vec(3, -6, 2)};
    mo_vec3 torque = vec(5, 1, -4), momentum = mo_body_angular_momentum(&mass, &motion);
    double energy = mo_body_kinetic_energy(&mass, &motion), dt = 0.05;
    mo_rotation turn = mo_integrate_rotation_midpoint(&mass, motion.orientation,
                                                      motion.angular_velocity, torque, dt);
    motion.orientation = turn.orientation;
    motion.angular_velocity = turn.angular_velocity;
    mo_vec3 after = mo_body_angular_momentum(&mass, &motion);
    assert_true(difference(after, mo_add_scaled(momentum, dt, torque)) < 1e-13);
    double work = dt * mo_dot(torque, turn.mean_angular_velocity);
    assert_true(fabs(mo_body_kinetic_energy(&mass, &motion) - energy - work) < 1e-12);
  }
}

// A50
static void constant_spin_keeps_attitude_in_every_integrator(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    mo_world *world = world_with((mo_integrator)i);
    mo_body_id ball = add_top(world, mo_mat3_diagonal(0.4, 0.4, 0.4), vec(1, 2, 3));
    step_many(world, 0.016, 10000);
    mo_quat q = state_of(world, ball).orientation;
    assert_true(fabs(mo_quat_norm_squared(q) - 1.0) < 1e-10);
    double half = 0.5 * sqrt(14.0) * 160.0, s = sin(half) / sqrt(14.0);
    mo_quat exact = {s, 2 * s, 3 * s, cos(half)};
    mo_quat error = mo_quat_mul(mo_quat_conjugate(exact), q);
    assert_true(2.0 * mo_length(vec(error.x, error.y, error.z)) < 1e-6);
    mo_world_destroy(world);
  }
}

// A ball with a dipole in a uniform field swings like a pendulum: I theta'' = -mB sin theta. The
// rotation vectors of Runge and Kutta's method give fourth order here.
static double swing(mo_integrator integrator, int steps) {
  mo_world *world = world_with(integrator);
  mo_body_id ball = add_top(world, mo_mat3_diagonal(0.5, 0.5, 0.5), vec(0.3, 1, 2));
  mo_potential_def field = mo_potential_def_default(MO_POTENTIAL_MAGNETIC);
  field.moment = vec(0, 1, 0);
  field.field = vec(3, 0, 1);
  add_potential(world, &field);
  double energy = mo_world_energy(world).total;
  step_many(world, 1.0 / steps, steps);
  (void)ball;
  double error = fabs(mo_world_energy(world).total - energy);
  mo_world_destroy(world);
  return error;
}

static void a_dipole_in_a_field_swings_with_the_order_of_the_method(void **state) {
  (void)state;
  assert_order(swing(MO_INTEGRATOR_VELOCITY_VERLET, 200), swing(MO_INTEGRATOR_VELOCITY_VERLET, 400),
               2, "velocity-verlet");
  assert_order(swing(MO_INTEGRATOR_IMPLICIT_MIDPOINT, 200),
               swing(MO_INTEGRATOR_IMPLICIT_MIDPOINT, 400), 2, "implicit-midpoint");
  assert_true(swing(MO_INTEGRATOR_RK4, 100) / swing(MO_INTEGRATOR_RK4, 200) > 12.0);
}

// --- with contacts ---------------------------------------------------------------------------

static void free_fall_is_exact_beyond_first_order(void **state) {
  (void)state;
  for (int i = 2; i < INTEGRATORS; i++) {
    mo_world_def settings = acceptance_settings();
    settings.integrator = (mo_integrator)i;
    mo_world *world = make_world(settings);
    mo_body_def def = body_at(0, 0, 100, 1);
    def.linear_velocity = vec(1, 0, 2);
    mo_body_id body = add_body(world, def, sphere(0.5));
    step_many(world, 1.0 / 60, 60);
    mo_vec3 exact = vec(1, 0, 100.0 + 2.0 - 0.5 * 9.81);
    assert_true(difference(state_of(world, body).position, exact) < 1e-11);
    mo_world_destroy(world);
  }
}

// A box at rest stays at rest, and a sphere dropped on the floor ends up on it.
static void contacts_hold_in_every_integrator(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = MO_SOLVER_BLOCK_PGS;
    settings.gravity = vec(0, 0, -9.81);
    settings.integrator = (mo_integrator)i;
    mo_world *world = make_world(settings);
    add_floor(world);
    mo_body_id still = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
    mo_body_id falling = add_body(world, body_at(3, 0, 1.5, 1), sphere(0.5));
    step_many(world, 1.0 / 60, 240);
    assert_true(fabs(state_of(world, still).position.z - 0.5) < 1e-9);
    assert_true(fabs(state_of(world, falling).position.z - 0.5) < 5e-3);
    assert_true(mo_length(state_of(world, falling).linear_velocity) < 1e-6);
    mo_world_destroy(world);
  }
}

// A platform that a kinematic velocity carries, and what a spring to it pulls along.
static void kinematic_bodies_are_carried_in_every_integrator(void **state) {
  (void)state;
  for (int i = 0; i < INTEGRATORS; i++) {
    mo_world *world = world_with((mo_integrator)i);
    mo_body_def def = body_at(0, 0, 0, 0);
    def.type = MO_BODY_KINEMATIC;
    def.linear_velocity = vec(1, 0, 0);
    def.angular_velocity = vec(0, 0, 1);
    mo_body_id platform = add_body(world, def, box(0.1, 0.1, 0.1));
    step_many(world, 0.01, 100);
    mo_body_state now = state_of(world, platform);
    assert_true(difference(now.position, vec(1, 0, 0)) < 1e-12);
    assert_true(fabs(now.orientation.z - sin(0.5)) < 1e-12);
    mo_world_destroy(world);
  }
}

static void an_unknown_integrator_is_refused(void **state) {
  (void)state;
  mo_world *world = world_with(MO_INTEGRATOR_RK4);
  mo_world_def settings = mo_world_get_settings(world);
  settings.integrator = (mo_integrator)5;
  assert_int_equal(mo_world_set_settings(world, &settings), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_world_get_settings(world).integrator, MO_INTEGRATOR_RK4);
  mo_world_destroy(world);
}

TEST_GROUP(integrators) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(global_error_on_a_kepler_orbit_has_the_order_of_the_method),
      cmocka_unit_test(energy_of_an_orbit_is_bounded_where_the_method_is_symplectic),
      cmocka_unit_test(global_error_on_a_spring_has_the_order_of_the_method),
      cmocka_unit_test(damping_and_drag_keep_the_order_up_to_two),
      cmocka_unit_test(midpoint_keeps_both_momenta_of_bodies_on_a_spring),
      cmocka_unit_test(tumbling_bodies_on_a_spring_converge_with_their_order),
      cmocka_unit_test(midpoint_finds_its_way_on_a_stiff_spring),
      cmocka_unit_test(torque_free_top_flips_12_times_in_a_minute),
      cmocka_unit_test(angular_momentum_of_a_free_body_is_conserved_as_a_vector),
      cmocka_unit_test(midpoint_rotation_balances_momentum_and_work),
      cmocka_unit_test(constant_spin_keeps_attitude_in_every_integrator),
      cmocka_unit_test(a_dipole_in_a_field_swings_with_the_order_of_the_method),
      cmocka_unit_test(free_fall_is_exact_beyond_first_order),
      cmocka_unit_test(contacts_hold_in_every_integrator),
      cmocka_unit_test(kinematic_bodies_are_carried_in_every_integrator),
      cmocka_unit_test(an_unknown_integrator_is_refused),
  };
  return run_group(tests, NULL, NULL);
}
