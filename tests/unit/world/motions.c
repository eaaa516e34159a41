/// A world that shows the motions of another one.
#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

#define BODIES 6
#define SLOTS (BODIES + 1)

// Cubes that fall on a floor, the first two joined, and one that flies on.
static mo_world *world_of_cubes(mo_body_id *ids) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_floor(world);
  for (int i = 0; i < BODIES; i++) {
    ids[i] = add_body(world, body_at(1.01 * i, 0, 0.6, 1), box(0.5, 0.5, 0.5));
  }
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  joint.body_a = ids[0];
  joint.body_b = ids[1];
  joint.anchor_a = vec(0.505, 0, 0);
  joint.anchor_b = vec(-0.505, 0, 0);
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
  assert_int_equal(mo_body_set_gravity_scale(world, ids[BODIES - 1], 0.0), MO_OK);
  assert_int_equal(mo_body_set_linear_velocity(world, ids[BODIES - 1], vec(3, 1, 2)), MO_OK);
  assert_int_equal(mo_body_set_angular_velocity(world, ids[BODIES - 1], vec(1, 2, 3)), MO_OK);
  return world;
}

static void assert_same_motions(const mo_world *a, const mo_world *b) {
  double from[SLOTS * MO_MOTION_NUMBERS], to[SLOTS * MO_MOTION_NUMBERS];
  mo_world_get_motions(a, from);
  mo_world_get_motions(b, to);
  assert_memory_equal(from, to, sizeof from);
  size_t bytes = SLOTS * 8 * sizeof(double);
  assert_memory_equal(mo_world_transforms64(a), mo_world_transforms64(b), bytes);
  assert_memory_equal(mo_world_velocities(a), mo_world_velocities(b), bytes);
  assert_memory_equal(mo_world_transforms(a), mo_world_transforms(b), bytes / 2);
}

static mo_query_hit hit_below(mo_world *world, mo_vec3 above) {
  mo_ray ray = mo_ray_default();
  ray.origin = above;
  ray.direction = vec(0, 0, -100);
  mo_query_hit hit = {0};
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  return hit;
}

static void a_copy_is_where_the_other_world_is_to_the_bit(void **state) {
  (void)state;
  mo_body_id ids[BODIES], copies[BODIES];
  mo_world *world = world_of_cubes(ids), *copy = world_of_cubes(copies);
  double records[SLOTS * MO_MOTION_NUMBERS];
  for (int i = 0; i < 120; i++) {
    assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
    mo_world_get_motions(world, records);
    assert_int_equal(mo_world_set_motions(copy, records, SLOTS), MO_OK);
    assert_same_motions(world, copy);
    assert_int_equal(mo_world_awake_count(copy), mo_world_awake_count(world));
  }
  // All but the flying cube sleep, and queries find it where it is now.
  assert_int_equal(mo_world_awake_count(copy), 1);
  mo_vec3 at = state_of(world, ids[BODIES - 1]).position;
  assert_same_body(hit_below(copy, vec(at.x, at.y, at.z + 5)).body, copies[BODIES - 1]);
  // What wakes there wakes here, with the body that is joined to it.
  mo_body_wake(world, ids[0]);
  mo_world_get_motions(world, records);
  assert_int_equal(mo_world_set_motions(copy, records, SLOTS), MO_OK);
  assert_true(mo_world_awake_count(copy) >= 3);
  assert_int_equal(mo_world_awake_count(copy), mo_world_awake_count(world));
  assert_same_motions(world, copy);
  step_many(copy, 1.0 / 60, 60); // it is a world like any other
  mo_world_destroy(world);
  mo_world_destroy(copy);
}

static void slots_may_be_left_as_they_are(void **state) {
  (void)state;
  mo_body_id ids[BODIES], copies[BODIES];
  mo_world *world = world_of_cubes(ids), *copy = world_of_cubes(copies);
  step_many(world, 1.0 / 60, 5);
  double records[SLOTS * MO_MOTION_NUMBERS];
  mo_world_get_motions(world, records);
  uint32_t slot = mo_body_id_slot(copies[2]);
  records[MO_MOTION_NUMBERS * slot + 3] = -1.0;
  records[MO_MOTION_NUMBERS * slot] = NAN;
  double before = state_of(copy, copies[2]).position.z;
  assert_int_equal(mo_world_set_motions(copy, records, SLOTS - 1), MO_OK);
  assert_true(state_of(copy, copies[2]).position.z == before);
  assert_true(state_of(copy, copies[3]).position.z == state_of(world, ids[3]).position.z);
  assert_true(state_of(copy, copies[BODIES - 1]).position.x == 1.01 * (BODIES - 1));
  mo_world_destroy(world);
  mo_world_destroy(copy);
}

static void bad_numbers_are_refused_and_change_nothing(void **state) {
  (void)state;
  static const struct {
    int place;
    double value;
    const char *named;
  } cases[] = {{0, NAN, "position"},
               {5, 0.5, "orientation"},
               {7, INFINITY, "orientation"},
               {8, NAN, "linear_velocity"},
               {14, INFINITY, "angular_velocity"}};
  mo_body_id ids[BODIES], copies[BODIES];
  mo_world *world = world_of_cubes(ids), *copy = world_of_cubes(copies);
  step_many(world, 1.0 / 60, 5);
  uint64_t hash = mo_world_hash(copy);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double records[SLOTS * MO_MOTION_NUMBERS];
    mo_world_get_motions(world, records);
    records[MO_MOTION_NUMBERS * (SLOTS - 1) + cases[i].place] = cases[i].value;
    assert_int_equal(mo_world_set_motions(copy, records, SLOTS), MO_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(mo_world_last_error(copy), cases[i].named));
    assert_true(mo_world_hash(copy) == hash);
  }
  mo_world_destroy(world);
  mo_world_destroy(copy);
}

TEST_GROUP(motions) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_is_where_the_other_world_is_to_the_bit),
      cmocka_unit_test(slots_may_be_left_as_they_are),
      cmocka_unit_test(bad_numbers_are_refused_and_change_nothing),
  };
  return run_group(tests, NULL, NULL);
}
