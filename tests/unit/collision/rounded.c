// Boxes and hulls that are rounded: bounds, mass, distance, contacts, rays, sweeps.
#include "assert_near_v3.h"
#include "test_group.h"

#include "collision/convex/gjk.h"
#include "collision/convex/ray_cast.h"
#include "collision/convex/time_of_impact.h"
#include "collision/narrow/manifold.h"
#include "geometry/shape_hull.h"

static const mo_vec3 half = {1.0, 2.0, 3.0};
static const double radius = 0.5;

static mo_shape *rounded_box(mo_vec3 half_extents, double r) {
  mo_result result;
  mo_shape *shape = mo_shape_create_rounded_box(half_extents, r, &result);
  assert_int_equal(result, MO_OK);
  assert_non_null(shape);
  return shape;
}

static void bounds_are_wider_by_the_radius(void **state) {
  (void)state;
  mo_shape *box = rounded_box(half, radius), *sharp = make_box(1, 2, 3);
  for (int i = 0; i < 100; i++) {
    mo_transform t = random_placement(3.0);
    mo_bounds outer = mo_shape_bounds(box, &t), inner = mo_shape_bounds(sharp, &t);
    assert_near_v3(mo_sub(outer.upper, inner.upper), mo_v3(0.5, 0.5, 0.5), 1e-14);
    assert_near_v3(mo_sub(inner.lower, outer.lower), mo_v3(0.5, 0.5, 0.5), 1e-14);
    mo_bounds by_support = mo_shape_support_bounds(box, &t);
    assert_near_v3(by_support.upper, outer.upper, 1e-14);
    assert_near_v3(by_support.lower, outer.lower, 1e-14);
  }
  assert_near(box->inner_radius, 1.5, 0.0);
  assert_near(box->bounding_radius, sqrt(14.0) + 0.5, 1e-15);
  mo_shape_release(box);
  mo_shape_release(sharp);
}

// --- mass ------------------------------------------------------------------------------------

// Area of a rectangle with these half sides rounded by r.
static double rounded_area(double b, double c, double r) {
  return 4.0 * b * c + 4.0 * (b + c) * r + MO_PI * r * r;
}

// The integral of x^2 over the rounded box, slice by slice (Simpson); the curved ends by the angle.
static double second_moment(double a, double b, double c, double r) {
  double straight = rounded_area(b, c, r) * 2.0 * a * a * a / 3.0, ends = 0.0;
  const int count = 2000;
  double step = 0.5 * MO_PI / count;
  for (int i = 0; i <= count; i++) {
    double angle = i * step, x = a + r * sin(angle), weight = i % 2 == 0 ? 2.0 : 4.0;
    weight = i == 0 || i == count ? 1.0 : weight;
    ends += weight * x * x * rounded_area(b, c, r * cos(angle)) * r * cos(angle);
  }
  return straight + 2.0 * ends * step / 3.0;
}

static void mass_of_a_rounded_box(void **state) {
  (void)state;
  mo_shape *box = rounded_box(half, radius);
  double volume = 48.0 + 88.0 * 0.5 + 12.0 * MO_PI * 0.25 + MO_PI / 6.0;
  assert_near(box->volume, volume, 1e-12);
  double xx = second_moment(1, 2, 3, 0.5), yy = second_moment(2, 1, 3, 0.5),
         zz = second_moment(3, 1, 2, 0.5);
  mo_mat3 expected = mo_mat3_diagonal((yy + zz) / volume, (xx + zz) / volume, (xx + yy) / volume);
  assert_near_mat3(box->inertia_per_mass, expected, 1e-10);
  assert_near_v3(box->centroid, mo_v3_zero(), 1e-15);
  mo_shape_release(box);
}

static void almost_a_point_is_a_ball_and_almost_a_segment_a_capsule(void **state) {
  (void)state;
  mo_shape *ball = make_sphere(0.5), *point = rounded_box(mo_v3(1e-9, 1e-9, 1e-9), 0.5);
  mo_shape *capsule = make_capsule(0.5, 1.0), *segment = rounded_box(mo_v3(1e-9, 1, 1e-9), 0.5);
  assert_near(point->volume, ball->volume, 1e-7);
  assert_near_mat3(point->inertia_per_mass, ball->inertia_per_mass, 1e-7);
  assert_near(segment->volume, capsule->volume, 1e-7);
  assert_near_mat3(segment->inertia_per_mass, capsule->inertia_per_mass, 1e-7);
  mo_shape_release(ball);
  mo_shape_release(point);
  mo_shape_release(capsule);
  mo_shape_release(segment);
}

// The volumes of bodies that are no boxes: by Steiner's formula, and slice by slice.
static void mass_of_a_rounded_tetrahedron_and_prism(void **state) {
  (void)state;
  mo_vec3 points[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mo_result result;
  mo_shape *sharp = make_hull(points, 4);
  mo_shape *shape = mo_shape_create_rounded_hull(sharp->hull, 0.25, &result);
  assert_non_null(shape);
  double edge = sqrt(8.0), area = sqrt(3.0) * edge * edge;
  double turn = MO_PI - acos(1.0 / 3.0);
  assert_near(shape->volume, 8.0 / 3.0 + area * 0.25 + 3.0 * edge * turn * 0.0625 + MO_PI / 48.0,
              1e-12);
  assert_near_v3(shape->centroid, mo_v3_zero(), 1e-14);
  // It looks the same along each axis, so its inertia does.
  double moment = shape->inertia_per_mass.cx.x;
  assert_near_mat3(shape->inertia_per_mass, mo_mat3_diagonal(moment, moment, moment), 1e-14);
  mo_shape_release(shape);
  mo_shape_release(sharp);
  // A prism away from its origin, symmetric about x = 8 and z = 0.
  mo_vec3 wedge[6] = {{7, 0, -1}, {9, 0, -1}, {8, 1, -1}, {7, 0, 1}, {9, 0, 1}, {8, 1, 1}};
  sharp = make_hull(wedge, 6);
  shape = mo_shape_create_rounded_hull(sharp->hull, 0.25, &result);
  assert_near(shape->centroid.x, 8.0, 1e-14);
  assert_near(shape->centroid.z, 0.0, 1e-14);
  // Its slice at each z is a rounded triangle: sides 2, sqrt(2), sqrt(2), area 1.
  double sides = 2.0 + 2.0 * sqrt(2.0), volume = 0.0;
  const int count = 2000;
  for (int i = 0; i < count; i++) {
    double z = 1.25 * (i + 0.5) / count, r = z < 1.0 ? 0.25 : sqrt(0.0625 - mo_square(z - 1.0));
    volume += 2.0 * (1.0 + sides * r + MO_PI * r * r) * 1.25 / count;
  }
  assert_near(shape->volume, volume, 1e-4);
  mo_shape_release(shape);
  mo_shape_release(sharp);
}

static void bad_radii_are_refused(void **state) {
  (void)state;
  const double bad[] = {-1.0, NAN, INFINITY, 1e200};
  for (int i = 0; i < 4; i++) {
    mo_result result = MO_OK;
    assert_null(mo_shape_create_rounded_box(half, bad[i], &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  }
  mo_shape *sharp = rounded_box(half, 0.0), *box = make_box(1, 2, 3);
  assert_ptr_equal(sharp->class, box->class);
  mo_shape_release(sharp);
  mo_shape_release(box);
}

// --- distances, rays, sweeps -----------------------------------------------------------------

static void distance_to_face_edge_and_corner(void **state) {
  (void)state;
  mo_shape *box = rounded_box(half, radius), *ball = make_sphere(0.25);
  const mo_vec3 centres[3] = {{4, 1, 1}, {4, 6, 1}, {4, 6, 7}};
  const mo_vec3 cores[3] = {{1, 1, 1}, {1, 2, 1}, {1, 2, 3}};
  for (int i = 0; i < 3; i++) {
    mo_vec3 c = centres[i];
    mo_distance_result d = mo_distance(box, pose_at(0, 0, 0), ball, pose_at(c.x, c.y, c.z));
    mo_vec3 normal = mo_normalize(mo_sub(c, cores[i]));
    assert_near(d.distance, mo_distance_between(c, cores[i]) - 0.75, 1e-14);
    assert_near_v3(d.normal, normal, 1e-14);
    assert_near_v3(d.point_a, mo_add_scaled(cores[i], 0.5, normal), 1e-14);
    assert_near_v3(d.point_b, mo_add_scaled(c, -0.25, normal), 1e-14);
  }
  mo_distance_result d = mo_distance(box, pose_at(0, 0, 0), box, pose_at(5, 0, 0));
  assert_near(d.distance, 2.0, 1e-14);
  mo_shape_release(box);
  mo_shape_release(ball);
}

static void ray_meets_a_rounded_box(void **state) {
  (void)state;
  mo_shape *box = rounded_box(half, radius);
  mo_transform t = turned(7, -3, 2, mo_v3(0.3, 0.5, -0.2));
  // On a face, on the round of an edge, on that of a corner; where the ray starts, in the frame of
  // the box, and where it ends up.
  const struct {
    mo_vec3 origin;
    double x;
    mo_vec3 core;
  } rays[] = {{{10, 0.5, -1.0}, 1.5, {1, 0.5, -1.0}},
              {{10, 2.3, 1.0}, 1.4, {1, 2, 1}},
              {{10, 2.3, 3.2}, 1.0 + sqrt(0.12), {1, 2, 3}}};
  for (int i = 0; i < 3; i++) {
    mo_surface_hit hit;
    mo_vec3 from = mo_transform_point(t, rays[i].origin);
    mo_vec3 direction = mo_mat3_mul(t.rotation, mo_v3(-1, 0, 0));
    assert_true(mo_shape_cast_ray(box, t, from, direction, INFINITY, &hit));
    mo_vec3 on = mo_v3(rays[i].x, rays[i].origin.y, rays[i].origin.z);
    assert_near(hit.distance, 10.0 - rays[i].x, 1e-12);
    assert_near_v3(hit.position, mo_transform_point(t, on), 1e-12);
    mo_vec3 normal = mo_scale(2.0, mo_sub(on, rays[i].core));
    assert_near_v3(hit.normal, mo_mat3_mul(t.rotation, normal), 1e-11);
    assert_false(mo_shape_cast_ray(box, t, from, direction, 10.0 - rays[i].x - 1e-9, &hit));
    assert_false(mo_shape_cast_ray(box, t, from, mo_neg(direction), INFINITY, &hit));
  }
  mo_surface_hit hit;
  assert_false(
      mo_shape_cast_ray(box, at(0, 0, 0), mo_v3(10, 2.500001, 0), mo_v3(-1, 0, 0), INFINITY, &hit));
  assert_true(
      mo_shape_cast_ray(box, at(0, 0, 0), mo_v3(0, 2.4, 0), mo_v3(1, 0, 0), INFINITY, &hit));
  assert_true(hit.distance == 0.0); // it starts inside
  mo_shape_release(box);
}

static mo_sweep moving(const mo_shape *shape, mo_vec3 start, mo_vec3 end, mo_vec3 rotation) {
  return (mo_sweep){.shape = shape,
                    .shape_pose = mo_pose_identity(),
                    .center_start = start,
                    .center_end = end,
                    .orientation_start = mo_quat_identity(),
                    .rotation = rotation};
}

static void sweep_ends_at_the_round_surface(void **state) {
  (void)state;
  mo_shape *box = rounded_box(half, radius), *ball = make_sphere(0.25);
  // Past the edge: the ball's centre comes to 0.75 from it.
  mo_sweep still = moving(box, mo_v3_zero(), mo_v3_zero(), mo_v3_zero());
  mo_sweep flying = moving(ball, mo_v3(11, 2.45, 0), mo_v3(-9, 2.45, 0), mo_v3_zero());
  mo_toi toi = mo_time_of_impact(&flying, &still, 1e-3, 1e-5);
  assert_int_equal(toi.status, MO_TOI_HIT);
  double x = 1.0 + sqrt(mo_square(0.751) - mo_square(0.45));
  assert_near(toi.fraction, (11.0 - x) / 20.0, 2e-6);
  assert_int_equal(mo_time_of_core_impact(&still, &flying, 1e-3, 1e-5).status, MO_TOI_HIT);
  flying = moving(ball, mo_v3(11, 2.76, 0), mo_v3(-9, 2.76, 0), mo_v3_zero());
  assert_int_equal(mo_time_of_impact(&flying, &still, 1e-3, 1e-5).status, MO_TOI_SEPARATED);
  mo_shape_release(box);
  mo_shape_release(ball);
}

// --- contacts --------------------------------------------------------------------------------

static void check_flat_contact(const mo_shape *a, mo_transform ta, const mo_shape *b,
                               mo_transform tb, double separation) {
  mo_manifold m;
  mo_collide_shapes(a, ta, b, tb, 0.1, 1.0, &m);
  assert_int_equal(m.point_count, 4);
  assert_near_v3(m.normal, mo_v3(0, 1, 0), 1e-14);
  for (int i = 0; i < 4; i++) {
    assert_near(m.points[i].separation, separation, 1e-14);
    mo_vec3 gap = mo_sub(m.points[i].point_b, m.points[i].point_a);
    assert_near_v3(gap, mo_v3(0, separation, 0), 1e-14);
  }
}

static void rounded_boxes_rest_on_their_faces(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = rounded_box(half, radius), *sharp = make_box(2, 2, 2);
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, &result);
  for (int i = 0; i < 2; i++) {
    double separation = i == 0 ? 0.01 : -0.01;
    check_flat_contact(plane, at(0, 0, 0), box, at(3, 2.5 + separation, 0), separation);
    check_flat_contact(sharp, at(0, 0, 0), box, at(0.3, 4.5 + separation, 0.1), separation);
    check_flat_contact(box, at(0, 0, 0), box, at(0.3, 5.0 + separation, 0.1), separation);
  }
  mo_shape_release(box);
  mo_shape_release(sharp);
  mo_shape_release(plane);
}

// Overlapping and apart, in any position: the least separation is the distance of the cores less
// the radii.
static void separations_are_those_of_the_cores_less_the_radii(void **state) {
  (void)state;
  random_seed(11);
  mo_shape *core = make_box(0.4, 0.5, 0.6), *ball = make_sphere(0.3);
  mo_shape *box = rounded_box(mo_v3(0.4, 0.5, 0.6), 0.2), *point = make_sphere(1e-9);
  int touching = 0;
  for (int i = 0; i < 500; i++) {
    mo_pose pa = random_pose(0.6), pb = random_pose(0.6);
    mo_transform ta = mo_transform_from_pose(pa), tb = mo_transform_from_pose(pb);
    mo_manifold of_cores, m;
    mo_collide_shapes(core, ta, core, tb, 0.5, 1.0, &of_cores);
    mo_collide_shapes(box, ta, box, tb, 0.1, 1.0, &m);
    assert_true((of_cores.point_count > 0) == (m.point_count > 0));
    for (int k = 0; k < m.point_count; k++) {
      assert_near(m.points[k].separation, of_cores.points[k].separation - 0.4, 1e-12);
    }
    mo_collide_shapes(box, ta, ball, tb, 0.1, 1.0, &m);
    double gap = mo_distance(core, pa, point, pb).distance - 0.5;
    if (gap > -0.499) { // the centre of the ball is not in the core
      assert_true((gap < 0.1) == (m.point_count > 0));
      touching += m.point_count;
    }
    for (int k = 0; gap > -0.499 && k < m.point_count; k++) {
      assert_near(m.points[k].separation, gap, 1e-8);
    }
  }
  assert_true(touching > 50);
  mo_shape_release(core);
  mo_shape_release(ball);
  mo_shape_release(box);
  mo_shape_release(point);
}

// The largest angle between the normal of a contact and the direction in which the cores are
// nearest, for boxes of 4 cm that lie nearly flat at each other's edges.
static double largest_error(double r) {
  mo_shape *a = rounded_box(mo_v3(0.02, 0.02, 0.02), r),
           *b = rounded_box(mo_v3(0.02, 0.02, 0.02), r);
  double largest = 0.0;
  random_seed(77);
  for (int i = 0; i < 20000; i++) {
    mo_collision_cache cache = {0};
    mo_vec3 turn = random_in_cube(0.04), aside = random_in_cube(0.1 * r);
    mo_transform ta = at(0, 0, 0);
    mo_transform tb = mo_transform_from_pose(
        (mo_pose){mo_v3(0.04 + aside.x, aside.y, 0.04 + 2.0 * r + aside.z), mo_quat_exp(turn)});
    mo_minkowski pair = mo_minkowski_create(&a->core, ta, &b->core, tb);
    mo_gjk_result gjk = mo_gjk(&pair, INFINITY);
    mo_manifold manifold;
    double gap;
    mo_collide_pair(a, &ta, b, &tb, 0.01, 1.0, &cache, &gap, &manifold);
    if (gjk.status != MO_GJK_OVERLAP && gjk.distance > r && manifold.point_count > 0) {
      double sine = mo_length(mo_cross(gjk.normal, manifold.normal));
      largest = mo_max(largest, sine);
    }
  }
  mo_shape_release(a);
  mo_shape_release(b);
  return largest;
}

// It was up to 2.6 degrees where the radius is small.
static void normals_are_those_of_the_cores(void **state) {
  (void)state;
  const double radii[] = {0.0002, 0.001, 0.003, 0.007};
  for (int i = 0; i < 4; i++) {
    assert_true(largest_error(radii[i]) < 0.0142); // 0.8 degrees
  }
}

TEST_GROUP(rounded) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_wider_by_the_radius),
      cmocka_unit_test(normals_are_those_of_the_cores),
      cmocka_unit_test(mass_of_a_rounded_box),
      cmocka_unit_test(almost_a_point_is_a_ball_and_almost_a_segment_a_capsule),
      cmocka_unit_test(mass_of_a_rounded_tetrahedron_and_prism),
      cmocka_unit_test(bad_radii_are_refused),
      cmocka_unit_test(distance_to_face_edge_and_corner),
      cmocka_unit_test(ray_meets_a_rounded_box),
      cmocka_unit_test(sweep_ends_at_the_round_surface),
      cmocka_unit_test(rounded_boxes_rest_on_their_faces),
      cmocka_unit_test(separations_are_those_of_the_cores_less_the_radii),
  };
  return run_group(tests, NULL, NULL);
}
