/// Bodies that take part in nothing.
#include "test_group.h"
#include "world_fixture.h"

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static mo_world *world_with(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -10);
  settings.solver = solver;
  return make_world(settings);
}

static void set_enabled(mo_world *world, mo_body_id body, bool is_enabled) {
  assert_int_equal(mo_body_set_enabled(world, body, is_enabled), MO_OK);
  assert_int_equal(state_of(world, body).is_enabled, is_enabled);
}

// What rests on it falls, it hangs where it is, and goes on with its velocity.
static void a_body_out_of_the_world_holds_nothing_and_does_not_move(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    add_floor(world);
    mo_body_id lower = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
    mo_body_id upper = add_body(world, body_at(0, 0, 1.5, 1), box(0.5, 0.5, 0.5));
    step_many(world, 1.0 / 60, 120);
    assert_int_equal(mo_world_awake_count(world), 0);
    mo_body_set_linear_velocity(world, lower, vec(3, 0, 0));
    double place = state_of(world, lower).position.x;
    set_enabled(world, lower, false);
    assert_int_equal(mo_world_awake_count(world), 1);
    step_many(world, 1.0 / 60, 60);
    assert_float_equal(state_of(world, upper).position.z, 0.5, 0.02);
    assert_true(state_of(world, lower).position.x == place);
    assert_true(state_of(world, lower).linear_velocity.x == 3.0);
    assert_false(state_of(world, lower).is_awake);
    mo_body_wake(world, lower);
    mo_body_apply_force(world, lower, vec(100, 0, 0), NULL);
    mo_body_set_position(world, lower, vec(0, 0, 4));
    set_enabled(world, lower, true);
    step_many(world, 1.0 / 60, 1);
    assert_float_equal(state_of(world, lower).linear_velocity.x, 3.0, 1e-9);
    assert_float_equal(state_of(world, lower).linear_velocity.z, -10.0 / 60, 1e-9);
    mo_world_destroy(world);
  }
}

static mo_constraint_id add_rod(mo_world *world, mo_body_id a, mo_body_id b) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = vec(1, 0, 0);
  def.anchor_b = vec(-1, 0, 0);
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

// A row of three: without the middle one the others fall freely, and it joins them again.
static void its_joints_have_no_effect(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id bodies[3];
    for (int k = 0; k < 3; k++) {
      mo_body_def def = body_at(2.0 * k, 0, 0, 1);
      def.type = k == 0 ? MO_BODY_STATIC : MO_BODY_DYNAMIC;
      def.is_enabled = k != 1;
      bodies[k] = add_body(world, def, box(0.5, 0.5, 0.5));
      if (k > 0) {
        add_rod(world, bodies[k - 1], bodies[k]);
      }
    }
    assert_int_equal(mo_world_awake_count(world), 1);
    step_many(world, 1.0 / 60, 30);
    assert_float_equal(state_of(world, bodies[2]).linear_velocity.z, -5.0, 1e-6);
    assert_true(state_of(world, bodies[1]).position.z == 0.0);
    mo_body_set_position(world, bodies[2], vec(4, 0, 0));
    mo_body_set_linear_velocity(world, bodies[2], vec(0, 0, 0));
    set_enabled(world, bodies[1], true);
    step_many(world, 1.0 / 60, 60);
    mo_vec3 middle = state_of(world, bodies[1]).position, end = state_of(world, bodies[2]).position;
    assert_true(middle.z < -0.1);
    double x = end.x - middle.x, y = end.y - middle.y, z = end.z - middle.z;
    assert_true(x * x + y * y + z * z < 4.01);
    mo_world_destroy(world);
  }
}

static void assert_silent(mo_world *world, mo_constraint_id id, bool is_silent) {
  mo_constraint_state joint;
  mo_constraint_reaction reaction;
  assert_int_equal(mo_constraint_get_state(world, id, &joint), MO_OK);
  assert_int_equal(mo_constraint_get_reaction(world, id, &reaction), MO_OK);
  const double *impulses = mo_constraint_impulses(world, id);
  assert_int_equal(joint.is_active, !is_silent);
  assert_int_equal(reaction.linear.z == 0.0, is_silent);
  for (uint32_t i = 0; is_silent && i < joint.dimension; i++) {
    assert_true(impulses[i] == 0.0);
  }
}

// They say so from the call on, and of what the body was joined to as long as one of both is out.
static void its_joints_read_that_they_have_no_effect(void **state) {
  (void)state;
  for (int i = 0; i < 2 * SOLVERS; i++) {
    mo_world *world = world_with(solvers[i / 2]);
    mo_body_def post = body_at(0, 0, 0, 1);
    post.type = MO_BODY_STATIC;
    mo_body_id a = add_body(world, post, box(0.5, 0.5, 0.5));
    mo_body_id b = add_body(world, body_at(2, 0, 0, 1), box(0.5, 0.5, 0.5));
    mo_constraint_id rod = add_rod(world, a, b);
    step_many(world, 1.0 / 60, 20);
    assert_silent(world, rod, false);
    mo_body_id out = i % 2 ? a : b;
    set_enabled(world, out, false);
    assert_silent(world, rod, true);
    step_many(world, 1.0 / 60, 5);
    assert_silent(world, rod, true);
    set_enabled(world, out, true);
    assert_silent(world, rod, true);
    step_many(world, 1.0 / 60, 1);
    assert_silent(world, rod, false);
    mo_body_set_type(world, b, MO_BODY_STATIC);
    assert_silent(world, rod, true);
    mo_world_destroy(world);
  }
}

static void no_query_finds_it(void **state) {
  (void)state;
  mo_world *world = world_with(MO_SOLVER_SOFT_STEP);
  mo_body_id body = add_body(world, body_at(0, 0, 0, 1), box(0.5, 0.5, 0.5));
  for (int is_enabled = 0; is_enabled < 2; is_enabled++) {
    set_enabled(world, body, is_enabled);
    mo_ray ray = {.origin = vec(0, 0, 5),
                  .direction = vec(0, 0, -1),
                  .max_distance = 10,
                  .filter = mo_query_filter_default()};
    mo_query_hit hit;
    assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
    assert_int_equal(!mo_body_id_is_null(hit.body), is_enabled);
  }
  mo_world_destroy(world);
}

// A kinematic body that carries something stops to carry it, also in the rows.
static void a_kinematic_body_stands_still(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_def def = body_at(0, 0, 0, 0);
    def.type = MO_BODY_KINEMATIC;
    def.linear_velocity = vec(1, 0, 0);
    mo_body_id body = add_body(world, def, box(0.5, 0.5, 0.5));
    add_body(world, body_at(10, 0, 0, 1), box(0.5, 0.5, 0.5));
    step_many(world, 0.01, 10);
    assert_float_equal(state_of(world, body).position.x, 0.1, 1e-12);
    set_enabled(world, body, false);
    step_many(world, 0.01, 10);
    assert_float_equal(state_of(world, body).position.x, 0.1, 1e-12);
    set_enabled(world, body, true);
    step_many(world, 0.01, 10);
    assert_float_equal(state_of(world, body).position.x, 0.2, 1e-12);
    mo_world_destroy(world);
  }
}

static void stale_bodies_are_refused(void **state) {
  (void)state;
  mo_world *world = world_with(MO_SOLVER_SOFT_STEP);
  mo_body_id body = add_body(world, body_at(0, 0, 0, 1), box(0.5, 0.5, 0.5));
  mo_vec3 lower, upper;
  assert_int_equal(mo_body_get_bounds(world, body, &lower, &upper), MO_OK);
  assert_float_equal(lower.x, -0.5, 1e-9);
  assert_float_equal(upper.z, 0.5, 1e-9);
  mo_body_destroy(world, body);
  assert_int_equal(mo_body_set_enabled(world, body, false), MO_ERROR_STALE_HANDLE);
  assert_int_equal(mo_body_get_bounds(world, body, &lower, &upper), MO_ERROR_STALE_HANDLE);
  mo_world_destroy(world);
}

// What flies slowly does not fall asleep, as nothing holds it.
static void a_joint_to_it_holds_no_body_in_flight(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_def def = body_at(2, 0, 0, 1);
    def.gravity_scale = 0.0;
    def.linear_velocity = vec(0.001, 0, 0);
    mo_body_id flying = add_body(world, def, sphere(0.5));
    mo_body_id off = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
    add_rod(world, off, flying);
    set_enabled(world, off, false);
    step_many(world, 1.0 / 60, 120);
    assert_int_equal(mo_world_awake_count(world), 1);
    mo_world_destroy(world);
  }
}

TEST_GROUP(enabled) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_out_of_the_world_holds_nothing_and_does_not_move),
      cmocka_unit_test(its_joints_have_no_effect),
      cmocka_unit_test(a_joint_to_it_holds_no_body_in_flight),
      cmocka_unit_test(its_joints_read_that_they_have_no_effect),
      cmocka_unit_test(no_query_finds_it),
      cmocka_unit_test(a_kinematic_body_stands_still),
      cmocka_unit_test(stale_bodies_are_refused),
  };
  return run_group(tests, NULL, NULL);
}
