/// The user's function that decides about contacts.
#include "test_group.h"
#include "world_fixture.h"

typedef struct asked {
  mo_world *world;
  mo_body_id ball, sleeper;
  int calls;
  bool fails, removes;
} asked;

static mo_world *make(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  settings.iterations = 200;
  return make_world(settings);
}

static const mo_solver solvers[3] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS, MO_SOLVER_SOFT_STEP};

static bool keep_from_above(mo_contact_pair *pair, void *user) {
  asked *a = user;
  a->calls++;
  mo_body_state ball = state_of(a->world, a->ball);
  pair->is_refused =
      !(pair->normal.z > 0.5 && ball.linear_velocity.z <= 0.0 && ball.position.z >= 0.19);
  return true;
}

// A117
static void a_platform_may_be_solid_from_above(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    asked a = {.world = make(solvers[k])};
    mo_body_def def = body_at(0, 0, -0.05, 0);
    def.type = MO_BODY_STATIC;
    add_body(a.world, def, box(2, 2, 0.05));
    def = body_at(0, 0, -1, 2);
    def.linear_velocity = vec(0, 0, 6);
    a.ball = add_body(a.world, def, sphere(0.2));
    assert_int_equal(mo_world_set_contact_function(a.world, keep_from_above, &a), MO_OK);
    double apex = -1.0;
    for (int step = 0; step < 3000; step++) {
      a.calls = 0;
      double before = state_of(a.world, a.ball).linear_velocity.z;
      step_many(a.world, 0.001, 1);
      mo_body_state ball = state_of(a.world, a.ball);
      assert_true(a.calls <= 1);
      assert_true(before < 0.1 || fabs(ball.linear_velocity.z - before + 0.00981) < 1e-6);
      apex = fmax(apex, ball.position.z);
    }
    assert_true(fabs(apex - 0.834862) < 1e-2);
    assert_true(fabs(state_of(a.world, a.ball).position.z - 0.2) < 1e-2);
    mo_world_destroy(a.world);
  }
}

static bool refuse_sleeper(mo_contact_pair *pair, void *user) {
  asked *a = user;
  pair->is_refused =
      mo_body_id_equals(pair->body_a, a->sleeper) || mo_body_id_equals(pair->body_b, a->sleeper);
  assert_int_equal(mo_body_destroy(a->world, a->sleeper), MO_ERROR_WORLD_LOCKED);
  assert_int_equal(mo_world_step(a->world, 0.1), MO_ERROR_WORLD_LOCKED);
  return true;
}

static void a_contact_that_is_refused_wakes_nobody(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    asked a = {.world = make(solvers[k])};
    add_floor(a.world);
    a.sleeper = add_body(a.world, body_at(0, 0, 0.2, 1), sphere(0.2));
    assert_int_equal(mo_body_sleep(a.world, a.sleeper), MO_OK);
    mo_body_def def = body_at(-0.5, 0, 0.2, 1);
    def.friction = 0.0;
    def.linear_velocity = vec(2, 0, 0);
    mo_body_id ghost = add_body(a.world, def, sphere(0.2));
    assert_int_equal(mo_world_set_contact_function(a.world, refuse_sleeper, &a), MO_OK);
    for (int step = 0; step < 30; step++) {
      step_many(a.world, 0.016, 1);
      assert_false(state_of(a.world, a.sleeper).is_awake);
    }
    assert_true(state_of(a.world, ghost).position.x > 0.3);
    mo_world_destroy(a.world);
  }
}

static bool fail_or_remove(mo_contact_pair *pair, void *user) {
  asked *a = user;
  for (uint32_t i = 0; i < pair->point_count; i++) {
    pair->points[i].is_removed = a->removes && pair->points[i].position.x > 0.0;
  }
  pair->friction = 0.3;
  return !a->fails || ++a->calls < 2;
}

// Two worlds: in one of them each step is refused once, and then made.
static void a_refused_step_leaves_no_trace(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    asked all[2];
    for (int w = 0; w < 2; w++) {
      asked *a = &all[w];
      *a = (asked){.world = make(solvers[k])};
      add_floor(a->world);
      for (int i = 0; i < 3; i++) {
        add_body(a->world, body_at(0.1 * i, 0, 0.5 + 1.01 * i, 1), box(0.5, 0.5, 0.5));
      }
      assert_int_equal(mo_world_set_contact_function(a->world, fail_or_remove, a), MO_OK);
    }
    for (int step = 0; step < 60; step++) {
      all[0].removes = all[1].removes = step % 3 == 0;
      all[1].fails = true;
      all[1].calls = 0;
      uint64_t before = mo_world_hash(all[1].world);
      if (mo_world_step(all[1].world, 0.016) != MO_OK) {
        assert_int_equal(mo_world_last_result(all[1].world), MO_ERROR_CALLBACK_FAILED);
        assert_true(mo_world_hash(all[1].world) == before);
        all[1].fails = false;
        step_many(all[1].world, 0.016, 1);
      }
      step_many(all[0].world, 0.016, 1);
      assert_true(mo_world_hash(all[0].world) == mo_world_hash(all[1].world));
    }
    mo_world_destroy(all[0].world);
    mo_world_destroy(all[1].world);
  }
}

static bool refuse_or_thin_out(mo_contact_pair *pair, void *user) {
  asked *a = user;
  pair->is_refused = a->fails;
  pair->points[0].is_removed = a->removes;
  return true;
}

// A ball between two slopes of a mesh touches it with two manifolds.
static void contacts_with_a_mesh_may_be_refused_and_come_back(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    asked a = {.world = make(solvers[k])};
    add_bowl(a.world);
    double radius = 0.5, height = radius * sqrt(10.0) / 3.0;
    a.ball = add_body(a.world, body_at(0, 0, height, 1), sphere(radius));
    assert_int_equal(mo_world_set_contact_function(a.world, refuse_or_thin_out, &a), MO_OK);
    for (int step = 0; step < 12; step++) {
      a.fails = step % 3 == 1;
      a.removes = step % 4 == 2;
      step_many(a.world, 0.004, 1);
    }
    a.fails = a.removes = false;
    step_many(a.world, 0.004, 500);
    assert_true(fabs(state_of(a.world, a.ball).position.z - height) < 0.02);
    mo_world_destroy(a.world);
  }
}

// The step that is refused takes the records of contacts that ended, and gives them back.
static void a_refused_step_with_a_mesh_leaves_no_trace(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    asked a = {.world = make(solvers[k])};
    add_bowl(a.world);
    for (int i = 0; i < 3; i++) {
      mo_body_id ball = add_body(a.world, body_at(0, i - 1, 0.52, 1), sphere(0.5));
      step_many(a.world, 0.004, 2);
      assert_int_equal(mo_body_destroy(a.world, ball), MO_OK);
      step_many(a.world, 0.004, 4);
    }
    a.fails = true;
    a.calls = 1;
    assert_int_equal(mo_world_set_contact_function(a.world, fail_or_remove, &a), MO_OK);
    add_body(a.world, body_at(0, 0, 0.52, 1), sphere(0.5));
    uint64_t before = mo_world_hash(a.world);
    assert_int_equal(mo_world_step(a.world, 0.004), MO_ERROR_CALLBACK_FAILED);
    assert_true(mo_world_hash(a.world) == before);
    mo_world_destroy(a.world);
  }
}

TEST_GROUP(contact_functions) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_platform_may_be_solid_from_above),
      cmocka_unit_test(a_contact_that_is_refused_wakes_nobody),
      cmocka_unit_test(a_refused_step_leaves_no_trace),
      cmocka_unit_test(contacts_with_a_mesh_may_be_refused_and_come_back),
      cmocka_unit_test(a_refused_step_with_a_mesh_leaves_no_trace),
  };
  return run_group(tests, NULL, NULL);
}
