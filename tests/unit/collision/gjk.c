#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/gjk.h"

static mo_gjk_result gjk(const mo_shape *a, mo_transform ta, const mo_shape *b, mo_transform tb) {
  mo_minkowski pair = mo_minkowski_create(&a->core, ta, &b->core, tb);
  return mo_gjk(&pair, INFINITY);
}

// A13
static void cubes_side_by_side(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  assert_int_equal(gjk(cube, at(0, 0, 0), cube, at(0.9, 0, 0)).status, MO_GJK_OVERLAP);
  mo_gjk_result apart = gjk(cube, at(0, 0, 0), cube, at(1.1, 0, 0));
  assert_int_equal(apart.status, MO_GJK_APART);
  assert_near(apart.distance, 0.1, 1e-9);
  assert_vector_near(apart.normal, 1, 0, 0, 1e-9);
  mo_gjk_result touching = gjk(cube, at(0, 0, 0), cube, at(1.0, 0, 0));
  assert_true(touching.status == MO_GJK_OVERLAP || touching.distance < 1e-6);
  mo_shape_release(cube);
}

// A14, the miss
static void yawed_cube_misses(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_gjk_result r = gjk(cube, at(0, 0, 0), cube, turned(1.21, 0, 0, mo_v3(0, 0, MO_PI / 4)));
  assert_int_equal(r.status, MO_GJK_APART);
  assert_near(r.distance, 0.0028932188, 1e-9);
  assert_vector_near(r.normal, 1, 0, 0, 1e-9);
  mo_shape_release(cube);
}

static void corner_to_corner(void **state) {
  (void)state;
  mo_shape *box = make_box(1, 2, 3);
  mo_gjk_result r = gjk(box, at(0, 0, 0), box, at(2.3, 4.4, 6.0 + 1.2));
  assert_near(r.distance, 1.3, 1e-12);
  assert_vector_near(r.point_a, 1, 2, 3, 1e-12);
  assert_vector_near(r.point_b, 1.3, 2.4, 4.2, 1e-12);
  mo_shape_release(box);
}

static void crossed_edges(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_gjk_result r = gjk(cube, turned(0, 0, 0, mo_v3(0, MO_PI / 4, 0)), cube,
                        turned(0, 0, 1.5, mo_v3(MO_PI / 4, 0, 0)));
  assert_near(r.distance, 1.5 - 1.4142135623730951, 1e-12);
  mo_shape_release(cube);
}

// The distance of random hulls is that of their closest features, and the witnesses prove it.
static void random_hulls_against_features(void **state) {
  (void)state;
  random_seed(1);
  int apart = 0;
  for (int i = 0; i < 400; i++) {
    mo_shape *a = make_random_hull(4 + i % 21, i % 3 == 0, mo_v3(1, random_between(0.05, 1), 1));
    mo_shape *b = make_random_hull(4 + i % 17, i % 2 == 0, mo_v3(random_between(0.05, 2), 1, 1));
    mo_transform ta = random_placement(1);
    mo_transform tb = random_placement(3);
    mo_gjk_result r = gjk(a, ta, b, tb);
    double sat = sat_separation(a->hull, ta, b->hull, tb);
    if (fabs(sat) > 1e-9) {
      assert_int_equal(r.status == MO_GJK_APART, sat > 0.0);
    }
    if (r.status == MO_GJK_APART) {
      apart++;
      assert_near(r.distance, feature_distance(a->hull, ta, b->hull, tb), 1e-12);
      assert_near(mo_distance_between(r.point_a, r.point_b), r.distance, 1e-13);
      mo_vec3 in_b = mo_transform_point_inverse(mo_transform_relative(ta, tb), r.point_b);
      assert_near(mo_hull_signed_distance(a->hull, r.point_a), 0.0, 1e-13);
      assert_near(mo_hull_signed_distance(b->hull, in_b), 0.0, 1e-13);
      double proof = separation_along(a->hull, ta, b->hull, tb, mo_mat3_mul(ta.rotation, r.normal));
      assert_near(proof, r.distance, 1e-12);
    }
    mo_shape_release(a);
    mo_shape_release(b);
  }
  assert_true(apart > 100);
}

// Far from the origin only the poses themselves lose digits.
static void far_from_the_origin(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_gjk_result r = gjk(cube, at(1e6, -1e6, 1e6), cube, at(1e6 + 1.25, -1e6, 1e6 + 0.125));
  assert_near(r.distance, 0.25, 1e-15);
  mo_shape_release(cube);
}

static void scales(void **state) {
  (void)state;
  for (double scale = 1e-3; scale < 2e3; scale *= 10.0) {
    mo_shape *small = make_box(0.5 * scale, 0.5 * scale, 0.5 * scale);
    mo_gjk_result r =
        gjk(small, at(0, 0, 0), small, turned(1.3 * scale, 0, 0, mo_v3(0, 0, MO_PI / 4)));
    assert_near(r.distance, (1.3 - 0.5 - 0.70710678118654752) * scale, 1e-13 * scale);
    mo_shape_release(small);
  }
}

// A needle and a slab a thousand times thinner than wide.
static void slivers(void **state) {
  (void)state;
  mo_shape *slab = make_box(50, 0.01, 50), *needle = make_box(0.001, 2, 0.001);
  mo_gjk_result r = gjk(slab, at(0, 0, 0), needle, at(13.7, 2.02, -31.1));
  assert_near(r.distance, 0.01, 1e-12);
  assert_vector_near(r.normal, 0, 1, 0, 1e-10);
  mo_shape_release(slab);
  mo_shape_release(needle);
}

// Exactly touching faces, edges and corners: a verdict either way, no distance to speak of.
static void exact_touching(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  const mo_vec3 offsets[] = {{1, 0, 0},   {1, 1, 0},    {1, 1, 1},
                             {1, 0.3, 0}, {1, 1, 0.25}, {-1, 0.5, 1}};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
    mo_gjk_result r = gjk(cube, at(0, 0, 0), cube, at(offsets[i].x, offsets[i].y, offsets[i].z));
    assert_true(r.distance < 1e-9 && r.iterations < 20);
  }
  mo_shape_release(cube);
}

// A point core: the distance of its centre.
static void point_and_hull(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_convex point = mo_convex_point(0.0);
  mo_minkowski pair = mo_minkowski_create(&cube->core, at(0, 0, 0), &point, at(1.5, 0.9, 0.1));
  mo_gjk_result r = mo_gjk(&pair, INFINITY);
  assert_near(r.distance, sqrt(1.0 + 0.16), 1e-14);
  assert_vector_near(r.point_a, 0.5, 0.5, 0.1, 1e-14);
  mo_shape_release(cube);
}

// The early way out never hides a pair that is within reach.
static void beyond_means_beyond(void **state) {
  (void)state;
  random_seed(2);
  mo_shape *box = make_box(0.3, 0.7, 1.1);
  for (int i = 0; i < 2000; i++) {
    mo_transform ta = random_placement(1);
    mo_transform tb = random_placement(3);
    double exact = gjk(box, ta, box, tb).distance;
    mo_minkowski pair = mo_minkowski_create(&box->core, ta, &box->core, tb);
    double limit = random_between(0.0, 1.0);
    if (mo_gjk(&pair, limit).status == MO_GJK_BEYOND) {
      assert_true(exact > limit);
    }
  }
  mo_shape_release(box);
}

// A search that begins where the last one ended finds the same, and where little has moved at once.
static void from_a_known_simplex(void **state) {
  (void)state;
  random_seed(3);
  mo_shape *a = make_random_hull(30, true, mo_v3(0.6, 0.6, 0.6)), *b = make_box(0.3, 0.7, 0.2);
  int iterations = 0, warm_iterations = 0;
  for (int i = 0; i < 2000; i++) {
    mo_transform ta = random_placement(1), tb = random_placement(3);
    mo_minkowski pair = mo_minkowski_create(&a->core, ta, &b->core, tb);
    mo_gjk_result before = mo_gjk(&pair, INFINITY);
    if (before.status == MO_GJK_OVERLAP) {
      continue;
    }
    mo_gjk_result same = mo_gjk_from(&pair, &before.simplex, INFINITY);
    assert_true(same.iterations <= 1);
    assert_near(same.distance, before.distance, 1e-14);
    tb.translation = mo_add(tb.translation, random_in_cube(i % 2 ? 1e-3 : 1.0));
    mo_minkowski moved = mo_minkowski_create(&a->core, ta, &b->core, tb);
    mo_gjk_result cold = mo_gjk(&moved, INFINITY);
    mo_gjk_result warm = mo_gjk_from(&moved, &before.simplex, INFINITY);
    assert_int_equal(warm.status, cold.status);
    if (cold.status == MO_GJK_APART) {
      assert_near(warm.distance, cold.distance, 1e-13);
      assert_true(mo_distance_between(warm.point_a, cold.point_a) < 1e-6 || cold.distance < 1e-9);
    }
    iterations += i % 2 ? cold.iterations : 0;
    warm_iterations += i % 2 ? warm.iterations : 0;
  }
  assert_true(2 * warm_iterations < iterations);
  mo_shape_release(a);
  mo_shape_release(b);
}

TEST_GROUP(gjk) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes_side_by_side),
      cmocka_unit_test(yawed_cube_misses),
      cmocka_unit_test(corner_to_corner),
      cmocka_unit_test(crossed_edges),
      cmocka_unit_test(random_hulls_against_features),
      cmocka_unit_test(far_from_the_origin),
      cmocka_unit_test(scales),
      cmocka_unit_test(slivers),
      cmocka_unit_test(exact_touching),
      cmocka_unit_test(point_and_hull),
      cmocka_unit_test(beyond_means_beyond),
      cmocka_unit_test(from_a_known_simplex),
  };
  return run_group(tests, NULL, NULL);
}
