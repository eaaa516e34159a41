/// The hash is one of the state: worlds differ in it as soon as their next steps may differ, and
/// what is no state is not in it.
#include "test_group.h"
#include "world_fixture.h"

#include "solvers/exact/exact.h"
#include "world/state_fields.h"

static const double STEP = 1.0 / 60.0;

static mo_body_def at(double x, double y, double z) {
  mo_body_def def = mo_body_def_default();
  def.position = vec(x, y, z);
  return def;
}

static mo_world *floor_world(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  mo_world *world = make_world(settings);
  mo_body_def floor = mo_body_def_default();
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, mo_shape_create_plane(vec(0, 1, 0), 0.0, NULL));
  return world;
}

static uint64_t hash_of_box(mo_vec3 half_extents, mo_solver solver, bool has_solver) {
  mo_world *world = floor_world(MO_SOLVER_SOFT_STEP);
  mo_body_def def = at(0, 2, 0);
  def.has_mass = true;
  def.mass = 1.0;
  def.has_inertia = true;
  def.inertia = (mo_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  def.has_solver = has_solver;
  def.solver = solver;
  add_body(world, def, mo_shape_create_box(half_extents, NULL));
  uint64_t hash = mo_world_hash(world);
  mo_world_destroy(world);
  return hash;
}

static void boxes_of_different_sizes_have_different_hashes(void **state) {
  (void)state;
  uint64_t one = hash_of_box(vec(0.5, 0.5, 0.5), MO_SOLVER_EXACT, false);
  assert_true(one == hash_of_box(vec(0.5, 0.5, 0.5), MO_SOLVER_EXACT, false));
  assert_true(one != hash_of_box(vec(0.5, 0.25, 0.5), MO_SOLVER_EXACT, false));
}

static void a_body_with_a_solver_of_its_own_has_another_hash(void **state) {
  (void)state;
  uint64_t none = hash_of_box(vec(0.5, 0.5, 0.5), MO_SOLVER_EXACT, false);
  uint64_t exact = hash_of_box(vec(0.5, 0.5, 0.5), MO_SOLVER_EXACT, true);
  assert_true(none != exact);
  assert_true(exact != hash_of_box(vec(0.5, 0.5, 0.5), MO_SOLVER_BLOCK_PGS, true));
  // A solver that is not asked for is nothing.
  assert_true(none == hash_of_box(vec(0.5, 0.5, 0.5), MO_SOLVER_BLOCK_PGS, false));
}

static uint64_t hash_of_hull(double height) {
  const mo_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, height, 0}};
  mo_world *world = floor_world(MO_SOLVER_SOFT_STEP);
  mo_hull *hull = NULL;
  assert_int_equal(mo_hull_create(points, 4, &hull), MO_OK);
  mo_body_def def = at(0, 2, 0);
  add_body(world, def, mo_shape_create_hull(hull, NULL));
  mo_hull_release(hull);
  uint64_t hash = mo_world_hash(world);
  mo_world_destroy(world);
  return hash;
}

static void hulls_are_told_apart_by_their_vertices(void **state) {
  (void)state;
  assert_true(hash_of_hull(1.0) == hash_of_hull(1.0));
  assert_true(hash_of_hull(1.0) != hash_of_hull(1.0 + 1e-15));
}

// Each number of the settings by itself.
static void every_setting_that_motion_depends_on_is_in_the_hash(void **state) {
  (void)state;
  mo_world *world = floor_world(MO_SOLVER_BLOCK_PGS);
  mo_world_def first = mo_world_get_settings(world);
  uint64_t hash = mo_world_hash(world);
  mo_world_def others[16];
  for (int i = 0; i < 16; i++) {
    others[i] = first;
  }
  others[0].gravity.z = 1.0;
  others[1].solver = MO_SOLVER_EXACT;
  others[2].stabilization = MO_STABILIZATION_NONE;
  others[3].integrator = MO_INTEGRATOR_RK4;
  others[4].iterations++;
  others[5].tolerance *= 2.0;
  others[6].restitution_threshold = 1.0;
  others[7].linear_slop = 0.01;
  others[8].max_correction_speed = 1.0;
  others[9].friction_law = MO_FRICTION_CONVEX;
  others[10].substeps++;
  others[11].contact_hertz *= 2.0;
  others[12].joint_damping *= 2.0;
  others[13].allow_sleep = false;
  others[14].time_to_sleep = 1.0;
  others[15].impact_law = MO_IMPACT_GENERALIZED_REFLECTIONS;
  for (int i = 0; i < 16; i++) {
    assert_int_equal(mo_world_set_settings(world, &others[i]), MO_OK);
    assert_true(mo_world_hash(world) != hash);
  }
  mo_world_def certified = first;
  certified.certify = true; // a read-out
  assert_int_equal(mo_world_set_settings(world, &certified), MO_OK);
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

// A box that was elsewhere meanwhile is where it was, but its pairs are looked at at another time.
static void what_allows_a_step_to_leave_pairs_out_is_in_the_hash(void **state) {
  (void)state;
  mo_world *world = floor_world(MO_SOLVER_SOFT_STEP);
  mo_body_id box = add_body(world, at(0, 2, 0), mo_shape_create_box(vec(0.5, 0.5, 0.5), NULL));
  uint64_t before = mo_world_hash(world);
  assert_int_equal(mo_body_set_position(world, box, vec(3, 2, 0)), MO_OK);
  assert_int_equal(mo_body_set_position(world, box, vec(0, 2, 0)), MO_OK);
  assert_true(mo_world_hash(world) != before);
  mo_world_destroy(world);
}

// Two boxes that rest on the floor by block-pgs.
static mo_world *resting_world(void) {
  mo_world *world = floor_world(MO_SOLVER_BLOCK_PGS);
  mo_world_def settings = mo_world_get_settings(world);
  settings.allow_sleep = false;
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  add_body(world, at(0, 0.5, 0), mo_shape_create_box(vec(0.5, 0.5, 0.5), NULL));
  add_body(world, at(0.1, 1.5, 0), mo_shape_create_box(vec(0.5, 0.5, 0.5), NULL));
  for (int i = 0; i < 60; i++) {
    assert_int_equal(mo_world_step(world, STEP), MO_OK);
  }
  return world;
}

static void read_outs_change_no_hash(void **state) {
  (void)state;
  mo_world *world = resting_world();
  uint64_t hash = mo_world_hash(world);
  mo_contact_point points[16];
  mo_problem_record record;
  uint32_t count;
  mo_query_hit hit;
  mo_ray ray = mo_ray_default();
  ray.origin = vec(0, 5, 0);
  ray.direction = vec(0, -1, 0);
  mo_world_residual(world);
  mo_world_stats(world);
  mo_world_energy(world);
  mo_world_contact_points(world, points, 16);
  mo_world_sleep_events(world, &count);
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  assert_int_equal(mo_world_record_problem(world, &record), MO_OK);
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

// A floor, a pile, a chain of hinges and of balls, and one box that is soon asleep.
static mo_world *busy_world(mo_solver solver) {
  mo_world *world = floor_world(solver);
  mo_body_id last = MO_NULL_BODY_ID;
  for (int i = 0; i < 12; i++) {
    mo_body_id box = add_body(world, at(0.3 * (i % 3), 0.6 + 1.1 * i, 0.2 * (i % 2)),
                              mo_shape_create_box(vec(0.5, 0.5, 0.5), NULL));
    if (i % 4 > 1) {
      mo_constraint_def joint =
          mo_constraint_def_default(i % 4 > 2 ? MO_CONSTRAINT_HINGE : MO_CONSTRAINT_BALL);
      joint.body_a = last;
      joint.body_b = box;
      joint.anchor_a = vec(0, 0.55, 0);
      joint.anchor_b = vec(0, -0.55, 0);
      mo_constraint_create(world, &joint);
    }
    last = box;
  }
  add_body(world, at(8, 0.5, 0), mo_shape_create_box(vec(0.5, 0.5, 0.5), NULL));
  return world;
}

// All that state_fields.h calls no state.
static void drop_caches(mo_world *world) {
  mo_world_forget_joints(world);
  mo_exact_workspace_free(&world->exact);
  world->joined.is_stale = true;
  world->awake_is_stale = true;
  mo_arena_free(&world->step_arena);
  mo_arena_free(&world->spare_problem_arena);
  mo_arena_free(&world->trial_arena);
  mo_arena_free(&world->query_arena);
}

static void dropping_what_is_no_state_changes_no_bit(void **state) {
  (void)state;
  const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
  for (int i = 0; i < 3; i++) {
    mo_world *world = busy_world(solvers[i]), *forgetful = busy_world(solvers[i]);
    for (int k = 0; k < 120; k++) {
      drop_caches(forgetful);
      assert_int_equal(mo_world_step(world, STEP), MO_OK);
      assert_int_equal(mo_world_step(forgetful, STEP), MO_OK);
      assert_true(mo_world_hash(world) == mo_world_hash(forgetful));
    }
    mo_world_destroy(world);
    mo_world_destroy(forgetful);
  }
}

TEST_GROUP(state) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_different_sizes_have_different_hashes),
      cmocka_unit_test(a_body_with_a_solver_of_its_own_has_another_hash),
      cmocka_unit_test(hulls_are_told_apart_by_their_vertices),
      cmocka_unit_test(every_setting_that_motion_depends_on_is_in_the_hash),
      cmocka_unit_test(what_allows_a_step_to_leave_pairs_out_is_in_the_hash),
      cmocka_unit_test(read_outs_change_no_hash),
      cmocka_unit_test(dropping_what_is_no_state_changes_no_bit),
  };
  return run_group(tests, NULL, NULL);
}
