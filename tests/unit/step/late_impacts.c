/// Impacts that lead to others within a step, under Newton's law.
#include "joint_machines.h"
#include "test_group.h"

#include <string.h>

#define BALLS 5
#define RADIUS 0.2

typedef struct row_of_balls {
  mo_world *world;
  mo_body_id balls[BALLS];
  double masses[BALLS];
} row_of_balls;

// Balls along x, `gap` apart, between walls 4 m apart.
static row_of_balls make_row(mo_solver solver, double restitution, double gap, const double *masses,
                             const double *speeds) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.gravity = vec(0, 0, 0);
  settings.allow_sleep = false;
  row_of_balls row = {.world = make_world(settings)};
  for (int side = -1; side <= 1; side += 2) {
    mo_body_def wall = body_at(2.5 * side, 0, 0, 0);
    wall.type = MO_BODY_STATIC;
    wall.restitution = restitution;
    wall.friction = 0.0;
    add_body(row.world, wall, box(0.5, 2, 2));
  }
  for (int i = 0; i < BALLS; i++) {
    mo_body_def ball = body_at((i - 2) * (2 * RADIUS + gap), 0, 0, masses[i]);
    ball.restitution = restitution;
    ball.friction = 0.0;
    ball.linear_velocity = vec(speeds[i], 0, 0);
    row.masses[i] = masses[i];
    row.balls[i] = add_body(row.world, ball, sphere(RADIUS));
  }
  return row;
}

static double speed_of(const row_of_balls *row, int ball) {
  return state_of(row->world, row->balls[ball]).linear_velocity.x;
}

static double energy_of(const row_of_balls *row) {
  double sum = 0.0;
  for (int i = 0; i < BALLS; i++) {
    sum += 0.5 * row->masses[i] * speed_of(row, i) * speed_of(row, i);
  }
  return sum;
}

static const double equal[BALLS] = {1, 1, 1, 1, 1};

// They lost up to a quarter in 10 s.
static void balls_between_walls_keep_their_energy(void **state) {
  (void)state;
  const double other[BALLS] = {1, 3, 0.5, 2, 1.5};
  const double speeds[BALLS] = {-2.5, 0.1, 2.7, -1.2, 1.4};
  const double gaps[] = {0.0, 0.05, 0.15, 0.3};
  for (int i = 0; i < 8; i++) {
    row_of_balls row = make_row(MO_SOLVER_EXACT, 1.0, gaps[i / 2], i % 2 ? other : equal, speeds);
    double before = energy_of(&row);
    step_many(row.world, 1.0 / 60.0, 600);
    assert_true(fabs(energy_of(&row) - before) < 1e-6 * before);
    mo_world_destroy(row.world);
  }
}

// Speeds after the impacts of neighbours, in turn.
static void hit(double *speeds, int a, double restitution) {
  double change = 0.5 * (1.0 + restitution) * (speeds[a] - speeds[a + 1]);
  speeds[a] -= change;
  speeds[a + 1] += change;
}

// The third ball hits the fourth, which is thrown at the fifth within the step, and is slower than
// the third then where e is below 1.
static void each_impact_has_its_own_restitution(void **state) {
  (void)state;
  const double speeds[BALLS] = {-1, -1, 4, 1, 1};
  const mo_solver solvers[] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS};
  for (int s = 0; s < 4; s++) {
    double e = s / 2 ? 0.8 : 1.0, expected[BALLS];
    row_of_balls row = make_row(solvers[s % 2], e, 0.01, equal, speeds);
    memcpy(expected, speeds, sizeof expected);
    hit(expected, 2, e);
    hit(expected, 3, e);
    hit(expected, 2, e);
    step_many(row.world, 1.0 / 60.0, 1);
    for (int i = 0; i < BALLS; i++) {
      assert_near(speed_of(&row, i), expected[i], 1e-6);
    }
    mo_world_destroy(row.world);
  }
}

TEST_GROUP(late_impacts) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_between_walls_keep_their_energy),
      cmocka_unit_test(each_impact_has_its_own_restitution),
  };
  return run_group(tests, NULL, NULL);
}
