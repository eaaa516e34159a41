// A convex shape that the engine has no code for, by its support function alone (toy_cone.h).
#include "assert_near_v3.h"
#include "test_group.h"
#include "toy_cone.h"

#include "collision/convex/ray_cast.h"
#include "collision/convex/time_of_impact.h"
#include "collision/narrow/manifold.h"

static mo_shape *cone; // radius 1, height 2: y from -1 to 1

static int create_cone(void **state) {
  (void)state;
  cone = toy_cone_create(1.0, 1.0);
  return cone ? 0 : -1;
}
static int release_cone(void **state) {
  (void)state;
  mo_shape_release(cone);
  return 0;
}

static void bounds_follow_the_turn(void **state) {
  (void)state;
  mo_transform standing = at(5, 6, 7), turn = turned(0, 0, 0, mo_v3(0, 0, MO_PI / 2));
  mo_bounds upright = mo_shape_bounds(cone, &standing);
  assert_near_v3(upright.lower, mo_v3(4, 5, 6), 1e-15);
  assert_near_v3(upright.upper, mo_v3(6, 7, 8), 1e-15);
  mo_bounds lying = mo_shape_bounds(cone, &turn); // tip at -x
  assert_near_v3(lying.lower, mo_v3(-1, -1, -1), 1e-15);
  assert_near_v3(lying.upper, mo_v3(1, 1, 1), 1e-15);
}

static void ray_meets_base_side_and_tip(void **state) {
  (void)state;
  mo_surface_hit hit;
  mo_vec3 up = mo_v3(0, 1, 0), left = mo_v3(-1, 0, 0);
  assert_true(mo_shape_cast_ray(cone, at(0, 0, 0), mo_v3(0.5, -5, 0.2), up, INFINITY, &hit));
  assert_near(hit.distance, 4.0, 1e-12);
  assert_near_v3(hit.normal, mo_neg(up), 1e-9);
  assert_true(mo_shape_cast_ray(cone, at(3, 0, 0), mo_v3(8, 0, 0), left, INFINITY, &hit));
  assert_near(hit.distance, 4.5, 1e-9); // the radius is half of that of the base there
  assert_near_v3(hit.normal, mo_v3(2.0 / sqrt(5.0), 1.0 / sqrt(5.0), 0.0), 1e-6);
  assert_true(mo_shape_cast_ray(cone, at(0, 0, 0), mo_v3(0, 5, 0), mo_neg(up), INFINITY, &hit));
  assert_near(hit.distance, 4.0, 1e-9);
  assert_false(mo_shape_cast_ray(cone, at(0, 0, 0), mo_v3(5, 0.9, 0.11), left, INFINITY, &hit));
  assert_false(mo_shape_cast_ray(cone, at(0, 0, 0), mo_v3(5, 0, 0), mo_neg(left), INFINITY, &hit));
}

static void distance_to_a_ball(void **state) {
  (void)state;
  mo_shape *ball = make_sphere(0.25);
  mo_distance_result d = mo_distance(cone, pose_at(0, 0, 0), ball, pose_at(0, 3, 0));
  assert_near(d.distance, 1.75, 1e-12);
  d = mo_distance(ball, pose_at(3, 1.5, 0), cone, pose_at(0, 0, 0));
  // The side in the plane z = 0 goes through (1, -1) and (0, 1): 2 x + y = 1.
  assert_near(d.distance, (6.0 + 1.5 - 1.0) / sqrt(5.0) - 0.25, 1e-9);
  mo_shape_release(ball);
}

// Points around the base, whatever it stands on.
static void check_base(const mo_shape *ground, mo_transform t, double top, mo_vec3 tilt) {
  for (int i = 0; i < 2; i++) {
    double gap = i == 0 ? 0.01 : -0.01;
    mo_manifold m;
    mo_collide_shapes(ground, t, cone, turned(0, top + 1.0 + gap, 0, tilt), 0.05, 1.0, &m);
    assert_true(m.point_count >= 3);
    assert_near_v3(m.normal, mo_v3(0, 1, 0), 2e-3);
    double least = INFINITY, spread = 0.0;
    for (int k = 0; k < m.point_count; k++) {
      least = mo_min(least, m.points[k].separation);
      spread = mo_max(spread, mo_distance_between(m.points[k].point_b, m.points[0].point_b));
      mo_vec3 between = mo_sub(m.points[k].point_b, m.points[k].point_a);
      assert_near(mo_dot(between, m.normal), m.points[k].separation, 1e-12);
    }
    assert_true(gap > 0.0 || spread > 1.0); // of points in the air the lowest are taken
    double lean = mo_length(tilt);
    assert_near(least, gap - lean, 2e-6 + mo_square(lean));
  }
}

static void stands_on_anything(void **state) {
  (void)state;
  mo_result result;
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, &result);
  mo_shape *box = make_box(3, 0.5, 3), *small = make_box(0.6, 0.5, 0.6);
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    double size = i & 2 ? 2.0 : 3.0;
    points[i] = mo_v3(i & 1 ? size : -size, i & 2 ? 0.5 : -0.5, i & 4 ? size : -size);
  }
  mo_shape *hull = make_hull(points, 8);
  const mo_vec3 tilts[2] = {{0, 0, 0}, {1e-3, 0, 2e-3}};
  for (int i = 0; i < 2; i++) {
    check_base(plane, at(0, 0, 0), 0.0, tilts[i]);
    check_base(box, at(0, 0, 0), 0.5, tilts[i]);
    check_base(hull, at(0, 0, 0), 0.5, tilts[i]);
  }
  check_base(small, at(0, 0, 0), 0.5, tilts[0]);
  check_base(cone, turned(0, 0, 0, mo_v3(MO_PI, 0, 0)), 1.0, tilts[0]); // base on base
  mo_shape_release(plane);
  mo_shape_release(box);
  mo_shape_release(small);
  mo_shape_release(hull);
}

static void one_point_where_it_is_round_or_pointed(void **state) {
  (void)state;
  mo_result result;
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, &result), *ball = make_sphere(0.5);
  mo_manifold m;
  mo_collide_shapes(cone, turned(0, 0.99, 0, mo_v3(MO_PI, 0, 0)), plane, at(0, 0, 0), 0.02, 1.0,
                    &m);
  assert_int_equal(m.point_count, 1);
  assert_near(m.points[0].separation, -0.01, 1e-12);
  mo_collide_shapes(cone, at(0, 0, 0), ball, at(0, 1.49, 0), 0.02, 1.0, &m);
  assert_int_equal(m.point_count, 1);
  assert_near(m.points[0].separation, -0.01, 1e-12);
  assert_near_v3(m.normal, mo_v3(0, 1, 0), 1e-12);
  // The other way round: the same, seen from the other side.
  mo_manifold back;
  mo_collide_shapes(ball, at(0, 1.49, 0), cone, at(0, 0, 0), 0.02, 1.0, &back);
  assert_near_v3(back.normal, mo_neg(m.normal), 0.0);
  assert_near_v3(back.points[0].point_a, m.points[0].point_b, 0.0);
  mo_shape_release(plane);
  mo_shape_release(ball);
}

// Moving B by the depth along the normal parts the two, and no less does.
static void depth_is_what_parts_them(void **state) {
  (void)state;
  random_seed(5);
  mo_shape *box = make_box(0.5, 0.6, 0.7), *capsule = make_capsule(0.3, 0.5);
  const mo_shape *others[3] = {box, capsule, cone};
  for (int i = 0; i < 300; i++) {
    const mo_shape *other = others[i % 3];
    mo_pose pa = random_pose(0.5), pb = random_pose(0.5);
    mo_collision c;
    if (!mo_collide(cone, pa, other, pb, &c)) {
      continue;
    }
    mo_pose apart = pb;
    apart.position = mo_add_scaled(pb.position, c.penetration_depth + 1e-6, c.normal);
    assert_true(mo_distance(cone, pa, other, apart).distance < 1e-5);
    mo_collision left;
    if (mo_collide(cone, pa, other, apart, &left)) {
      assert_true(left.penetration_depth < 1e-6);
    }
  }
  mo_shape_release(box);
  mo_shape_release(capsule);
}

static void sweep_ends_where_the_cone_touches(void **state) {
  (void)state;
  mo_shape *box = make_box(5, 0.5, 5);
  mo_sweep falling = {.shape = cone,
                      .shape_pose = mo_pose_identity(),
                      .center_of_mass = cone->centroid,
                      .center_start = mo_v3(0, 10, 0),
                      .center_end = mo_v3(0, -10, 0),
                      .orientation_start = mo_quat_identity()};
  mo_sweep ground = mo_sweep_at_rest(box, mo_pose_identity(), mo_pose_identity());
  mo_toi toi = mo_time_of_impact(&falling, &ground, 1e-3, 1e-5);
  assert_int_equal(toi.status, MO_TOI_HIT);
  assert_near(toi.fraction, (10.0 - 0.5 - 0.5 - 1e-3) / 20.0, 2e-6);
  mo_toi core = mo_time_of_core_impact(&falling, &ground, 1e-3, 1e-5);
  assert_int_equal(core.status, MO_TOI_HIT);
  assert_true(core.fraction > toi.fraction + 0.01);
  // Turning over on the way, the tip or the rim comes first: never later than what touches.
  falling.rotation = mo_v3(5.0, 0, 0);
  toi = mo_time_of_impact(&falling, &ground, 1e-3, 1e-5);
  assert_int_equal(toi.status, MO_TOI_HIT);
  double gap =
      mo_distance(cone, mo_sweep_pose(&falling, toi.fraction), box, mo_pose_identity()).distance;
  assert_near(gap, 1e-3, 1.1e-5);
  mo_shape_release(box);
}

TEST_GROUP(toy_shape) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_follow_the_turn),
      cmocka_unit_test(ray_meets_base_side_and_tip),
      cmocka_unit_test(distance_to_a_ball),
      cmocka_unit_test(stands_on_anything),
      cmocka_unit_test(one_point_where_it_is_round_or_pointed),
      cmocka_unit_test(depth_is_what_parts_them),
      cmocka_unit_test(sweep_ends_where_the_cone_touches),
  };
  return run_group(tests, create_cone, release_cone);
}
