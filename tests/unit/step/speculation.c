/// Points of contact that an impact within the step brings.
#include "step/speculation.h"
#include "assert_near.h"
#include "step/soft_step/soft_contacts.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)
#define NEAR 0.02

// A cube of 1 m above a slab whose top is at y = 0, with its lower edge 5 mm over it, tilted.
typedef struct landing {
  mo_world *world;
  mo_moving_shape slab, cube;
  mo_manifold manifold; // of what is near now
} landing;

static landing land(double tilt, double speed) {
  landing l = {.world = make_world(mo_world_def_default())};
  mo_body_def slab = body_at(0, -1, 0, 0.0);
  slab.type = MO_BODY_STATIC;
  mo_body_id below = add_body(l.world, slab, box(5, 1, 5));
  double height = 0.005 + 0.5 * (cos(tilt) + sin(tilt));
  mo_body_def cube = body_at(0, height, 0, 0.0);
  cube.orientation = mo_quat_exp(vec(0, 0, tilt));
  cube.linear_velocity = vec(0, -speed, 0);
  mo_body_id above = add_body(l.world, cube, box(0.5, 0.5, 0.5));
  l.slab = mo_soft_moving_shape(l.world, mo_body_id_slot(below), 0);
  l.cube = mo_soft_moving_shape(l.world, mo_body_id_slot(above), 0);
  mo_collide_shapes(l.slab.body->shapes[0].shape, mo_moving_shape_placement(&l.slab),
                    l.cube.body->shapes[0].shape, mo_moving_shape_placement(&l.cube), NEAR, 1.0,
                    &l.manifold);
  return l;
}

// With its edge stopped the cube turns by more than it is tilted: its face falls on the slab.
static void behind_an_edge_a_face_falls(void **state) {
  (void)state;
  landing l = land(0.08, 10.0);
  assert_int_equal(l.manifold.point_count, 2);
  assert_true(
      mo_speculate_impact(&l.slab, &l.cube, DT, NEAR, (mo_collision_cache){0}, &l.manifold));
  assert_int_equal(l.manifold.point_count, 4);
  for (int i = 0; i < 4; i++) {
    assert_near(l.manifold.points[i].separation, i < 2 ? 0.005 : 0.005 + sin(0.08), 1e-12);
  }
  mo_world_destroy(l.world);
}

// Tilted by more it only begins to fall within the step.
static void what_stays_away_is_not_added(void **state) {
  (void)state;
  landing l = land(0.3, 10.0);
  assert_true(
      mo_speculate_impact(&l.slab, &l.cube, DT, NEAR, (mo_collision_cache){0}, &l.manifold));
  assert_int_equal(l.manifold.point_count, 2);
  mo_world_destroy(l.world);
}

static void what_is_slow_has_no_impact(void **state) {
  (void)state;
  landing l = land(0.08, 1.0);
  assert_false(
      mo_speculate_impact(&l.slab, &l.cube, DT, NEAR, (mo_collision_cache){0}, &l.manifold));
  assert_int_equal(l.manifold.point_count, 2);
  mo_world_destroy(l.world);
}

// A cube that flies at 45 degrees at the top of the slab, from beside it and high above.
static mo_manifold fly(double sideways, double time) {
  mo_world *world = make_world(mo_world_def_default());
  mo_body_def slab = body_at(0, -1, 0, 0.0);
  slab.type = MO_BODY_STATIC;
  mo_body_id below = add_body(world, slab, box(5, 1, 5));
  mo_body_def cube = body_at(sideways, 10.1, 0, 0.0);
  cube.linear_velocity = vec(-10.0 / time, -10.0 / time, 0);
  mo_body_id above = add_body(world, cube, box(0.1, 0.1, 0.1));
  mo_moving_shape a = mo_soft_moving_shape(world, mo_body_id_slot(below), 0),
                  b = mo_soft_moving_shape(world, mo_body_id_slot(above), 0);
  mo_manifold manifold = {.point_count = 0};
  mo_speculate_far(&a, &b, DT, NEAR, 30.0, (mo_collision_cache){0}, &manifold);
  mo_world_destroy(world);
  return manifold;
}

// What is nearest at the start is the rim of the slab.
static void a_long_path_meets_what_is_at_its_end(void **state) {
  (void)state;
  mo_manifold met = fly(14.0, 0.6 * DT);
  assert_int_equal(met.point_count, 4);
  assert_near(met.normal.y, 1.0, 1e-12);
  for (int i = 0; i < 4; i++) {
    assert_near(met.points[i].separation, 10.0, 1e-6);
  }
}

static void a_long_path_that_ends_before_or_leads_past_meets_nothing(void **state) {
  (void)state;
  assert_int_equal(fly(14.0, 1.1 * DT).point_count, 0);
  assert_int_equal(fly(18.0, 0.6 * DT).point_count, 0);
}

TEST_GROUP(speculation) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(behind_an_edge_a_face_falls),
      cmocka_unit_test(what_stays_away_is_not_added),
      cmocka_unit_test(what_is_slow_has_no_impact),
      cmocka_unit_test(a_long_path_meets_what_is_at_its_end),
      cmocka_unit_test(a_long_path_that_ends_before_or_leads_past_meets_nothing),
  };
  return run_group(tests, NULL, NULL);
}
