/// Physics under abuse: rods that spin, planks that sweep, steps of seconds.
#include "random_fixture.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

static mo_quat turned_about_up(double angle) {
  return (mo_quat){0.0, 0.0, sin(0.5 * angle), cos(0.5 * angle)};
}

static double speed_of(const mo_world *world, mo_body_id body) {
  mo_vec3 v = state_of(world, body).linear_velocity;
  return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

// --- friction per point ----------------------------------------------------------------------

// Rods that lie crosswise touch by few points, which come and go around the friction centre.
static void crossed_rods_start_with_no_more_friction_than_they_bear(void **state) {
  (void)state;
  for (uint32_t scene = 0; scene < 60; scene++) {
    mo_world_def settings = mo_world_def_default();
    settings.gravity = vec(0, 0, -9.81);
    settings.friction_per_point = true;
    mo_world *world = make_world(settings);
    add_floor(world);
    uint64_t random = scene;
    mo_body_id rods[4];
    for (int i = 0; i < 4; i++) {
      mo_body_def def = body_at(random_in(&random, 0.0, 0.4), random_in(&random, 0.0, 0.4),
                                0.1 + 0.15 * i + random_in(&random, 0.0, 0.1), 1.0);
      def.orientation = turned_about_up(random_in(&random, 0.0, 3.0));
      rods[i] = add_body(world, def, box(0.8, 0.05, 0.05));
    }
    for (int step = 0; step < 120; step++) {
      step_many(world, DT, 1);
      for (int i = 0; i < 4; i++) {
        assert_true(speed_of(world, rods[i]) < 4.0); // the tallest falls by .6 m: 3.4 m/s
      }
    }
    mo_world_destroy(world);
  }
}

// --- far and fast ----------------------------------------------------------------------------

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
#define SOLVERS 3

static bool is_finite(mo_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

// Steps that are refused are no fault: what is read out is finite all the same.
static void step_and_look(mo_world *world, mo_body_id body, int steps) {
  for (int i = 0; i < steps; i++) {
    mo_world_step(world, DT);
    mo_body_state end = state_of(world, body);
    assert_true(is_finite(end.position) && is_finite(end.linear_velocity));
  }
}

static void body_far_away_meets_nothing_that_is_gone(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = solvers[k];
    mo_world *world = make_world(settings);
    mo_body_id floor = add_floor(world);
    mo_body_def def = body_at(0, 0, 3, 1.0);
    def.bullet = true;
    mo_body_id ball = add_body(world, def, sphere(0.5));
    mo_body_id other = add_body(world, body_at(4, 0, 3, 1.0), sphere(0.5));
    step_and_look(world, ball, 2);
    mo_body_set_center_of_mass(world, ball, vec(1e160, 0, 0));
    mo_body_set_linear_velocity(world, ball, vec(0, -1.6e127, 0));
    mo_body_destroy(world, floor);
    step_and_look(world, ball, 3);
    mo_body_destroy(world, other);
    step_and_look(world, ball, 3);
    mo_world_destroy(world);
  }
}

// Squares of such ways overflow.
static void no_speed_is_too_high_to_be_stopped(void **state) {
  (void)state;
  static const double speeds[] = {1e5, 1e20, 1e36, 1e50, 1e153, 1e160, 1e300};
  for (int i = 0; i < 14 * SOLVERS; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = solvers[i % SOLVERS];
    mo_world *world = make_world(settings);
    mo_body_def wall = body_at(5, 0, 0, 0);
    wall.type = MO_BODY_STATIC;
    add_body(world, wall, box(0.1, 3, 3));
    mo_body_def def = body_at(0, 0, 0, 1.0);
    def.linear_velocity = vec(speeds[i / SOLVERS % 7], 0, 0);
    def.bullet = i / SOLVERS >= 7;
    mo_body_id ball = add_body(world, def, sphere(0.1));
    step_and_look(world, ball, 2);
    double x = state_of(world, ball).position.x;
    assert_true(x > 4.7 && x < 4.9);
    mo_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crossed_rods_start_with_no_more_friction_than_they_bear),
      cmocka_unit_test(body_far_away_meets_nothing_that_is_gone),
      cmocka_unit_test(no_speed_is_too_high_to_be_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
