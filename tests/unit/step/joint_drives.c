/// Motors, springs, limits, friction and breaking of joints in worlds, with every solver.
#include "math/vec3.h"
#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

#define GRAVITY 9.81
#define DT 0.016

static const mo_solver solvers[] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS, MO_SOLVER_SOFT_STEP};
#define SOLVERS 3

// A world with or without weight.
static mo_world *make(mo_solver solver, double gravity) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -gravity);
  settings.solver = solver;
  settings.allow_sleep = false;
  settings.iterations = 200;
  return make_world(settings);
}

// A cube of an edge whose moment of inertia is mass edge^2 / 6.
static mo_body_id cube(mo_world *world, mo_vec3 at, double mass, double inertia) {
  double half = 0.5 * sqrt(6.0 * inertia / mass);
  mo_body_def def = body_at(at.x, at.y, at.z, mass);
  return add_body(world, def, box(half, half, half));
}

static mo_constraint_def joint(mo_constraint_type type, mo_body_id b, mo_vec3 axis) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_b = b;
  def.axis_a = def.axis_b = axis;
  return def;
}

static mo_constraint_id create(mo_world *world, const mo_constraint_def *def) {
  mo_constraint_id id = mo_constraint_create(world, def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

static void near(double got, double expected, double tolerance) {
  if (!(fabs(got - expected) <= tolerance)) {
    print_error("got %.10g, expected %.10g, tolerance %g\n", got, expected, tolerance);
  }
  assert_true(fabs(got - expected) <= tolerance);
}

static mo_drive_impulses impulses_of(mo_world *world, mo_constraint_id id) {
  mo_drive_impulses impulses;
  assert_int_equal(mo_constraint_get_drive_impulses(world, id, 0, &impulses), MO_OK);
  return impulses;
}

static double coordinate_of(const mo_world *world, mo_constraint_id id) {
  mo_constraint_state state;
  assert_int_equal(mo_constraint_get_state(world, id, &state), MO_OK);
  return state.coordinate;
}

static double tolerance_of(mo_solver solver, double exact, double soft) {
  return solver == MO_SOLVER_SOFT_STEP ? soft : exact;
}

// --- motors ----------------------------------------------------------------------------------

// A96: 2 N m on 0.2 kg m^2 is 10 rad/s^2.
static void a_motor_turns_a_wheel_to_its_speed(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id wheel = cube(world, vec(0, 0, 0), 10, 0.2);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
    def.drives[0].motor = MO_MOTOR_VELOCITY;
    def.drives[0].target_velocity = 10;
    def.drives[0].max_force = 2;
    mo_constraint_id hinge = create(world, &def);
    double tolerance = tolerance_of(solvers[s], 1e-8, 1e-4);
    for (int i = 1; i <= 100; i++) {
      assert_int_equal(mo_world_step(world, DT), MO_OK);
      near(state_of(world, wheel).angular_velocity.y, i < 63 ? 0.16 * i : 10.0, tolerance);
      near(impulses_of(world, hinge).motor / DT,
           i < 63    ? 2.0
           : i == 63 ? 1.0
                     : 0.0,
           100 * tolerance);
    }
    near(coordinate_of(world, hinge), 11.07968, tolerance_of(solvers[s], 1e-8, 0.1));
    mo_world_destroy(world);
  }
}

static void a_motor_between_free_discs_turns_them_against_each_other(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id a = cube(world, vec(0, 0, 0), 3, 0.3), b = cube(world, vec(0, 2, 0), 1, 0.1);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, b, vec(0, 1, 0));
    def.body_a = a;
    def.anchor_a = vec(0, 2, 0);
    def.drives[0].motor = MO_MOTOR_VELOCITY;
    def.drives[0].target_velocity = 8;
    def.drives[0].max_force = 0.5;
    create(world, &def);
    double tolerance = tolerance_of(solvers[s], 1e-8, 1e-3);
    for (int i = 1; i <= 90; i++) {
      assert_int_equal(mo_world_step(world, DT), MO_OK);
      double wa = state_of(world, a).angular_velocity.y, wb = state_of(world, b).angular_velocity.y;
      near(0.3 * wa + 0.1 * wb, 0.0, tolerance);
      near(wb - wa, i < 75 ? 0.5 / 0.075 * DT * i : 8.0, 10 * tolerance);
    }
    mo_world_destroy(world);
  }
}

typedef struct lift {
  mo_world *world;
  mo_body_id body;
  mo_constraint_id slider;
} lift;

// A97: 4 kg on a vertical slider.
static lift make_lift(mo_solver solver, double target, double max_force) {
  lift l = {.world = make(solver, GRAVITY)};
  l.body = cube(l.world, vec(0, 0, 0), 4, 0.1);
  mo_constraint_def def = joint(MO_CONSTRAINT_SLIDER, l.body, vec(0, 0, 1));
  def.drives[0].motor = MO_MOTOR_VELOCITY;
  def.drives[0].target_velocity = target;
  def.drives[0].max_force = max_force;
  l.slider = create(l.world, &def);
  return l;
}

static void a_motor_holds_lifts_and_slips(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    double tolerance = tolerance_of(solvers[s], 1e-7, 1e-3);
    lift l = make_lift(solvers[s], 0.0, 50.0);
    step_many(l.world, DT, 20);
    near(state_of(l.world, l.body).linear_velocity.z, 0.0, tolerance);
    near(impulses_of(l.world, l.slider).motor / DT, 39.24, 10 * tolerance);
    mo_world_destroy(l.world);
    l = make_lift(solvers[s], 0.0, 30.0);
    step_many(l.world, 0.001, 1000);
    near(state_of(l.world, l.body).linear_velocity.z, -2.31, 10 * tolerance);
    near(coordinate_of(l.world, l.slider), -1.156155, 10 * tolerance);
    near(impulses_of(l.world, l.slider).motor / 0.001, 30.0, 10 * tolerance);
    mo_world_destroy(l.world);
    l = make_lift(solvers[s], 0.5, 50.0);
    for (int i = 1; i <= 20; i++) {
      step_many(l.world, DT, 1);
      near(state_of(l.world, l.body).linear_velocity.z, i < 12 ? 0.04304 * i : 0.5, tolerance);
    }
    near(impulses_of(l.world, l.slider).motor / DT, 39.24, 100 * tolerance);
    mo_world_destroy(l.world);
  }
}

// A98: an arm of 2 kg, 0.5 m from its hinge, held level by a motor to a position that gives way.
static void hold_arm(mo_solver solver, double max_force, double angle, double torque) {
  mo_world *world = make(solver, GRAVITY);
  mo_body_def body = body_at(0.5, 0, 0, 2);
  body.angular_damping = 5.0;
  mo_body_id arm = add_body(world, body, box(0.5, 0.05, 0.05));
  mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, arm, vec(0, 1, 0));
  def.anchor_b = vec(-0.5, 0, 0);
  def.drives[0].motor = MO_MOTOR_POSITION;
  def.drives[0].max_force = max_force;
  def.drives[0].gains = (mo_spring){.stiffness = 200, .damping = 1};
  mo_constraint_id hinge = create(world, &def);
  step_many(world, DT, 2000);
  near(coordinate_of(world, hinge), angle, tolerance_of(solver, 1e-6, 1e-3));
  near(fabs(impulses_of(world, hinge).motor) / DT, torque,
       tolerance_of(solver, 1e-5, 2e-2 * torque));
  mo_world_destroy(world);
}

static void a_motor_to_a_position_gives_way_like_a_spring_up_to_its_torque(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    hold_arm(solvers[s], 100.0, 0.04899115, 9.79823);
    hold_arm(solvers[s], 5.0, 1.03597887, 5.0);
  }
}

// Without gains it goes there as fast as it can brake, and stays; wherever the target is, from step
// to step.
static void a_motor_without_gains_follows_its_target(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id wheel = cube(world, vec(0, 0, 0), 10, 0.2);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
    def.drives[0].motor = MO_MOTOR_POSITION;
    def.drives[0].target_position = 7.0; // more than a turn
    def.drives[0].max_force = 2;
    mo_constraint_id hinge = create(world, &def);
    step_many(world, DT, 200); // sqrt(4 * 7 / 10) = 1.7 s
    near(coordinate_of(world, hinge), 7.0, tolerance_of(solvers[s], 1e-6, 1e-3));
    near(state_of(world, wheel).angular_velocity.y, 0.0, tolerance_of(solvers[s], 1e-6, 1e-2));
    for (int i = 1; i <= 100; i++) {
      mo_coordinate_drive drive;
      assert_int_equal(mo_constraint_get_drive(world, hinge, 0, &drive), MO_OK);
      drive.target_position = 7.0 + 0.2 * (1 - cos(0.03 * i));
      drive.target_velocity = 0.2 * 0.03 / DT * sin(0.03 * i);
      assert_int_equal(mo_constraint_set_drive(world, hinge, 0, &drive), MO_OK);
      step_many(world, DT, 1);
      near(coordinate_of(world, hinge), drive.target_position,
           tolerance_of(solvers[s], 1e-9, 2e-4));
    }
    mo_world_destroy(world);
  }
}

// Two free bodies in one place, of 3 and 1 kg and as many kg m^2, and between them a motor with
// 3 N or N m: B goes along the first coordinate with 4 m/s^2 or rad/s^2 relative to A.
static mo_constraint_id drive_apart(mo_world *world, mo_constraint_type type, double target) {
  mo_body_id a = cube(world, vec(0, 0, 0), 3, 3), b = cube(world, vec(0, 0, 0), 1, 1);
  mo_constraint_def def = joint(type, b, vec(0, 1, 0));
  def.body_a = a;
  for (int i = 1; i < 6; i++) {
    def.drives[i].locked = type == MO_CONSTRAINT_SIX_DOF;
  }
  def.drives[0].motor = MO_MOTOR_POSITION;
  def.drives[0].target_position = target;
  def.drives[0].max_force = 3;
  return create(world, &def);
}

// With all of its force one way and then the other it takes 2 sqrt(1.6 / 4) s.
static void a_motor_without_gains_stops_at_its_target(void **state) {
  (void)state;
  const mo_constraint_type types[] = {MO_CONSTRAINT_HINGE, MO_CONSTRAINT_SLIDER,
                                      MO_CONSTRAINT_SIX_DOF};
  for (int k = 0; k < 3 * SOLVERS; k++) {
    mo_world *world = make(solvers[k % SOLVERS], 0.0);
    mo_constraint_id id = drive_apart(world, types[k / SOLVERS], 1.6);
    double tolerance = tolerance_of(solvers[k % SOLVERS], 1e-9, 2e-5);
    int steps = 0;
    for (int i = 1; i <= 150; i++) {
      step_many(world, DT, 1);
      double beyond = coordinate_of(world, id) - 1.6;
      assert_true(beyond < tolerance);
      steps = beyond < -tolerance ? i + 1 : steps;
    }
    assert_true(steps <= 2.0 * sqrt(1.6 / 4.0) / DT + 1.0);
    mo_world_destroy(world);
  }
}

static void a_motor_against_a_limit_stands_still(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id wheel = cube(world, vec(0, 0, 0), 10, 0.2);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
    def.drives[0].motor = MO_MOTOR_VELOCITY;
    def.drives[0].target_velocity = 10;
    def.drives[0].max_force = 2;
    def.drives[0].upper = 0.5;
    mo_constraint_id hinge = create(world, &def);
    for (int i = 0; i < 100; i++) {
      step_many(world, DT, 1);
      assert_true(coordinate_of(world, hinge) < 0.5 + tolerance_of(solvers[s], 1e-9, 1e-3));
      assert_true(state_of(world, wheel).angular_velocity.y > -1e-3); // no bounce
    }
    near(coordinate_of(world, hinge), 0.5, tolerance_of(solvers[s], 1e-9, 1e-3));
    near(impulses_of(world, hinge).motor / DT, 2.0, tolerance_of(solvers[s], 1e-9, 1e-3));
    near(impulses_of(world, hinge).limits / DT, -2.0, tolerance_of(solvers[s], 1e-6, 1e-2));
    mo_world_destroy(world);
  }
}

static void a_motor_without_force_does_nothing(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    for (int mode = MO_MOTOR_VELOCITY; mode <= MO_MOTOR_POSITION; mode++) {
      mo_world *world = make(solvers[s], 0.0);
      mo_body_def body = body_at(0, 0, 0, 2);
      body.angular_velocity = vec(0, 3, 0);
      mo_body_id wheel = add_body(world, body, box(0.1, 0.1, 0.1));
      mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
      def.drives[0].motor = (mo_motor_mode)mode;
      def.drives[0].target_velocity = -5;
      def.drives[0].max_force = 0;
      mo_constraint_id hinge = create(world, &def);
      step_many(world, DT, 50);
      near(state_of(world, wheel).angular_velocity.y, 3.0, 1e-5);
      near(impulses_of(world, hinge).motor, 0.0, 0.0);
      mo_world_destroy(world);
    }
  }
}

// --- springs ---------------------------------------------------------------------------------

// A99: 0.05 kg m^2 at 2 Hz, let go at 0.3 rad.
static void a_spring_of_a_hinge_swings_with_its_frequency(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id body = cube(world, vec(0, 0, 0), 1, 0.05);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, body, vec(0, 1, 0));
    def.drives[0].spring = (mo_spring){.hertz = 2, .damping = 0.1};
    def.drives[0].spring_rest = -0.3;
    mo_constraint_id hinge = create(world, &def);
    near(mo_world_energy(world).potential, 0.5 * 7.89568352 * 0.09, 1e-8);
    step_many(world, 0.001, 503);
    near(coordinate_of(world, hinge) + 0.3, 0.1595406, 1e-2);
    mo_world_destroy(world);
  }
}

// A100: the same frequency sinks by the same length, whatever the mass; stiffness does not.
static void sink(mo_solver solver, double mass, mo_spring spring, double expected) {
  mo_world *world = make(solver, GRAVITY);
  mo_body_id body = cube(world, vec(0, 0, 0), mass, 0.1);
  mo_constraint_def def = joint(MO_CONSTRAINT_SLIDER, body, vec(0, 0, 1));
  def.drives[0].spring = spring;
  mo_constraint_id slider = create(world, &def);
  step_many(world, DT, 1000);
  near(coordinate_of(world, slider), -expected, tolerance_of(solver, 1e-6, 1e-5));
  near(impulses_of(world, slider).spring / DT, mass * GRAVITY,
       mass * tolerance_of(solver, 1e-6, 1e-3));
  double energy =
      mo_world_energy(world).potential - mass * GRAVITY * state_of(world, body).position.z;
  near(energy, 0.5 * mass * GRAVITY * expected, mass * tolerance_of(solver, 1e-5, 1e-3));
  mo_world_destroy(world);
}

static void a_spring_of_a_slider_sinks_by_the_weight(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    sink(solvers[s], 2.5, (mo_spring){.hertz = 1.5, .damping = 1}, 0.1104400902);
    sink(solvers[s], 250, (mo_spring){.hertz = 1.5, .damping = 1}, 0.1104400902);
    sink(solvers[s], 2.5, (mo_spring){.stiffness = 400, .damping = 1}, 0.0613125);
  }
}

// Between a light body and a heavy one too.
static void a_very_stiff_spring_holds_and_gains_nothing(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    for (int heavy = 0; heavy < 2; heavy++) {
      mo_world *world = make(solvers[s], 0.0);
      mo_body_id a = cube(world, vec(0, 0, 0), heavy ? 1e4 : 1.0, 0.1);
      mo_body_id b = cube(world, vec(0, 0, 2), 1, 0.1);
      mo_constraint_def def = joint(MO_CONSTRAINT_SLIDER, b, vec(0, 0, 1));
      def.body_a = a;
      def.anchor_a = vec(0, 0, 2);
      def.drives[0].spring = (mo_spring){.hertz = 1000};
      mo_constraint_id slider = create(world, &def);
      assert_int_equal(mo_body_set_linear_velocity(world, b, vec(0, 0, 1)), MO_OK);
      double energy = mo_world_energy(world).total;
      for (int i = 0; i < 300; i++) {
        step_many(world, DT, 1);
        assert_true(mo_world_energy(world).total <= energy * 1.0001);
        assert_true(fabs(coordinate_of(world, slider)) < 0.01);
      }
      mo_world_destroy(world);
    }
  }
}

static void a_new_mass_keeps_the_frequency(void **state) {
  (void)state;
  mo_world *world = make(MO_SOLVER_EXACT, GRAVITY);
  mo_body_id body = cube(world, vec(0, 0, 0), 2.5, 0.1);
  mo_constraint_def def = joint(MO_CONSTRAINT_SLIDER, body, vec(0, 0, 1));
  def.drives[0].spring = (mo_spring){.hertz = 1.5, .damping = 1};
  mo_constraint_id slider = create(world, &def);
  step_many(world, DT, 500);
  assert_int_equal(mo_body_set_mass(world, body, 10), MO_OK);
  step_many(world, DT, 500);
  near(coordinate_of(world, slider), -0.1104400902, 1e-6);
  near(impulses_of(world, slider).spring / DT, 98.1, 1e-6);
  mo_world_destroy(world);
}

// --- friction --------------------------------------------------------------------------------

// A109.
static void friction_of_a_hinge_stops_a_wheel(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id wheel = cube(world, vec(0, 0, 0), 10, 0.2);
    assert_int_equal(mo_body_set_angular_velocity(world, wheel, vec(0, 5, 0)), MO_OK);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
    def.drives[0].friction = 0.5;
    mo_constraint_id hinge = create(world, &def);
    double tolerance = tolerance_of(solvers[s], 1e-7, 0.02);
    for (int i = 1; i <= 130; i++) {
      step_many(world, DT, 1);
      near(state_of(world, wheel).angular_velocity.y, i < 125 ? 5.0 - 0.04 * i : 0.0, tolerance);
    }
    near(coordinate_of(world, hinge), 4.96, 2 * tolerance);
    mo_world_destroy(world);
  }
}

static void friction_of_a_slider_slows_or_holds(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    for (int holds = 0; holds < 2; holds++) {
      mo_world *world = make(solvers[s], GRAVITY);
      mo_body_id body = cube(world, vec(0, 0, 0), 4, 0.1);
      mo_constraint_def def =
          joint(MO_CONSTRAINT_SLIDER, body, vec(sqrt(0.75), 0, -0.5)); // down a slope of 30 degrees
      def.drives[0].friction = holds ? 25.0 : 15.0;
      mo_constraint_id slider = create(world, &def);
      step_many(world, 0.001, 1000);
      mo_vec3 v = state_of(world, body).linear_velocity;
      near(mo_length(v), holds ? 0.0 : 1.155, tolerance_of(solvers[s], 1e-7, 1e-4));
      near(impulses_of(world, slider).friction / 0.001, holds ? -19.62 : -15.0,
           tolerance_of(solvers[s], 1e-6, 2e-2));
      mo_world_destroy(world);
    }
  }
}

// --- a ball with limits, and a motor to a pose -----------------------------------------------

// A106: a rod hung by its top, in gravity that is tilted by 50 degrees.
static void a_ball_rests_on_its_cone(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world_def settings = mo_world_def_default();
    double tilt = 50.0 / 180.0 * 3.14159265358979323846, cone = 3.14159265358979323846 / 6.0;
    settings.gravity = vec(GRAVITY * sin(tilt), 0, -GRAVITY * cos(tilt));
    settings.solver = solvers[s];
    settings.allow_sleep = false;
    settings.iterations = 200;
    mo_world *world = make_world(settings);
    mo_body_id rod = add_body(world, body_at(0, 0, -0.5, 2), box(0.05, 0.05, 0.5));
    mo_constraint_def def = joint(MO_CONSTRAINT_BALL, rod, vec(0, 0, -1));
    def.anchor_b = vec(0, 0, 0.5);
    def.drives[0].upper = cone;
    def.drives[1].lower = -0.5;
    def.drives[1].upper = 0.5;
    mo_constraint_id ball = create(world, &def);
    double most = 0.0;
    for (int i = 0; i < 400; i++) {
      step_many(world, DT, 1);
      most = fmax(most, coordinate_of(world, ball));
    }
    double tolerance = tolerance_of(solvers[s], 1e-6, 0.0174);
    near(coordinate_of(world, ball), cone, tolerance);
    assert_true(most < cone + tolerance);
    near(-impulses_of(world, ball).limits / DT, 3.3552176, tolerance_of(solvers[s], 1e-5, 0.07));
    mo_world_destroy(world);
  }
}

// A112.
static void a_motor_without_target_brakes_along_the_velocity(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], 0.0);
    mo_body_id body = cube(world, vec(0, 0, 0), 2, 0.2);
    assert_int_equal(mo_body_set_linear_velocity(world, body, vec(1.8, 2.4, 0)), MO_OK);
    assert_int_equal(mo_body_set_angular_velocity(world, body, vec(4, 0, 0)), MO_OK);
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_MOTOR);
    def.body_b = body;
    def.pose_motor.max_force = 4;
    def.pose_motor.max_torque = 0.5;
    mo_constraint_id brake = create(world, &def);
    double tolerance = tolerance_of(solvers[s], 1e-7, 0.02);
    for (int i = 1; i <= 105; i++) {
      step_many(world, DT, 1);
      mo_body_state now = state_of(world, body);
      near(mo_length(now.linear_velocity), i < 94 ? 3.0 - 0.032 * i : 0.0, tolerance);
      near(now.angular_velocity.x, i < 100 ? 4.0 - 0.04 * i : 0.0, tolerance);
      mo_constraint_reaction reaction;
      assert_int_equal(mo_constraint_get_reaction(world, brake, &reaction), MO_OK);
      assert_true(mo_length(reaction.linear) <= DT * 4 * (1 + 1e-6));
    }
    near(mo_length(state_of(world, body).position), 2.226048, tolerance_of(solvers[s], 1e-7, 0.04));
    mo_world_destroy(world);
  }
}

static void a_motor_brings_a_body_to_a_pose_and_holds_it_there(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    for (int soft = 0; soft < 2; soft++) {
      mo_world *world = make(solvers[s], GRAVITY);
      mo_body_id body = cube(world, vec(0, 0, 0), 2, 0.2);
      mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_MOTOR);
      def.body_b = body;
      def.pose_motor.has_position = def.pose_motor.has_orientation = true;
      def.pose_motor.target_position = vec(1, -2, 0.5);
      def.pose_motor.target_orientation = (mo_quat){0.6, 0, 0, 0.8};
      def.pose_motor.max_force = 40;
      def.pose_motor.max_torque = 1;
      if (soft) {
        def.pose_motor.gains = (mo_spring){.hertz = 1, .damping = 1};
      }
      create(world, &def);
      step_many(world, DT, 600);
      mo_body_state now = state_of(world, body);
      double sag = soft ? GRAVITY / (4 * 3.14159265358979 * 3.14159265358979) : 0.0;
      double tolerance = tolerance_of(solvers[s], 1e-5, 2e-3);
      near(now.position.x, 1.0, tolerance);
      near(now.position.y, -2.0, tolerance);
      near(now.position.z, 0.5 - sag, tolerance);
      near(fabs(now.orientation.x), 0.6, tolerance);
      near(mo_length(now.linear_velocity), 0.0, tolerance);
      mo_world_destroy(world);
    }
  }
}

// --- breaking --------------------------------------------------------------------------------

// A108: in step n a force of 2 n N downwards.
static void load_until_it_breaks(mo_solver solver, double arm, int breaks_in, double force,
                                 double torque) {
  mo_world *world = make(solver, GRAVITY);
  mo_body_id body = cube(world, vec(0, 0, 0), 5, 0.1);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_FIXED);
  def.body_b = body;
  def.anchor_a = def.anchor_b = vec(arm, 0, 0);
  def.break_force = arm > 0.0 ? INFINITY : 100;
  def.break_torque = arm > 0.0 ? 25 : INFINITY;
  mo_constraint_id id = create(world, &def);
  uint32_t count;
  for (int i = 1; i <= breaks_in; i++) {
    mo_world_broken_constraints(world, &count);
    assert_int_equal(count, 0);
    assert_int_equal(mo_body_apply_force(world, body, vec(0, 0, -2.0 * i), NULL), MO_OK);
    step_many(world, DT, 1);
  }
  const mo_broken_constraint *broken = mo_world_broken_constraints(world, &count);
  assert_int_equal(count, 1);
  near(broken[0].force, force, tolerance_of(solver, 1e-6, 0.02 * force));
  near(broken[0].torque, torque, tolerance_of(solver, 1e-6, 0.02 * force));
  assert_false(mo_constraint_is_alive(world, id));
  near(state_of(world, body).linear_velocity.z, 0.0, tolerance_of(solver, 1e-8, 1e-3));
  assert_int_equal(mo_body_apply_force(world, body, vec(0, 0, -2.0 * (breaks_in + 1)), NULL),
                   MO_OK);
  step_many(world, DT, 1);
  near(state_of(world, body).linear_velocity.z, -DT * (GRAVITY + 0.4 * (breaks_in + 1)),
       tolerance_of(solver, 1e-8, 1e-3));
  mo_world_broken_constraints(world, &count);
  assert_int_equal(count, 0);
  mo_world_destroy(world);
}

static void a_joint_breaks_in_the_step_that_is_too_much(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    load_until_it_breaks(solvers[s], 0.0, 26, 101.05, 0.0);
    load_until_it_breaks(solvers[s], 0.4, 7, 63.05, 25.22);
  }
}

static void several_break_in_the_first_step(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world *world = make(solvers[s], GRAVITY);
    mo_constraint_id ids[5];
    for (int i = 0; i < 5; i++) {
      mo_constraint_def def =
          joint(MO_CONSTRAINT_BALL, cube(world, vec(2 * i, 0, 0), 5, 0.1), vec(0, 0, 1));
      def.anchor_a = vec(2 * i, 0, 0);
      def.break_force = i % 2 ? 40 : 60; // 49.05 N
      ids[i] = create(world, &def);
    }
    step_many(world, DT, 1);
    uint32_t count;
    const mo_broken_constraint *broken = mo_world_broken_constraints(world, &count);
    assert_int_equal(count, 2);
    near(broken[1].force, 49.05, 0.5);
    for (int i = 0; i < 5; i++) {
      assert_int_equal(mo_constraint_is_alive(world, ids[i]), i % 2 == 0);
    }
    assert_int_equal(mo_constraint_set_break(world, ids[1], 3, 3), MO_ERROR_STALE_HANDLE);
    mo_world_destroy(world);
  }
}

// --- changes while it runs -------------------------------------------------------------------

static void setters_wake_what_sleeps(void **state) {
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    mo_world_def settings = mo_world_def_default();
    settings.gravity = vec(0, 0, 0);
    settings.solver = solvers[s];
    mo_world *world = make_world(settings);
    mo_body_id wheel = cube(world, vec(0, 0, 0), 10, 0.2);
    mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
    mo_constraint_id hinge = create(world, &def);
    step_many(world, DT, 200);
    assert_false(state_of(world, wheel).is_awake);
    mo_coordinate_drive drive = mo_coordinate_drive_default();
    drive.motor = MO_MOTOR_VELOCITY;
    drive.target_velocity = 3;
    assert_int_equal(mo_constraint_set_drive(world, hinge, 0, &drive), MO_OK);
    assert_true(state_of(world, wheel).is_awake);
    step_many(world, DT, 2);
    near(state_of(world, wheel).angular_velocity.y, 3.0, 1e-4);
    drive.motor = MO_MOTOR_NONE;
    drive.upper = 1.0;
    assert_int_equal(mo_constraint_set_drive(world, hinge, 0, &drive), MO_OK);
    step_many(world, DT, 200);
    near(coordinate_of(world, hinge), 1.0, 1e-3);
    assert_false(state_of(world, wheel).is_awake);
    assert_int_equal(mo_constraint_set_break(world, hinge, 1, 1), MO_OK);
    assert_true(state_of(world, wheel).is_awake);
    mo_world_destroy(world);
  }
}

static void bad_drives_are_refused_by_name(void **state) {
  (void)state;
  mo_world *world = make(MO_SOLVER_EXACT, GRAVITY);
  mo_body_id wheel = cube(world, vec(0, 0, 0), 10, 0.2);
  mo_constraint_def def = joint(MO_CONSTRAINT_HINGE, wheel, vec(0, 1, 0));
  mo_constraint_id hinge = create(world, &def);
  mo_coordinate_drive drives[6];
  const char *const names[6] = {
      "max_force", "friction", "gains.stiffness", "target_velocity", "spring.damping_coefficient",
      "lower"};
  for (int i = 0; i < 6; i++) {
    drives[i] = mo_coordinate_drive_default();
  }
  drives[0].max_force = -1;
  drives[1].friction = -1;
  drives[2].gains = (mo_spring){.hertz = 1, .stiffness = 3};
  drives[3].target_velocity = (double)NAN;
  drives[4].spring = (mo_spring){.hertz = 1, .damping = 1, .damping_coefficient = 3};
  drives[5].lower = 1;
  drives[5].upper = -1;
  uint64_t before = mo_world_hash(world);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(mo_constraint_set_drive(world, hinge, 0, &drives[i]),
                     MO_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(mo_world_last_error(world), names[i]));
  }
  assert_int_equal(mo_constraint_set_drive(world, hinge, 1, &drives[0]), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_constraint_set_break(world, hinge, -1, 1), MO_ERROR_INVALID_ARGUMENT);
  assert_true(mo_world_hash(world) == before);
  mo_world_destroy(world);
}

TEST_GROUP(joint_drives) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_turns_a_wheel_to_its_speed),
      cmocka_unit_test(a_motor_between_free_discs_turns_them_against_each_other),
      cmocka_unit_test(a_motor_holds_lifts_and_slips),
      cmocka_unit_test(a_motor_to_a_position_gives_way_like_a_spring_up_to_its_torque),
      cmocka_unit_test(a_motor_without_gains_follows_its_target),
      cmocka_unit_test(a_motor_without_gains_stops_at_its_target),
      cmocka_unit_test(a_motor_against_a_limit_stands_still),
      cmocka_unit_test(a_motor_without_force_does_nothing),
      cmocka_unit_test(a_spring_of_a_hinge_swings_with_its_frequency),
      cmocka_unit_test(a_spring_of_a_slider_sinks_by_the_weight),
      cmocka_unit_test(a_very_stiff_spring_holds_and_gains_nothing),
      cmocka_unit_test(a_new_mass_keeps_the_frequency),
      cmocka_unit_test(friction_of_a_hinge_stops_a_wheel),
      cmocka_unit_test(friction_of_a_slider_slows_or_holds),
      cmocka_unit_test(a_ball_rests_on_its_cone),
      cmocka_unit_test(a_motor_without_target_brakes_along_the_velocity),
      cmocka_unit_test(a_motor_brings_a_body_to_a_pose_and_holds_it_there),
      cmocka_unit_test(a_joint_breaks_in_the_step_that_is_too_much),
      cmocka_unit_test(several_break_in_the_first_step),
      cmocka_unit_test(setters_wake_what_sleeps),
      cmocka_unit_test(bad_drives_are_refused_by_name),
  };
  return run_group(tests, NULL, NULL);
}
