/// Rows of constraints as read-outs: Jacobians, effective masses and impulses.
#include "joint_machines.h"
#include "test_group.h"

// A bob of 2 kg that hangs from the world by a hinge 0.5 m above it.
static mo_constraint_id add_pendulum(mo_world *world, mo_body_id *bob) {
  *bob = add_wheel(world, vec(0, 0, 0), 2, vec(0.3, 0.4, 0.5));
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
  def.body_b = *bob;
  def.anchor_a = vec(0, 0, 0.5);
  def.anchor_b = vec(0, 0, 0.5);
  def.axis_a = def.axis_b = vec(0, 1, 0);
  def.drives[0].lower = -1.0;
  return add_joint(world, &def);
}

static void a_pendulum_has_the_rows_of_its_hinge_and_of_its_limit(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 9.81);
    mo_body_id bob;
    mo_constraint_id hinge = add_pendulum(world, &bob);
    step_many(world, 0.001, 20);
    mo_constraint_row rows[6];
    assert_int_equal(mo_constraint_get_rows(world, hinge, rows), MO_OK);

    // Of the anchor: v + w x r with r = (0, 0, 0.5) along x, y, z.
    assert_near(fabs(rows[0].jacobian[6]), 1.0, 1e-12);
    assert_near(fabs(rows[0].jacobian[10]), 0.5, 1e-9);
    assert_near(rows[0].effective_mass, 1.0 / (1.0 / 2 + 0.25 / 0.4), 1e-9);
    assert_near(rows[1].effective_mass, 1.0 / (1.0 / 2 + 0.25 / 0.3), 1e-9);
    assert_near(rows[2].effective_mass, 2.0, 1e-9);
    assert_near(fabs(rows[5].jacobian[10]), 1.0, 1e-12);
    assert_near(rows[5].effective_mass, 0.4, 1e-9);
    assert_int_equal(rows[0].role, MO_ROW_HOLD);
    assert_int_equal(rows[0].bounds.kind, MO_BOUND_BILATERAL);
    assert_int_equal(rows[5].role, MO_ROW_LOWER);
    assert_int_equal(rows[5].bounds.kind, MO_BOUND_UNILATERAL);
    double lift = rows[2].impulse * rows[2].jacobian[8] / 0.001;
    assert_near(lift, 2 * 9.81, joint_solvers[s] == MO_SOLVER_SOFT_STEP ? 0.2 : 1e-6);
    mo_world_destroy(world);
  }
}

static void a_stale_constraint_has_no_rows(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
  mo_body_id bob;
  mo_constraint_id hinge = add_pendulum(world, &bob);
  mo_constraint_row rows[6] = {{.impulse = 7.0}};
  assert_int_equal(mo_constraint_destroy(world, hinge), MO_OK);
  assert_int_equal(mo_constraint_get_rows(world, hinge, rows), MO_ERROR_STALE_HANDLE);
  assert_near(rows[0].impulse, 7.0, 0.0);
  mo_world_destroy(world);
}

TEST_GROUP(constraint_row_read_outs) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_has_the_rows_of_its_hinge_and_of_its_limit),
      cmocka_unit_test(a_stale_constraint_has_no_rows)};
  return run_group(tests, NULL, NULL);
}
