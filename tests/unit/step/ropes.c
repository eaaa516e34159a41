/// Ropes and pulleys, which pull only. A101 and A104.
#include "joint_machines.h"
#include "test_group.h"

#include <string.h>

#define G 9.81

static mo_constraint_id add_rope(mo_world *world, mo_body_id a, mo_body_id b, double length) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_ROPE);
  def.body_a = a;
  def.body_b = b;
  def.drives[0].upper = length > 0.0 ? length : INFINITY;
  return add_joint(world, &def);
}

static mo_body_id add_ball(mo_world *world, mo_vec3 position, double mass) {
  mo_body_def def = body_at(position.x, position.y, position.z, mass);
  def.filter.mask = 0;
  return add_body(world, def, sphere(0.1));
}

// --- ropes -----------------------------------------------------------------------------------

static void drops_into_its_rope(mo_solver solver) {
  bool soft = solver == MO_SOLVER_SOFT_STEP;
  mo_world *world = joint_world(solver, G);
  mo_body_id ball = add_ball(world, vec(0, 0, -1.5), 3);
  mo_constraint_id rope = add_rope(world, MO_NULL_BODY_ID, ball, 2.0);
  for (int step = 1; step <= 60; step++) {
    step_many(world, 0.016, 1);
    double distance = -state_of(world, ball).position.z;
    assert_true(distance <= 2.0 + (soft ? 0.01 : 1e-9));
    if (step == 19) {
      assert_near(distance, 1.9771584, soft ? 0.02 : 1e-6);
      assert_near(coordinate_at(world, rope), distance, 1e-12);
    }
    if (step < 19) {
      assert_true(mo_constraint_impulses(world, rope)[0] == 0.0);
    }
    if (step >= 22 + 20 * soft) {
      assert_near(distance, 2.0, soft ? 0.01 : 1e-6);
      assert_near(mo_constraint_impulses(world, rope)[0] / 0.016, 29.43, soft ? 0.5 : 1e-6);
    }
  }
  mo_world_destroy(world);
}

static void swings_on_a_cone(mo_solver solver) {
  mo_world *world = joint_world(solver, G);
  double angle = MO_TEST_PI / 6;
  mo_body_id ball = add_ball(world, vec(2 * sin(angle), 0, -2 * cos(angle)), 3);
  mo_constraint_id rope = add_rope(world, MO_NULL_BODY_ID, ball, 2.0);
  mo_body_set_linear_velocity(world, ball, vec(0, 2.3798752, 0));
  double turned = 0.0;
  mo_vec3 last = state_of(world, ball).position;
  for (int i = 0; i < 5000; i++) {
    step_many(world, 0.001, 1);
    mo_vec3 p = state_of(world, ball).position;
    turned += (last.x * p.y - last.y * p.x) / (p.x * p.x + p.y * p.y);
    last = p;
    assert_near(sqrt(p.x * p.x + p.y * p.y), 1.0, 6e-3);
    assert_near(p.z, -2.0 * cos(angle), 6e-3);
  }
  assert_near(turned / 5.0, 2.3798752, 3e-3 * 2.38);
  assert_near(mo_constraint_impulses(world, rope)[0] / 0.001, 33.982837, 0.1 * 3.4);
  mo_world_destroy(world);
}

// A101
static void a_rope_stops_a_fall_and_carries_a_conical_pendulum(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    drops_into_its_rope(joint_solvers[s]);
    swings_on_a_cone(joint_solvers[s]);
  }
}

// Made taut, without a length given: a ton hangs at once.
static void a_rope_of_no_slack_holds_a_ton(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    mo_world *world = joint_world(joint_solvers[s], G);
    mo_body_id ball = add_ball(world, vec(0, 0, -2), 1000);
    mo_constraint_id rope = add_rope(world, MO_NULL_BODY_ID, ball, -1.0);
    double lowest = 0.0;
    for (int i = 0; i < 200; i++) {
      step_many(world, 0.016, 1);
      lowest = fmin(lowest, state_of(world, ball).position.z);
    }
    assert_true(lowest > -2.0 - (soft ? 2e-3 : 1e-9));
    assert_near(mo_constraint_impulses(world, rope)[0] / 0.016, 1000 * G, soft ? 20.0 : 1e-5);
    mo_world_destroy(world);
  }
}

// Falling a metre into its rope at 1000 kg.
static void a_ton_falls_into_its_rope(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    mo_world *world = joint_world(joint_solvers[s], G);
    mo_body_id heavy = add_ball(world, vec(0, 0, -1), 1000);
    add_rope(world, MO_NULL_BODY_ID, heavy, 2.0);
    for (int i = 0; i < 300; i++) {
      step_many(world, 0.016, 1);
      assert_true(state_of(world, heavy).position.z > -2.0 - (soft ? 0.05 : 1e-9));
    }
    assert_near(state_of(world, heavy).position.z, -2.0, soft ? 2e-3 : 1e-6);
    assert_near(state_of(world, heavy).linear_velocity.z, 0.0, 1e-3);
    mo_world_destroy(world);
  }
}

static void a_rope_never_pushes(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_body_id a = add_ball(world, vec(0, 0, 0), 1), b = add_ball(world, vec(2, 0, 0), 1);
    add_rope(world, a, b, 2.0);
    mo_body_set_linear_velocity(world, b, vec(-1, 0, 0));
    step_many(world, 0.016, 60);
    assert_true(state_of(world, a).linear_velocity.x == 0.0);
    assert_near(state_of(world, b).linear_velocity.x, -1.0, 1e-12);
    mo_world_destroy(world);
  }
}

// --- chains ----------------------------------------------------------------------------------

#define LINKS 1000

// Links of 20 cm that hang or are let go level, and never gain energy.
static void a_chain_of_thousand(mo_constraint_type type, bool swings) {
  mo_world *world = joint_world(MO_SOLVER_SOFT_STEP, G);
  mo_body_id last = MO_NULL_BODY_ID, bodies[LINKS];
  mo_vec3 along = swings ? vec(1, 0, 0) : vec(0, 0, -1);
  for (int i = 0; i < LINKS; i++) {
    double middle = 0.2 * i + 0.1;
    mo_body_def def = body_at(middle * along.x, 0, middle * along.z, 1);
    def.filter.mask = 0;
    bodies[i] = add_body(world, def, swings ? box(0.1, 0.03, 0.03) : box(0.03, 0.03, 0.1));
    mo_constraint_def joint = mo_constraint_def_default(type);
    joint.body_a = last;
    joint.body_b = bodies[i];
    joint.anchor_a = mo_body_id_is_null(last) ? vec(0, 0, 0) : vec(0.1 * along.x, 0, 0.1 * along.z);
    joint.anchor_b = vec(-0.1 * along.x, 0, -0.1 * along.z);
    joint.drives[0].upper = type == MO_CONSTRAINT_ROPE ? 0.02 : INFINITY;
    add_joint(world, &joint);
    last = bodies[i];
  }
  double reach = LINKS * (0.2 + (type == MO_CONSTRAINT_ROPE ? 0.02 : 0.0));
  double energy = mo_world_energy(world).total;
  for (int i = 0; i < 120; i++) {
    step_many(world, 1.0 / 60, 1);
    double now = mo_world_energy(world).total;
    assert_true(now <= energy + 1e-6 * fabs(energy) + 1.0);
    energy = now;
    for (int k = 0; k < LINKS;
         k += 37) { // ropes, which are no assembly, stretch under such a weight
      double bound = type == MO_CONSTRAINT_BALL ? 1.01 : 1.25;
      assert_true(mo_length(state_of(world, bodies[k]).position) < bound * reach);
    }
  }
  mo_world_destroy(world);
}

static void chains_of_thousand_do_not_explode(void **state) {
  (void)state;
  for (int swings = 0; swings < 2; swings++) {
    a_chain_of_thousand(MO_CONSTRAINT_BALL, swings);
    a_chain_of_thousand(MO_CONSTRAINT_ROPE, swings);
  }
}

// --- pulleys ---------------------------------------------------------------------------------

typedef struct atwood {
  mo_world *world;
  mo_body_id a, b;
  mo_constraint_id pulley;
} atwood;

static atwood hang(mo_solver solver, double mass_a, double mass_b, double ratio) {
  atwood m = {.world = joint_world(solver, G)};
  m.a = add_ball(m.world, vec(-1, 0, -10), mass_a);
  m.b = add_ball(m.world, vec(1, 0, -10), mass_b);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_PULLEY);
  def.body_a = m.a;
  def.body_b = m.b;
  def.ground_anchor_a = vec(-1, 0, 0);
  def.ground_anchor_b = vec(1, 0, 0);
  def.ratio = ratio;
  m.pulley = add_joint(m.world, &def);
  return m;
}

typedef struct atwood_case {
  double mass_a, mass_b, ratio, up_a, up_b, tension;
} atwood_case;

// A104
static void a_pulley_is_atwoods_machine(void **state) {
  (void)state;
  const atwood_case cases[] = {{2, 3, 1, 1.962, -1.962, 23.544},
                               {2, 6, 2, 2.80285714, -1.40142857, 25.2257143},
                               {2, 4, 2, 0, 0, 19.62}};
  for (int s = 0; s < FREE_SOLVERS; s++) {
    double tolerance = joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 0.02 : 1e-6;
    for (int i = 0; i < 3; i++) {
      const atwood_case *c = &cases[i];
      atwood m = hang(joint_solvers[s], c->mass_a, c->mass_b, c->ratio);
      step_many(m.world, 0.001, 1000);
      assert_near(state_of(m.world, m.a).linear_velocity.z, c->up_a, tolerance);
      assert_near(state_of(m.world, m.b).linear_velocity.z, c->up_b, tolerance);
      assert_near(mo_constraint_impulses(m.world, m.pulley)[0] / 0.001, c->tension, 10 * tolerance);
      mo_world_destroy(m.world);
    }
  }
}

// A is pushed up, so its rope goes slack and both fall freely until it is taut again.
static void a_pulley_goes_slack(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    atwood m = hang(joint_solvers[s], 2, 2, 1);
    mo_body_set_linear_velocity(m.world, m.a, vec(0, 0, 3));
    bool was_slack = false;
    for (int i = 0; i < 300; i++) {
      step_many(m.world, 0.005, 1);
      double free = 20.0 - coordinate_at(m.world, m.pulley);
      assert_true(free > (soft ? -0.01 : -1e-9));
      double impulse = mo_constraint_impulses(m.world, m.pulley)[0];
      assert_true(impulse >= 0.0);
      was_slack = was_slack || (impulse == 0.0 && free > 0.1);
    }
    assert_true(was_slack);
    // The free fall of both is the same, so the rope becomes taut only by what A was given: never.
    assert_near(state_of(m.world, m.a).linear_velocity.z - state_of(m.world, m.b).linear_velocity.z,
                3.0, 1e-3);
    mo_world_destroy(m.world);
  }
}

static void a_slack_pulley_becomes_taut_without_bounce(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    atwood m = hang(joint_solvers[s], 2, 4, 1);
    mo_body_set_linear_velocity(m.world, m.b, vec(0, 0, 2));
    for (int i = 0; i < 1000; i++) {
      step_many(m.world, 0.001, 1);
      assert_true(20.0 - coordinate_at(m.world, m.pulley) > (soft ? -0.01 : -1e-9));
    }
    double a = state_of(m.world, m.a).linear_velocity.z,
           b = state_of(m.world, m.b).linear_velocity.z;
    assert_near(a + b, 0.0, soft ? 1e-3 : 1e-9); // taut
    mo_world_destroy(m.world);
  }
}

static void bad_ropes_are_refused(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, G);
  mo_body_id ball = add_ball(world, vec(0, 0, -2), 1);
  const double bad[] = {-1.0, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_ROPE);
    def.body_b = ball;
    def.drives[0].upper = i < 2 ? bad[i] : 0.0;
    assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    assert_non_null(strstr(mo_world_last_error(world), "upper"));
    def = mo_constraint_def_default(MO_CONSTRAINT_PULLEY);
    def.body_b = ball;
    def.ratio = i ? bad[i] : 0.0;
    assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    assert_non_null(strstr(mo_world_last_error(world), "ratio"));
    def.ratio = 1.0;
    def.ground_anchor_a = vec(0, bad[1], 0);
    assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    assert_non_null(strstr(mo_world_last_error(world), "ground_anchor_a"));
  }
  assert_int_equal(mo_world_constraint_count(world), 0);
  mo_world_destroy(world);
}

TEST_GROUP(ropes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rope_stops_a_fall_and_carries_a_conical_pendulum),
      cmocka_unit_test(a_rope_of_no_slack_holds_a_ton),
      cmocka_unit_test(a_ton_falls_into_its_rope),
      cmocka_unit_test(a_rope_never_pushes),
      cmocka_unit_test(chains_of_thousand_do_not_explode),
      cmocka_unit_test(a_pulley_is_atwoods_machine),
      cmocka_unit_test(a_pulley_goes_slack),
      cmocka_unit_test(a_slack_pulley_becomes_taut_without_bounce),
      cmocka_unit_test(bad_ropes_are_refused),
  };
  return run_group(tests, NULL, NULL);
}
