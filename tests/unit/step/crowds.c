/// Hundreds of bodies in one point: memory and pairs in proportion to their number.
#include "test_group.h"
#include "world_fixture.h"

enum { CROWD = 300 };

// Bytes for a body: 16 contacts, of which block-pgs holds some 10 kB each in all of its arrays.
#define MOST_BYTES_PER_BODY ((size_t)200 * 1024)

typedef mo_shape *make_shape(void);

static mo_shape *ball(void) { return sphere(0.5); }
static mo_shape *cube(void) { return box(0.5, 0.5, 0.5); }
static mo_world *make_crowd(mo_solver solver, make_shape *make) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.allow_sleep = false;
  mo_world *world = make_world(settings);
  mo_shape *shape = make();
  for (int i = 0; i < CROWD; i++) {
    mo_shape_retain(shape);
    add_body(world, body_at(0, 0, 0, 1), shape);
  }
  mo_shape_release(shape);
  return world;
}

static double speed_of_middle(mo_world *world) {
  mo_vec3 p = mo_world_momentum(world).linear;
  return sqrt(p.x * p.x + p.y * p.y + p.z * p.z) / CROWD;
}

static void check_crowd(mo_solver solver, make_shape *make) {
  size_t held = mo_allocated_bytes();
  mo_world *world = make_crowd(solver, make);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(mo_world_step(world, 1.0 / 60.0), MO_OK);
    assert_true(i > 0 || mo_world_refused_pair_count(world) > 0);
    assert_true(mo_allocated_bytes() - held < CROWD * MOST_BYTES_PER_BODY);
  }
  mo_stats stats = mo_world_stats(world);
  assert_int_equal(stats.refused_pairs, mo_world_refused_pair_count(world));
  assert_true(stats.pairs <= 128 * CROWD);
  // What was left out was left out at both bodies: the middle falls freely.
  assert_true(fabs(speed_of_middle(world) - 9.81 / 20.0) < 1e-4);
  mo_world_destroy(world);
  assert_true(mo_allocated_bytes() <= held);
}

static void crowds_of_soft_step_are_bounded(void **state) {
  (void)state;
  check_crowd(MO_SOLVER_SOFT_STEP, ball);
  check_crowd(MO_SOLVER_SOFT_STEP, cube);
}

static void crowds_of_block_pgs_are_bounded(void **state) {
  (void)state;
  check_crowd(MO_SOLVER_BLOCK_PGS, ball);
}

static void crowds_of_exact_are_bounded(void **state) {
  (void)state;
  check_crowd(MO_SOLVER_EXACT, ball);
}

static void a_crowd_that_has_gone_gives_its_memory_back(void **state) {
  (void)state;
  mo_world *world = make_crowd(MO_SOLVER_SOFT_STEP, ball);
  step_many(world, 1.0 / 60.0, 2);
  size_t at_peak = mo_allocated_bytes();
  for (uint32_t slot = 1; slot < CROWD; slot++) {
    assert_int_equal(mo_body_destroy(world, mo_world_body_in_slot(world, slot)), MO_OK);
  }
  step_many(world, 1.0 / 60.0, 500);
  assert_int_equal(mo_world_refused_pair_count(world), 0);
  assert_true(mo_allocated_bytes() < at_peak * 3 / 4);
  uint64_t calls = mo_allocation_count();
  step_many(world, 1.0 / 60.0, 300);
  assert_int_equal(mo_allocation_count(), calls);
  mo_world_destroy(world);
}

// What is refused follows from the state: a world that is made again goes on with the same bits.
static void a_crowd_goes_on_from_a_snapshot(void **state) {
  (void)state;
  mo_world *world = make_crowd(MO_SOLVER_SOFT_STEP, ball);
  mo_world *copy = make_world(mo_world_def_default());
  mo_bytes bytes;
  step_many(world, 1.0 / 60.0, 2);
  assert_int_equal(mo_world_snapshot(world, true, &bytes), MO_OK);
  assert_int_equal(mo_world_restore(copy, bytes.bytes, bytes.count, NULL), MO_OK);
  uint32_t refused = 0;
  for (int i = 0; i < 12; i++) {
    step_many(world, 1.0 / 60.0, 1);
    step_many(copy, 1.0 / 60.0, 1);
    refused += mo_world_refused_pair_count(world);
    assert_int_equal(mo_world_refused_pair_count(copy), mo_world_refused_pair_count(world));
    assert_true(mo_world_hash(copy) == mo_world_hash(world));
  }
  assert_true(refused > 0);
  assert_int_equal(mo_world_refused_pair_count(world), 0); // they have come apart
  mo_world_destroy(world);
  mo_world_destroy(copy);
}

TEST_GROUP(crowds) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crowds_of_soft_step_are_bounded),
      cmocka_unit_test(crowds_of_block_pgs_are_bounded),
      cmocka_unit_test(crowds_of_exact_are_bounded),
      cmocka_unit_test(a_crowd_that_has_gone_gives_its_memory_back),
      cmocka_unit_test(a_crowd_goes_on_from_a_snapshot),
  };
  return run_group(tests, NULL, NULL);
}
