/// Gears, racks and pinions. A102 and A103.
#include "joint_machines.h"
#include "test_group.h"

#include <string.h>

static mo_constraint_id couple(mo_world *world, mo_constraint_type type, mo_constraint_id a,
                               mo_constraint_id b, double ratio) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.joint_a = a;
  def.joint_b = b;
  def.ratio = ratio;
  return add_joint(world, &def);
}

// Two wheels on hinges to the world, I .4 and .1.
typedef struct wheels {
  mo_world *world;
  mo_body_id a, b;
  mo_constraint_id hinge_a, hinge_b, gear;
} wheels;

static wheels make_wheels_in(mo_world *world, double ratio) {
  wheels w = {.world = world};
  w.a = add_wheel(w.world, vec(0, 0, 0), 2, vec(0.3, 0.3, 0.4));
  w.b = add_wheel(w.world, vec(1, 0, 0), 1, vec(0.08, 0.08, 0.1));
  w.hinge_a = add_axle(w.world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, w.a, vec(0, 0, 1));
  w.hinge_b = add_axle(w.world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, w.b, vec(0, 0, 1));
  w.gear = couple(w.world, MO_CONSTRAINT_GEAR, w.hinge_a, w.hinge_b, ratio);
  return w;
}

static wheels make_wheels(mo_solver solver, double ratio) {
  return make_wheels_in(joint_world(solver, 0.0), ratio);
}

static double spin_of(const mo_world *world, mo_body_id body) {
  return state_of(world, body).angular_velocity.z;
}

static void an_impact_of_teeth(mo_solver solver) {
  wheels w = make_wheels(solver, 0.5);
  assert_int_equal(mo_body_set_angular_velocity(w.world, w.a, vec(0, 0, 6)), MO_OK);
  step_many(w.world, 0.016, 1);
  double tolerance = solver == MO_SOLVER_SOFT_STEP ? 1e-5 : 1e-9;
  assert_near(spin_of(w.world, w.a), 3.0, tolerance);
  assert_near(spin_of(w.world, w.b), -6.0, tolerance);
  assert_near(mo_constraint_impulses(w.world, w.gear)[0], -1.2, tolerance);
  mo_world_destroy(w.world);
}

static void a_torque_through_teeth(mo_solver solver) {
  wheels w = make_wheels(solver, 0.5);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(mo_body_apply_torque(w.world, w.a, vec(0, 0, 2)), MO_OK);
    step_many(w.world, 0.001, 1);
  }
  double tolerance = solver == MO_SOLVER_SOFT_STEP ? 1e-3 : 1e-6;
  assert_near(spin_of(w.world, w.a), 2.5, tolerance);
  assert_near(spin_of(w.world, w.b), -5.0, tolerance);
  assert_near(mo_constraint_impulses(w.world, w.gear)[0] / 0.001, -1.0, tolerance);
  mo_world_destroy(w.world);
}

// A102
static void two_wheels_turn_by_their_ratio(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    an_impact_of_teeth(joint_solvers[s]);
    a_torque_through_teeth(joint_solvers[s]);
  }
}

static double slip_of(const wheels *w, double ratio) {
  return coordinate_at(w->world, w->hinge_a) + ratio * coordinate_at(w->world, w->hinge_b);
}

static void thousand_turns_lose_nothing(void **state) {
  (void)state;
  const double ratios[] = {0.5, -3.0, 0.01, 40.0};
  for (int s = 0; s < FREE_SOLVERS; s++) {
    for (int i = 0; i < 4; i++) {
      wheels w = make_wheels(joint_solvers[s], ratios[i]);
      double slower = fabs(ratios[i]) < 1.0 ? fabs(ratios[i]) : 1.0;
      mo_vec3 a = vec(0, 0, 50.0 * slower), b = vec(0, 0, -50.0 * slower / ratios[i]);
      mo_body_set_angular_velocity(w.world, w.a, a);
      mo_body_set_angular_velocity(w.world, w.b, b);
      step_many(w.world, 0.02, 6300); // the faster wheel: 1000 turns
      double turned = fabs(coordinate_at(w.world, w.hinge_a));
      assert_true(turned > 6000.0 * slower);
      assert_near(slip_of(&w, ratios[i]), 0.0,
                  joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 1e-3 : 1e-6);
      mo_world_destroy(w.world);
    }
  }
}

// The wheel B turns by more than half a turn in each step: its turns follow from A's.
static void a_wheel_may_turn_by_more_than_half_a_turn_per_step(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    wheels w = make_wheels(joint_solvers[s], 0.04);
    mo_body_set_angular_velocity(w.world, w.a, vec(0, 0, 10));
    mo_body_set_angular_velocity(w.world, w.b, vec(0, 0, -250)); // 4 rad per step
    step_many(w.world, 0.016, 300);
    assert_near(spin_of(w.world, w.a), 10.0, 1e-2);
    assert_near(spin_of(w.world, w.b), -250.0, 0.25);
    mo_world_destroy(w.world);
  }
}

// --- racks -----------------------------------------------------------------------------------

typedef struct rack {
  mo_world *world;
  mo_body_id pinion, rack;
  mo_constraint_id hinge, slider, teeth;
} rack;

static rack make_rack(mo_solver solver) {
  rack r = {.world = joint_world(solver, 0.0)};
  r.pinion = add_wheel(r.world, vec(0, 0, 0), 1, vec(0.01, 0.01, 0.02));
  r.rack = add_wheel(r.world, vec(0, -0.1, 0), 3, vec(1, 1, 1));
  r.hinge = add_axle(r.world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, r.pinion, vec(0, 0, 1));
  r.slider = add_axle(r.world, MO_CONSTRAINT_SLIDER, MO_NULL_BODY_ID, r.rack, vec(1, 0, 0));
  r.teeth = couple(r.world, MO_CONSTRAINT_RACK_AND_PINION, r.hinge, r.slider, 0.1);
  return r;
}

// A103
static void a_pinion_drives_a_rack(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    rack r = make_rack(joint_solvers[s]);
    for (int i = 0; i < 1000; i++) {
      assert_int_equal(mo_body_apply_torque(r.world, r.pinion, vec(0, 0, 1.5)), MO_OK);
      step_many(r.world, 0.001, 1);
    }
    double tolerance = soft ? 1e-2 : 1e-6;
    assert_near(state_of(r.world, r.rack).linear_velocity.x, 3.0, tolerance);
    assert_near(spin_of(r.world, r.pinion), 30.0, 10.0 * tolerance);
    assert_near(mo_constraint_impulses(r.world, r.teeth)[0] / 0.001, 9.0, 3.0 * tolerance);
    mo_world_destroy(r.world);
  }
}

static void a_rack_drives_a_pinion(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    rack r = make_rack(joint_solvers[s]);
    mo_body_set_linear_velocity(r.world, r.rack, vec(2, 0, 0));
    step_many(r.world, 0.016, 1);
    double tolerance = joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 1e-4 : 1e-9;
    assert_near(state_of(r.world, r.rack).linear_velocity.x, 1.2, tolerance);
    assert_near(spin_of(r.world, r.pinion), 12.0, 10.0 * tolerance);
    mo_world_destroy(r.world);
  }
}

// A gear of a hinge and a slider is a rack with another sign: angle + ratio travel = const.
static void a_gear_may_couple_a_hinge_and_a_slider(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    rack r = make_rack(joint_solvers[s]);
    assert_int_equal(mo_constraint_destroy(r.world, r.teeth), MO_OK);
    couple(r.world, MO_CONSTRAINT_GEAR, r.hinge, r.slider, -10.0);
    mo_body_set_linear_velocity(r.world, r.rack, vec(2, 0, 0));
    step_many(r.world, 0.016, 200); // 24 m: 38 turns
    assert_near(state_of(r.world, r.rack).linear_velocity.x, 1.2, 1e-3);
    assert_near(spin_of(r.world, r.pinion), 12.0, 1e-2);
    double slip = coordinate_at(r.world, r.hinge) - 10.0 * coordinate_at(r.world, r.slider);
    assert_near(slip, 0.0, joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 1e-2 : 1e-7);
    mo_world_destroy(r.world);
  }
}

// A rod of a rack may be longer than one gear: two sliders as a lever.
static void a_gear_may_couple_two_sliders(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_body_id a = add_wheel(world, vec(0, 0, 0), 4, vec(1, 1, 1));
    mo_body_id b = add_wheel(world, vec(1, 0, 0), 1, vec(1, 1, 1));
    mo_constraint_id first =
        add_axle(world, MO_CONSTRAINT_SLIDER, MO_NULL_BODY_ID, a, vec(0, 0, 1));
    mo_constraint_id second =
        add_axle(world, MO_CONSTRAINT_SLIDER, MO_NULL_BODY_ID, b, vec(0, 1, 0));
    couple(world, MO_CONSTRAINT_GEAR, first, second, 0.5);
    mo_body_set_linear_velocity(world, a, vec(0, 0, 4));
    step_many(world, 0.016, 100);
    assert_near(state_of(world, a).linear_velocity.z, 2.0, 1e-4); // as A102
    assert_near(state_of(world, b).linear_velocity.y, -4.0, 1e-4);
    mo_world_destroy(world);
  }
}

// --- trains ----------------------------------------------------------------------------------

// A differential: a carrier on a hinge to the world, a planet on a hinge of the carrier, and two
// side wheels on hinges to the carrier, each geared with the planet. Then the side wheels' speeds
// have the carrier's as their mean.
static void a_differential_has_the_mean_speed(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_vec3 moments = vec(0.2, 0.2, 0.2);
    mo_body_id carrier = add_wheel(world, vec(0, 0, 0), 5, vec(1, 1, 1));
    mo_body_id planet = add_wheel(world, vec(0, 0, 0), 1, moments);
    mo_body_id left = add_wheel(world, vec(-1, 0, 0), 1, moments);
    mo_body_id right = add_wheel(world, vec(1, 0, 0), 1, moments);
    add_axle(world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, carrier, vec(1, 0, 0));
    mo_constraint_id middle = add_axle(world, MO_CONSTRAINT_HINGE, carrier, planet, vec(0, 0, 1));
    mo_constraint_id side_a = add_axle(world, MO_CONSTRAINT_HINGE, carrier, left, vec(1, 0, 0));
    mo_constraint_id side_b = add_axle(world, MO_CONSTRAINT_HINGE, carrier, right, vec(1, 0, 0));
    couple(world, MO_CONSTRAINT_GEAR, middle, side_a, 1.0);
    couple(world, MO_CONSTRAINT_GEAR, middle, side_b, -1.0);
    for (int i = 0; i < 400; i++) {
      assert_int_equal(mo_body_apply_torque(world, carrier, vec(0.5, 0, 0)), MO_OK);
      assert_int_equal(mo_body_apply_torque(world, left, vec(-0.1, 0, 0)), MO_OK);
      step_many(world, 0.005, 1);
    }
    double mean = 0.5 * (state_of(world, left).angular_velocity.x +
                         state_of(world, right).angular_velocity.x);
    double of_carrier = state_of(world, carrier).angular_velocity.x;
    assert_true(of_carrier > 0.3);
    assert_true(
        state_of(world, right).angular_velocity.x - state_of(world, left).angular_velocity.x > 0.2);
    assert_near(mean, of_carrier, joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 0.02 : 1e-6);
    mo_world_destroy(world);
  }
}

// Without joints the wheels turn about axes of the world.
static void a_gear_of_bodies_turns_about_an_axis_of_the_world(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    wheels w = make_wheels(joint_solvers[s], 1.0);
    assert_int_equal(mo_constraint_destroy(w.world, w.gear), MO_OK);
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_GEAR);
    def.body_b = w.a;
    def.body_d = w.b;
    def.axis_a = def.axis_b = vec(0, 0, 1);
    def.ratio = 0.5;
    w.gear = add_joint(w.world, &def);
    mo_body_set_angular_velocity(w.world, w.a, vec(0, 0, 6));
    step_many(w.world, 0.016, 1);
    assert_near(spin_of(w.world, w.a), 3.0, 1e-4);
    assert_near(spin_of(w.world, w.b), -6.0, 1e-4);
    mo_world_destroy(w.world);
  }
}

// --- what follows from joints ----------------------------------------------------------------

static void a_gear_ends_with_a_joint_that_it_couples(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    wheels w = make_wheels(MO_SOLVER_SOFT_STEP, 0.5);
    step_many(w.world, 0.016, 1);
    assert_int_equal(mo_constraint_destroy(w.world, i ? w.hinge_b : w.hinge_a), MO_OK);
    assert_false(mo_constraint_is_alive(w.world, w.gear));
    assert_int_equal(mo_world_constraint_count(w.world), 1);
    step_many(w.world, 0.016, 1);
    assert_int_equal(mo_constraint_destroy(w.world, i ? w.hinge_a : w.hinge_b), MO_OK);
    mo_world_destroy(w.world);
    w = make_wheels(MO_SOLVER_SOFT_STEP, 0.5);
    assert_int_equal(mo_body_destroy(w.world, i ? w.b : w.a), MO_OK);
    assert_int_equal(mo_world_constraint_count(w.world), 1);
    assert_false(mo_constraint_is_alive(w.world, w.gear));
    mo_world_destroy(w.world);
  }
}

static void a_gear_breaks_with_a_joint_that_it_couples(void **state) {
  (void)state;
  wheels w = make_wheels(MO_SOLVER_SOFT_STEP, 0.5);
  assert_int_equal(mo_constraint_break(w.world, w.hinge_b), MO_OK);
  uint32_t count;
  const mo_broken_constraint *broken = mo_world_broken_constraints(w.world, &count);
  assert_int_equal(count, 2);
  bool first_is_gear = mo_constraint_id_equals(broken[0].constraint, w.gear);
  assert_same_constraint(broken[first_is_gear].constraint, w.hinge_b);
  assert_same_constraint(broken[!first_is_gear].constraint, w.gear);
  assert_true(mo_constraint_is_alive(w.world, w.hinge_a));
  mo_world_destroy(w.world);
}

static void a_gear_wakes_what_it_drives(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world_def settings = joint_settings(joint_solvers[s], 0.0);
    settings.allow_sleep = true;
    wheels w = make_wheels_in(make_world(settings), 0.5);
    assert_int_equal(mo_constraint_destroy(w.world, w.gear), MO_OK);
    assert_int_equal(mo_body_sleep(w.world, w.a), MO_OK);
    assert_int_equal(mo_body_sleep(w.world, w.b), MO_OK);
    assert_false(state_of(w.world, w.a).is_awake || state_of(w.world, w.b).is_awake);
    w.gear = couple(w.world, MO_CONSTRAINT_GEAR, w.hinge_a, w.hinge_b, 0.5);
    assert_true(state_of(w.world, w.a).is_awake && state_of(w.world, w.b).is_awake);
    step_many(w.world, 0.016, 200);
    assert_false(state_of(w.world, w.a).is_awake || state_of(w.world, w.b).is_awake);
    mo_body_set_angular_velocity(w.world, w.a, vec(0, 0, 6));
    step_many(w.world, 0.016, 1);
    assert_true(state_of(w.world, w.b).is_awake);
    assert_near(spin_of(w.world, w.b), -6.0, 1e-4);
    mo_world_destroy(w.world);
  }
}

static void geared_wheels_do_not_collide(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    for (int collide = 0; collide < 2; collide++) {
      mo_world *world = joint_world(joint_solvers[s], 0.0);
      mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
      mo_body_id b = add_body(world, body_at(0.95, 0, 0, 1), sphere(0.5));
      mo_constraint_id first =
          add_axle(world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, a, vec(0, 0, 1));
      mo_constraint_id second =
          add_axle(world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, b, vec(0, 0, 1));
      mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_GEAR);
      def.joint_a = first;
      def.joint_b = second;
      def.collide_connected = collide;
      step_many(world, 0.016, 1);
      assert_int_equal(mo_world_stats(world).contacts, 1);
      add_joint(world, &def);
      step_many(world, 0.016, 1);
      assert_int_equal(mo_world_stats(world).contacts, collide);
      mo_world_destroy(world);
    }
  }
}

// --- refusals --------------------------------------------------------------------------------

static void refuses(mo_world *world, const mo_constraint_def *def, const char *text) {
  uint32_t count = mo_world_constraint_count(world);
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, def)));
  if (!strstr(mo_world_last_error(world), text)) {
    print_error("%s\n", mo_world_last_error(world));
  }
  assert_non_null(strstr(mo_world_last_error(world), text));
  assert_int_equal(mo_world_constraint_count(world), count);
}

static void bad_gears_are_refused(void **state) {
  (void)state;
  rack r = make_rack(MO_SOLVER_EXACT);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_GEAR);
  def.joint_a = r.hinge;
  refuses(r.world, &def, "joint_b");
  def.joint_b = r.hinge;
  refuses(r.world, &def, "different joints");
  def.joint_b = r.teeth;
  refuses(r.world, &def, "joint_b must be a hinge or a slider");
  def.joint_b = r.slider;
  def.body_a = r.rack;
  refuses(r.world, &def, "must be null");
  def.body_a = MO_NULL_BODY_ID;
  const double bad[] = {0.0, NAN, INFINITY, 5e-324};
  for (int i = 0; i < 4; i++) {
    def.ratio = bad[i];
    refuses(r.world, &def, "ratio");
  }
  def = mo_constraint_def_default(MO_CONSTRAINT_RACK_AND_PINION);
  def.joint_a = r.slider;
  def.joint_b = r.hinge;
  refuses(r.world, &def, "joint_a must be a hinge, that of the pinion");
  def.joint_a = r.hinge;
  assert_int_equal(mo_constraint_destroy(r.world, r.slider), MO_OK);
  def.joint_b = r.slider;
  refuses(r.world, &def, "joint_b");
  assert_int_equal(mo_world_last_result(r.world), MO_ERROR_STALE_HANDLE);
  def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.joint_a = def.joint_b = r.hinge;
  refuses(r.world, &def, "couples no joints");
  mo_world_destroy(r.world);
}

TEST_GROUP(gears) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_wheels_turn_by_their_ratio),
      cmocka_unit_test(thousand_turns_lose_nothing),
      cmocka_unit_test(a_wheel_may_turn_by_more_than_half_a_turn_per_step),
      cmocka_unit_test(a_pinion_drives_a_rack),
      cmocka_unit_test(a_rack_drives_a_pinion),
      cmocka_unit_test(a_gear_may_couple_a_hinge_and_a_slider),
      cmocka_unit_test(a_gear_may_couple_two_sliders),
      cmocka_unit_test(a_differential_has_the_mean_speed),
      cmocka_unit_test(a_gear_of_bodies_turns_about_an_axis_of_the_world),
      cmocka_unit_test(a_gear_ends_with_a_joint_that_it_couples),
      cmocka_unit_test(a_gear_breaks_with_a_joint_that_it_couples),
      cmocka_unit_test(a_gear_wakes_what_it_drives),
      cmocka_unit_test(geared_wheels_do_not_collide),
      cmocka_unit_test(bad_gears_are_refused),
  };
  return run_group(tests, NULL, NULL);
}
