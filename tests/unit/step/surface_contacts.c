/// Impacts with meshes within a step, of what turns.
#include "step/surface_contacts.h"
#include "assert_near.h"
#include "step/soft_step/soft_contacts.h"
#include "step/surface_sweep.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)
#define NEAR 0.02

// A plate of two triangles, 0.4 by 1 m, and a body.
typedef struct meeting {
  mo_world *world;
  mo_moving_shape plate, body;
} meeting;

static mo_shape *two_triangles(void) {
  const mo_vec3 corners[] = {{-0.2, 0, -0.5}, {0.2, 0, -0.5}, {0.2, 0, 0.5}, {-0.2, 0, 0.5}};
  static const uint32_t indices[] = {0, 2, 1, 0, 3, 2};
  mo_result result;
  return mo_shape_create_mesh(&(mo_mesh_def){corners, 4, indices, 6, false}, &result);
}

static meeting meet(mo_vec3 plate_at, mo_body_def body, mo_shape *shape) {
  meeting m = {.world = make_world(mo_world_def_default())};
  mo_body_def plate = body_at(plate_at.x, plate_at.y, plate_at.z, 0.0);
  plate.type = MO_BODY_STATIC;
  mo_body_id below = add_body(m.world, plate, two_triangles());
  mo_body_id above = add_body(m.world, body, shape);
  m.plate = mo_soft_moving_shape(m.world, mo_body_id_slot(below), 0);
  m.body = mo_soft_moving_shape(m.world, mo_body_id_slot(above), 0);
  return m;
}

// A rod of 2 m that turns about its middle, above a plate at one of its arms.
static meeting turn_rod(double angle, double speed) {
  mo_body_def rod = body_at(0, 0, 0, 1.0);
  rod.orientation = mo_quat_exp(vec(0, 0, angle));
  rod.angular_velocity = vec(0, 0, -speed);
  return meet(vec(0.9, -0.05, 0), rod, box(1, 0.05, 0.05));
}

static void count(void *user, const mo_sweep *triangle) {
  (void)triangle;
  ++*(int *)user;
}

static mo_sweep sweep_of(const mo_moving_shape *moving) {
  mo_pose start = mo_motion_pose(moving->motion), end = start;
  mo_vec3 turn = mo_scale(DT, moving->free_velocity.angular);
  end.position = mo_add_scaled(end.position, DT, moving->free_velocity.linear);
  end.orientation = mo_quat_mul(mo_quat_exp(turn), end.orientation);
  mo_sweep sweep = mo_sweep_between(moving->body->shapes[0].shape, moving->body->shapes[0].pose,
                                    mo_v3_zero(), start, end);
  mo_sweep_unwind(&sweep, turn);
  return sweep;
}

static int count_ahead(meeting m) {
  mo_sweep body = sweep_of(&m.body), plate = sweep_of(&m.plate);
  int triangles = 0;
  mo_sweep_over_surface(&body, &plate, NEAR, 1.0, count, &triangles);
  mo_world_destroy(m.world);
  return triangles;
}

// One arm rises by what the other falls: the lowest point of the rod is as low as before.
static void a_rod_that_ends_as_low_as_it_began_comes_to_a_plate(void **state) {
  (void)state;
  for (double turn = 0.2; turn < 3.0; turn += 0.4) {
    assert_int_equal(count_ahead(turn_rod(0.5 * turn, turn / DT)), 2);
  }
}

// At both ends of the step the rod is above the plane of the plate.
static void a_rod_that_swings_through_below_comes_to_a_plate(void **state) {
  (void)state;
  mo_body_def rod = body_at(0, 0.9, 0, 1.0);
  rod.orientation = mo_quat_exp(vec(0, 0, 0.8));
  rod.angular_velocity = vec(0, 0, -1.55 / DT);
  assert_int_equal(count_ahead(meet(vec(-0.1, 0, 0), rod, box(1, 0.05, 0.05))), 0);
  rod.orientation = mo_quat_exp(vec(0, 0, -0.8));
  assert_int_equal(count_ahead(meet(vec(-0.1, 0, 0), rod, box(1, 0.05, 0.05))), 2);
}

static void a_wheel_that_rolls_on_a_plate_does_not_come_to_it(void **state) {
  (void)state;
  mo_result result;
  mo_body_def wheel = body_at(-0.1, 0.301, 0, 1.0);
  wheel.orientation = mo_quat_exp(vec(0.5 * MO_PI, 0, 0));
  wheel.angular_velocity = vec(0, 0, -40.0);
  wheel.linear_velocity = vec(12.0, 0, 0);
  assert_int_equal(
      count_ahead(meet(vec(0, 0, 0), wheel, mo_shape_create_cylinder(0.3, 0.1, 0.0, &result))), 0);
}

// The contact is that of the impact: the corners of the end of the rod, which is 0.45 m higher at
// the start of the step, with the normal of the plate.
static void a_rod_meets_a_plate_with_both_corners(void **state) {
  (void)state;
  meeting m = turn_rod(0.45, 42.8);
  mo_mesh_manifolds found;
  mo_find_surface_contacts(&m.plate, &m.body, DT, NEAR, 1.0, true, &found);
  assert_int_equal(found.count, 1);
  assert_true(found.manifolds[0].normal.y > 0.99);
  double least = 0.0, greatest = 0.0, furthest = 0.0;
  for (int i = 0; i < found.manifolds[0].point_count; i++) {
    const mo_manifold_point *point = &found.manifolds[0].points[i];
    least = mo_min(least, point->point_b.z);
    greatest = mo_max(greatest, point->point_b.z);
    furthest = mo_max(furthest, point->point_b.x);
    // The lever at the impact and the speed there close the gap until then.
    double speed = 42.8 * point->point_b.x;
    assert_true(point->separation < speed * DT && point->separation > 0.4 * speed * 0.45 / 42.8);
  }
  assert_near(least, -0.05, 1e-6);
  assert_near(greatest, 0.05, 1e-6);
  assert_near(furthest, 1.0, 0.01);
  mo_world_destroy(m.world);
}

TEST_GROUP(surface_contacts) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_that_ends_as_low_as_it_began_comes_to_a_plate),
      cmocka_unit_test(a_rod_that_swings_through_below_comes_to_a_plate),
      cmocka_unit_test(a_wheel_that_rolls_on_a_plate_does_not_come_to_it),
      cmocka_unit_test(a_rod_meets_a_plate_with_both_corners),
  };
  return run_group(tests, NULL, NULL);
}
