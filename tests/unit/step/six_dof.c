/// Joints of six degrees of freedom. A107.
#include "joint_machines.h"
#include "test_group.h"

#include <string.h>

// Bits: translations along x, y, z, then turns.
#define ALL 63u

static mo_constraint_def six_dof(mo_body_id a, mo_body_id b, unsigned locked) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_SIX_DOF);
  def.body_a = a;
  def.body_b = b;
  for (int i = 0; i < 6; i++) {
    def.drives[i].locked = locked >> i & 1u;
  }
  return def;
}

static mo_body_id add_box(mo_world *world, double mass, mo_vec3 moments) {
  return add_wheel(world, vec(0, 0, 0), mass, moments);
}

// --- A107 ------------------------------------------------------------------------------------

typedef struct loads {
  mo_vec3 force, torque; // of the joint on B
} loads;

static loads loads_of(mo_world *world, mo_constraint_id joint, double dt) {
  mo_constraint_reaction reaction;
  assert_int_equal(mo_constraint_get_reaction(world, joint, &reaction), MO_OK);
  return (loads){vec(reaction.linear.x / dt, reaction.linear.y / dt, reaction.linear.z / dt),
                 vec(reaction.angular.x / dt, reaction.angular.y / dt, reaction.angular.z / dt)};
}

typedef struct run {
  mo_body_state after_one, at_end;
  loads load, load_at_end;
} run;

// A force at a point 1 m off the centre, along z with limits.
static run slides(mo_solver solver, bool is_slider) {
  mo_world *world = joint_world(solver, 0.0);
  mo_body_id body = add_box(world, 4, vec(1, 1, 1));
  mo_constraint_def def = six_dof(MO_NULL_BODY_ID, body, ALL & ~4u);
  if (is_slider) {
    def = mo_constraint_def_default(MO_CONSTRAINT_SLIDER);
    def.body_b = body;
    def.axis_a = def.axis_b = vec(0, 0, 1);
  }
  mo_coordinate_drive *drive = &def.drives[is_slider ? 0 : 2];
  drive->lower = -2;
  drive->upper = 2;
  mo_constraint_id joint = add_joint(world, &def);
  run out;
  for (int i = 0; i < 2000; i++) {
    mo_vec3 at = state_of(world, body).position;
    at.x += 1.0;
    assert_int_equal(mo_body_apply_force(world, body, vec(5, 7, 10), &at), MO_OK);
    step_many(world, 0.001, 1);
    if (i == 999) {
      out.after_one = state_of(world, body);
      out.load = loads_of(world, joint, 0.001);
    }
  }
  out.at_end = state_of(world, body);
  out.load_at_end = loads_of(world, joint, 0.001);
  mo_world_destroy(world);
  return out;
}

static void it_slides_along_one_axis(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    double tolerance = joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 0.02 : 1e-7;
    run r = slides(joint_solvers[s], false), q = slides(joint_solvers[s], true);
    assert_near(r.after_one.linear_velocity.z, 2.5, tolerance);
    assert_near(r.after_one.position.z, 1.25125, tolerance);
    assert_near(r.after_one.linear_velocity.x, 0.0, tolerance);
    assert_near(r.after_one.position.y, 0.0, tolerance);
    assert_near(mo_length(r.after_one.angular_velocity), 0.0, tolerance);
    assert_near(r.load.force.x, -5.0, 10 * tolerance);
    assert_near(r.load.force.y, -7.0, 10 * tolerance);
    assert_near(r.load.force.z, 0.0, 10 * tolerance);
    assert_near(r.at_end.position.z, 2.0, tolerance);
    assert_near(r.load_at_end.force.z, -10.0, 10 * tolerance);
    // As the slider.
    double same = joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 1e-3 : 1e-9;
    assert_near(r.after_one.position.z, q.after_one.position.z, same);
    assert_near(r.at_end.position.z, q.at_end.position.z, same);
    assert_near(r.load.force.x, q.load.force.x, 1e3 * same);
  }
}

static run turns(mo_solver solver, bool is_hinge, int axis) {
  mo_world *world = joint_world(solver, 0.0);
  mo_vec3 along = vec(axis == 0, axis == 1, axis == 2);
  mo_body_id body = add_box(world, 4, vec(0.3, 0.3, 0.3));
  mo_constraint_def def = six_dof(MO_NULL_BODY_ID, body, ALL & ~(8u << axis));
  if (is_hinge) {
    def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
    def.body_b = body;
    def.axis_a = def.axis_b = along;
  }
  add_joint(world, &def);
  run out;
  mo_vec3 torque = axis == 0 ? vec(0.6, 2, -1) : axis == 1 ? vec(-1, 0.6, 2) : vec(2, -1, 0.6);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(mo_body_apply_torque(world, body, torque), MO_OK);
    step_many(world, 0.001, 1);
  }
  out.at_end = state_of(world, body);
  mo_world_destroy(world);
  return out;
}

static void it_turns_about_one_axis(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    for (int axis = 0; axis < 3; axis++) {
      double tolerance = joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 0.02 : 1e-7;
      run r = turns(joint_solvers[s], false, axis), q = turns(joint_solvers[s], true, axis);
      mo_vec3 w = r.at_end.angular_velocity, v = q.at_end.angular_velocity;
      assert_near(w.x, axis == 0 ? 2.0 : 0.0, tolerance);
      assert_near(w.y, axis == 1 ? 2.0 : 0.0, tolerance);
      assert_near(w.z, axis == 2 ? 2.0 : 0.0, tolerance);
      assert_near(mo_length(mo_sub(w, v)), 0.0,
                  joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 1e-4 : 1e-9);
      assert_near(r.at_end.orientation.w, q.at_end.orientation.w, 1e-5);
    }
  }
}

// --- as joints with a name -------------------------------------------------------------------

// A body on an arm of another one, both free, thrown and tumbling.
static void tumble(mo_solver solver, mo_constraint_def def, mo_body_state out[2]) {
  mo_world *world = joint_world(solver, 9.81);
  mo_body_id a = add_wheel(world, vec(0, 0, 0), 2, vec(0.2, 0.3, 0.4));
  mo_body_id b = add_wheel(world, vec(1, 0.3, 0), 1, vec(0.2, 0.1, 0.15));
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = vec(0.5, 0.1, 0);
  def.anchor_b = vec(-0.5, -0.2, 0);
  mo_constraint_id joint = add_joint(world, &def);
  mo_body_set_angular_velocity(world, a, vec(0.4, 1.0, 0.7));
  mo_body_set_linear_velocity(world, b, vec(0.5, -0.2, 2));
  step_many(world, 0.005, 200);
  out[0] = state_of(world, a);
  out[1] = state_of(world, b);
  double errors[MO_CONSTRAINT_ROWS];
  mo_constraint_state read;
  assert_int_equal(mo_constraint_get_state(world, joint, &read), MO_OK);
  assert_int_equal(mo_constraint_violation(world, joint, errors), MO_OK);
  for (uint32_t i = 0; i < read.dimension; i++) {
    assert_near(errors[i], 0.0, solver == MO_SOLVER_EXACT ? 1e-9 : 5e-3);
  }
  mo_world_destroy(world);
}

static void assert_alike(mo_solver solver, const mo_constraint_def *one,
                         const mo_constraint_def *other, double tolerance) {
  mo_body_state a[2], b[2];
  tumble(solver, *one, a);
  tumble(solver, *other, b);
  for (int i = 0; i < 2; i++) {
    assert_near(mo_length(mo_sub(a[i].position, b[i].position)), 0.0, tolerance);
    assert_near(mo_length(mo_sub(a[i].linear_velocity, b[i].linear_velocity)), 0.0, 20 * tolerance);
    assert_near(mo_length(mo_sub(a[i].angular_velocity, b[i].angular_velocity)), 0.0,
                20 * tolerance);
  }
}

static void with_locks_it_is_a_joint_that_has_a_name(void **state) {
  (void)state;
  const mo_constraint_type types[] = {MO_CONSTRAINT_BALL, MO_CONSTRAINT_FIXED, MO_CONSTRAINT_HINGE,
                                      MO_CONSTRAINT_SLIDER};
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool exact = joint_solvers[s] == MO_SOLVER_EXACT;
    for (int i = 0; i < 4; i++) {
      for (int axis = 0; axis < (i < 2 ? 1 : 3); axis++) {
        mo_constraint_def named = mo_constraint_def_default(types[i]);
        named.axis_a = named.axis_b = vec(axis == 0, axis == 1, axis == 2);
        unsigned locked = i == 0   ? 7u
                          : i == 1 ? ALL
                          : i == 2 ? ALL & ~(8u << axis)
                                   : ALL & ~(1u << axis);
        mo_constraint_def same = six_dof(MO_NULL_BODY_ID, MO_NULL_BODY_ID, locked);
        assert_alike(joint_solvers[s], &named, &same, exact ? 1e-9 : 1e-4);
      }
    }
  }
}

static void with_two_free_turns_it_does_not_twist(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    for (int axis = 0; axis < 3; axis++) {
      mo_body_state ends[2];
      mo_constraint_def def = six_dof(MO_NULL_BODY_ID, MO_NULL_BODY_ID, 7u | 8u << axis);
      tumble(joint_solvers[s], def, ends);
    }
  }
}

static void limits_hold_along_and_about_every_axis(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    bool soft = joint_solvers[s] == MO_SOLVER_SOFT_STEP;
    for (int i = 0; i < 6; i++) {
      mo_world *world = joint_world(joint_solvers[s], 0.0);
      mo_body_id body = add_box(world, 2, vec(0.3, 0.3, 0.3));
      mo_constraint_def def = six_dof(MO_NULL_BODY_ID, body, 0);
      for (int k = 0; k < 6; k++) {
        def.drives[k].lower = -0.1 - 0.1 * k;
        def.drives[k].upper = 0.2 + 0.1 * k;
      }
      add_joint(world, &def);
      mo_vec3 axis = vec(i % 3 == 0, i % 3 == 1, i % 3 == 2);
      if (i < 3) {
        mo_body_set_linear_velocity(world, body, axis);
      } else {
        mo_body_set_angular_velocity(world, body, axis);
      }
      step_many(world, 0.01, 120);
      mo_body_state end = state_of(world, body);
      double expected = 0.2 + 0.1 * i;
      mo_vec3 turned = {2 * end.orientation.x, 2 * end.orientation.y, 2 * end.orientation.z};
      double got = i < 3 ? mo_length(end.position) : 2.0 * asin(0.5 * mo_length(turned));
      assert_near(got, expected, soft ? 5e-3 : 1e-6);
      assert_near(mo_length(end.linear_velocity) + mo_length(end.angular_velocity), 0.0, 1e-3);
      mo_world_destroy(world);
    }
  }
}

// --- changes ---------------------------------------------------------------------------------

static void a_lock_may_be_opened_and_closed(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 9.81);
    mo_body_id body = add_box(world, 2, vec(0.3, 0.3, 0.3));
    mo_constraint_def def = six_dof(MO_NULL_BODY_ID, body, ALL);
    mo_constraint_id joint = add_joint(world, &def);
    step_many(world, 0.01, 50);
    assert_near(state_of(world, body).position.z, 0.0, 1e-4);
    mo_coordinate_drive drive = mo_coordinate_drive_default();
    drive.lower = -0.5;
    assert_int_equal(mo_constraint_set_drive(world, joint, 2, &drive), MO_OK);
    step_many(world, 0.01, 100);
    assert_near(state_of(world, body).position.z, -0.5, 2e-3);
    drive.locked = true;
    assert_int_equal(mo_constraint_set_drive(world, joint, 2, &drive), MO_OK);
    step_many(world, 0.01, 200);
    assert_near(state_of(world, body).position.z, 0.0, 2e-3); // it is drawn back
    mo_world_destroy(world);
  }
}

static void it_has_motors(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_body_id body = add_box(world, 2, vec(0.3, 0.3, 0.3));
    mo_constraint_def def = six_dof(MO_NULL_BODY_ID, body, ALL & ~(2u | 32u));
    def.drives[1].motor = def.drives[5].motor = MO_MOTOR_VELOCITY;
    def.drives[1].target_velocity = 0.5;
    def.drives[5].target_velocity = -3.0;
    def.drives[5].max_force = 0.9;
    add_joint(world, &def);
    step_many(world, 0.01, 50);
    assert_near(state_of(world, body).linear_velocity.y, 0.5, 1e-4);
    assert_near(state_of(world, body).angular_velocity.z, -0.9 / 0.3 * 0.5, 1e-2);
    step_many(world, 0.01, 100);
    assert_near(state_of(world, body).angular_velocity.z, -3.0, 1e-3);
    mo_world_destroy(world);
  }
}

static void only_it_locks(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
  def.body_b = add_box(world, 2, vec(0.3, 0.3, 0.3));
  def.drives[0].locked = true;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "locked"));
  mo_world_destroy(world);
}

// Soft-step looked for its first row beyond the rows of all others.
static void with_all_free_it_has_no_rows(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_SOFT_STEP, 10.0);
  mo_body_id held = add_box(world, 4, vec(1, 1, 1)), falling = add_box(world, 4, vec(1, 1, 1));
  mo_constraint_def locks = six_dof(MO_NULL_BODY_ID, held, 4),
                    free = six_dof(MO_NULL_BODY_ID, falling, 0);
  free.compliance = 1.0; // so that it has no fast form
  add_joint(world, &locks);
  add_joint(world, &free);
  step_many(world, 0.01, 100);
  assert_near(state_of(world, held).position.z, 0.0, 1e-3);
  assert_near(state_of(world, falling).linear_velocity.z, -10.0, 1e-4);
  mo_world_destroy(world);
}

TEST_GROUP(six_dof) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_slides_along_one_axis),
      cmocka_unit_test(it_turns_about_one_axis),
      cmocka_unit_test(with_locks_it_is_a_joint_that_has_a_name),
      cmocka_unit_test(with_two_free_turns_it_does_not_twist),
      cmocka_unit_test(limits_hold_along_and_about_every_axis),
      cmocka_unit_test(a_lock_may_be_opened_and_closed),
      cmocka_unit_test(it_has_motors),
      cmocka_unit_test(with_all_free_it_has_no_rows),
      cmocka_unit_test(only_it_locks),
  };
  return run_group(tests, NULL, NULL);
}
