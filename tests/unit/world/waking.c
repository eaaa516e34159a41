/// What wakes bodies that sleep on others.
#include "test_group.h"
#include "world_fixture.h"

// A conveyor that starts: it moves along itself, so nothing ever comes nearer.
static void a_kinematic_floor_that_begins_to_move_wakes_what_rests_on_it(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS};
  for (int i = 0; i < 4; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.gravity = vec(0, 0, -9.81);
    settings.solver = solvers[i / 2];
    mo_world *world = make_world(settings);
    mo_body_def floor = body_at(0, 0, -0.5, 0);
    floor.type = MO_BODY_KINEMATIC;
    mo_body_id belt = add_body(world, floor, box(50, 50, 0.5));
    mo_body_id lower = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
    mo_body_id upper = add_body(world, body_at(0, 0, 1.5, 1), box(0.5, 0.5, 0.5));
    step_many(world, 1.0 / 60, 240);
    assert_int_equal(mo_world_awake_count(world), 0);
    if (i % 2 == 0) {
      assert_int_equal(mo_body_set_linear_velocity(world, belt, vec(1, 0, 0)), MO_OK);
    } else {
      assert_int_equal(mo_body_set_angular_velocity(world, belt, vec(0, 0, 1)), MO_OK);
    }
    assert_int_equal(mo_world_awake_count(world), 3);
    step_many(world, 1.0 / 60, 120);
    mo_body_state a = state_of(world, lower), b = state_of(world, upper);
    assert_true(i % 2 == 0 ? a.position.x > 1.5 && b.position.x > 1.5
                           : a.angular_velocity.z > 0.5 && b.angular_velocity.z > 0.5);
    mo_world_destroy(world);
  }
}

// A row of cubes that sleep, joined in pairs, and a bullet on its way to them.
static mo_world *world_with_sleepers(void) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_id ids[8];
  for (int i = 0; i < 8; i++) {
    ids[i] = add_body(world, body_at(1.01 * i, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  }
  for (int i = 0; i < 8; i += 2) {
    mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
    joint.body_a = ids[i];
    joint.body_b = ids[i + 1];
    joint.anchor_a = vec(0.505, 0, 0);
    joint.anchor_b = vec(-0.505, 0, 0);
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
  }
  step_many(world, 1.0 / 60, 120);
  assert_int_equal(mo_world_awake_count(world), 0);
  mo_body_def bullet = body_at(-0.81, 0, 0.5, 1);
  bullet.bullet = true;
  bullet.linear_velocity = vec(20, 0, 0);
  mo_result result;
  add_body(world, bullet, mo_shape_create_sphere(0.3, &result));
  return world;
}

// A step that is refused, here since another body overflows, wakes nobody.
static void a_refused_step_wakes_nobody(void **state) {
  (void)state;
  mo_world *world = world_with_sleepers();
  mo_body_def lost = body_at(1e6, 0, 0, 1);
  lost.linear_velocity = vec(1.79e308, 0, 0);
  mo_body_id id = add_body(world, lost, box(0.5, 0.5, 0.5));
  mo_body_apply_force(world, id, vec(1.79e308, 0, 0), NULL);
  uint64_t hash = mo_world_hash(world);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(mo_world_step(world, 1.0 / 60), MO_ERROR_NOT_FINITE);
    assert_true(mo_world_hash(world) == hash);
    assert_int_equal(mo_world_awake_count(world), 2);
  }
  mo_body_destroy(world, id);
  assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
  assert_true(mo_world_awake_count(world) > 1);
  mo_world_destroy(world);
}

// A joint to a static body links no islands; once that body moves it does, and they wake as one.
static void a_body_that_begins_to_move_wakes_what_is_joined_to_it(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_def post = body_at(0, 0, 0.5, 1);
  post.type = MO_BODY_STATIC;
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  joint.body_a = add_body(world, post, box(0.5, 0.5, 0.5));
  joint.body_b = add_body(world, body_at(1.01, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  joint.anchor_a = vec(0.505, 0, 0);
  joint.anchor_b = vec(-0.505, 0, 0);
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
  step_many(world, 1.0 / 60, 120);
  assert_int_equal(mo_world_awake_count(world), 0);
  assert_int_equal(mo_body_set_type(world, joint.body_a, MO_BODY_DYNAMIC), MO_OK);
  assert_int_equal(mo_world_awake_count(world), 2);
  step_many(world, 1.0 / 60, 120);
  assert_int_equal(mo_world_awake_count(world), 0);
  mo_body_wake(world, joint.body_b);
  assert_int_equal(mo_world_awake_count(world), 2);
  mo_world_destroy(world);
}

// Two boxes that sleep on the floor; the second feels no gravity, and has a solver of its own.
static mo_world *world_of_two_sleepers(mo_body_id *first, mo_body_id *second) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_floor(world);
  *first = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  mo_body_def weightless = body_at(5, 0, 0.5, 1);
  weightless.gravity_scale = 0.0;
  weightless.has_solver = true;
  weightless.solver = MO_SOLVER_SOFT_STEP;
  *second = add_body(world, weightless, box(0.5, 0.5, 0.5));
  step_many(world, 1.0 / 60, 120);
  assert_int_equal(mo_world_awake_count(world), 0);
  return world;
}

// What somebody sets who sets everything in every frame.
static void setting_what_is_set_already_wakes_nobody(void **state) {
  (void)state;
  mo_body_id a, b;
  mo_world *world = world_of_two_sleepers(&a, &b);
  mo_world_def settings = mo_world_get_settings(world);
  mo_body_state body;
  assert_int_equal(mo_body_get_state(world, b, &body), MO_OK);
  uint64_t hash = mo_world_hash(world);
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  assert_int_equal(mo_body_set_friction(world, b, body.friction), MO_OK);
  assert_int_equal(mo_body_set_restitution(world, b, body.restitution), MO_OK);
  assert_int_equal(mo_body_set_gravity_scale(world, b, 0.0), MO_OK);
  assert_int_equal(mo_body_set_solver(world, b, true, MO_SOLVER_SOFT_STEP), MO_OK);
  assert_int_equal(mo_body_set_solver(world, a, false, MO_SOLVER_EXACT), MO_OK);
  assert_int_equal(mo_body_set_filter(world, b, body.filter), MO_OK);
  assert_int_equal(mo_world_awake_count(world), 0);
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

static void a_setting_that_nobody_at_rest_feels_wakes_nobody(void **state) {
  (void)state;
  mo_body_id a, b;
  mo_world *world = world_of_two_sleepers(&a, &b);
  mo_world_def settings = mo_world_get_settings(world);
  settings.iterations = 40;
  settings.tolerance = 1e-6;
  settings.substeps = 8;
  settings.contact_hertz = 60.0;
  settings.restitution_threshold = 2.0;
  settings.max_correction_speed = 1.0;
  settings.time_to_sleep = 2.0;
  settings.certify = true;
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  assert_int_equal(mo_world_awake_count(world), 0);
  step_many(world, 1.0 / 60, 10);
  assert_int_equal(mo_world_awake_count(world), 0);
  assert_int_equal(mo_world_get_settings(world).substeps, 8);
  mo_world_destroy(world);
}

static bool wakes(mo_world *world, mo_body_id body) {
  mo_body_state now;
  assert_int_equal(mo_body_get_state(world, body, &now), MO_OK);
  return now.is_awake;
}

static void another_gravity_wakes_those_that_feel_it(void **state) {
  (void)state;
  mo_body_id a, b;
  mo_world *world = world_of_two_sleepers(&a, &b);
  mo_world_def settings = mo_world_get_settings(world);
  settings.gravity = vec(1, 0, -9.81);
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  assert_true(wakes(world, a));
  assert_false(wakes(world, b));
  mo_world_destroy(world);
}

static void another_solver_wakes_those_that_take_the_worlds(void **state) {
  (void)state;
  mo_body_id a, b;
  mo_world *world = world_of_two_sleepers(&a, &b);
  mo_world_def settings = mo_world_get_settings(world);
  settings.solver = MO_SOLVER_EXACT;
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  assert_true(wakes(world, a));
  assert_false(wakes(world, b));
  mo_world_destroy(world);
}

static void a_world_that_allows_no_sleep_any_more_wakes_all(void **state) {
  (void)state;
  mo_body_id a, b;
  mo_world *world = world_of_two_sleepers(&a, &b);
  mo_world_def settings = mo_world_get_settings(world);
  settings.allow_sleep = false;
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  assert_true(wakes(world, a));
  assert_true(wakes(world, b));
  mo_world_destroy(world);
}

TEST_GROUP(waking) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kinematic_floor_that_begins_to_move_wakes_what_rests_on_it),
      cmocka_unit_test(a_refused_step_wakes_nobody),
      cmocka_unit_test(a_body_that_begins_to_move_wakes_what_is_joined_to_it),
      cmocka_unit_test(setting_what_is_set_already_wakes_nobody),
      cmocka_unit_test(a_setting_that_nobody_at_rest_feels_wakes_nobody),
      cmocka_unit_test(another_gravity_wakes_those_that_feel_it),
      cmocka_unit_test(another_solver_wakes_those_that_take_the_worlds),
      cmocka_unit_test(a_world_that_allows_no_sleep_any_more_wakes_all),
  };
  return run_group(tests, NULL, NULL);
}
