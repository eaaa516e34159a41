#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/epa.h"

static mo_epa_result epa(const mo_shape *a, mo_transform ta, const mo_shape *b, mo_transform tb) {
  mo_minkowski pair = mo_minkowski_create(&a->core, ta, &b->core, tb);
  mo_gjk_result r = mo_gjk(&pair, INFINITY);
  assert_int_equal(r.status, MO_GJK_OVERLAP);
  return mo_epa(&pair, &r.simplex);
}

// The witnesses are the two ends of the depth, one on each surface (E26).
static void check_witnesses(const mo_epa_result *r, const mo_shape *a, mo_transform ta,
                            const mo_shape *b, mo_transform tb, double tolerance) {
  mo_vec3 d = mo_sub(r->point_a, r->point_b);
  assert_vector_near(d, r->depth * r->normal.x, r->depth * r->normal.y, r->depth * r->normal.z,
                     tolerance);
  mo_vec3 in_b = mo_transform_point_inverse(mo_transform_relative(ta, tb), r->point_b);
  assert_near(mo_hull_signed_distance(a->hull, r->point_a), 0.0, tolerance);
  assert_near(mo_hull_signed_distance(b->hull, in_b), 0.0, tolerance);
}

// A13, A14
static void cubes(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_epa_result r = epa(cube, at(0, 0, 0), cube, at(0.9, 0, 0));
  assert_near(r.depth, 0.1, 1e-9);
  assert_vector_near(r.normal, 1, 0, 0, 1e-9);
  check_witnesses(&r, cube, at(0, 0, 0), cube, at(0.9, 0, 0), 1e-12);
  for (int i = 0; i < 2; i++) {
    double dx = i == 0 ? 1.1 : 1.2;
    r = epa(cube, at(0, 0, 0), cube, turned(dx, 0, 0, mo_v3(0, 0, MO_PI / 4)));
    assert_near(r.depth, 1.2071067812 - dx, 1e-9);
    assert_vector_near(r.normal, 1, 0, 0, 1e-9);
  }
  mo_shape_release(cube);
}

// E26: the mean of three vertices would lie at a third of the face.
static void witness_is_the_projection(void **state) {
  (void)state;
  mo_shape *cube = make_cube(), *ball = make_box(0.05, 0.05, 0.05);
  mo_epa_result r = epa(cube, at(0, 0, 0), ball, at(0.12, 0.21, 0.5));
  assert_near(r.depth, 0.05, 1e-12);
  assert_vector_near(r.normal, 0, 0, 1, 1e-12);
  assert_true(fabs(r.point_a.x - 0.12) <= 0.05 && fabs(r.point_a.y - 0.21) <= 0.05);
  check_witnesses(&r, cube, at(0, 0, 0), ball, at(0.12, 0.21, 0.5), 1e-12);
  mo_shape_release(cube);
  mo_shape_release(ball);
}

static void random_hulls_against_sat(void **state) {
  (void)state;
  random_seed(3);
  int deep = 0;
  for (int i = 0; i < 400; i++) {
    mo_shape *a = make_random_hull(4 + i % 21, i % 3 == 0, mo_v3(1, random_between(0.05, 1), 1));
    mo_shape *b = make_random_hull(4 + i % 17, i % 2 == 0, mo_v3(random_between(0.05, 2), 1, 1));
    mo_transform ta = random_placement(0.5);
    mo_transform tb = random_placement(1);
    double sat = sat_separation(a->hull, ta, b->hull, tb);
    if (sat < -1e-9) {
      mo_epa_result r = epa(a, ta, b, tb);
      deep++;
      assert_true(r.converged);
      assert_near(r.depth, -sat, 1e-11);
      double proof = separation_along(a->hull, ta, b->hull, tb, mo_mat3_mul(ta.rotation, r.normal));
      assert_near(proof, sat, 1e-11);
      check_witnesses(&r, a, ta, b, tb, 1e-10);
    }
    mo_shape_release(a);
    mo_shape_release(b);
  }
  assert_true(deep > 100);
}

// Any simplex will do to begin with: one vertex, or one that misses the origin.
static void any_simplex(void **state) {
  (void)state;
  random_seed(4);
  mo_shape *cube = make_cube();
  for (int i = 0; i < 200; i++) {
    mo_transform ta = at(0, 0, 0), tb = random_placement(0.6);
    double sat = box_sat_separation(half_extents(cube), ta, half_extents(cube), tb);
    mo_minkowski pair = mo_minkowski_create(&cube->core, ta, &cube->core, tb);
    mo_simplex simplex = {.count = 1 + i % 4};
    for (int k = 0; k < simplex.count; k++) {
      simplex.vertices[k] =
          mo_minkowski_support(&pair, i % 2 == 0 ? mo_v3(1, 0, 0) : random_direction());
    }
    assert_near(mo_epa(&pair, &simplex).depth, -sat, 1e-11);
  }
  mo_shape_release(cube);
}

// The origin on a face, an edge or a corner of A - B.
static void exact_touching(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  const mo_vec3 offsets[] = {{1, 0, 0},   {1, 1, 0},    {1, 1, 1},
                             {1, 0.3, 0}, {1, 1, 0.25}, {-1, 0.5, 1}};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
    mo_transform tb = at(offsets[i].x, offsets[i].y, offsets[i].z);
    mo_minkowski pair = mo_minkowski_create(&cube->core, at(0, 0, 0), &cube->core, tb);
    mo_gjk_result g = mo_gjk(&pair, INFINITY);
    mo_epa_result r = mo_epa(&pair, &g.simplex);
    assert_near(r.depth, 0.0, 1e-11);
    assert_near(mo_length(r.normal), 1.0, 1e-12);
    assert_true(mo_dot(r.normal, offsets[i]) > 0.5);
  }
  mo_shape_release(cube);
}

static void identical_poses(void **state) {
  (void)state;
  mo_shape *box = make_box(0.3, 0.2, 0.5);
  mo_transform t = turned(3, 4, 5, mo_v3(0.3, 0.2, -0.7));
  mo_epa_result r = epa(box, t, box, t);
  assert_near(r.depth, 0.4, 1e-12);
  assert_near(fabs(r.normal.y), 1.0, 1e-12);
  mo_shape_release(box);
}

// Two round hulls with one centre have hundreds of faces at nearly the same depth: the workspace
// fills, the answer stays a real axis and near the best.
static void full_workspace(void **state) {
  (void)state;
  random_seed(5);
  mo_shape *a = make_random_hull(3000, true, mo_v3(1, 1, 1));
  mo_shape *b = make_random_hull(3000, true, mo_v3(1, 1, 1));
  mo_transform ta = at(0, 0, 0), tb = turned(0.001, 0, 0, mo_v3(0.1, 0.5, 0.2));
  mo_epa_result r = epa(a, ta, b, tb);
  assert_false(r.converged);
  assert_near(separation_along(a->hull, ta, b->hull, tb, r.normal), -r.depth, 1e-12);
  assert_true(r.depth > 1.9 && r.depth < 2.0);
  mo_vec3 d = mo_sub(r.point_a, r.point_b);
  assert_vector_near(d, r.depth * r.normal.x, r.depth * r.normal.y, r.depth * r.normal.z, 1e-12);
  mo_shape_release(a);
  mo_shape_release(b);
}

TEST_GROUP(epa) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes),
      cmocka_unit_test(witness_is_the_projection),
      cmocka_unit_test(random_hulls_against_sat),
      cmocka_unit_test(any_simplex),
      cmocka_unit_test(exact_touching),
      cmocka_unit_test(identical_poses),
      cmocka_unit_test(full_workspace),
  };
  return run_group(tests, NULL, NULL);
}
