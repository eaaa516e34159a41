/// Joints that soft-step keeps from step to step: what happens to them and to their bodies in
/// between is seen.
#include "test_group.h"
#include "world_fixture.h"

#define LINKS 4

/// A chain that hangs from the world: a ball, a hinge with limits, a slider, a fixed joint.
typedef struct chain {
  mo_world *world;
  mo_body_id links[LINKS];
  mo_constraint_id joints[LINKS];
} chain;

static chain make_chain(void) {
  static const mo_constraint_type types[LINKS] = {MO_CONSTRAINT_BALL, MO_CONSTRAINT_HINGE,
                                                  MO_CONSTRAINT_SLIDER, MO_CONSTRAINT_FIXED};
  mo_world_def settings = mo_world_def_default();
  settings.allow_sleep = false;
  chain c = {.world = make_world(settings)};
  for (int i = 0; i < LINKS; i++) {
    c.links[i] = add_body(c.world, body_at(i + 0.5, 0, 0, 0), box(0.4, 0.1, 0.2));
    mo_constraint_def def = mo_constraint_def_default(types[i]);
    def.body_a = i == 0 ? MO_NULL_BODY_ID : c.links[i - 1];
    def.body_b = c.links[i];
    def.anchor_a = vec(i == 0 ? 0.0 : 0.5, 0, 0);
    def.anchor_b = vec(-0.5, 0, 0);
    if (types[i] == MO_CONSTRAINT_HINGE || types[i] == MO_CONSTRAINT_SLIDER) {
      def.axis_a = def.axis_b = vec(0, 0, 1);
      def.drives[0].lower = -0.3;
      def.drives[0].upper = 0.2;
    }
    c.joints[i] = mo_constraint_create(c.world, &def);
    assert_false(mo_constraint_id_is_null(c.joints[i]));
  }
  return c;
}

/// The largest number of C of the rows that hold positions.
static double worst_error(const chain *c) {
  double worst = 0.0;
  for (int i = 0; i < LINKS; i++) {
    double errors[MO_CONSTRAINT_ROWS];
    mo_constraint_state state;
    mo_constraint_get_state(c->world, c->joints[i], &state);
    assert_int_equal(mo_constraint_violation(c->world, c->joints[i], errors), MO_OK);
    bool has_limits = state.type == MO_CONSTRAINT_HINGE || state.type == MO_CONSTRAINT_SLIDER;
    for (uint32_t k = 0; k < state.dimension; k++) {
      bool is_limit = has_limits && k + 2 >= state.dimension;
      worst = fmax(worst, is_limit ? -errors[k] : fabs(errors[k]));
    }
  }
  return worst;
}

static void kept_joints_are_those_that_would_be_made_anew(void **state) {
  (void)state;
  chain kept = make_chain(), anew = make_chain();
  for (int step = 0; step < 300; step++) {
    mo_world_def settings = mo_world_get_settings(anew.world);
    assert_int_equal(mo_world_set_settings(anew.world, &settings), MO_OK);
    step_many(kept.world, 1.0 / 60, 1);
    step_many(anew.world, 1.0 / 60, 1);
    assert_true(mo_world_hash(kept.world) == mo_world_hash(anew.world));
  }
  mo_world_destroy(kept.world);
  mo_world_destroy(anew.world);
}

// A free body flies out of the numbers: the step fails after the joints are solved.
static void a_step_that_fails_leaves_joints_as_they_were(void **state) {
  (void)state;
  chain whole = make_chain(), failing = make_chain();
  mo_body_def far_away = body_at(1.7e308, 0, 0, 0);
  mo_body_id far_whole = add_body(whole.world, far_away, sphere(0.1));
  mo_body_id far_failing = add_body(failing.world, far_away, sphere(0.1));
  for (int step = 0; step < 120; step++) {
    mo_body_set_linear_velocity(failing.world, far_failing, vec(1.7e308, 0, 0));
    assert_int_equal(mo_world_step(failing.world, 10.0), MO_ERROR_NOT_FINITE);
    mo_body_set_linear_velocity(failing.world, far_failing, vec(0, 0, 0));
    mo_body_set_linear_velocity(whole.world, far_whole, vec(0, 0, 0));
    step_many(whole.world, 1.0 / 60, 1);
    step_many(failing.world, 1.0 / 60, 1);
    assert_true(mo_world_hash(whole.world) == mo_world_hash(failing.world));
  }
  mo_world_destroy(whole.world);
  mo_world_destroy(failing.world);
}

// The same without a look at the joints between the steps, which would write their impulses down.
static void a_step_that_fails_leaves_impulses_that_nobody_has_read(void **state) {
  (void)state;
  chain whole = make_chain(), failing = make_chain();
  mo_body_def far_away = body_at(1.79e308, 0, 0, 0);
  mo_body_id far_whole = add_body(whole.world, far_away, sphere(0.1));
  mo_body_id far_failing = add_body(failing.world, far_away, sphere(0.1));
  for (int step = 0; step < 60; step++) {
    step_many(whole.world, 1.0 / 60, 3);
    step_many(failing.world, 1.0 / 60, 3);
    mo_body_set_linear_velocity(failing.world, far_failing, vec(1.7e308, 0, 0));
    assert_int_equal(mo_world_step(failing.world, 1.0 / 60), MO_ERROR_NOT_FINITE);
    mo_body_set_linear_velocity(failing.world, far_failing, vec(0, 0, 0));
    mo_body_set_linear_velocity(whole.world, far_whole, vec(0, 0, 0));
    assert_true(mo_world_hash(whole.world) == mo_world_hash(failing.world));
    step_many(whole.world, 1.0 / 60, 1);
    step_many(failing.world, 1.0 / 60, 1);
  }
  assert_true(mo_constraint_impulses(failing.world, failing.joints[0])[1] != 0.0);
  mo_world_destroy(whole.world);
  mo_world_destroy(failing.world);
}

// Breakable joints are written down after every step, others when somebody asks.
static void impulses_are_those_of_the_last_step_whoever_asks_when(void **state) {
  (void)state;
  chain asked = make_chain(), silent = make_chain(), breakable = make_chain();
  assert_int_equal(
      mo_constraint_set_break(breakable.world, breakable.joints[1], 1e9, (double)INFINITY), MO_OK);
  for (int step = 0; step < 60; step++) {
    step_many(asked.world, 1.0 / 60, 1);
    step_many(silent.world, 1.0 / 60, 1);
    step_many(breakable.world, 1.0 / 60, 1);
    mo_world_hash(asked.world);
  }
  for (int i = 0; i < 3; i++) {
    double expected = mo_constraint_impulses(asked.world, asked.joints[0])[i];
    assert_true(mo_constraint_impulses(silent.world, silent.joints[0])[i] == expected);
    assert_true(mo_constraint_impulses(breakable.world, breakable.joints[0])[i] == expected);
  }
  mo_world_destroy(asked.world);
  mo_world_destroy(silent.world);
  mo_world_destroy(breakable.world);
}

static void the_address_of_impulses_shows_those_of_every_step(void **state) {
  (void)state;
  chain held = make_chain(), asked = make_chain();
  step_many(held.world, 1.0 / 60, 3);
  step_many(asked.world, 1.0 / 60, 3);
  const double *impulses = mo_constraint_impulses(held.world, held.joints[0]);
  for (int step = 0; step < 30; step++) {
    step_many(held.world, 1.0 / 60, 1);
    step_many(asked.world, 1.0 / 60, 1);
    assert_true(impulses[1] == mo_constraint_impulses(asked.world, asked.joints[0])[1]);
  }
  mo_world_destroy(held.world);
  mo_world_destroy(asked.world);
}

typedef void change(chain *c);

static void move_centre(chain *c) {
  assert_int_equal(mo_body_set_center_of_mass(c->world, c->links[1], vec(0.2, 0.05, 0)), MO_OK);
}

static void make_static(chain *c) { mo_body_set_type(c->world, c->links[2], MO_BODY_STATIC); }

static void make_dynamic(chain *c) { mo_body_set_type(c->world, c->links[2], MO_BODY_DYNAMIC); }

static void give_to_rows(chain *c) {
  mo_body_set_solver(c->world, c->links[3], true, MO_SOLVER_BLOCK_PGS);
}

static void take_from_rows(chain *c) {
  mo_body_set_solver(c->world, c->links[3], false, MO_SOLVER_SOFT_STEP);
}

static void change_substeps(chain *c) {
  mo_world_def settings = mo_world_get_settings(c->world);
  settings.substeps = 7;
  assert_int_equal(mo_world_set_settings(c->world, &settings), MO_OK);
}

static void replace_joint(chain *c) {
  mo_constraint_destroy(c->world, c->joints[3]);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.body_a = c->links[2];
  def.body_b = c->links[3];
  def.anchor_a = vec(0.5, 0, 0);
  def.anchor_b = vec(-0.5, 0, 0);
  c->joints[3] = mo_constraint_create(c->world, &def);
}

// To where it hangs straight.
static void put_elsewhere(chain *c) {
  for (int i = 0; i < LINKS; i++) {
    mo_body_set_position(c->world, c->links[i], vec(0, -(i + 0.5), 0));
    mo_body_set_orientation(c->world, c->links[i], (mo_quat){0, 0, -sqrt(0.5), sqrt(0.5)});
    mo_body_set_linear_velocity(c->world, c->links[i], vec(0, 0, 0));
    mo_body_set_angular_velocity(c->world, c->links[i], vec(0, 0, 0));
  }
}

static void changes_between_steps_are_seen(void **state) {
  (void)state;
  change *const changes[] = {move_centre,    make_static,     make_dynamic,  give_to_rows,
                             take_from_rows, change_substeps, replace_joint, put_elsewhere};
  chain c = make_chain();
  step_many(c.world, 1.0 / 60, 300);
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    changes[i](&c);
    step_many(c.world, 1.0 / 60, 1);
    for (int step = 0; step < 60; step++) {
      step_many(c.world, 1.0 / 60, 1);
      assert_true(worst_error(&c) < 1e-2); // m and rad; block-pgs lets 6 mm go
    }
  }
  mo_constraint_destroy(c.world, c.joints[LINKS - 1]);
  double height = state_of(c.world, c.links[LINKS - 1]).position.y;
  step_many(c.world, 1.0 / 60, 60);
  assert_true(state_of(c.world, c.links[LINKS - 1]).position.y < height - 4.0); // m, in a second
  mo_world_destroy(c.world);
}

TEST_GROUP(kept_joints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_joints_are_those_that_would_be_made_anew),
      cmocka_unit_test(a_step_that_fails_leaves_joints_as_they_were),
      cmocka_unit_test(a_step_that_fails_leaves_impulses_that_nobody_has_read),
      cmocka_unit_test(impulses_are_those_of_the_last_step_whoever_asks_when),
      cmocka_unit_test(the_address_of_impulses_shows_those_of_every_step),
      cmocka_unit_test(changes_between_steps_are_seen),
  };
  return run_group(tests, NULL, NULL);
}
