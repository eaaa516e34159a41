#include "collision_oracle.h"
#include "test_group.h"

#include "collision/narrow/manifold.h"
#include "collision/narrow/manifold_reduction.h"

#include <string.h>

#define MARGIN 1e-3

static mo_manifold collide(const mo_shape *a, mo_transform ta, const mo_shape *b, mo_transform tb) {
  mo_manifold m;
  mo_collide_shapes(a, ta, b, tb, MARGIN, 1.0, &m);
  return m;
}

static bool has_point(const mo_manifold *m, double x, double y, double z, double tolerance) {
  for (int i = 0; i < m->point_count; i++) {
    mo_vec3 p = m->points[i].point_a;
    if (fabs(p.x - x) <= tolerance && fabs(p.y - y) <= tolerance && fabs(p.z - z) <= tolerance) {
      return true;
    }
  }
  return false;
}

static bool same_ids(const mo_manifold *x, const mo_manifold *y) {
  bool same = x->point_count == y->point_count;
  for (int i = 0; i < x->point_count && same; i++) {
    same = false;
    for (int j = 0; j < y->point_count; j++) {
      same = same || x->points[i].feature_id == y->points[j].feature_id;
    }
  }
  return same;
}

static void check_points(const mo_manifold *m) {
  assert_near(mo_length(m->normal), 1.0, 1e-12);
  for (int i = 0; i < m->point_count; i++) {
    const mo_manifold_point *p = &m->points[i];
    assert_near(mo_dot(mo_sub(p->point_b, p->point_a), m->normal), p->separation, 1e-12);
    assert_true(p->separation < MARGIN);
    for (int j = 0; j < i; j++) {
      assert_int_not_equal(p->feature_id, m->points[j].feature_id);
    }
  }
}

// Twice the area of the hull of up to four points across z: the larger of the two ways to pair them
// into a quadrilateral.
static double quad_area(const mo_manifold *m) {
  double area = 0.0;
  static const int orders[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
  for (int o = 0; o < 3; o++) {
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
      mo_vec3 p = m->points[orders[o][i]].point_a, q = m->points[orders[o][(i + 1) % 4]].point_a;
      sum += 0.5 * (p.x * q.y - p.y * q.x);
    }
    area = mo_max(area, fabs(sum));
  }
  return area;
}

// A17
static void edge_across_edge(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_manifold m = collide(cube, turned(0, 0, 0, mo_v3(0, MO_PI / 4, 0)), cube,
                          turned(0, 0, 1.3, mo_v3(MO_PI / 4, 0, 0)));
  check_points(&m);
  assert_int_equal(m.point_count, 1);
  assert_near(m.points[0].separation, -0.1142135624, 1e-9);
  assert_vector_near(m.normal, 0, 0, 1, 1e-9);
  assert_vector_near(m.points[0].point_a, 0, 0, 0.7071067812, 1e-9);
  assert_vector_near(m.points[0].point_b, 0, 0, 0.5928932188, 1e-9);
  mo_shape_release(cube);
}

// A19
static void shifted_cubes(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_manifold m = collide(cube, at(0, 0, 0), cube, at(0.9, 0.3, 0));
  check_points(&m);
  assert_int_equal(m.point_count, 4);
  assert_vector_near(m.normal, 1, 0, 0, 1e-12);
  for (int i = 0; i < 4; i++) {
    assert_near(m.points[i].separation, -0.1, 1e-9);
    assert_true(has_point(&m, 0.5, i & 1 ? -0.2 : 0.5, i & 2 ? -0.5 : 0.5, 1e-7));
  }
  mo_shape_release(cube);
}

// A20
static void cube_on_slab(void **state) {
  (void)state;
  mo_shape *cube = make_cube(), *slab = make_box(50, 50, 0.5);
  mo_manifold m = collide(cube, at(0, 0, 0.49), slab, at(0, 0, -0.5));
  check_points(&m);
  assert_int_equal(m.point_count, 4);
  assert_vector_near(m.normal, 0, 0, -1, 1e-12);
  for (int i = 0; i < 4; i++) {
    assert_near(m.points[i].separation, -0.01, 1e-9);
    assert_true(has_point(&m, i & 1 ? -0.5 : 0.5, i & 2 ? -0.5 : 0.5, -0.01, 1e-9));
  }
  mo_shape_release(cube);
  mo_shape_release(slab);
}

// A21
static void octagon(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  for (int turn = 0; turn < 8; turn++) {
    double yaw = MO_PI / 4 + turn * MO_PI / 2 * (turn < 4 ? 1.0 : -1.0);
    mo_manifold m = collide(cube, at(0, 0, 0), cube, turned(0, 0, 0.99, mo_v3(0, 0, yaw)));
    check_points(&m);
    assert_int_equal(m.point_count, 4);
    assert_true(quad_area(&m) >= 0.5);
    mo_vec3 sum = mo_v3_zero();
    for (int i = 0; i < 4; i++) {
      mo_vec3 p = m.points[i].point_a;
      assert_near(m.points[i].separation, -0.01, 1e-12);
      assert_true(fabs(p.x) <= 0.5 + 1e-6 && fabs(p.y) <= 0.5 + 1e-6);
      assert_true(fabs(p.x) + fabs(p.y) <= 0.70710678118654752 + 1e-6);
      sum = mo_add(sum, p);
    }
    assert_true(mo_length(mo_v3(sum.x, sum.y, 0)) / 4 < 0.1);
  }
  mo_shape_release(cube);
}

// Point counts of the contacts that a box can make with a face.
static void face_edge_and_corner_on_face(void **state) {
  (void)state;
  mo_shape *cube = make_cube(), *slab = make_box(5, 5, 0.5);
  mo_transform floor = at(0, 0, -0.5);
  double half_diagonal = sqrt(0.5), diagonal = sqrt(0.75);
  assert_int_equal(collide(cube, at(0.1, 0.2, 0.5), slab, floor).point_count, 4);
  assert_int_equal(
      collide(cube, turned(0, 0, half_diagonal - 1e-3, mo_v3(MO_PI / 4, 0, 0)), slab, floor)
          .point_count,
      2);
  // (1,1,1) turned down: the angle between the diagonal and z about (1,-1,0).
  double angle = 0.95531661812450928;
  mo_vec3 axis = mo_scale(angle / sqrt(2.0), mo_v3(1, -1, 0));
  mo_manifold m = collide(cube, turned(0, 0, diagonal - 1e-3, axis), slab, floor);
  assert_int_equal(m.point_count, 1);
  assert_near(m.points[0].separation, -1e-3, 1e-9);
  // Overhanging: the part over the slab.
  m = collide(cube, at(5.2, 0, 0.499), slab, floor);
  assert_int_equal(m.point_count, 4);
  assert_true(has_point(&m, 5.0, 0.5, 0, 2e-3) && has_point(&m, 4.7, -0.5, 0, 2e-3));
  mo_shape_release(cube);
  mo_shape_release(slab);
}

// A tetrahedron standing on a prism with many sides: three points, all inside.
static void tetrahedron_on_prism(void **state) {
  (void)state;
  mo_vec3 prism[80], tetrahedron[4] = {{0.4, 0, 0}, {-0.2, 0.3, 0}, {-0.2, -0.3, 0}, {0, 0, 0.7}};
  for (int i = 0; i < 40; i++) {
    mo_sin_cos sc = mo_sine_cosine(2 * MO_PI * i / 40);
    prism[2 * i] = mo_v3(sc.cos, sc.sin, 0);
    prism[2 * i + 1] = mo_v3(sc.cos, sc.sin, -1);
  }
  mo_shape *a = make_hull(prism, 80), *b = make_hull(tetrahedron, 4);
  mo_manifold m = collide(a, at(0, 0, 0), b, at(0.1, 0.1, -0.002));
  check_points(&m);
  assert_int_equal(m.point_count, 3);
  assert_vector_near(m.normal, 0, 0, 1, 1e-12);
  assert_true(has_point(&m, 0.5, 0.1, 0, 1e-12));
  // Two prisms face to face: 4 points that span most of the disc.
  m = collide(a, at(0, 0, 0), a, turned(0, 0, 0.999, mo_v3(0, 0, 0.05)));
  check_points(&m);
  assert_int_equal(m.point_count, 4);
  assert_true(quad_area(&m) > 1.8);
  mo_shape_release(a);
  mo_shape_release(b);
}

// The gap of a speculative contact is the real one, also beside a corner.
static void gaps_below_the_margin(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_manifold m = collide(cube, at(0, 0, 0), cube, at(0.25, 0, 1.0005));
  assert_int_equal(m.point_count, 4);
  assert_near(m.points[0].separation, 0.0005, 1e-12);
  m = collide(cube, at(0, 0, 0), cube, at(1.0003, 1.0004, 1.0));
  assert_true(m.point_count >= 1);
  assert_near(m.points[0].separation, 0.0005, 1e-9);
  assert_int_equal(collide(cube, at(0, 0, 0), cube, at(0, 0, 1.0011)).point_count, 0);
  mo_shape_release(cube);
}

// Two equal cubes in a stack that trembles: four points in every frame with the same names,
// whichever face is further out.
static void ids_survive_trembling(void **state) {
  (void)state;
  random_seed(6);
  mo_shape *cube = make_cube();
  const mo_vec3 offsets[] = {
      {0, 0, 0.9995}, {0.5, 0, 0.9995}, {0.3, 0.2, 0.9995}, {0, 0.001, 0.9999}, {0, 0, 1.0}};
  for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
    mo_vec3 d = offsets[o];
    mo_manifold first = collide(cube, at(0, 0, 0), cube, at(d.x, d.y, d.z));
    assert_int_equal(first.point_count, 4);
    for (int i = 0; i < 500; i++) {
      mo_vec3 shake = random_in_cube(3e-5), tilt = random_in_cube(3e-5),
              turn = random_in_cube(3e-5);
      mo_manifold m = collide(cube, turned(0, 0, 0, tilt), cube,
                              turned(d.x + shake.x, d.y + shake.y, d.z + shake.z, turn));
      check_points(&m);
      assert_true(same_ids(&first, &m));
    }
  }
  mo_shape_release(cube);
}

// Yawed on each other the 8 corners are equally deep: the four that are kept stay while the depths
// tremble below round-off.
static void reduction_is_steady(void **state) {
  (void)state;
  random_seed(7);
  mo_shape *cube = make_cube();
  mo_manifold first = collide(cube, at(0, 0, 0), cube, turned(0, 0, 0.999, mo_v3(0, 0, MO_PI / 4)));
  for (int i = 0; i < 200; i++) {
    mo_vec3 s = random_in_cube(1e-12), turn = random_in_cube(1e-11);
    mo_manifold m =
        collide(cube, at(0, 0, 0), cube,
                turned(s.x, s.y, 0.999 + s.z, mo_v3(turn.x, turn.y, MO_PI / 4 + turn.z)));
    assert_true(same_ids(&first, &m));
  }
  mo_shape_release(cube);
}

// A tilted box keeps its face contact with nearly the least depth; a box on its edge does not
// become one.
static void tilt_and_face_contact(void **state) {
  (void)state;
  random_seed(8);
  mo_shape *cube = make_cube();
  for (int i = 0; i < 500; i++) {
    mo_vec3 tilt = random_in_cube(0.01);
    mo_transform ta = at(0, 0, 0), tb = turned(0.4, 0.3, 0.999, tilt);
    mo_manifold m = collide(cube, ta, cube, tb);
    double sat = box_sat_separation(half_extents(cube), ta, half_extents(cube), tb),
           least = INFINITY;
    for (int k = 0; k < m.point_count; k++) {
      least = mo_min(least, m.points[k].separation);
    }
    if (sat < MARGIN) {
      assert_near(least, sat, 1e-6);
    }
    if (sat < 0.0 && sat > -2e-3) {
      mo_vec3 up = mo_mat3_mul(tb.rotation, mo_v3(0, 0, 1));
      assert_true(mo_distance_between(m.normal, mo_v3(0, 0, 1)) < 1e-12 ||
                  mo_distance_between(m.normal, up) < 1e-12);
    }
  }
  mo_shape_release(cube);
}

// Cubes on each other whose edges nearly coincide: shifted and turned by up to 1e-3, so that the
// corners of one lie on the sides of the other, or just outside.
static void nearly_aligned_cubes_keep_four_corners(void **state) {
  (void)state;
  static const double offsets[] = {0.0,  1e-12, -1e-12, 1e-7, -1e-7, 1e-6,
                                   1e-5, 1e-4,  -1e-4,  1e-3, -1e-3};
  static const double turns[] = {0.0, 1e-12, 1e-7, -1e-6, 1e-5, 1e-4, -1e-3};
  random_seed(10);
  mo_shape *cube = make_cube();
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
    for (size_t j = 0; j < sizeof offsets / sizeof *offsets; j++) {
      for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        mo_manifold first = {0};
        for (int step = 0; step < 10; step++) {
          mo_vec3 s = random_in_cube(1e-9), turn = random_in_cube(1e-9);
          mo_manifold m = collide(cube, at(0, 0, 0), cube,
                                  turned(offsets[i] + s.x, offsets[j] + s.y, 1.0 + s.z,
                                         mo_v3(turn.x, turn.y, turns[k] + turn.z)));
          assert_int_equal(m.point_count, 4);
          assert_true(quad_area(&m) > 0.995);
          for (int corner = 0; corner < 4; corner++) {
            assert_true(has_point(&m, corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, 0.5, 2e-3));
          }
          assert_true(step == 0 || same_ids(&first, &m));
          first = m;
        }
      }
    }
  }
  mo_shape_release(cube);
}

// --- reduction alone -------------------------------------------------------------------------

static void reduction_keeps_deepest_and_area(void **state) {
  (void)state;
  random_seed(9);
  for (int round = 0; round < 500; round++) {
    mo_contact_candidate c[40];
    int count = 5 + round % 35, deepest = 0;
    for (int i = 0; i < count; i++) {
      mo_vec3 p = random_in_cube(1);
      c[i] = (mo_contact_candidate){mo_v3(p.x, p.y, 0), p.z, (uint32_t)i};
      deepest = c[i].separation < c[deepest].separation ? i : deepest;
    }
    int chosen[MO_MANIFOLD_POINTS];
    int kept = mo_manifold_reduce(c, count, mo_v3(0, 0, 1), mo_tie_direction(), 1.0, chosen);
    assert_in_range(kept, 3, 4);
    bool has_deepest = false;
    for (int i = 0; i < kept; i++) {
      has_deepest = has_deepest || chosen[i] == deepest;
      assert_true(i == 0 || chosen[i] > chosen[i - 1]);
    }
    assert_true(has_deepest);
  }
}

// Of an edge of three points that lies a little higher than that of two, the ends are kept.
static void reduction_keeps_the_ends_of_what_is_open(void **state) {
  (void)state;
  const mo_contact_candidate c[] = {{mo_v3(0, -1, 0), 0.005, 0},
                                    {mo_v3(4, -1, 0), 0.011, 1},
                                    {mo_v3(4, 0, 0), 0.011, 2},
                                    {mo_v3(0, 1, 0), 0.005, 3},
                                    {mo_v3(4, 1, 0), 0.011, 4}};
  int chosen[MO_MANIFOLD_POINTS];
  assert_int_equal(mo_manifold_reduce(c, 5, mo_v3(0, 0, 1), mo_tie_direction(), 1.0, chosen), 4);
  assert_int_equal(chosen[2], 3);
  assert_int_equal(chosen[3], 4);
}

static void reduction_of_degenerate_patches(void **state) {
  (void)state;
  mo_contact_candidate point[6], line[6];
  for (int i = 0; i < 6; i++) {
    point[i] = (mo_contact_candidate){mo_v3(1, 2, 3), -0.1, (uint32_t)i};
    line[i] = (mo_contact_candidate){mo_v3(i, 2.0 * i, 0), -0.1, (uint32_t)i};
  }
  int chosen[MO_MANIFOLD_POINTS];
  assert_int_equal(mo_manifold_reduce(point, 6, mo_v3(0, 0, 1), mo_tie_direction(), 1.0, chosen),
                   1);
  assert_int_equal(mo_manifold_reduce(line, 6, mo_v3(0, 0, 1), mo_tie_direction(), 1.0, chosen), 2);
  assert_int_equal(chosen[0], 0);
  assert_int_equal(chosen[1], 5);
  assert_int_equal(mo_manifold_reduce(line, 3, mo_v3(0, 0, 1), mo_tie_direction(), 1.0, chosen), 3);
  assert_int_equal(mo_manifold_reduce(line, 0, mo_v3(0, 0, 1), mo_tie_direction(), 1.0, chosen), 0);
}

TEST_GROUP(manifold) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edge_across_edge),
      cmocka_unit_test(shifted_cubes),
      cmocka_unit_test(cube_on_slab),
      cmocka_unit_test(octagon),
      cmocka_unit_test(face_edge_and_corner_on_face),
      cmocka_unit_test(tetrahedron_on_prism),
      cmocka_unit_test(gaps_below_the_margin),
      cmocka_unit_test(ids_survive_trembling),
      cmocka_unit_test(reduction_is_steady),
      cmocka_unit_test(tilt_and_face_contact),
      cmocka_unit_test(nearly_aligned_cubes_keep_four_corners),
      cmocka_unit_test(reduction_keeps_deepest_and_area),
      cmocka_unit_test(reduction_keeps_the_ends_of_what_is_open),
      cmocka_unit_test(reduction_of_degenerate_patches),
  };
  return run_group(tests, NULL, NULL);
}
