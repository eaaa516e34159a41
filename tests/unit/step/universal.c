/// Universal joints. A105.
#include "joint_machines.h"
#include "test_group.h"

#define SPEED 2.0

typedef struct shafts {
  mo_world *world;
  mo_body_id a, b;
  mo_constraint_id hinge_a, hinge_b, cross;
} shafts;

// Shaft A along x, B at an angle to it in the xy plane, each on a hinge to the world.
static shafts make_shafts(mo_solver solver, double angle) {
  shafts m = {.world = joint_world(solver, 0.0)};
  mo_vec3 moments = vec(0.1, 0.1, 0.1);
  m.a = add_wheel(m.world, vec(-0.5, 0, 0), 1, moments);
  m.b = add_wheel(m.world, vec(0.5 * cos(angle), 0.5 * sin(angle), 0), 1, moments);
  m.hinge_a = add_axle(m.world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, m.a, vec(1, 0, 0));
  m.hinge_b =
      add_axle(m.world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, m.b, vec(cos(angle), sin(angle), 0));
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_UNIVERSAL);
  def.body_a = m.a;
  def.body_b = m.b;
  def.anchor_a = vec(0.5, 0, 0);
  def.anchor_b = vec(-0.5 * cos(angle), -0.5 * sin(angle), 0);
  def.axis_a = vec(0, 0, 1);
  def.axis_b = vec(-sin(angle), cos(angle), 0);
  m.cross = add_joint(m.world, &def);
  return m;
}

static double cardan(double angle, double turned) {
  return cos(angle) / (1.0 - sin(angle) * sin(angle) * sin(turned) * sin(turned));
}

// A is driven: its speed is set anew in each step.
static void turns_as_cardan_says(mo_solver solver, double angle, double tolerance) {
  shafts m = make_shafts(solver, angle);
  double along = cos(angle), aside = sin(angle), least = INFINITY, most = 0.0;
  mo_body_set_angular_velocity(m.world, m.b, vec(SPEED * along * along, SPEED * along * aside, 0));
  int steps = (int)(10.0 * 2.0 * MO_TEST_PI / SPEED / 0.001 + 0.5);
  for (int i = 0; i < steps; i++) {
    mo_body_set_angular_velocity(m.world, m.a, vec(SPEED, 0, 0));
    double turned = coordinate_at(m.world, m.hinge_a);
    step_many(m.world, 0.001, 1);
    mo_vec3 w = state_of(m.world, m.b).angular_velocity;
    double speed = w.x * along + w.y * aside, of_a = state_of(m.world, m.a).angular_velocity.x;
    double expected = of_a * cardan(angle, turned);
    assert_near(speed, expected, tolerance * expected);
    least = fmin(least, speed / of_a);
    most = fmax(most, speed / of_a);
  }
  assert_near(least, cos(angle), tolerance);
  assert_near(most, 1.0 / cos(angle), tolerance / cos(angle));
  // Both have turned by the same number of quarter turns wherever A has.
  double a = coordinate_at(m.world, m.hinge_a), b = coordinate_at(m.world, m.hinge_b);
  double turns = floor(a / (2.0 * MO_TEST_PI) + 0.5), rest = a - 2.0 * MO_TEST_PI * turns;
  assert_near(b, 2.0 * MO_TEST_PI * turns + rest * cos(angle), 1e-2);
  mo_world_destroy(m.world);
}

// A105
static void a_shaft_turns_another_one_unevenly(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    turns_as_cardan_says(joint_solvers[s], MO_TEST_PI / 6,
                         joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 2e-2 : 4e-3);
  }
}

static void it_turns_at_80_degrees(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    turns_as_cardan_says(joint_solvers[s], 80.0 * MO_TEST_PI / 180.0,
                         joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 6e-2 : 3e-2);
  }
}

// Without hinges: B swings about both arms and is not twisted about the third direction.
static void a_free_cross_bends_two_ways_and_does_not_twist(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_body_id b = add_wheel(world, vec(0, 0, 0), 1, vec(0.1, 0.1, 0.1));
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_UNIVERSAL);
    def.body_b = b;
    def.axis_a = vec(1, 0, 0);
    def.axis_b = vec(0, 1, 0);
    mo_constraint_id cross = add_joint(world, &def);
    mo_body_set_angular_velocity(world, b, vec(0.5, 0.7, 3));
    step_many(world, 0.005, 1);
    mo_vec3 w = state_of(world, b).angular_velocity;
    assert_near(w.x, 0.5, 1e-2);
    assert_near(w.y, 0.7, 1e-2);
    assert_near(w.z, 0.0, 1e-2);
    step_many(world, 0.005, 600);
    double errors[4];
    assert_int_equal(mo_constraint_violation(world, cross, errors), MO_OK);
    assert_near(errors[3], 0.0, joint_solvers[s] == MO_SOLVER_EXACT ? 1e-9 : 1e-3);
    mo_world_destroy(world);
  }
}

TEST_GROUP(universal) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shaft_turns_another_one_unevenly),
      cmocka_unit_test(it_turns_at_80_degrees),
      cmocka_unit_test(a_free_cross_bends_two_ways_and_does_not_twist),
  };
  return run_group(tests, NULL, NULL);
}
