/// Sliding and rolling in the integrators of second order: where a contact pushes all through the
/// step, its bodies move with the mean of their velocities.
#include "math/quat.h"
#include "test_group.h"
#include "world_fixture.h"

#define GRAVITY 9.81

static const mo_integrator second_order[] = {MO_INTEGRATOR_VELOCITY_VERLET, MO_INTEGRATOR_RK4,
                                             MO_INTEGRATOR_IMPLICIT_MIDPOINT};
static const mo_solver solvers[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};

typedef struct start {
  bool is_ball;
  double speed;    // m/s
  double friction; // of both
  double slope;    // rad, down along x
  double time;     // s
} start;

// How far a body of half a metre comes along x on a floor, m. Gravity is tilted, the floor is not.
static double way_of(mo_integrator integrator, mo_solver solver, start s, int rate) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.integrator = integrator;
  settings.gravity = vec(GRAVITY * sin(s.slope), 0, -GRAVITY * cos(s.slope));
  mo_world *world = make_world(settings);
  mo_body_def floor = body_at(0, 0, -0.5, 0.0), def = body_at(0, 0, 0.5, 1.0);
  floor.type = MO_BODY_STATIC;
  floor.friction = def.friction = s.friction;
  def.linear_velocity = vec(s.speed, 0, 0);
  add_body(world, floor, box(50, 50, 0.5));
  mo_body_id body = add_body(world, def, s.is_ball ? sphere(0.5) : box(0.5, 0.5, 0.5));
  step_many(world, 1.0 / rate, (int)lround(s.time * rate));
  mo_body_state end = state_of(world, body);
  assert_true(fabs(end.position.z - 0.5) < 1e-6);
  mo_world_destroy(world);
  return end.position.x;
}

// Asks for an error of `most` at 1/60, and a quarter of it at half the step.
static void assert_second_order(start s, double right, double most) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      for (int n = 1; n <= 4; n *= 2) {
        double error = way_of(second_order[i], solvers[k], s, 60 * n) - right;
        assert_true(fabs(error) <= most / (n * n));
      }
    }
  }
}

// It moves with v0 + v- and so on, whose sum is exact but for the step in which it stops: there it
// is at most mu g dt^2 / 8 off. With the velocities at the end it would be v0 dt / 2 = 3.3 cm.
static void a_box_slides_to_a_stop(void **state) {
  (void)state;
  start s = {.speed = 4.0, .friction = 0.5, .time = 2.0};
  assert_second_order(s, 16.0 / (2.0 * 0.5 * GRAVITY), 0.5 * GRAVITY / 3600.0 / 8.0 + 1e-7);
}

// It slides until 2/7 of its speed are lost.
static void a_ball_slides_until_it_rolls(void **state) {
  (void)state;
  double mu = 0.3, until = 2.0 * 4.0 / (7.0 * mu * GRAVITY), time = 2.0;
  start s = {.is_ball = true, .speed = 4.0, .friction = mu, .time = time};
  double right =
      4.0 * until - 0.5 * mu * GRAVITY * until * until + 5.0 / 7.0 * 4.0 * (time - until);
  assert_second_order(s, right, mu * GRAVITY / 3600.0 / 2.0);
}

static void a_ball_rolls_down_a_slope_evenly(void **state) {
  (void)state;
  double slope = MO_PI / 12;
  start s = {.is_ball = true, .friction = 0.5, .slope = slope, .time = 1.0};
  double right = 0.5 * 5.0 / 7.0 * GRAVITY * sin(slope);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      double way = way_of(second_order[i], solvers[k], s, 60);
      assert_true(fabs(way - right) < 1e-6); // 1.5 cm with the velocities at the end
    }
  }
}

// What pushes for a part of the step only is no smooth motion: a box that lands, or that comes to a
// wall, does not get into it by moving with the mean.
static void a_landing_box_stays_out_of_the_floor(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      mo_world_def settings = mo_world_def_default();
      settings.solver = solvers[k];
      settings.integrator = second_order[i];
      settings.gravity = vec(0, 0, -GRAVITY);
      mo_world *world = make_world(settings);
      mo_body_def floor = body_at(0, 0, -0.5, 0.0), wall = body_at(3, 0, 1, 0.0);
      floor.type = wall.type = MO_BODY_STATIC;
      add_body(world, floor, box(50, 50, 0.5));
      add_body(world, wall, box(0.5, 2, 1));
      mo_body_def def = body_at(0, 0, 1.0, 1.0);
      def.linear_velocity = vec(6, 0, 0);
      mo_body_id body = add_body(world, def, box(0.5, 0.5, 0.5));
      for (int n = 0; n < 120; n++) {
        step_many(world, 1.0 / 60, 1);
        mo_vec3 at = state_of(world, body).position;
        assert_true(at.z > 0.5 - 1e-4 && at.x < 2.0 + 1e-4);
      }
      mo_world_destroy(world);
    }
  }
}

TEST_GROUP(smooth_contacts) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_slides_to_a_stop),
      cmocka_unit_test(a_ball_slides_until_it_rolls),
      cmocka_unit_test(a_ball_rolls_down_a_slope_evenly),
      cmocka_unit_test(a_landing_box_stays_out_of_the_floor),
  };
  return run_group(tests, NULL, NULL);
}
