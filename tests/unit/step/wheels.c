/// Wheels on suspensions, and springs between bodies. A110, A111, and a row of A100.
#include "joint_machines.h"
#include "math/quat.h"
#include "test_group.h"

#include <string.h>

// --- one wheel -------------------------------------------------------------------------------

static mo_constraint_def wheel_def(mo_body_id chassis, mo_body_id wheel, mo_vec3 anchor) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_WHEEL);
  def.body_a = chassis;
  def.body_b = wheel;
  def.anchor_a = anchor;
  def.axis_a = vec(0, 0, 1);
  def.axis_b = vec(0, 1, 0);
  return def;
}

static void sags(mo_solver solver, mo_spring spring, double expected, double tolerance) {
  mo_world_def settings = joint_settings(solver, 9.81);
  settings.linear_slop = 0.0;
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_def def = body_at(0, 0, 1, 300);
  def.filter.mask = 0;
  mo_body_id chassis = add_body(world, def, box(0.2, 0.2, 0.2));
  mo_constraint_def guide = mo_constraint_def_default(MO_CONSTRAINT_SLIDER);
  guide.body_b = chassis;
  guide.anchor_a = vec(0, 0, 1);
  guide.axis_a = guide.axis_b = vec(0, 0, 1);
  add_joint(world, &guide);
  mo_body_id wheel = add_body(world, body_at(0, 0, 0.3, 20), sphere(0.3));
  mo_constraint_def joint = wheel_def(chassis, wheel, vec(0, 0, -0.7));
  joint.drives[0].spring = spring;
  mo_constraint_id id = add_joint(world, &joint);
  step_many(world, 0.005, 1200);
  assert_near(1.0 - state_of(world, chassis).position.z, expected, tolerance);
  assert_near(coordinate_at(world, id), expected, tolerance);
  mo_contact_point points[2];
  assert_int_equal(mo_world_contact_points(world, points, 2), 1);
  assert_near(points[0].normal_impulse / 0.005, 3139.2, 3139.2 * 10 * tolerance);
  mo_world_destroy(world);
}

// A110
static void a_suspension_sags_by_its_load(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    double tolerance = joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 3e-3 : 1e-5;
    sags(joint_solvers[s], (mo_spring){.hertz = 5, .damping = 0.7}, 0.15903373, tolerance);
    sags(joint_solvers[s], (mo_spring){.stiffness = 30000, .damping_coefficient = 3000}, 0.0981,
         tolerance);
  }
}

static void a_wheel_is_held_across_and_turned_by_steering(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_body_id wheel = add_wheel(world, vec(0, 0, 0), 10, vec(0.3, 0.5, 0.3));
    mo_constraint_def def = wheel_def(MO_NULL_BODY_ID, wheel, vec(0, 0, 0));
    def.drives[0].lower = -0.1;
    def.drives[0].upper = 0.1;
    mo_constraint_id id = add_joint(world, &def);
    mo_body_set_linear_velocity(world, wheel, vec(1, 2, 1));
    mo_body_set_angular_velocity(world, wheel, vec(1, 5, 2));
    step_many(world, 0.01, 100);
    mo_body_state at = state_of(world, wheel);
    assert_near(at.position.x, 0.0, soft ? 1e-3 : 1e-6);
    assert_near(at.position.y, 0.0, soft ? 1e-3 : 1e-6);
    assert_near(at.position.z, 0.1, soft ? 1e-3 : 1e-6);
    assert_near(at.angular_velocity.y, 5.0, soft ? 1e-2 : 1e-6);
    assert_int_equal(mo_constraint_set_steering(world, id, 0.4), MO_OK);
    step_many(world, 0.01, 100);
    at = state_of(world, wheel); // the axle has turned from y by 0.4 about z
    mo_vec3 axle = mo_quat_rotate(at.orientation, vec(0, 1, 0));
    assert_near(axle.x, -sin(0.4), soft ? 2e-3 : 1e-6);
    assert_near(axle.z, 0.0, soft ? 2e-3 : 1e-6);
    assert_near(at.angular_velocity.x, -5.0 * sin(0.4), 0.3);
    mo_world_destroy(world);
  }
}

// --- a car -----------------------------------------------------------------------------------

// The wheels are spheres with the mass and the moments of the cylinders of A111.
typedef struct car {
  mo_world *world;
  mo_body_id chassis, wheels[4];
  mo_constraint_id joints[4];
} car;

#define RADIUS 0.35
#define WHEEL_INERTIA (0.5 * 25 * RADIUS * RADIUS)

static car make_car(mo_solver solver, double speed) {
  mo_world_def settings = joint_settings(solver, 9.81);
  car c = {.world = make_world(settings)};
  mo_body_def floor = body_at(0, 0, -0.5, 0);
  floor.type = MO_BODY_STATIC;
  floor.friction = 0.7;
  add_body(c.world, floor, box(200, 50, 0.5));
  mo_body_def chassis = body_at(0, 0, 0.6, 800);
  chassis.linear_velocity = vec(speed, 0, 0);
  c.chassis = add_body(c.world, chassis, box(1.6, 0.7, 0.25));
  for (int i = 0; i < 4; i++) {
    double x = i < 2 ? 1.3 : -1.3, y = i % 2 ? -0.8 : 0.8;
    mo_body_def wheel = body_at(x, y, RADIUS, 25);
    wheel.friction = 0.7;
    wheel.has_inertia = true;
    wheel.inertia.cy.y = WHEEL_INERTIA;
    wheel.inertia.cx.x = wheel.inertia.cz.z = 0.5 * WHEEL_INERTIA + 25 * 0.2 * 0.2 / 12;
    wheel.linear_velocity = vec(speed, 0, 0);
    wheel.angular_velocity = vec(0, speed / RADIUS, 0);
    c.wheels[i] = add_body(c.world, wheel, sphere(RADIUS));
    mo_constraint_def joint = wheel_def(c.chassis, c.wheels[i], vec(x, y, RADIUS - 0.6));
    joint.drives[0].spring = (mo_spring){.hertz = 5, .damping = 0.7};
    c.joints[i] = add_joint(c.world, &joint);
  }
  return c;
}

static void set_motors(const car *c, double target, double most) {
  for (int i = 0; i < 4; i++) {
    mo_coordinate_drive drive;
    assert_int_equal(mo_constraint_get_drive(c->world, c->joints[i], 1, &drive), MO_OK);
    drive.motor = most > 0.0 ? MO_MOTOR_VELOCITY : MO_MOTOR_NONE;
    drive.target_velocity = target;
    drive.max_force = most;
    assert_int_equal(mo_constraint_set_drive(c->world, c->joints[i], 1, &drive), MO_OK);
  }
}

static double speed_of(const car *c) { return state_of(c->world, c->chassis).linear_velocity.x; }

static void drives_off(mo_solver solver) {
  car c = make_car(solver, 0.0);
  step_many(c.world, 0.005, 200); // settles
  set_motors(&c, 1000.0, 200.0);
  step_many(c.world, 0.005, 400);
  assert_near(speed_of(&c), 4.81203, 0.02 * 4.81203);
  double spin = state_of(c.world, c.wheels[0]).angular_velocity.y;
  assert_near(spin, speed_of(&c) / RADIUS, 0.02 * spin);
  mo_world_destroy(c.world);
}

// Steps until the car stands, or for a time, s. Returns when, and how far it came.
static void brake(const car *c, double most, double *time, double *way) {
  double start = state_of(c->world, c->chassis).position.x;
  set_motors(c, 0.0, most);
  for (*time = 0.0; *time < 10.0 && speed_of(c) > 0.05; *time += 0.005) {
    step_many(c->world, 0.005, 1);
  }
  *way = state_of(c->world, c->chassis).position.x - start;
}

static void brakes(mo_solver solver) {
  double time, way;
  car c = make_car(solver, 20.0);
  step_many(c.world, 0.005, 200);
  assert_near(speed_of(&c), 20.0, 0.05);
  brake(&c, 300.0, &time, &way);
  assert_near(time, 5.54167, 0.02 * 5.54);
  assert_near(way, 55.41667, 0.02 * 55.4);
  mo_world_destroy(c.world);
  c = make_car(solver, 20.0);
  step_many(c.world, 0.005, 200);
  brake(&c, 1200.0, &time, &way);
  assert_near(way, 29.1248, 0.02 * 29.1);
  mo_world_destroy(c.world);
}

static void spins_its_wheels(mo_solver solver) {
  car c = make_car(solver, 0.0);
  step_many(c.world, 0.005, 200);
  set_motors(&c, 1000.0, 1500.0);
  step_many(c.world, 0.005, 200);
  assert_near(speed_of(&c), 6.867, 0.02 * 6.867);
  assert_true(state_of(c.world, c.wheels[0]).angular_velocity.y * RADIUS > 8.0);
  mo_world_destroy(c.world);
}

// A111, with spheres.
static void a_car_drives_and_brakes(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    drives_off(joint_solvers[s]);
    brakes(joint_solvers[s]);
    spins_its_wheels(joint_solvers[s]);
  }
}

static void a_car_turns_in_a_circle_of_its_steering(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    car c = make_car(joint_solvers[s], 3.0);
    step_many(c.world, 0.005, 100);
    assert_int_equal(mo_constraint_set_steering(c.world, c.joints[0], 0.2), MO_OK);
    assert_int_equal(mo_constraint_set_steering(c.world, c.joints[1], 0.2), MO_OK);
    step_many(c.world, 0.005, 400);
    mo_body_state at = state_of(c.world, c.chassis);
    double speed = mo_length(at.linear_velocity), turn = at.angular_velocity.z;
    assert_near(speed / turn, 2.6 / tan(0.2), 0.1 * 2.6 / tan(0.2)); // Ackermann's radius
    mo_world_destroy(c.world);
  }
}

// --- springs ---------------------------------------------------------------------------------

// Between free bodies of 2 and 6 kg, stretched by .1: a row of A100.
static void two_bodies_swing_on_a_spring(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_body_id a = add_wheel(world, vec(0, 0, 0), 2, vec(1, 1, 1));
    mo_body_id b = add_wheel(world, vec(1.1, 0, 0), 6, vec(1, 1, 1));
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_SPRING);
    def.body_a = a;
    def.body_b = b;
    def.drives[0].spring_rest = 1.0;
    def.drives[0].spring.hertz = 1.0;
    mo_constraint_id spring = add_joint(world, &def);
    assert_near(mo_world_energy(world).potential, 0.5 * 59.2176264 * 0.01, 1e-6);
    double most = 0.0, least = INFINITY, last = 1.1;
    int crossings = 0;
    for (int i = 1; i <= 3000; i++) {
      step_many(world, 0.001, 1);
      double xa = state_of(world, a).position.x, xb = state_of(world, b).position.x;
      assert_near((2 * xa + 6 * xb) / 8, 6 * 1.1 / 8, 1e-5);
      most = fmax(most, i > 2000 ? xa : 0.0);
      least = fmin(least, xb);
      crossings += last > 1.0 && xb - xa <= 1.0;
      last = xb - xa;
    }
    assert_int_equal(crossings, 3);             // a period of 1 s
    assert_true(most > 0.12 && most <= 0.1501); // amplitude .075, less what implicit steps damp
    assert_near(least, 1.05, 2e-3);             // amplitude .025
    assert_near(coordinate_at(world, spring), last, 1e-12);
    mo_world_destroy(world);
  }
}

static void a_spring_that_is_given_no_length_is_at_rest(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_SOFT_STEP, 0.0);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_SPRING);
  def.body_b = add_wheel(world, vec(0, 3, 0), 2, vec(1, 1, 1));
  def.drives[0].spring.stiffness = 100;
  add_joint(world, &def);
  step_many(world, 0.01, 20);
  assert_near(state_of(world, def.body_b).position.y, 3.0, 1e-12);
  def.drives[0].spring.stiffness = -1.0;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "stiffness"));
  mo_world_destroy(world);
}

static void ratio_and_steering_are_checked(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
  mo_body_id wheel = add_wheel(world, vec(0, 0, 0), 10, vec(0.3, 0.5, 0.3));
  mo_constraint_def def = wheel_def(MO_NULL_BODY_ID, wheel, vec(0, 0, 0));
  mo_constraint_id id = add_joint(world, &def);
  assert_int_equal(mo_constraint_set_steering(world, id, NAN), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_constraint_set_ratio(world, id, 1.0), MO_ERROR_INVALID_ARGUMENT);
  def.steering = 4.0;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "steering"));
  mo_world_destroy(world);
}

TEST_GROUP(wheels) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_suspension_sags_by_its_load),
      cmocka_unit_test(a_wheel_is_held_across_and_turned_by_steering),
      cmocka_unit_test(a_car_drives_and_brakes),
      cmocka_unit_test(a_car_turns_in_a_circle_of_its_steering),
      cmocka_unit_test(two_bodies_swing_on_a_spring),
      cmocka_unit_test(a_spring_that_is_given_no_length_is_at_rest),
      cmocka_unit_test(ratio_and_steering_are_checked),
  };
  return run_group(tests, NULL, NULL);
}
