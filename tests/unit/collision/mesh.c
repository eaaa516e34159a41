// Contacts of convex shapes with meshes (acceptance rows A84 and A85, and shapes on flat ground).
#include "assert_near_v3.h"
#include "collision/narrow/mesh_manifolds.h"
#include "test_group.h"

#include <math.h>

static mo_shape *ridge(double height, bool one_sided) {
  mo_vec3 vertices[6] = {{-1, -1, 0},    {-1, 1, 0}, {0, -1, height},
                         {0, 1, height}, {1, -1, 0}, {1, 1, 0}};
  uint32_t indices[12] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};
  mo_mesh_def def = {vertices, 6, indices, 12, one_sided};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_int_equal(result, MO_OK);
  return shape;
}

// A flat floor of n x n cells of `size` about the origin, z up, with alternating diagonals.
static mo_shape *floor_of(uint32_t n, double size) {
  static mo_vec3 vertices[101 * 101];
  static uint32_t indices[6 * 100 * 100];
  uint32_t count = 0;
  for (uint32_t i = 0; i <= n; i++) {
    for (uint32_t j = 0; j <= n; j++) {
      vertices[i * (n + 1) + j] = mo_v3((j - 0.5 * n) * size, (i - 0.5 * n) * size, 0.0);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      uint32_t a = i * (n + 1) + j, b = a + 1, c = b + n + 1, d = a + n + 1;
      const uint32_t one[6] = {a, b, c, a, c, d}, other[6] = {a, b, d, b, c, d};
      for (int k = 0; k < 6; k++) {
        indices[count++] = (i + j) % 2 ? one[k] : other[k];
      }
    }
  }
  mo_mesh_def def = {vertices, (n + 1) * (n + 1), indices, count, false};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_int_equal(result, MO_OK);
  return shape;
}

static mo_mesh_manifolds touch(const mo_shape *shape, mo_transform placement,
                               const mo_shape *mesh) {
  mo_transform world = at(0, 0, 0);
  mo_mesh_manifolds all;
  mo_collide_mesh(shape, &placement, mesh, &world, 1e-3, 1.0, &all);
  return all;
}

static void assert_one(const mo_mesh_manifolds *all, mo_vec3 normal, double depth) {
  assert_int_equal(all->count, 1);
  assert_int_equal(all->manifolds[0].point_count, 1);
  assert_near_v3(all->manifolds[0].normal, normal, 1e-8);
  assert_near(-all->manifolds[0].points[0].separation, depth, 1e-8);
}

static void sphere_on_ridge_face_corner_and_valley(void **state) {
  (void)state;
  mo_result result;
  mo_shape *ball = mo_shape_create_sphere(0.25, &result), *mesh = ridge(0.5, false);
  mo_mesh_manifolds all = touch(ball, at(0.05, 0, 0.7), mesh);
  assert_one(&all, mo_v3(-0.24253563, 0, -0.9701425), 0.0438447187);
  all = touch(ball, at(0.607331263, 0.2, 0.464662526), mesh);
  assert_one(&all, mo_v3(-0.4472136, 0, -0.89442719), 0.01);
  assert_near_v3(all.manifolds[0].points[0].point_b, mo_v3(0.5, 0.2, 0.25), 1e-8);
  all = touch(ball, at(1.2021, 1.1011, 0.0808), mesh);
  assert_one(&all, mo_v3(-0.84212529, -0.42127099, -0.33668344), 0.0100119586);
  mo_shape_release(mesh);
  mesh = ridge(-0.5, false);
  all = touch(ball, at(0, 0, -0.231671843), mesh);
  assert_int_equal(all.count, 2);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(all.manifolds[i].point_count, 1);
    assert_near(fabs(all.manifolds[i].normal.x), 0.4472136, 1e-7);
    assert_near(all.manifolds[i].normal.z, -0.89442719, 1e-7);
    assert_near(-all.manifolds[i].points[0].separation, 0.01, 1e-8);
  }
  mo_shape_release(mesh);
  mo_shape_release(ball);
}

// A box that lies on flat ground has the four corners as its contact, wherever it lies.
static void box_on_flat_ground_touches_with_its_corners(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.4, 0.3), &result), *mesh = floor_of(100, 0.5);
  for (int i = 0; i < 300; i++) {
    double x = -20.0 + 0.137 * i, y = 15.0 - 0.0931 * i, angle = 0.21 * i;
    mo_mesh_manifolds all = touch(box, turned(x, y, 0.2995, mo_v3(0, 0, angle)), mesh);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.manifolds[0].point_count, 4);
    assert_near_v3(all.manifolds[0].normal, mo_v3(0, 0, -1), 1e-12);
    for (int k = 0; k < 4; k++) {
      mo_manifold_point p = all.manifolds[0].points[k];
      assert_near(p.separation, -5e-4, 1e-12);
      mo_vec3 from = mo_sub(p.point_a, mo_v3(x, y, 0.0));
      assert_near(from.x * from.x + from.y * from.y, 0.41, 1e-9);
    }
  }
  mo_shape_release(box);
  mo_shape_release(mesh);
}

static void capsule_and_tilted_box_feel_the_plane_alone(void **state) {
  (void)state;
  mo_result result;
  mo_shape *capsule = mo_shape_create_capsule(0.2, 0.7, &result), *mesh = floor_of(100, 0.5);
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.5, 0.5), &result);
  double high = 0.5 * (sin(0.3) + cos(0.3));
  for (int i = 0; i < 300; i++) {
    double x = -20.0 + 0.0817 * i, y = 5.0 - 0.0931 * i;
    // Rz(angle) after Rz-90 keeps the axis in the plane.
    mo_mesh_manifolds all = touch(capsule, turned(x, y, 0.199, mo_v3(0, 0, 0.3 * i)), mesh);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.manifolds[0].point_count, 2);
    assert_near_v3(all.manifolds[0].normal, mo_v3(0, 0, -1), 1e-12);
    all = touch(box, turned(x, y, high - 1e-3, mo_v3(0.3, 0, 0)), mesh);
    assert_int_equal(all.count, 1);
    assert_near_v3(all.manifolds[0].normal, mo_v3(0, 0, -1), 1e-12);
    assert_int_equal(all.manifolds[0].point_count, 2);
    assert_near(fabs(all.manifolds[0].points[0].point_a.x - x), 0.5, 1e-9);
  }
  mo_shape_release(capsule);
  mo_shape_release(box);
  mo_shape_release(mesh);
}

// A flat box across the ridge lies on a line of it.
static void box_lies_on_a_ridge_with_two_points(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = mo_shape_create_box(mo_v3(0.3, 0.4, 0.1), &result), *mesh = ridge(0.5, false);
  mo_mesh_manifolds all = touch(box, at(0.02, 0.03, 0.599), mesh);
  assert_int_equal(all.count, 1);
  assert_int_equal(all.manifolds[0].point_count, 2);
  assert_near_v3(all.manifolds[0].normal, mo_v3(0, 0, -1), 1e-6);
  for (int k = 0; k < 2; k++) {
    assert_near(all.manifolds[0].points[k].separation, -1e-3, 1e-6);
    assert_near(all.manifolds[0].points[k].point_b.x, 0.0, 1e-9);
  }
  assert_near(fabs(all.manifolds[0].points[0].point_b.y - all.manifolds[0].points[1].point_b.y),
              0.8, 1e-6);
  mo_shape_release(box);
  mo_shape_release(mesh);
}

static void box_half_over_the_border_keeps_the_border(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.5, 0.5), &result), *mesh = floor_of(4, 0.5);
  mo_mesh_manifolds all = touch(box, at(1.0, 0.1, 0.4999), mesh);
  assert_int_equal(all.count, 1);
  assert_int_equal(all.manifolds[0].point_count, 4);
  for (int k = 0; k < 4; k++) {
    double x = all.manifolds[0].points[k].point_b.x;
    assert_true(fabs(x - 1.0) < 1e-6 || fabs(x - 0.5) < 1e-6);
  }
  mo_shape_release(box);
  mo_shape_release(mesh);
}

static mo_shape *mesh_box(double half, bool one_sided) {
  mo_vec3 v[8];
  for (int i = 0; i < 8; i++) {
    v[i] = mo_v3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
  }
  uint32_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  mo_mesh_def def = {v, 8, indices, 36, one_sided};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_int_equal(mo_shape_check_solid(shape).result, MO_OK);
  return shape;
}

static void deep_starts_leave_by_the_near_side(void **state) {
  (void)state;
  mo_result result;
  mo_shape *ball = mo_shape_create_sphere(0.25, &result);
  mo_shape *box = mo_shape_create_box(mo_v3(0.25, 0.25, 0.25), &result);
  for (int sided = 0; sided < 2; sided++) {
    mo_shape *mesh = mesh_box(1.0, sided == 1);
    mo_mesh_manifolds all = touch(ball, at(0.1, 0.2, 0.85), mesh);
    assert_one(&all, mo_v3(0, 0, -1), 0.4);
    all = touch(box, at(0.1, 0.2, 0.85), mesh);
    assert_int_equal(all.count, 1);
    assert_near_v3(all.manifolds[0].normal, mo_v3(0, 0, -1), 1e-9);
    assert_near(-all.manifolds[0].points[0].separation, 0.4, 1e-9);
    // On a corner of the mesh nothing pushes back in.
    all = touch(box, at(1.2, 1.2, 1.1), mesh);
    assert_true(all.count > 0);
    for (int i = 0; i < all.count; i++) {
      mo_vec3 n = all.manifolds[i].normal;
      assert_true(n.x <= 1e-9 && n.y <= 1e-9 && n.z <= 1e-9);
    }
    mo_shape_release(mesh);
  }
  mo_shape_release(ball);
  mo_shape_release(box);
}

static mo_shape *heights_of(uint32_t side, const double *heights, bool one_sided) {
  mo_heightfield_def def = {heights, side, side, mo_v3(1, 1, 1), one_sided};
  mo_result result;
  mo_shape *shape = mo_shape_create_heightfield(&def, &result);
  assert_int_equal(result, MO_OK);
  return shape;
}

// Asserts that all contacts push the shape up, the deepest by `depth`.
static void assert_pushed_up(const mo_shape *shape, mo_transform placement, const mo_shape *mesh,
                             double depth) {
  mo_mesh_manifolds all = touch(shape, placement, mesh);
  double deepest = 0.0;
  assert_true(all.count > 0);
  for (int i = 0; i < all.count; i++) {
    assert_true(all.manifolds[i].normal.y < -0.5);
    for (int k = 0; k < all.manifolds[i].point_count; k++) {
      deepest = mo_max(deepest, -all.manifolds[i].points[k].separation);
    }
  }
  assert_near(deepest, depth, 0.1 * depth);
}

// The centroid of a cone is near its base, so it is below the ground while most of the cone is
// above.
static void a_cone_with_a_deep_base_leaves_upwards(void **state) {
  (void)state;
  static const double flat[121];
  mo_result result;
  mo_shape *cone = mo_shape_create_cone(0.3, 1.0, 0.0, &result);
  mo_shape *meshes[] = {heights_of(11, flat, false), heights_of(11, flat, true),
                        mesh_box(5.0, false), mesh_box(5.0, true)};
  for (int i = 0; i < 4; i++) {
    double top = i < 2 ? 0.0 : 5.0;
    assert_pushed_up(cone, at(0.03, top + 0.3, 0.1), meshes[i], 0.7);
    assert_pushed_up(cone, at(0.03, top + 0.1, 0.1), meshes[i], 0.9);
    mo_shape_release(meshes[i]);
  }
  mo_shape_release(cone);
}

static void a_cone_over_a_hill_is_in_contact(void **state) {
  (void)state;
  static const double hill[] = {0, 0.1, 0, 0.1, 0.3, 0.1, 0, 0.1, 0};
  mo_result result;
  mo_shape *cone = mo_shape_create_cone(0.5, 0.5, 0.0, &result);
  for (int sided = 0; sided < 2; sided++) {
    mo_shape *mesh = heights_of(3, hill, sided == 1);
    for (int i = 0; i < 25; i++) {
      double x = 0.1 * (i % 5 - 2), z = 0.1 * (i / 5 - 2);
      for (int k = 0; k < 5; k++) {
        mo_mesh_manifolds all = touch(cone, at(x, 0.3 + 0.1 * k, z), mesh);
        assert_true(all.count > 0);
        assert_true(all.manifolds[0].normal.y < -0.5);
        assert_true(all.manifolds[0].points[0].separation < 0.0);
      }
    }
    mo_shape_release(mesh);
  }
  mo_shape_release(cone);
}

TEST_GROUP(mesh) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphere_on_ridge_face_corner_and_valley),
      cmocka_unit_test(box_on_flat_ground_touches_with_its_corners),
      cmocka_unit_test(capsule_and_tilted_box_feel_the_plane_alone),
      cmocka_unit_test(box_lies_on_a_ridge_with_two_points),
      cmocka_unit_test(box_half_over_the_border_keeps_the_border),
      cmocka_unit_test(deep_starts_leave_by_the_near_side),
      cmocka_unit_test(a_cone_with_a_deep_base_leaves_upwards),
      cmocka_unit_test(a_cone_over_a_hill_is_in_contact),
  };
  return run_group(tests, NULL, NULL);
}
