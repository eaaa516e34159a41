/// Constraints under soft-step: joints translated to its form and their impulses back.
#include "assert_near.h"
#include "constraints/substep_joint_form.h"
#include "substep_joint_fixture.h"
#include "test_group.h"

// --- joints of the public kinds --------------------------------------------------------------

static mo_constraint_def def_of(mo_constraint_type type, mo_vec3 anchor_a, mo_vec3 anchor_b) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.anchor_a = anchor_a;
  def.anchor_b = anchor_b;
  def.axis_a = mo_v3(0.6, 0.8, 0.0);
  return def;
}

static mo_constraint_place place_of(const substep_scene *s, const mo_constraint *c) {
  return (mo_constraint_place){
      .a = c->slot_a == MO_WORLD_SLOT
               ? mo_constraint_body_world()
               : mo_constraint_body_of(mo_body_id_load(1), &s->motions[c->slot_a]),
      .b = mo_constraint_body_of(mo_body_id_load(2), &s->motions[c->slot_b])};
}

// Steps with the joint written from the constraint anew and read back in every step.
static void step_with(substep_scene *s, mo_constraint *c) {
  bool has_a = c->slot_a != MO_WORLD_SLOT;
  mo_quat orientation = has_a ? s->motions[c->slot_a].orientation : mo_quat_identity();
  mo_constraint_settings settings = {.dt = s->settings.dt, .substeps = s->settings.substeps};
  mo_constraint_place start = place_of(s, c);
  s->joints[0] = mo_constraint_substep_joint(c, &start, NULL, &settings, mo_v3_zero(), mo_v3_zero(),
                                             s->coordinates);
  s->joint_count = 1;
  assert_true(substep_scene_step(s));
  mo_constraint_take_substep_impulses(c, &s->joints[0], s->coordinates, &orientation);
  mo_constraint_place at = place_of(s, c);
  mo_constraint_follow(c, &at, 0.0);
}

// Slots of the world as A and of the first body as B.
static const uint32_t world_and_first[MO_ROW_SIDES] = {MO_WORLD_SLOT, 0, MO_WORLD_SLOT,
                                                       MO_WORLD_SLOT};

// A body hung on the world by the joint, off its centre of mass and turned; its frame too.
static mo_constraint hang(substep_scene *s, mo_constraint_def def) {
  *s = substep_scene_begin(1, 1);
  substep_body(s, mo_v3(0.0, 0.0, 0.0), 2.0, 0.1);
  s->motions[0].orientation = mo_quat_normalize((mo_quat){0.1, -0.3, 0.2, 0.9});
  mo_vec3 arm = mo_quat_rotate(s->motions[0].orientation, def.anchor_b);
  s->motions[0].center_of_mass = s->motions[0].position = mo_sub(def.anchor_a, arm);
  def.axis_b = mo_quat_rotate_inverse(s->motions[0].orientation, def.axis_a);
  mo_constraint c = {.slot_a = MO_WORLD_SLOT};
  mo_constraint_place at = place_of(s, &c);
  assert_true(mo_constraint_init(&c, &def, world_and_first, &at));
  assert_true(mo_constraint_has_substep_form(&c));
  return c;
}

// J^T impulse on B, N s and N m s.
static void sum_of_rows(const substep_scene *s, const mo_constraint *c, double sum[6]) {
  double jacobian[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS];
  mo_constraint_place at = place_of(s, c);
  assert_null(mo_constraint_jacobian(c, &at, jacobian));
  for (int k = 0; k < 6; k++) {
    sum[k] = 0.0;
    for (uint32_t i = 0; i < c->dimension; i++) {
      sum[k] += c->impulses[i] * jacobian[i * MO_JACOBIAN_COLUMNS + 6 + k];
    }
  }
}

static void assert_holds(const substep_scene *s, const mo_constraint *c, double tolerance) {
  double errors[MO_CONSTRAINT_ROWS];
  mo_constraint_place at = place_of(s, c);
  assert_null(mo_constraint_evaluate(c, &at, errors));
  for (uint32_t i = 0; i < c->dimension; i++) {
    bool is_limit = c->bounds[i].kind == MO_BOUND_UNILATERAL;
    assert_true((is_limit ? -errors[i] : fabs(errors[i])) < tolerance);
  }
}

// Whatever its rows are: in a step, the impulses of the constraint, in its own rows, change the
// momenta of the body by what the weight does not.
static void assert_rows_explain_motion(mo_constraint_def def, int steps, double tolerance) {
  substep_scene s;
  mo_constraint c = hang(&s, def);
  for (int i = 0; i < steps; i++) {
    mo_vec3 linear = s.motions[0].linear_velocity, angular = s.motions[0].angular_velocity;
    step_with(&s, &c);
    double sum[6], mass = 2.0, inertia = 0.1;
    sum_of_rows(&s, &c, sum);
    mo_vec3 push = mo_scale(mass, mo_sub(s.motions[0].linear_velocity, linear));
    push = mo_add_scaled(push, -mass * s.settings.dt, s.gravity);
    mo_vec3 turn = mo_scale(inertia, mo_sub(s.motions[0].angular_velocity, angular));
    assert_near(mo_length(mo_sub(push, mo_v3(sum[0], sum[1], sum[2]))), 0.0, tolerance);
    assert_near(mo_length(mo_sub(turn, mo_v3(sum[3], sum[4], sum[5]))), 0.0, tolerance);
    assert_holds(&s, &c, 5e-3);
  }
  mo_constraint_free(&c);
  substep_scene_end(&s);
}

static void impulses_come_back_in_the_rows_of_the_constraint(void **state) {
  (void)state;
  const mo_constraint_type types[] = {MO_CONSTRAINT_BALL, MO_CONSTRAINT_FIXED, MO_CONSTRAINT_HINGE,
                                      MO_CONSTRAINT_SLIDER};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    assert_rows_explain_motion(def_of(types[i], mo_v3(1.0, 2.0, 3.0), mo_v3(0.3, -0.2, 0.4)), 40,
                               0.03);
  }
}

static void impulses_of_limits_come_back_in_order(void **state) {
  (void)state;
  for (int side = 0; side < 3; side++) { // lower, upper, both
    mo_constraint_def def =
        def_of(MO_CONSTRAINT_HINGE, mo_v3(1.0, 2.0, 3.0), mo_v3(0.3, -0.2, 0.4));
    def.drives[0].lower = side == 1 ? -INFINITY : -0.05;
    def.drives[0].upper = side == 0 ? INFINITY : 0.05;
    assert_rows_explain_motion(def, 60, 0.03);
    def.type = MO_CONSTRAINT_SLIDER;
    assert_rows_explain_motion(def, 60, 0.03);
  }
}

static void a_distance_hangs_by_its_row_or_its_limits(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) { // a length, a rope, equal limits
    substep_scene s = substep_scene_begin(1, 1);
    substep_body(&s, mo_v3(0.0, 0.0, -1.0), 2.0, 0.1);
    mo_constraint_def def = def_of(MO_CONSTRAINT_DISTANCE, mo_v3_zero(), mo_v3_zero());
    def.drives[0].lower = kind == 2 ? 1.0 : -INFINITY;
    def.drives[0].upper = kind == 0 ? INFINITY : 1.0;
    mo_constraint c = {.slot_a = MO_WORLD_SLOT};
    mo_constraint_place at = place_of(&s, &c);
    assert_true(mo_constraint_init(&c, &def, world_and_first, &at));
    for (int i = 0; i < 120; i++) {
      step_with(&s, &c);
    }
    double sum[6];
    sum_of_rows(&s, &c, sum);
    assert_near(sum[2], 2.0 * 9.81 * s.settings.dt, 1e-4);
    assert_near(s.motions[0].center_of_mass.z, -1.0, 1e-3);
    mo_constraint_free(&c);
    substep_scene_end(&s);
  }
}

static void a_hinge_counts_its_turns(void **state) {
  (void)state;
  substep_scene s;
  mo_constraint c = hang(&s, def_of(MO_CONSTRAINT_HINGE, mo_v3_zero(), mo_v3_zero()));
  s.gravity = mo_v3_zero();
  s.motions[0].angular_velocity = mo_scale(20.0, mo_v3(0.6, 0.8, 0.0));
  for (int i = 0; i < 60; i++) {
    step_with(&s, &c);
  }
  assert_near(c.last_values[0], 20.0, 1e-3); // rad after a second: 3.2 turns
  mo_constraint_free(&c);
  substep_scene_end(&s);
}

static void springs_and_custom_constraints_have_no_such_form(void **state) {
  (void)state;
  mo_constraint c = {.class = mo_constraint_class_of(MO_CONSTRAINT_BALL)};
  assert_true(mo_constraint_has_substep_form(&c));
  c.compliance = 1e-3;
  assert_false(mo_constraint_has_substep_form(&c));
  c = (mo_constraint){.class = mo_constraint_class_of(MO_CONSTRAINT_HINGE),
                      .has_stabilization = true};
  assert_false(mo_constraint_has_substep_form(&c));
  c = (mo_constraint){.class = mo_constraint_class_of(MO_CONSTRAINT_CUSTOM)};
  assert_false(mo_constraint_has_substep_form(&c));
  c = (mo_constraint){.class = mo_constraint_class_of(MO_CONSTRAINT_UNIT_QUATERNION)};
  assert_false(mo_constraint_has_substep_form(&c));
}

TEST_GROUP(substep_joint_forms) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_come_back_in_the_rows_of_the_constraint),
      cmocka_unit_test(impulses_of_limits_come_back_in_order),
      cmocka_unit_test(a_distance_hangs_by_its_row_or_its_limits),
      cmocka_unit_test(a_hinge_counts_its_turns),
      cmocka_unit_test(springs_and_custom_constraints_have_no_such_form),
  };
  return run_group(tests, NULL, NULL);
}
