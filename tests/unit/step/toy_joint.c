/// What it takes to add a joint: the class in this file and the line of it in the table. All
/// solvers, limits, read-outs and refusals follow from these.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"
#include "test_group.h"
#include "toy_gear.h"
#include "world_fixture.h"

#include <string.h>

// --- the class: both axes in one direction, wherever the bodies are --------------------------

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 rate;
  double angle = mo_hinge_angle(frames.relative, c->last_values[0], &rate);
  mo_set_coordinate(&out[0], angle, mo_angular_row(&frames, rate));
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  mo_vec3 rates[2];
  mo_swing_error(frames.relative, out, rates);
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  mo_joint_frames frames = mo_joint_frames_at(c, at);
  double swing[2];
  mo_vec3 rates[2];
  mo_swing_error(frames.relative, swing, rates);
  out = mo_put_row(out, 1.0, mo_angular_row(&frames, rates[0]));
  mo_put_row(out, 1.0, mo_angular_row(&frames, rates[1]));
  return NULL;
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  (void)c;
  joint->angle = MO_SUBSTEP_ANGLE_HINGE;
}

static const mo_constraint_class parallel_class = {.name = "parallel",
                                                   .has_axes = true,
                                                   .coordinate_count = 1,
                                                   .coordinate_kinds = {MO_COORDINATE_ANGLE},
                                                   .dimension = 2,
                                                   .makes_rows = true,
                                                   .evaluate = evaluate,
                                                   .jacobian = jacobian,
                                                   .coordinates = coordinates,
                                                   .substep_form = substep_form,
                                                   .substep_coordinate_count = 1,
                                                   .substep_kinds = {MO_SUBSTEP_TURN},
                                                   .drawing = MO_DRAW_AXES};

// --- the line of the table -------------------------------------------------------------------

// In place of that of constraint_table.c, for all tests of this program, with the gear of
// toy_gear.c.
const mo_constraint_class *mo_constraint_class_of(mo_constraint_type type) {
  static const mo_constraint_class *const classes[] = {
      MO_FOR_EACH_CONSTRAINT_CLASS(MO_CONSTRAINT_CLASS_ENTRY)
          MO_CONSTRAINT_CLASS_ENTRY(PARALLEL, parallel_class)
              MO_CONSTRAINT_CLASS_ENTRY(TOY_GEAR, toy_gear_class)};
  uint32_t index = (uint32_t)type;
  return index < sizeof classes / sizeof classes[0] ? classes[index] : NULL;
}

// --- what follows ----------------------------------------------------------------------------

#define DT (1.0 / 60)

static mo_constraint_def parallel(mo_body_id body) {
  mo_constraint_def def = mo_constraint_def_default(PARALLEL);
  def.body_b = body;
  def.axis_a = def.axis_b = vec(0, 0, 1);
  return def;
}

static mo_world *make(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -10);
  settings.solver = solver;
  settings.allow_sleep = false;
  return make_world(settings);
}

// The z axis of a body in the world, as far as it is not z.
static double tilt(const mo_body_state *state) {
  mo_vec3 z = mo_quat_rotate(state->orientation, vec(0, 0, 1));
  return sqrt(z.x * z.x + z.y * z.y);
}

// A box that is thrown and tumbles: it keeps its axis, turns about it up to the limit, and falls.
static void thrown(mo_solver solver, bool is_spring) {
  mo_world *world = make(solver);
  mo_body_def box_def = body_at(0, 0, 0, 2);
  box_def.linear_velocity = vec(1, 0, 5);
  box_def.angular_velocity = vec(0.5, -0.3, 2);
  mo_body_id body = add_body(world, box_def, box(0.2, 0.3, 0.4));
  mo_constraint_def def = parallel(body);
  def.drives[0].upper = 0.8;
  def.has_stabilization = is_spring; // has rows under soft-step, too
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  for (int i = 0; i < 60; i++) {
    assert_int_equal(mo_world_step(world, DT), MO_OK);
    mo_body_state state = state_of(world, body);
    assert_true(tilt(&state) < 0.02);
  }
  mo_body_state state = state_of(world, body);
  assert_true(tilt(&state) < 2e-3);
  assert_true(fabs(state.linear_velocity.x - 1.0) < 1e-5);
  assert_true(fabs(state.linear_velocity.z + 5.0) < 1e-4);
  assert_true(fabs(state.angular_velocity.z) < 1e-3);
  mo_constraint_state joint;
  assert_int_equal(mo_constraint_get_state(world, id, &joint), MO_OK);
  assert_true(joint.is_active && joint.dimension == 3);
  assert_true(fabs(joint.coordinate - 0.8) < 5e-3);
  assert_string_equal(mo_constraint_type_name(world, id), "parallel");
  assert_true(solver != MO_SOLVER_EXACT || mo_world_residual(world).worst < 1e-6);
  mo_world_destroy(world);
}

static void a_new_joint_holds_with_every_solver(void **state) {
  (void)state;
  for (int solver = MO_SOLVER_BLOCK_PGS; solver <= MO_SOLVER_SOFT_STEP; solver++) {
    thrown((mo_solver)solver, false);
    thrown((mo_solver)solver, true);
  }
}

static void its_definition_is_checked(void **state) {
  (void)state;
  mo_world *world = make(MO_SOLVER_SOFT_STEP);
  mo_body_id body = add_body(world, body_at(0, 0, 0, 2), box(0.2, 0.3, 0.4));
  mo_constraint_def def = parallel(body);
  def.axis_a = vec(0, 0, 0);
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "axis_a"));
  def = parallel(body);
  def.drives[0].lower = 1.0;
  def.drives[0].upper = -1.0;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "lower must be an angle in rad"));
  def = mo_constraint_def_default(MO_CONSTRAINT_FIXED);
  def.body_b = body;
  def.drives[0].upper = 1.0;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "upper must be infinite"));
  def.type = (mo_constraint_type)(TOY_GEAR + 1);
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "type"));
  assert_int_equal(mo_world_constraint_count(world), 0);
  mo_world_destroy(world);
}

static void its_class_says_what_there_is_to_draw(void **state) {
  (void)state;
  mo_world *world = make(MO_SOLVER_SOFT_STEP);
  mo_body_def turned = body_at(1, 2, 3, 2);
  turned.orientation = mo_quat_exp(vec(0.3, 0.2, 0.1));
  mo_body_id body = add_body(world, turned, box(0.2, 0.3, 0.4));
  mo_constraint_def def = parallel(body);
  def.anchor_a = vec(4, 5, 6);
  def.anchor_b = vec(0.1, 0, 0);
  def.drives[0].upper = 0.8;
  mo_constraint_id id = mo_constraint_create(world, &def);
  mo_constraint_drawing drawing;
  assert_int_equal(mo_constraint_get_drawing(world, id, &drawing), MO_OK);
  assert_int_equal(drawing.parts, MO_DRAW_AXES);
  assert_true(drawing.limits_turn && drawing.lower == -INFINITY && drawing.upper == 0.8);
  mo_vec3 x = vec(1, 0, 0), axis = mo_quat_rotate(turned.orientation, vec(0, 0, 1));
  mo_vec3 axis_a = mo_quat_rotate(drawing.frame_a, x), axis_b = mo_quat_rotate(drawing.frame_b, x);
  assert_true(mo_length(mo_sub(axis_a, vec(0, 0, 1))) < 1e-12);
  assert_true(mo_length(mo_sub(axis_b, axis)) < 1e-12);
  assert_true(mo_length(mo_sub(drawing.anchor_a, vec(4, 5, 6))) < 1e-12);
  mo_vec3 anchor = mo_add(vec(1, 2, 3), mo_quat_rotate(turned.orientation, vec(0.1, 0, 0)));
  assert_true(mo_length(mo_sub(drawing.anchor_b, anchor)) < 1e-12);
  mo_constraint_destroy(world, id);
  assert_int_equal(mo_constraint_get_drawing(world, id, &drawing), MO_ERROR_STALE_HANDLE);
  mo_world_destroy(world);
}

TEST_GROUP(toy_joint) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_joint_holds_with_every_solver),
      cmocka_unit_test(its_definition_is_checked),
      cmocka_unit_test(its_class_says_what_there_is_to_draw),
  };
  return run_group(tests, NULL, NULL);
}
