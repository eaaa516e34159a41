/// Worlds of so many bodies that soft-step walks their contacts in blocks of neighbours and, where
/// bodies have many contacts, numbers them by cells of space.
#include "test_group.h"
#include "world_fixture.h"

#define SIDE 50
#define STACKS (SIDE * SIDE)
// m, between the middles of stacks: alone, and in each other's reach.
#define APART 1.25
#define BESIDE 1.004

static mo_world *make_stacks(double spacing, mo_body_id *lower, mo_body_id *upper) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.allow_sleep = false;
  mo_world *world = make_world(settings);
  mo_body_def floor = body_at(0, 0, -0.5, 0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(500, 500, 0.5));
  for (int i = 0; i < STACKS; i++) {
    double x = spacing * (i % SIDE), y = spacing * (i / SIDE);
    lower[i] = add_body(world, body_at(x, y, 0.5, 1), box(0.5, 0.5, 0.5));
    upper[i] = add_body(world, body_at(x, y, 1.5, 1), box(0.5, 0.5, 0.5));
  }
  return world;
}

// A contact that no block takes lets its box fall by 3 mm; one that two take throws it up.
static void every_contact_is_solved_once(void **state) {
  (void)state;
  static mo_body_id lower[STACKS], upper[STACKS];
  mo_world *world = make_stacks(APART, lower, upper);
  for (int step = 0; step < 3; step++) {
    assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
    assert_int_equal(mo_world_stats(world).contacts, 2 * STACKS);
  }
  for (int i = 0; i < STACKS; i++) {
    mo_body_state a = state_of(world, lower[i]), b = state_of(world, upper[i]);
    assert_true(fabs(a.position.z - 0.5) < 1e-3 && fabs(b.position.z - 1.5) < 1e-3);
    assert_true(fabs(a.linear_velocity.z) < 0.02 && fabs(b.linear_velocity.z) < 0.02);
    assert_true(fabs(a.linear_velocity.x) < 5e-3 && fabs(b.angular_velocity.y) < 5e-3);
  }
  mo_world_destroy(world);
}

// Friction finds its impulses again after contacts changed places.
static void a_field_of_stacks_is_pushed_as_one_stack_is(void **state) {
  (void)state;
  static mo_body_id lower[STACKS], upper[STACKS];
  mo_world *world = make_stacks(APART, lower, upper);
  for (int step = 0; step < 30; step++) {
    for (int i = 0; i < STACKS; i++) {
      assert_int_equal(mo_body_apply_force(world, upper[i], vec(2, 0, 0), NULL), MO_OK);
    }
    assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
  }
  for (int i = 0; i < STACKS; i++) {
    mo_body_state b = state_of(world, upper[i]);
    assert_true(fabs(b.position.x - APART * (i % SIDE)) < 5e-3);
    assert_true(fabs(b.position.z - 1.5) < 5e-3);
  }
  mo_world_destroy(world);
}

// Bodies that get a wrong number, or one of another, go elsewhere.
static void neighbours_in_cells_stay(void **state) {
  (void)state;
  static mo_body_id lower[STACKS], upper[STACKS];
  mo_world *world = make_stacks(BESIDE, lower, upper);
  for (int step = 0; step < 10; step++) {
    assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
  }
  // More than two per body, which is what cells are for.
  assert_true(mo_world_stats(world).contacts > 2 * STACKS + 2 * SIDE * (SIDE - 1));
  for (int i = 0; i < STACKS; i++) {
    mo_body_state a = state_of(world, lower[i]), b = state_of(world, upper[i]);
    double x = BESIDE * (i % SIDE), y = BESIDE * (i / SIDE);
    assert_true(fabs(a.position.x - x) < 1e-3 && fabs(b.position.x - x) < 1e-3);
    assert_true(fabs(a.position.y - y) < 1e-3 && fabs(b.position.y - y) < 1e-3);
    assert_true(fabs(a.position.z - 0.5) < 1e-3 && fabs(b.position.z - 1.5) < 1e-3);
  }
  mo_world_destroy(world);
}

TEST_GROUP(substep_blocks) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_contact_is_solved_once),
      cmocka_unit_test(neighbours_in_cells_stay),
      cmocka_unit_test(a_field_of_stacks_is_pushed_as_one_stack_is),
  };
  return run_group(tests, NULL, NULL);
}
