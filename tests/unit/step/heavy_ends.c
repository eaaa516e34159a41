/// Limits of balls and hinges that stop a light rod with a heavy end.
#include "joint_machines.h"
#include "math/scalar.h"
#include "test_group.h"

#define LIMIT (MO_PI / 6.0)

typedef struct swing {
  mo_world *world;
  mo_constraint_id held; // the joint with the limit
} swing;

// A rod of 1 kg that hangs by its top, in gravity that is tilted by 50 degrees about y, with an end
// that is fixed to it or hangs on it.
static swing make_swing(mo_world_def settings, mo_constraint_type held, mo_constraint_type link,
                        double mass) {
  double tilt = 50.0 / 180.0 * MO_PI;
  settings.gravity = vec(9.81 * sin(tilt), 0, -9.81 * cos(tilt));
  swing s = {.world = make_world(settings)};
  mo_body_def of_rod = body_at(0, 0, -0.5, 1.0), of_end = body_at(0, 0, -1.2, mass);
  of_rod.filter.mask = of_end.filter.mask = 0;
  mo_body_id rod = add_body(s.world, of_rod, box(0.05, 0.05, 0.5));
  mo_body_id end = add_body(s.world, of_end, sphere(0.2));
  mo_constraint_def def = mo_constraint_def_default(held);
  def.body_b = rod;
  def.anchor_b = vec(0, 0, 0.5);
  def.axis_a = def.axis_b = held == MO_CONSTRAINT_HINGE ? vec(0, 1, 0) : vec(0, 0, -1);
  def.drives[0].upper = LIMIT;
  def.drives[0].lower = held == MO_CONSTRAINT_HINGE ? -LIMIT : -INFINITY;
  s.held = add_joint(s.world, &def);
  def = mo_constraint_def_default(link);
  def.body_a = rod;
  def.body_b = end;
  def.anchor_a = vec(0, 0, -0.5);
  def.anchor_b = vec(0, 0, 0.2);
  add_joint(s.world, &def);
  return s;
}

// Steps for 6 s. Returns by how much the rod comes back from the farthest that it was.
static double comes_back(const swing *s, double dt) {
  double most = 0.0, back = 0.0;
  for (int i = 0; i * dt < 6.0; i++) {
    step_many(s->world, dt, 1);
    double angle = fabs(coordinate_at(s->world, s->held));
    assert_true(angle < LIMIT + 1.1e-3); // the slop of limits, 1e-3 rad
    most = fmax(most, angle);
    back = most > LIMIT - 1e-3 ? fmax(back, most - angle) : 0.0;
  }
  assert_near(most, LIMIT, 1.1e-3);
  mo_world_destroy(s->world);
  return back;
}

// Sweeps hand the stop on to an end of 10 times the mass in 200 rounds.
static void a_fixed_end_does_not_come_back(void **state) {
  (void)state;
  const double masses[] = {1.0, 10.0, 1000.0};
  for (int i = 0; i < 3; i++) {
    swing s = make_swing(joint_settings(MO_SOLVER_EXACT, 0.0), MO_CONSTRAINT_BALL,
                         MO_CONSTRAINT_FIXED, masses[i]);
    assert_true(comes_back(&s, 1.0 / 60.0) < 1e-6);
  }
  for (int i = 0; i < 2; i++) {
    swing s = make_swing(joint_settings(MO_SOLVER_BLOCK_PGS, 0.0), MO_CONSTRAINT_BALL,
                         MO_CONSTRAINT_FIXED, masses[i]);
    assert_true(comes_back(&s, 1.0 / 60.0) < 1e-4);
  }
}

// An end that hangs on the rod swings on when that has stopped, and lifts it: by 13.4 degrees in
// short steps, 9.2 in those of 1/60 s. A cone does what the limits of a hinge do.
static void a_hanging_end_lifts_the_rod_as_that_of_a_hinge(void **state) {
  (void)state;
  mo_world_def settings = joint_settings(MO_SOLVER_EXACT, 0.0);
  swing ball = make_swing(settings, MO_CONSTRAINT_BALL, MO_CONSTRAINT_BALL, 1.0);
  swing hinge = make_swing(settings, MO_CONSTRAINT_HINGE, MO_CONSTRAINT_BALL, 1.0);
  double back = comes_back(&ball, 1.0 / 60.0);
  assert_near(back, 0.161, 0.002);
  assert_near(comes_back(&hinge, 1.0 / 60.0), back, 1e-6);
  swing fine = make_swing(settings, MO_CONSTRAINT_BALL, MO_CONSTRAINT_BALL, 1.0);
  assert_near(comes_back(&fine, 1.0 / 1000.0), 0.234, 0.003);
}

TEST_GROUP(heavy_ends) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fixed_end_does_not_come_back),
      cmocka_unit_test(a_hanging_end_lifts_the_rod_as_that_of_a_hinge),
  };
  return run_group(tests, NULL, NULL);
}
