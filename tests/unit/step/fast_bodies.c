/// Continuous collision in a world: nothing fast passes through what is thin, or into a half space.
#include "random_fixture.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
#define SOLVERS 3

static mo_world *weightless(mo_solver solver) {
  mo_world_def def = mo_world_def_default();
  def.gravity = vec(0, 0, 0);
  def.solver = solver;
  return make_world(def);
}

static mo_body_id add_static(mo_world *world, double x, double y, double z, mo_shape *shape) {
  mo_body_def def = body_at(x, y, z, 0.0);
  def.type = MO_BODY_STATIC;
  return add_body(world, def, shape);
}

static mo_body_def thrown(mo_vec3 from, mo_vec3 velocity) {
  mo_body_def def = body_at(from.x, from.y, from.z, 1.0);
  def.linear_velocity = velocity;
  return def;
}

// A 0.1 m ball at 500 m/s and a wall of 0.02 m, from 40 distances.
static void ball_at_500_m_per_s_does_not_pass_a_thin_wall(void **state) {
  (void)state;
  for (int k = 0; k < 40 * SOLVERS; k++) {
    mo_world *world = weightless(solvers[k % SOLVERS]);
    add_static(world, 0, 0, 0, box(0.01, 3, 3));
    double start = -0.2 - 0.21 * (k / SOLVERS);
    mo_body_id ball =
        add_body(world, thrown(vec(start, 0.3, 0.1), vec(500, 0, 0)), sphere(k % 2 ? 0.05 : 0.1));
    for (int i = 0; i < 20; i++) {
      assert_int_equal(mo_world_step(world, DT), MO_OK);
      assert_true(state_of(world, ball).position.x < 0.0);
    }
    assert_true(state_of(world, ball).linear_velocity.x < 1e-3);
    mo_world_destroy(world);
  }
}

// Each thing of its own shape, spinning, from all sides into a closed room.
static void nothing_leaves_a_room_with_thin_walls(void **state) {
  (void)state;
  mo_result result;
  for (int k = 0; k < SOLVERS; k++) {
    mo_world *world = weightless(solvers[k]);
    for (int side = -1; side <= 1; side += 2) {
      add_static(world, 2.0 * side, 0, 0, box(0.01, 2, 2));
      add_static(world, 0, 2.0 * side, 0, box(2, 0.01, 2));
      add_static(world, 0, 0, 2.0 * side, box(2, 2, 0.01));
    }
    mo_body_id bodies[24];
    for (int i = 0; i < 24; i++) {
      mo_body_def def =
          thrown(vec(0.6 * (i % 3) - 0.6, 0.6 * (i / 3 % 3) - 0.6, 0.7 * (i / 9) - 0.7),
                 vec(150.0 - 13.0 * i, 17.0 * i - 200.0, 90.0 - 29.0 * (i % 7)));
      def.angular_velocity = vec(3.0 * i, 40.0 - 4.0 * i, 20.0);
      def.restitution = 0.9;
      mo_shape *shape = i % 3 == 0   ? sphere(0.05)
                        : i % 3 == 1 ? box(0.2, 0.02, 0.05)
                                     : mo_shape_create_capsule(0.03, 0.15, &result);
      bodies[i] = add_body(world, def, shape);
    }
    for (int step = 0; step < 240; step++) {
      assert_int_equal(mo_world_step(world, DT), MO_OK);
      for (int i = 0; i < 24; i++) {
        mo_vec3 p = state_of(world, bodies[i]).position;
        assert_true(fabs(p.x) < 2.0 && fabs(p.y) < 2.0 && fabs(p.z) < 2.0);
      }
    }
    mo_world_destroy(world);
  }
}

static double thrown_at_a_plate(mo_solver solver, bool bullet) {
  mo_world *world = weightless(solver);
  mo_body_def plate = body_at(0, 0, 0, 1000.0);
  add_body(world, plate, box(0.01, 2, 2));
  mo_body_def def = thrown(vec(-4, 0, 0), vec(500, 0, 0));
  def.bullet = bullet;
  mo_body_id ball = add_body(world, def, sphere(0.05));
  step_many(world, DT, 10);
  double x = state_of(world, ball).position.x;
  mo_world_destroy(world);
  return x;
}

static void bullet_stops_at_moving_bodies_too(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    assert_true(thrown_at_a_plate(solvers[k], true) < 0.2); // the plate moves on a little
    // soft-step looks for contacts along the paths of all bodies
    bool stops = solvers[k] == MO_SOLVER_SOFT_STEP;
    assert_true((thrown_at_a_plate(solvers[k], false) > 10.0) != stops);
  }
}

// One of both, or both.
static void bullets_are_not_passed_by_what_they_do_not_pass(void **state) {
  (void)state;
  for (int k = 0; k < 3 * SOLVERS; k++) {
    mo_world *world = weightless(solvers[k % SOLVERS]);
    mo_body_def left = thrown(vec(-5, 0, 0), vec(400, 0, 0));
    mo_body_def right = thrown(vec(5, 0, 0), vec(-400, 0, 0));
    left.bullet = k / SOLVERS != 0;
    right.bullet = k / SOLVERS != 1;
    mo_body_id a = add_body(world, left, sphere(0.05)), b = add_body(world, right, sphere(0.05));
    for (int i = 0; i < 30; i++) {
      step_many(world, DT, 1);
      assert_true(state_of(world, a).position.x < state_of(world, b).position.x);
    }
    mo_world_destroy(world);
  }
}

static void fast_body_slides_over_the_seams_of_a_floor(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = solvers[k];
    mo_world *world = make_world(settings);
    for (int i = 0; i < 60; i++) {
      add_static(world, 2.0 * i, -0.5, 0, box(1, 0.5, 3));
    }
    mo_body_def def = thrown(vec(0, 0.1, 0), vec(100, 0, 0));
    def.friction = 0.0;
    mo_body_id slab = add_body(world, def, box(0.1, 0.1, 0.1));
    step_many(world, DT, 60);
    mo_body_state end = state_of(world, slab);
    assert_true(fabs(end.linear_velocity.x - 100.0) < 0.5);
    assert_true(fabs(end.position.x - 100.0) < 1.0);
    assert_true(fabs(end.position.y - 0.1) < 0.02);
    mo_world_destroy(world);
  }
}

static void filters_and_joints_let_pass(void **state) {
  (void)state;
  mo_world *world = weightless(MO_SOLVER_SOFT_STEP);
  mo_body_def wall = body_at(0, 0, 0, 0.0);
  wall.type = MO_BODY_STATIC;
  wall.filter.category = 4;
  mo_body_id still = add_body(world, wall, box(0.01, 3, 3));
  mo_body_def def = thrown(vec(-3, 0, 0), vec(500, 0, 0));
  def.filter.mask = ~4u;
  mo_body_id filtered = add_body(world, def, sphere(0.05));
  def = thrown(vec(-3, 1, 0), vec(500, 0, 0));
  mo_body_id joined = add_body(world, def, sphere(0.05));
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_DISTANCE);
  joint.body_a = still;
  joint.body_b = joined;
  joint.drives[0].upper = 1000.0;
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
  step_many(world, DT, 5);
  assert_true(state_of(world, filtered).position.x > 30.0);
  assert_true(state_of(world, joined).position.x > 30.0);
  mo_world_destroy(world);
}

// Speeds beyond single precision: what is in the way still stops them.
static void no_speed_is_too_high(void **state) {
  (void)state;
  const double speeds[] = {1e30, 1e39, 1e50, 1e127, 1e152};
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < SOLVERS; k++) {
      mo_world *world = weightless(solvers[k]);
      add_static(world, 0, 0, 0, box(0.01, 3, 3));
      mo_body_def def = thrown(vec(-3, 0.3, 0.1), vec(speeds[i], 0, 0));
      def.bullet = true;
      mo_body_id ball = add_body(world, def, sphere(0.05));
      mo_result result = mo_world_step(world, DT);
      assert_true(result == MO_OK || result == MO_ERROR_NOT_FINITE);
      assert_true(state_of(world, ball).position.x < 0.0);
      mo_world_destroy(world);
    }
  }
}

static mo_shape *long_or_flat(int which) {
  mo_result result;
  return which == 0   ? mo_shape_create_capsule(0.05, 0.3, &result)
         : which == 1 ? box(0.3, 0.05, 0.05)
                      : mo_shape_create_cylinder(0.2, 0.02, 0.0, &result);
}

static double top_of(const mo_world *world, mo_body_id body) {
  mo_vec3 lower, upper;
  assert_int_equal(mo_body_get_bounds(world, body, &lower, &upper), MO_OK);
  return upper.y;
}

// The end that hits first stops, and the body turns about it: so its middle goes on.
static void nothing_fast_goes_under_a_plane(void **state) {
  (void)state;
  const double speeds[] = {20, 60, 400};
  uint64_t random = 5;
  for (int run = 0; run < 3 * 3 * SOLVERS * 12; run++) {
    double speed = speeds[run % 3], bounce = run % 2;
    mo_world *world = weightless(solvers[run / 9 % SOLVERS]);
    mo_result result;
    mo_body_def ground = body_at(0, 0, 0, 0.0);
    ground.type = MO_BODY_STATIC;
    ground.restitution = bounce;
    add_body(world, ground, mo_shape_create_plane(vec(0, 1, 0), 0.0, &result));
    mo_body_def def = thrown(vec(0, random_in(&random, 2, 7), 0),
                             vec(speed * random_in(&random, -0.5, 0.5), -speed, 0));
    def.orientation = (mo_quat){random_in(&random, 0, 1), random_in(&random, 0, 1),
                                random_in(&random, 0, 1), random_in(&random, 0.1, 1)};
    def.restitution = bounce;
    mo_body_id body = add_body(world, def, long_or_flat(run / 3 % 3));
    for (int i = 0; i < 40; i++) {
      step_many(world, DT, 1);
      assert_true(top_of(world, body) > 0.0);
    }
    mo_world_destroy(world);
  }
}

TEST_GROUP(fast_bodies) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_at_500_m_per_s_does_not_pass_a_thin_wall),
      cmocka_unit_test(nothing_leaves_a_room_with_thin_walls),
      cmocka_unit_test(bullet_stops_at_moving_bodies_too),
      cmocka_unit_test(bullets_are_not_passed_by_what_they_do_not_pass),
      cmocka_unit_test(fast_body_slides_over_the_seams_of_a_floor),
      cmocka_unit_test(filters_and_joints_let_pass),
      cmocka_unit_test(no_speed_is_too_high),
      cmocka_unit_test(nothing_fast_goes_under_a_plane),
  };
  return run_group(tests, NULL, NULL);
}
