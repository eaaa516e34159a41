/// Limits of balls and hinges that stop a light rod with a heavy end, and chains with one.
#include "joint_machines.h"
#include "math/quat.h"
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

static mo_world_def default_sweeps(void) {
  mo_world_def settings = joint_settings(MO_SOLVER_BLOCK_PGS, 0.0);
  settings.iterations = mo_world_def_default().iterations;
  return settings;
}

static void a_fixed_end_does_not_come_back(void **state) {
  (void)state;
  const double masses[] = {1.0, 10.0, 1000.0};
  for (int i = 0; i < 3; i++) {
    swing s = make_swing(joint_settings(MO_SOLVER_EXACT, 0.0), MO_CONSTRAINT_BALL,
                         MO_CONSTRAINT_FIXED, masses[i]);
    assert_true(comes_back(&s, 1.0 / 60.0) < 1e-6);
  }
  for (int i = 0; i < 3; i++) {
    swing s = make_swing(default_sweeps(), MO_CONSTRAINT_BALL, MO_CONSTRAINT_FIXED, masses[i]);
    assert_true(comes_back(&s, 1.0 / 60.0) < 1e-6);
  }
}

// By 20 sweeps as by `exact`: an end of 1000 times the mass once turned it by 37 degrees more.
static void sweeps_hold_the_limit_of_a_hinge(void **state) {
  (void)state;
  const double masses[] = {1.0, 10.0, 1000.0};
  for (int i = 0; i < 3; i++) {
    swing s = make_swing(default_sweeps(), MO_CONSTRAINT_HINGE, MO_CONSTRAINT_FIXED, masses[i]);
    assert_true(comes_back(&s, 1.0 / 60.0) < 1e-6);
    s = make_swing(default_sweeps(), MO_CONSTRAINT_BALL, MO_CONSTRAINT_BALL, masses[i]);
    comes_back(&s, 1.0 / 60.0);
  }
}

// A heavy end beside the rod twists it.
static void sweeps_hold_the_twist_of_a_ball(void **state) {
  (void)state;
  const double masses[] = {1.0, 10.0, 1000.0};
  for (int i = 0; i < 3; i++) {
    mo_world_def settings = default_sweeps();
    settings.gravity = vec(7.5, 0, -6.3);
    mo_world *world = make_world(settings);
    mo_body_def of_rod = body_at(0, 0, -0.5, 1.0), of_end = body_at(0, 0.5, -1.0, masses[i]);
    of_rod.filter.mask = of_end.filter.mask = 0;
    mo_body_id rod = add_body(world, of_rod, box(0.05, 0.05, 0.5));
    mo_body_id end = add_body(world, of_end, sphere(0.2));
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
    def.body_b = rod;
    def.anchor_b = vec(0, 0, 0.5);
    def.axis_a = def.axis_b = vec(0, 0, -1);
    def.drives[1].lower = -0.1;
    def.drives[1].upper = 0.1;
    mo_constraint_id held = add_joint(world, &def);
    def = mo_constraint_def_default(MO_CONSTRAINT_FIXED);
    def.body_a = rod;
    def.body_b = end;
    def.anchor_a = vec(0, 0, -0.5);
    def.anchor_b = vec(0, -0.5, 0);
    add_joint(world, &def);
    double most = 0.0;
    for (int k = 0; k < 120; k++) {
      step_many(world, 1.0 / 60.0, 1);
      mo_coordinate_state twist;
      assert_int_equal(mo_constraint_get_coordinate(world, held, 1, &twist), MO_OK);
      most = fmax(most, fabs(twist.value));
    }
    assert_near(most, 0.1, 1.1e-3);
    mo_world_destroy(world);
  }
}

// --- chains ----------------------------------------------------------------------------------

#define LINKS 10
#define HALF_LINK 0.25

typedef struct chain {
  mo_world *world;
  mo_body_id links[LINKS];
} chain;

// A chain of links of 1 kg that hangs on the world by one end and is let go from the horizontal,
// with a last link of another mass.
static chain make_chain(double mass, mo_constraint_type type) {
  mo_world_def settings = default_sweeps();
  settings.gravity = vec(0, 0, -9.81);
  chain c = {.world = make_world(settings)};
  for (int i = 0; i < LINKS; i++) {
    mo_body_def link = body_at((2 * i + 1) * HALF_LINK, 0, 0, i + 1 < LINKS ? 1.0 : mass);
    link.filter.mask = 0;
    c.links[i] = add_body(c.world, link, box(HALF_LINK, 0.05, 0.05));
    mo_constraint_def def = mo_constraint_def_default(type);
    def.body_b = c.links[i];
    def.anchor_b = vec(-HALF_LINK, 0, 0);
    def.axis_a = def.axis_b = vec(0, 1, 0);
    if (i > 0) {
      def.body_a = c.links[i - 1];
      def.anchor_a = vec(HALF_LINK, 0, 0);
    }
    add_joint(c.world, &def);
  }
  return c;
}

static mo_vec3 end_of(const chain *c, int link, double side) {
  mo_body_state state = state_of(c->world, c->links[link]);
  return mo_add(state.position, mo_quat_rotate(state.orientation, vec(side * HALF_LINK, 0, 0)));
}

// The largest opening of the joints, m.
static double opening(const chain *c) {
  double worst = mo_length(end_of(c, 0, -1.0));
  for (int i = 1; i < LINKS; i++) {
    worst = fmax(worst, mo_length(mo_sub(end_of(c, i, -1.0), end_of(c, i - 1, 1.0))));
  }
  return worst;
}

// The joints opened by up to 55 m when light links yielded to the end by turning.
static void chains_with_a_heavy_end_stay_closed(void **state) {
  (void)state;
  const double masses[] = {200.0, 20000.0, 1e6};
  for (int i = 0; i < 6; i++) {
    chain c = make_chain(masses[i / 2], i % 2 ? MO_CONSTRAINT_HINGE : MO_CONSTRAINT_BALL);
    double worst = 0.0, lowest = 0.0;
    for (int k = 0; k < 600; k++) {
      step_many(c.world, 1.0 / 60.0, 1);
      worst = fmax(worst, opening(&c));
      lowest = fmin(lowest, end_of(&c, LINKS - 1, 0.0).z);
    }
    assert_true(worst < 0.01);
    assert_near(lowest, -HALF_LINK * (2 * LINKS - 1),
                0.02); // the end falls as far as the chain is long
    mo_world_destroy(c.world);
  }
}

// The period of a pendulum, for small swings of a rod about its end: 2 pi sqrt(2 l / (3 g)).
static void a_rod_keeps_its_period(void **state) {
  (void)state;
  mo_world_def settings = default_sweeps();
  settings.gravity = vec(0, 0, -9.81);
  settings.tolerance = 1e-12;
  mo_world *world = make_world(settings);
  mo_body_def def = body_at(0, 0, -0.5, 1.0);
  def.angular_velocity = vec(0, 0.05, 0);
  def.linear_velocity = vec(-0.025, 0, 0);
  mo_body_id rod = add_body(world, def, box(0.01, 0.01, 0.5));
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  joint.body_b = rod;
  joint.anchor_b = vec(0, 0, 0.5);
  add_joint(world, &joint);
  double dt = 1.0 / 240.0, last = 0.0, first = 0.0, at = 0.0;
  for (int i = 1, crossings = 0; crossings < 21; i++) {
    step_many(world, dt, 1);
    double x = state_of(world, rod).position.x;
    if (last < 0.0 && x >= 0.0) {
      at = (i - x / (x - last)) * dt;
      first = crossings++ == 0 ? at : first;
    }
    last = x;
  }
  double moment = (1.0 + 0.02 * 0.02) / 12.0 + 0.25; // kg m^2
  assert_near((at - first) / 20.0, 2.0 * MO_PI * sqrt(moment / (9.81 * 0.5)), 2e-4);
  mo_world_destroy(world);
}

// An end that hangs on the rod swings on when that has stopped, and lifts it: by 13.6 degrees in
// short steps (0.23766 rad for 1/7680 s), 12.4 in those of 1/60 s. A cone does what the limits of a
// hinge do.
static void a_hanging_end_lifts_the_rod_as_that_of_a_hinge(void **state) {
  (void)state;
  mo_world_def settings = joint_settings(MO_SOLVER_EXACT, 0.0);
  swing ball = make_swing(settings, MO_CONSTRAINT_BALL, MO_CONSTRAINT_BALL, 1.0);
  swing hinge = make_swing(settings, MO_CONSTRAINT_HINGE, MO_CONSTRAINT_BALL, 1.0);
  double back = comes_back(&ball, 1.0 / 60.0);
  assert_near(back, 0.2165, 0.002);
  assert_near(comes_back(&hinge, 1.0 / 60.0), back, 1e-6);
  swing fine = make_swing(settings, MO_CONSTRAINT_BALL, MO_CONSTRAINT_BALL, 1.0);
  assert_near(comes_back(&fine, 1.0 / 1000.0), 0.2377, 0.0005);
}

TEST_GROUP(heavy_ends) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fixed_end_does_not_come_back),
      cmocka_unit_test(sweeps_hold_the_limit_of_a_hinge),
      cmocka_unit_test(sweeps_hold_the_twist_of_a_ball),
      cmocka_unit_test(chains_with_a_heavy_end_stay_closed),
      cmocka_unit_test(a_rod_keeps_its_period),
      cmocka_unit_test(a_hanging_end_lifts_the_rod_as_that_of_a_hinge),
  };
  return run_group(tests, NULL, NULL);
}
