#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/ray_cast.h"

#define X 1.0, 0.0, 0.0

static mo_surface_hit hit_of(const mo_shape *shape, mo_transform t, mo_vec3 origin,
                             mo_vec3 direction) {
  mo_surface_hit hit = {0};
  assert_true(mo_shape_cast_ray(shape, t, origin, direction, INFINITY, &hit));
  return hit;
}

static void assert_missed(const mo_shape *shape, mo_transform t, mo_vec3 origin, mo_vec3 direction,
                          double max_distance) {
  mo_surface_hit hit = {.distance = -7.0};
  assert_false(mo_shape_cast_ray(shape, t, origin, direction, max_distance, &hit));
  assert_true(hit.distance == -7.0);
}

static void ray_meets_a_sphere(void **state) {
  (void)state;
  mo_shape *ball = make_sphere(0.5);
  mo_surface_hit hit = hit_of(ball, at(3, 0, 0), mo_v3(0, 0.3, 0), mo_v3(X));
  assert_near(hit.distance, 2.6, 1e-15);
  assert_vector_near(hit.position, 2.6, 0.3, 0, 1e-15);
  assert_vector_near(hit.normal, -0.8, 0.6, 0, 1e-15);
  assert_missed(ball, at(3, 0, 0), mo_v3(0, 0.500001, 0), mo_v3(X), INFINITY);
  assert_missed(ball, at(-3, 0, 0), mo_v3_zero(), mo_v3(X), INFINITY); // behind
  assert_missed(ball, at(3, 0, 0), mo_v3(0, 0.3, 0), mo_v3(X), 2.5999999);
  mo_shape_release(ball);
}

static void ray_meets_a_box(void **state) {
  (void)state;
  mo_shape *box = make_box(1, 2, 3);
  mo_surface_hit hit = hit_of(box, at(5, 0, 0), mo_v3(0, 1.9, -2.9), mo_v3(X));
  assert_near(hit.distance, 4, 1e-15);
  assert_vector_near(hit.normal, -1, 0, 0, 0);
  // An edge turned towards the ray.
  mo_transform yawed = turned(5, 0, 0, mo_v3(0, 0, MO_PI / 4));
  hit = hit_of(box, yawed, mo_v3(0, 3.0 / sqrt(2.0), 0), mo_v3(X));
  assert_near(hit.normal.x, -sqrt(0.5), 1e-15);
  assert_missed(box, yawed, mo_v3(0, 3.0 / sqrt(2.0) + 1e-9, 0), mo_v3(X), INFINITY);
  assert_missed(box, at(5, 0, 0), mo_v3(0, 2.0000001, 0), mo_v3(X), INFINITY);
  mo_shape_release(box);
}

static void ray_meets_a_plane_from_its_open_side(void **state) {
  (void)state;
  mo_result result;
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 2, 0), 1.0, &result);
  mo_vec3 down = mo_normalize(mo_v3(1, -1, 0));
  mo_surface_hit hit = hit_of(plane, at(0, 3, 0), mo_v3(7, 6, 0), down);
  assert_near(hit.distance, 2.0 * sqrt(2.0), 1e-14);
  assert_vector_near(hit.position, 9, 4, 0, 1e-14);
  assert_vector_near(hit.normal, 0, 1, 0, 0);
  assert_missed(plane, at(0, 3, 0), mo_v3(7, 6, 0), mo_neg(down), INFINITY);
  assert_missed(plane, at(0, 3, 0), mo_v3(7, 6, 0), mo_v3(X), INFINITY); // along it
  mo_shape_release(plane);
}

static void ray_meets_a_capsule(void **state) {
  (void)state;
  mo_shape *capsule = make_capsule(0.5, 1.0);
  mo_surface_hit side = hit_of(capsule, at(0, 0, 0), mo_v3(-3, 0.7, 0.3), mo_v3(X));
  assert_near(side.distance, 2.6, 1e-15);
  assert_vector_near(side.normal, -0.8, 0, 0.6, 1e-15);
  mo_surface_hit cap = hit_of(capsule, at(0, 0, 0), mo_v3(-3, 1.3, 0), mo_v3(X));
  assert_near(cap.distance, 2.6, 1e-15);
  assert_vector_near(cap.normal, -0.8, 0.6, 0, 1e-15);
  mo_surface_hit axial = hit_of(capsule, at(0, 0, 0), mo_v3(0, 5, 0), mo_v3(0, -1, 0));
  assert_near(axial.distance, 3.5, 1e-15);
  assert_vector_near(axial.normal, 0, 1, 0, 1e-15);
  // Nearly along the axis, outside of the tube at first.
  mo_vec3 steep = mo_normalize(mo_v3(1e-9, -1, 0));
  mo_surface_hit grazing = hit_of(capsule, at(0, 0, 0), mo_v3(-0.5 - 1e-9, 2, 0), steep);
  assert_vector_near(grazing.position, -0.5, 1.0, 0, 1e-4);
  assert_missed(capsule, at(0, 0, 0), mo_v3(-3, 1.51, 0), mo_v3(X), INFINITY);
  // Inside of an end, the tube and the other end.
  for (double y = -1.4; y <= 1.4; y += 0.7) {
    assert_true(hit_of(capsule, at(0, 0, 0), mo_v3(0.05, y, 0.05), steep).distance == 0.0);
  }
  mo_shape_release(capsule);
}

static void ray_from_inside_meets_the_shape_at_once(void **state) {
  (void)state;
  mo_result result;
  mo_shape *capsule = make_capsule(0.5, 1.0);
  mo_shape *shapes[] = {make_sphere(1), make_cube(), make_random_hull(40, true, mo_v3(1, 1, 1)),
                        mo_shape_create_plane(mo_v3(0, 1, 0), 1.0, &result), capsule};
  for (int i = 0; i < 5; i++) {
    mo_transform t = turned(3, 4, 5, mo_v3(0.3, 0.2, 0.1));
    mo_vec3 origin = mo_v3(3.1, 4.1, 5.1), direction = mo_normalize(mo_v3(1, 2, -3));
    mo_surface_hit hit = {0};
    assert_true(mo_shape_cast_ray(shapes[i], t, origin, direction, 0.0, &hit));
    assert_true(hit.distance == 0.0 && mo_v3_equal(hit.position, origin));
    assert_near(mo_dot(hit.normal, direction), -1.0, 1e-15);
    mo_shape_release(shapes[i]);
  }
}

static void ray_from_the_surface_counts_if_it_goes_in(void **state) {
  (void)state;
  mo_shape *cube = make_cube(), *ball = make_sphere(0.5);
  mo_shape *capsule = make_capsule(0.5, 1.0);
  const mo_shape *shapes[] = {cube, ball, capsule};
  for (int i = 0; i < 3; i++) {
    mo_surface_hit in = hit_of(shapes[i], at(0, 0, 0), mo_v3(0.5, 0, 0), mo_v3(-1, 0, 0));
    assert_true(in.distance == 0.0);
    assert_vector_near(in.normal, 1, 0, 0, 0);
    assert_missed(shapes[i], at(0, 0, 0), mo_v3(0.5, 0, 0), mo_v3(X), INFINITY);
    assert_missed(shapes[i], at(0, 0, 0), mo_v3(0.5, 0, 0), mo_v3(0, 0, 1), INFINITY);
  }
  mo_shape_release(cube);
  mo_shape_release(ball);
  mo_shape_release(capsule);
}

// The depth of a point below the surface, from the outside negative: by other code than the cast.
static double depth_in(const mo_shape *shape, mo_vec3 p) {
  if (shape->hull) {
    return -mo_hull_signed_distance(shape->hull, p);
  }
  if (mo_shape_is_unbounded(shape)) {
    return shape->offset - mo_dot(shape->normal, p);
  }
  double half_height = shape->core.half_extents.y;
  mo_vec3 core = mo_v3(0, mo_clamp(p.y, -half_height, half_height), 0);
  return shape->core.radius - mo_distance_between(p, core);
}

// The ray up to the hit must be outside and just behind it inside; a miss must be outside all
// along.
static void check_by_sampling(const mo_shape *shape, mo_transform t, mo_vec3 origin,
                              mo_vec3 direction, int *hits) {
  mo_vec3 o = mo_transform_point_inverse(t, origin);
  mo_vec3 d = mo_mat3_mul_transposed(t.rotation, direction);
  mo_surface_hit hit = {.distance = 8.0};
  bool is_hit = mo_shape_cast_ray(shape, t, origin, direction, 8.0, &hit);
  *hits += is_hit;
  for (int i = 0; i < 100; i++) {
    double s = (hit.distance - 1e-9) * (i + 0.5) / 100.0;
    assert_true(s < 0.0 || depth_in(shape, mo_add_scaled(o, s, d)) < 1e-12);
  }
  if (is_hit) {
    mo_vec3 p = mo_transform_point_inverse(t, hit.position);
    assert_true(hit.distance == 0.0 ? depth_in(shape, p) > -1e-12
                                    : fabs(depth_in(shape, p)) < 1e-12);
    assert_near(mo_distance_between(hit.position, mo_add_scaled(origin, hit.distance, direction)),
                0.0, 1e-12);
    assert_near(mo_length(hit.normal), 1.0, 1e-14);
    assert_true(mo_dot(hit.normal, direction) <= 0.0);
    // The normal is that of the surface: one step along it is a step of the same size outwards.
    mo_vec3 n = mo_mat3_mul_transposed(t.rotation, hit.normal);
    double out = depth_in(shape, mo_add_scaled(p, 1e-6, n));
    assert_true(hit.distance == 0.0 || fabs(out + 1e-6) < 1e-11);
  }
}

static void random_rays_agree_with_sampling(void **state) {
  (void)state;
  random_seed(41);
  mo_result result;
  mo_shape *capsule = make_capsule(0.4, 0.7);
  mo_shape *shapes[] = {make_sphere(0.8),
                        make_box(0.3, 0.6, 0.9),
                        make_random_hull(16, false, mo_v3(1, 1, 1)),
                        make_random_hull(200, true, mo_v3(1, 0.5, 0.7)),
                        mo_shape_create_plane(mo_v3(1, 2, 3), 0.3, &result),
                        capsule};
  for (int k = 0; k < 6; k++) {
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
      mo_transform t = random_placement(1.0);
      mo_vec3 origin = random_in_cube(3.0);
      mo_vec3 aim = random_in_cube(1.5);
      check_by_sampling(shapes[k], t, origin, mo_normalize(mo_sub(aim, origin)), &hits);
    }
    assert_true(hits > 200 && hits < 1990);
  }
  for (int k = 0; k < 6; k++) {
    mo_shape_release(shapes[k]);
  }
}

// A step of 2^-30 m is exact in numbers near 2^20 m: nothing may be lost but what positions lose.
static void far_from_the_origin_nothing_is_lost(void **state) {
  (void)state;
  random_seed(42);
  mo_shape *capsule = make_capsule(0.4, 0.7);
  mo_shape *shapes[] = {make_sphere(0.8), make_box(0.3, 0.6, 0.9),
                        make_random_hull(50, false, mo_v3(1, 1, 1)), capsule};
  mo_vec3 far = mo_v3(0x1p20, -0x1p20, 0x1p20);
  for (int i = 0; i < 1000; i++) {
    mo_transform near = random_placement(0.0), moved = near;
    moved.translation = far;
    mo_vec3 origin = random_in_cube(3.0);
    origin = mo_v3(floor(origin.x * 0x1p30) * 0x1p-30, floor(origin.y * 0x1p30) * 0x1p-30,
                   floor(origin.z * 0x1p30) * 0x1p-30);
    mo_vec3 direction = mo_normalize(mo_sub(random_in_cube(1.0), origin));
    const mo_shape *shape = shapes[i % 4];
    mo_surface_hit a = {0}, b = {0};
    bool is_met = mo_shape_cast_ray(shape, near, origin, direction, INFINITY, &a);
    assert_true(is_met ==
                mo_shape_cast_ray(shape, moved, mo_add(origin, far), direction, INFINITY, &b));
    assert_true(a.distance == b.distance && mo_v3_equal(a.normal, b.normal));
    assert_true(!is_met || mo_length(mo_sub(mo_sub(b.position, far), a.position)) < 1e-9);
  }
  for (int k = 0; k < 4; k++) {
    mo_shape_release(shapes[k]);
  }
}

static void numbers_that_overflow_meet_nothing(void **state) {
  (void)state;
  mo_shape *capsule = make_capsule(0.5, 1.0);
  mo_shape *ball = make_sphere(1), *cube = make_cube();
  const mo_shape *shapes[] = {ball, cube, capsule};
  for (int i = 0; i < 3; i++) {
    assert_missed(shapes[i], at(0, 0, 0), mo_v3(1e200, 1e200, 0), mo_v3(X), INFINITY);
    assert_missed(shapes[i], at(0, 0, 0), mo_v3(NAN, 0, 0), mo_v3(X), INFINITY);
  }
  mo_shape_release(ball);
  mo_shape_release(cube);
  mo_shape_release(capsule);
}

TEST_GROUP(ray_cast) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ray_meets_a_sphere),
      cmocka_unit_test(ray_meets_a_box),
      cmocka_unit_test(ray_meets_a_plane_from_its_open_side),
      cmocka_unit_test(ray_meets_a_capsule),
      cmocka_unit_test(ray_from_inside_meets_the_shape_at_once),
      cmocka_unit_test(ray_from_the_surface_counts_if_it_goes_in),
      cmocka_unit_test(random_rays_agree_with_sampling),
      cmocka_unit_test(far_from_the_origin_nothing_is_lost),
      cmocka_unit_test(numbers_that_overflow_meet_nothing),
  };
  return run_group(tests, NULL, NULL);
}
