/// What a step refuses: it says by name why, changes nothing, and the world can be used on.
#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

#define DT (1.0 / 60.0)

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT,
                                    MO_SOLVER_CONE};
#define SOLVERS 4

static mo_world *world_with(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  return make_world(settings);
}

static void expect_refused(mo_world *world, double dt, mo_result result, const char *text) {
  uint64_t before = mo_world_hash(world);
  assert_int_equal(mo_world_step(world, dt), result);
  assert_non_null(strstr(mo_world_last_error(world), text));
  assert_true(mo_world_hash(world) == before);
}

// --- time ------------------------------------------------------------------------------------

static void time_that_becomes_infinite_is_refused(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    mo_world *world = world_with(solvers[k]); // without bodies, which would move too far
    assert_int_equal(mo_world_step(world, 1e308), MO_OK);
    expect_refused(world, 1e308, MO_ERROR_INVALID_ARGUMENT,
                   "dt must leave the time of the world finite, got 1e308");
    assert_true(mo_world_time(world) == 1e308);
    assert_int_equal(mo_world_step_count(world), 1);
    assert_int_equal(mo_world_step(world, DT), MO_OK);
    mo_world_destroy(world);
  }
}

static void times_that_are_no_steps_are_refused(void **state) {
  (void)state;
  static const double times[] = {(double)NAN, (double)INFINITY, -DT, 1e-310};
  mo_world *world = world_with(MO_SOLVER_SOFT_STEP);
  for (int i = 0; i < 4; i++) {
    expect_refused(world, times[i], MO_ERROR_INVALID_ARGUMENT, "dt must be 0 or a finite number");
  }
  mo_world_destroy(world);
}

// --- motions -----------------------------------------------------------------------------------

static void a_motion_that_overflows_is_refused_with_its_body(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    mo_world *world = world_with(solvers[k]);
    mo_body_id good = add_body(world, body_at(0, 3, 0, 1), sphere(0.5));
    mo_body_def def = body_at(1e308, 0, 0, 1);
    def.linear_velocity = vec(1e308, 0, 0);
    mo_body_id bad = add_body(world, def, sphere(0.5));
    expect_refused(world, 1e3, MO_ERROR_NOT_FINITE, "the motion of body id 2 overflows");
    assert_int_equal(mo_body_set_linear_velocity(world, bad, vec(0, 0, 0)), MO_OK);
    step_many(world, DT, 1);
    assert_true(state_of(world, good).position.y < 3);
    mo_world_destroy(world);
  }
}

// The sine of so large an angle was any number, and the orientation zeros.
static void a_spin_of_any_size_leaves_an_orientation(void **state) {
  (void)state;
  static const double spins[] = {1e10, 1e17, 1e25, 1e30, 1e60, 1e100, 1e150, 1e160, 1e300};
  for (int i = 0; i < 9 * 2 * SOLVERS * 5; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = solvers[i % SOLVERS];
    settings.integrator = (mo_integrator)(i / SOLVERS % 5);
    if (settings.solver == MO_SOLVER_SOFT_STEP && settings.integrator != 0) {
      continue; // it has its own
    }
    mo_world *world = make_world(settings);
    double spin = spins[i / SOLVERS / 5 % 9];
    mo_body_def def = body_at(0, 0, 0, 1);
    def.angular_velocity = vec(0.6 * spin, 0.1 * spin, -0.8 * spin);
    bool is_isotropic = i / SOLVERS / 45;
    mo_body_id body = add_body(world, def, is_isotropic ? sphere(0.5) : box(1, 0.1, 1e-9));
    for (int step = 0; step < 3; step++) {
      mo_result result = mo_world_step(world, DT);
      assert_true(result == MO_OK || result == MO_ERROR_NOT_FINITE);
      mo_quat q = state_of(world, body).orientation;
      assert_true(fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0) < 1e-12);
    }
    mo_world_destroy(world);
  }
}

// --- targets -----------------------------------------------------------------------------------

typedef struct witness {
  mo_world *world;
  mo_body_id body;
  int calls;
} witness;

static bool look_at_velocity(const mo_potential_body *body, double time, mo_wrench *out,
                             void *user) {
  (void)body, (void)time, (void)out;
  witness *w = user;
  mo_body_state now = state_of(w->world, w->body);
  assert_true(isfinite(now.linear_velocity.x) && isfinite(now.angular_velocity.z));
  w->calls++;
  return true;
}

static void a_target_out_of_reach_is_refused_by_name(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    mo_world *world = world_with(solvers[k]);
    mo_body_def def = body_at(0, 0, 0, 0);
    def.type = MO_BODY_KINEMATIC;
    mo_body_id lift = add_body(world, def, sphere(0.5));
    witness w = {world, lift, 0};
    add_body(world, body_at(0, 3, 0, 1), sphere(0.5));
    mo_potential_def potential = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
    potential.wrench = look_at_velocity;
    potential.user = &w;
    assert_false(mo_potential_id_is_null(mo_potential_create(world, &potential)));

    mo_pose far = {vec(1.5e308, 0, 0), {0, 0, 0, 1}}, near = {vec(0, 1, 0), {0, 0, 0, 1}};
    assert_int_equal(mo_body_move_to(world, lift, far, 0.0), MO_OK);
    expect_refused(world, DT, MO_ERROR_NOT_FINITE,
                   "the target of body id 1 must be in reach of a finite velocity, got position "
                   "[1.5e308, 0, 0]");
    assert_int_equal(w.calls, 0);
    assert_true(state_of(world, lift).has_target);
    assert_int_equal(mo_body_move_to(world, lift, near, 0.0), MO_OK);
    step_many(world, DT, 1);
    assert_true(state_of(world, lift).position.y == 1.0 && w.calls > 0);
    mo_world_destroy(world);
  }
}

// --- joints ------------------------------------------------------------------------------------

static bool refuses;

static bool answer(mo_contact_pair *pair, void *user) {
  (void)pair, (void)user;
  return !refuses;
}

// A box on the floor with a row of links on it.
static mo_world *make_chain(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.allow_sleep = false;
  mo_world *world = make_world(settings);
  mo_body_def floor = body_at(0, -0.5, 0, 0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(50, 0.5, 50));
  mo_body_id last = add_body(world, body_at(0, 0.5, 0, 10), box(0.5, 0.5, 0.5));
  for (int i = 0; i < 4; i++) {
    mo_body_id link = add_body(world, body_at(0.7 + 0.4 * i, 1, 0, 1), sphere(0.15));
    mo_constraint_def joint = mo_constraint_def_default(i == 1   ? MO_CONSTRAINT_BALL
                                                        : i == 2 ? MO_CONSTRAINT_FIXED
                                                                 : MO_CONSTRAINT_HINGE);
    joint.body_a = last;
    joint.body_b = link;
    joint.axis_a = joint.axis_b = vec(0, 0, 1);
    joint.anchor_a = i == 0 ? vec(0.5, 0.5, 0) : vec(0.2, 0, 0);
    joint.anchor_b = vec(-0.2, 0, 0);
    if (i == 0) {
      joint.drives[0].lower = -0.3;
      joint.drives[0].upper = 0.4;
      joint.drives[0].friction = 0.5;
    }
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
    last = link;
  }
  return world;
}

// Long steps have more substeps. The impulses that soft-step keeps are those of one substep, and
// were taken for those of another number.
static void a_refused_step_among_steps_of_many_lengths_leaves_no_trace(void **state) {
  (void)state;
  static const double lengths[] = {1 / 60.0, 1 / 60.0, 1 / 30.0, 1 / 60.0, 1 / 20.0, 1 / 120.0};
  for (int k = 0; k < SOLVERS; k++) {
    mo_world *plain = make_chain(solvers[k]), *tried = make_chain(solvers[k]);
    int refused = 0;
    for (int step = 0; step < 60; step++) {
      mo_world_set_contact_function(plain, answer, NULL);
      mo_world_set_contact_function(tried, answer, NULL);
      if (step % 2) {
        refuses = true;
        refused += mo_world_step(tried, lengths[step / 2 % 6]) == MO_ERROR_CALLBACK_FAILED;
        refuses = false;
      }
      step_many(plain, lengths[step % 6], 1);
      step_many(tried, lengths[step % 6], 1);
      assert_true(mo_world_hash(plain) == mo_world_hash(tried));
    }
    assert_int_equal(refused, 30);
    mo_world_destroy(plain);
    mo_world_destroy(tried);
  }
}

TEST_GROUP(refused_steps) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_that_becomes_infinite_is_refused),
      cmocka_unit_test(times_that_are_no_steps_are_refused),
      cmocka_unit_test(a_motion_that_overflows_is_refused_with_its_body),
      cmocka_unit_test(a_spin_of_any_size_leaves_an_orientation),
      cmocka_unit_test(a_target_out_of_reach_is_refused_by_name),
      cmocka_unit_test(a_refused_step_among_steps_of_many_lengths_leaves_no_trace),
  };
  return run_group(tests, NULL, NULL);
}
