// Shapes: what is refused, mass properties, bounds, references.
#include "hull_fixture.h"
#include "test_group.h"

#include "geometry/shape.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const double not_positive[] = {0.0, -0.0, -1.0, NAN, INFINITY, -INFINITY};

static mo_shape *created(mo_shape *shape, mo_result result) {
  assert_int_equal(result, MO_OK);
  assert_non_null(shape);
  return shape;
}

static void sphere(void **state) {
  (void)state;
  mo_result result = MO_ERROR_CAPACITY;
  mo_shape *shape = mo_shape_create_sphere(2.0, &result);
  created(shape, result);
  assert_int_equal(mo_shape_get_type(shape), MO_SHAPE_SPHERE);
  assert_near(shape->volume, 32.0 / 3.0 * MO_PI, 1e-13);
  assert_near_mat3(shape->inertia_per_mass, mo_mat3_diagonal(1.6, 1.6, 1.6), 1e-15);
  assert_near(shape->bounding_radius, 2.0, 0.0);
  mo_bounds bounds = mo_shape_bounds(shape, &(mo_transform){mo_mat3_identity(), mo_v3(1, 2, 3)});
  assert_near_v3(bounds.lower, mo_v3(-1, 0, 1), 0.0);
  assert_near_v3(bounds.upper, mo_v3(3, 4, 5), 0.0);
  mo_shape_release(shape);
}

static void box(void **state) {
  (void)state;
  mo_result result;
  mo_shape *shape = mo_shape_create_box(mo_v3(1.0, 1.5, 2.0), &result);
  created(shape, result);
  assert_int_equal(mo_shape_get_type(shape), MO_SHAPE_BOX);
  assert_near(shape->volume, 24.0, 1e-14);
  assert_near_mat3(shape->inertia_per_mass, mo_mat3_diagonal(25.0 / 12.0, 20.0 / 12.0, 13.0 / 12.0),
                   1e-15);
  assert_near(shape->bounding_radius, sqrt(1.0 + 2.25 + 4.0), 1e-15);
  assert_near_v3(shape->hull->upper, mo_v3(1.0, 1.5, 2.0), 0.0);

  // turned by 45 degrees about y
  mo_transform turned = {mo_quat_to_mat3(mo_quat_exp(mo_v3(0.0, MO_PI / 4.0, 0.0))),
                         mo_v3(10.0, 0.0, 0.0)};
  mo_bounds bounds = mo_shape_bounds(shape, &turned);
  assert_near_v3(bounds.upper, mo_v3(10.0 + 3.0 / sqrt(2.0), 1.5, 3.0 / sqrt(2.0)), 1e-14);
  assert_near_v3(bounds.lower, mo_v3(10.0 - 3.0 / sqrt(2.0), -1.5, -3.0 / sqrt(2.0)), 1e-14);
  mo_shape_release(shape);
}

static void hull_off_its_origin(void **state) {
  (void)state;
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    points[i] = mo_add(cube_corner(i), mo_v3(5.0, 0.0, 0.0));
  }
  size_t bytes = mo_allocated_bytes();
  mo_hull *hull = hull_of(points, 8);
  mo_result result;
  mo_shape *shape = mo_shape_create_hull(hull, &result);
  created(shape, result);
  mo_hull_release(hull); // the shape holds on to it
  assert_int_equal(mo_shape_get_type(shape), MO_SHAPE_HULL);
  assert_near(shape->volume, 1.0, 1e-15);
  assert_near_v3(shape->centroid, mo_v3(5.5, 0.5, 0.5), 1e-15);
  assert_near(shape->bounding_radius, sqrt(0.75), 1e-15);
  mo_bounds bounds =
      mo_shape_bounds(shape, &(mo_transform){mo_mat3_identity(), mo_v3(-5.0, 0.0, 0.0)});
  assert_near_v3(bounds.lower, mo_v3_zero(), 0.0);
  assert_near_v3(bounds.upper, mo_v3(1, 1, 1), 0.0);
  mo_shape_release(shape);
  assert_int_equal(mo_allocated_bytes(), bytes);
  assert_null(mo_shape_create_hull(NULL, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
}

static void plane(void **state) {
  (void)state;
  mo_result result;
  static const double lengths[] = {1e-300, 1e-3, 1.0, 1e3, 1e300};
  for (size_t i = 0; i < COUNT(lengths); i++) {
    mo_shape *shape =
        mo_shape_create_plane(mo_v3(0.0, 3.0 * lengths[i], 4.0 * lengths[i]), 2.0, &result);
    created(shape, result);
    assert_near_v3(shape->normal, mo_v3(0.0, 0.6, 0.8), 1e-15);
    assert_near(shape->offset, 2.0, 0.0);
    assert_near(shape->volume, 0.0, 0.0);
    mo_bounds bounds = mo_shape_bounds(shape, &(mo_transform){mo_mat3_identity(), mo_v3_zero()});
    assert_true(bounds.upper.y == INFINITY && bounds.lower.z == -INFINITY);
    mo_shape_release(shape);
  }
}

static void axis_aligned_plane_is_bounded_on_its_solid_side(void **state) {
  (void)state;
  mo_transform placement = {mo_mat3_identity(), mo_v3(10.0, 20.0, 30.0)};
  for (int axis = 0; axis < 3; axis++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      mo_vec3 normal = mo_v3_zero();
      (&normal.x)[axis] = sign;
      mo_shape *shape = mo_shape_create_plane(normal, 1.5, NULL);
      mo_bounds bounds = mo_shape_bounds(shape, &placement);
      for (int k = 0; k < 3; k++) {
        double at = (&placement.translation.x)[k] + sign * 1.5;
        double lower = k == axis && sign < 0 ? at : -INFINITY,
               upper = k == axis && sign > 0 ? at : INFINITY;
        assert_true((&bounds.lower.x)[k] == lower && (&bounds.upper.x)[k] == upper);
      }
      mo_shape_release(shape);
    }
  }
}

static void bad_sizes_are_refused(void **state) {
  (void)state;
  size_t bytes = mo_allocated_bytes();
  mo_result result;
  for (size_t i = 0; i < COUNT(not_positive); i++) {
    double bad = not_positive[i];
    result = MO_OK;
    assert_null(mo_shape_create_sphere(bad, &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
    assert_null(mo_shape_create_sphere(bad, NULL));
    for (int axis = 0; axis < 3; axis++) {
      mo_vec3 half = mo_v3(1.0, 1.0, 1.0);
      (&half.x)[axis] = bad;
      result = MO_OK;
      assert_null(mo_shape_create_box(half, &result));
      assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
    }
  }
  // the mass would not be a number
  static const double extremes[] = {1e-150, 1e150};
  for (size_t i = 0; i < COUNT(extremes); i++) {
    assert_null(mo_shape_create_sphere(extremes[i], &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
    assert_null(mo_shape_create_box(mo_v3(extremes[i], extremes[i], extremes[i]), &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  }
  static const mo_vec3 normals[] = {{0, 0, 0}, {NAN, 0, 1}, {0, INFINITY, 0}};
  for (size_t i = 0; i < COUNT(normals); i++) {
    assert_null(mo_shape_create_plane(normals[i], 0.0, &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  }
  assert_null(mo_shape_create_plane(mo_v3(0, 1, 0), NAN, &result));
  assert_null(mo_shape_create_plane(mo_v3(0, 1, 0), INFINITY, &result));
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void shared_shape_lives_until_the_last_reference(void **state) {
  (void)state;
  size_t bytes = mo_allocated_bytes();
  mo_shape *shape = mo_shape_create_box(mo_v3(1, 1, 1), NULL);
  mo_shape_retain(shape);
  mo_shape_release(shape);
  assert_int_equal(mo_shape_get_type(shape), MO_SHAPE_BOX);
  mo_shape_release(shape);
  mo_shape_release(NULL);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void support_is_furthest_over_the_parts(void **state) {
  (void)state;
  mo_shape *ball = mo_shape_create_sphere(0.5, NULL);
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, NULL);
  // A quarter turn about z: what is along x of the part is along y of the compound.
  const mo_pose turned = {mo_v3(0, 2, 0), {0, 0, sqrt(0.5), sqrt(0.5)}};
  mo_shape *box = mo_shape_create_box(mo_v3(1, 2, 3), NULL);
  const mo_placed_shape parts[] = {{.shape = box, .pose = turned},
                                   {.shape = ball, .pose = {mo_v3(9, 0, 0), {0, 0, 0, 1}}}};
  mo_shape *both = mo_shape_create_compound(parts, 2, NULL);
  mo_vec3 point;
  assert_int_equal(mo_shape_support(both, mo_v3(0, 1e-300, 0), &point), MO_OK);
  assert_near(point.y, 3.0, 1e-14);
  assert_int_equal(mo_shape_support(both, mo_v3(1e300, 0, 0), &point), MO_OK);
  assert_near_v3(point, mo_v3(9.5, 0, 0), 1e-14);
  assert_int_equal(mo_shape_support(both, mo_v3_zero(), &point), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_shape_support(both, mo_v3(NAN, 0, 1), &point), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_shape_support(plane, mo_v3(0, 1, 0), &point), MO_ERROR_NOT_SUPPORTED);
  mo_shape *all[] = {ball, plane, box, both};
  for (size_t i = 0; i < COUNT(all); i++) {
    mo_shape_release(all[i]);
  }
}

static void *allocate_within(size_t bytes, void *user) {
  int *left = user;
  return (*left)-- > 0 ? malloc(bytes) : NULL;
}
static void release(void *memory, void *user) {
  (void)user;
  free(memory);
}

static void no_memory_at_any_moment(void **state) {
  (void)state;
  mo_hull *hull = mo_hull_create_box(mo_v3(1, 1, 1));
  mo_hull_release(hull);
  for (int kind = 0; kind < 3; kind++) {
    mo_result result = MO_ERROR_OUT_OF_MEMORY;
    for (int calls = 0; result != MO_OK; calls++) {
      int left = calls;
      mo_set_allocator(allocate_within, release, &left);
      mo_shape *shape = kind == 0   ? mo_shape_create_sphere(1.0, &result)
                        : kind == 1 ? mo_shape_create_box(mo_v3(1, 1, 1), &result)
                                    : mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, &result);
      assert_true((shape != NULL) == (result == MO_OK));
      assert_true(result == MO_OK || result == MO_ERROR_OUT_OF_MEMORY);
      mo_shape_release(shape);
      mo_set_allocator(NULL, NULL, NULL);
      assert_int_equal(mo_allocated_bytes(), 0);
    }
  }
}

TEST_GROUP(shape) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphere),
      cmocka_unit_test(box),
      cmocka_unit_test(hull_off_its_origin),
      cmocka_unit_test(plane),
      cmocka_unit_test(axis_aligned_plane_is_bounded_on_its_solid_side),
      cmocka_unit_test(bad_sizes_are_refused),
      cmocka_unit_test(support_is_furthest_over_the_parts),
      cmocka_unit_test(shared_shape_lives_until_the_last_reference),
      cmocka_unit_test(no_memory_at_any_moment),
  };
  return run_group(tests, NULL, NULL);
}
