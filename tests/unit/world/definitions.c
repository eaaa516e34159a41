/// Definitions read back: what is made of them is the same, to the bit.
#include "joint_machines.h"
#include "test_group.h"

#include "math/quat.h"

#include <string.h>

// --- bodies ----------------------------------------------------------------------------------

static mo_body_def tumbling(void) {
  mo_body_def def = body_at(0.1, 2.7, -3.3, 0.0);
  def.orientation = (mo_quat){0.1, -0.7, 0.3, 0.2};
  def.linear_velocity = vec(1, -2, 0.3);
  def.angular_velocity = vec(0.4, 3, -5);
  def.density = 730.0;
  def.bullet = true;
  def.lock_rotation = MO_AXIS_X;
  def.surface_velocity = vec(0, 0, 1);
  return def;
}

static mo_body_id again(mo_world *world, const mo_world *from, mo_body_id body) {
  mo_body_def def;
  assert_int_equal(mo_body_get_definition(from, body, &def), MO_OK);
  return mo_body_create(world, &def);
}

static void a_body_is_made_again_to_the_bit(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings()), *other = make_world(row_settings());
  mo_body_id body = add_body(world, tumbling(), box(0.3, 0.5, 0.9));
  assert_false(mo_body_id_is_null(again(other, world, body)));
  assert_true(mo_world_hash(world) == mo_world_hash(other));
  mo_world_destroy(world);
  mo_world_destroy(other);
}

static bool has_same_numbers(mo_quat a, mo_quat b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// Normalising twice moves the last bit of one quaternion in three.
static void orientations_that_were_made_unit_keep_their_bits(void **state) {
  (void)state;
  int moved = 0;
  for (int i = 0; i < 1000; i++) {
    mo_quat unit = mo_quat_normalize((mo_quat){sin(i), cos(3 * i), sin(7 * i), 0.5});
    mo_quat kept = mo_quat_keep_unit(unit), twice = mo_quat_normalize(unit);
    assert_true(has_same_numbers(kept, unit));
    moved += !has_same_numbers(twice, unit);
  }
  assert_true(moved > 0);
  mo_quat given = {0.0, 0.0, 0.7071, 0.7071}, made = mo_quat_keep_unit(given);
  assert_true(fabs(mo_quat_norm_squared(made) - 1.0) < 1e-15);
}

static void a_mass_that_was_set_is_in_the_definition(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_body_id body = add_body(world, tumbling(), box(0.3, 0.5, 0.9));
  mo_body_def def;
  assert_int_equal(mo_body_get_definition(world, body, &def), MO_OK);
  assert_false(def.has_mass || def.has_inertia || def.has_center_of_mass);
  assert_int_equal(mo_body_set_mass(world, body, 1.0 / 3.0), MO_OK);
  assert_int_equal(mo_body_set_center_of_mass(world, body, vec(0.1, 0, 0)), MO_OK);
  assert_int_equal(mo_body_get_definition(world, body, &def), MO_OK);
  assert_true(def.has_mass && def.has_center_of_mass);
  assert_true(def.mass == 1.0 / 3.0 && def.density == 730.0);
  mo_body_state made = state_of(world, again(world, world, body)), was = state_of(world, body);
  assert_memory_equal(&made.inertia, &was.inertia, sizeof was.inertia);
  mo_world_destroy(world);
}

static void what_acts_on_a_body_is_in_its_definition(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings()), *other = make_world(row_settings());
  mo_body_id body = add_body(world, tumbling(), box(0.3, 0.5, 0.9));
  assert_int_equal(mo_body_apply_torque(world, body, vec(1, 2, 3)), MO_OK);
  mo_body_def lift = body_at(5, 0, 0, 0.0);
  lift.type = MO_BODY_KINEMATIC;
  mo_body_id moving = add_body(world, lift, sphere(0.5));
  mo_pose goal = {vec(5, 1, 0), {0.3, 0.1, 0.0, 0.2}};
  assert_int_equal(mo_body_move_to(world, moving, goal, 0.5), MO_OK);
  again(other, world, body);
  again(other, world, moving);
  assert_true(mo_world_hash(world) == mo_world_hash(other));
  step_many(world, 0.1, 7);
  step_many(other, 0.1, 7);
  assert_true(mo_world_hash(world) == mo_world_hash(other));
  mo_world_destroy(world);
  mo_world_destroy(other);
}

static void refuses(mo_world *world, mo_body_def def, const char *text) {
  assert_true(mo_body_id_is_null(mo_body_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), text));
}

static void pushes_and_targets_of_the_wrong_bodies_are_refused(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_body_def def = body_at(0, 0, 0, 1.0);
  def.target = (mo_target){MO_TARGET_AHEAD, {vec(0, 0, 0), {0, 0, 0, 1}}, 1.0};
  refuses(world, def, "only a kinematic body has a target");
  def.type = MO_BODY_KINEMATIC;
  def.target.time = -1.0;
  refuses(world, def, "target time must be finite, 0 or more seconds, got -1");
  def.target.state = (mo_target_state)7;
  refuses(world, def, "target state must be one of mo_target_state, got 7");
  def.target.state = MO_TARGET_NONE;
  def.force = vec(0, 1, 0);
  refuses(world, def, "must be 0 for a body that is not dynamic");
  assert_int_equal(mo_world_body_count(world), 0);
  mo_world_destroy(world);
}

// --- constraints -----------------------------------------------------------------------------

// A joint between two bodies that are turned, and then moved: its reference is not where they are.
static mo_constraint_id moved_joint(mo_world *world, mo_constraint_type type) {
  mo_body_id a = add_wheel(world, vec(0, 0, 0), 2, vec(0.3, 0.3, 0.4));
  mo_body_id b = add_wheel(world, vec(1, 0.2, 0), 1, vec(0.08, 0.09, 0.1));
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = vec(0.5, 0, 0);
  def.axis_a = vec(1, 1, 0.3);
  def.axis_b = vec(0.2, 1, 0.7);
  def.ground_anchor_a = vec(0, 3, 0);
  def.ground_anchor_b = vec(1, 3, 0);
  def.steering = type == MO_CONSTRAINT_WHEEL ? 0.1 : 0.0;
  const mo_vec3 points[] = {{0, 0, 0}, {1, 0.5, 0}, {2, 0, 0.3}};
  def.path = (mo_path_def){points, 3, false, MO_PATH_ALIGN_FRAME};
  def.break_force = 1e6;
  mo_constraint_id id = add_joint(world, &def);
  mo_pose there = {vec(1.1, 0.5, 0.1), {0.1, 0.2, -0.1, 0.9}};
  assert_int_equal(mo_body_set_pose(world, b, there), MO_OK);
  return id;
}

static void assert_same_definition(const mo_world *world, mo_constraint_id a, mo_constraint_id b) {
  mo_constraint_def one, other;
  assert_int_equal(mo_constraint_get_definition(world, a, &one), MO_OK);
  assert_int_equal(mo_constraint_get_definition(world, b, &other), MO_OK);
  assert_memory_equal(&one.reference, &other.reference, sizeof one.reference);
  assert_memory_equal(&one.anchor_a, &other.anchor_a, sizeof one.anchor_a);
  assert_int_equal(one.dimension, other.dimension);
}

static void joints_are_made_again_where_their_bodies_are(void **state) {
  (void)state;
  static const mo_constraint_type types[] = {
      MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_BALL,   MO_CONSTRAINT_FIXED,   MO_CONSTRAINT_HINGE,
      MO_CONSTRAINT_SLIDER,   MO_CONSTRAINT_MOTOR,  MO_CONSTRAINT_ROPE,    MO_CONSTRAINT_UNIVERSAL,
      MO_CONSTRAINT_PULLEY,   MO_CONSTRAINT_SPRING, MO_CONSTRAINT_SIX_DOF, MO_CONSTRAINT_WHEEL,
      MO_CONSTRAINT_PATH};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
    mo_constraint_id id = moved_joint(world, types[i]);
    mo_constraint_def def;
    assert_int_equal(mo_constraint_get_definition(world, id, &def), MO_OK);
    mo_constraint_id copy = add_joint(world, &def);
    assert_same_definition(world, id, copy);
    double was[MO_CONSTRAINT_ROWS] = {0}, is[MO_CONSTRAINT_ROWS] = {0};
    assert_int_equal(mo_constraint_violation(world, id, was), MO_OK);
    assert_int_equal(mo_constraint_violation(world, copy, is), MO_OK);
    assert_memory_equal(was, is, sizeof was);
    mo_world_destroy(world);
  }
}

static void a_gear_is_made_again_after_full_turns(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
  mo_body_id a = add_wheel(world, vec(0, 0, 0), 2, vec(0.3, 0.3, 0.4));
  mo_body_id b = add_wheel(world, vec(1, 0, 0), 1, vec(0.08, 0.08, 0.1));
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_GEAR);
  def.joint_a = add_axle(world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, a, vec(0, 0, 1));
  def.joint_b = add_axle(world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, b, vec(0, 0, 1));
  def.ratio = 3.0;
  mo_constraint_id gear = add_joint(world, &def);
  assert_int_equal(mo_body_set_angular_velocity(world, a, vec(0, 0, 20)), MO_OK);
  step_many(world, 0.01, 200);
  mo_constraint_def read;
  assert_int_equal(mo_constraint_get_definition(world, gear, &read), MO_OK);
  assert_same_constraint(read.joint_a, def.joint_a);
  assert_true(read.reference.coordinates[0].value > 10.0);
  assert_same_definition(world, gear, add_joint(world, &read));
  mo_world_destroy(world);
}

static void bad_references_are_refused(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
  mo_constraint_id id = moved_joint(world, MO_CONSTRAINT_HINGE);
  mo_constraint_def good, def;
  assert_int_equal(mo_constraint_get_definition(world, id, &good), MO_OK);
  def = good;
  def.reference.frame_b = (mo_quat){0};
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  def = good;
  def.reference.coordinates[0].mass = -1.0;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "mass must be finite, 0 or more, got -1"));
  def = good;
  def.reference.coordinates[0].value = NAN;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_int_equal(mo_world_constraint_count(world), 1);
  mo_world_destroy(world);
}

static void the_time_of_a_world_can_be_set(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  assert_int_equal(mo_world_set_time(world, 1.25, 75), MO_OK);
  assert_true(mo_world_time(world) == 1.25 && mo_world_step_count(world) == 75);
  assert_int_equal(mo_world_set_time(world, INFINITY, 0), MO_ERROR_INVALID_ARGUMENT);
  assert_true(mo_world_time(world) == 1.25);
  mo_world_destroy(world);
}

TEST_GROUP(definitions) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_is_made_again_to_the_bit),
      cmocka_unit_test(orientations_that_were_made_unit_keep_their_bits),
      cmocka_unit_test(a_mass_that_was_set_is_in_the_definition),
      cmocka_unit_test(what_acts_on_a_body_is_in_its_definition),
      cmocka_unit_test(pushes_and_targets_of_the_wrong_bodies_are_refused),
      cmocka_unit_test(joints_are_made_again_where_their_bodies_are),
      cmocka_unit_test(a_gear_is_made_again_after_full_turns),
      cmocka_unit_test(bad_references_are_refused),
      cmocka_unit_test(the_time_of_a_world_can_be_set),
  };
  return run_group(tests, NULL, NULL);
}
