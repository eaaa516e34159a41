// Mass properties (Mirtich): acceptance rows A03, A04, A07, A09, A10, A11, and polytopes against
// sums over tetrahedra.
#include "hull_fixture.h"
#include "test_group.h"

#include "geometry/mass_properties.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void assert_solid(const mo_vec3 *points, size_t count, double volume, mo_vec3 centroid,
                         mo_mat3 inertia, double tolerance) {
  mo_hull *hull = hull_of(points, count);
  assert_near(mo_hull_volume(hull), volume, tolerance);
  assert_near_v3(mo_hull_centroid(hull), centroid, tolerance);
  assert_near_mat3(mo_hull_inertia(hull, 1.0), inertia, tolerance);
  // linear in the mass
  assert_near_mat3(mo_hull_inertia(hull, 8.0), mo_mat3_scale(8.0, inertia), 8.0 * tolerance);
  mo_hull_release(hull);
}

static void box_2_3_4(void **state) {
  (void)state;
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    mo_vec3 c = cube_corner(i);
    points[i] = mo_v3(2.0 * c.x - 1.0, 3.0 * c.y - 1.5, 4.0 * c.z - 2.0);
  }
  mo_mat3 inertia = mo_mat3_diagonal(25.0 / 12.0, 20.0 / 12.0, 13.0 / 12.0);
  assert_solid(points, 8, 24.0, mo_v3_zero(), inertia, 1e-12);
  mo_hull *hull = hull_of(points, 8);
  assert_near(mo_hull_surface_area(hull), 52.0, 1e-12);
  mo_hull_release(hull);
  hull = mo_hull_create_box(mo_v3(1.0, 1.5, 2.0));
  assert_near(mo_hull_surface_area(hull), 52.0, 1e-12);
  assert_near(mo_hull_volume(hull), 24.0, 1e-12);
  assert_near_mat3(mo_hull_inertia(hull, 1.0), inertia, 1e-12);
  mo_hull_release(hull);
}

static void octahedron(void **state) {
  (void)state;
  mo_vec3 points[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  assert_solid(points, 6, 4.0 / 3.0, mo_v3_zero(), mo_mat3_diagonal(0.2, 0.2, 0.2), 1e-12);
}

static void square_pyramid(void **state) {
  (void)state;
  mo_vec3 points[5] = {{0.5, 0.5, 0}, {-0.5, 0.5, 0}, {-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0, 0, 1}};
  assert_solid(points, 5, 1.0 / 3.0, mo_v3(0, 0, 0.25), mo_mat3_diagonal(0.0875, 0.0875, 0.1),
               1e-12);
}

static void corner_tetrahedron_has_products_of_the_right_sign(void **state) {
  (void)state;
  mo_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mo_mat3 inertia = {{0.075, 0.0125, 0.0125}, {0.0125, 0.075, 0.0125}, {0.0125, 0.0125, 0.075}};
  assert_solid(points, 4, 1.0 / 6.0, mo_v3(0.25, 0.25, 0.25), inertia, 1e-12);
}

static void regular_tetrahedron(void **state) {
  (void)state;
  mo_vec3 points[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  assert_solid(points, 4, 8.0 / 3.0, mo_v3_zero(), mo_mat3_diagonal(0.4, 0.4, 0.4), 1e-12);
}

static void cube_at_a_million_metres(void **state) {
  (void)state;
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    points[i] = mo_add(mo_sub(cube_corner(i), mo_v3(0.5, 0.5, 0.5)), mo_v3(1e6, 1e6, 1e6));
  }
  mo_hull *hull = hull_of(points, 8);
  double sixth = 1.0 / 6.0;
  assert_near(mo_hull_volume(hull), 1.0, 1e-15);
  assert_near_v3(mo_hull_centroid(hull), mo_v3(1e6, 1e6, 1e6), 0.0);
  assert_near_mat3(mo_hull_inertia(hull, 1.0), mo_mat3_diagonal(sixth, sixth, sixth), 1e-15);
  mo_hull_release(hull);
}

// --- against tetrahedra ----------------------------------------------------------------------

// The same by signed tetrahedra from a vertex to the triangles, with the covariance of each:
// another path to the integrals. A tetrahedron (0, a, b, c) has the second moments V/20 (s s' + a
// a' + b b' + c c') with s = a + b + c.
static mo_mass_properties by_tetrahedra(const mo_hull *hull) {
  mo_vec3 origin = hull->vertices[0];
  double volume = 0.0, moment[3] = {0}, second[3][3] = {{0}};
  for (uint32_t f = 0; f < hull->facet_count; f++) {
    mo_vec3 corners[4];
    corners[3] = mo_v3_zero();
    for (int k = 0; k < 3; k++) {
      corners[k] = mo_sub(hull->vertices[hull->facets[f].vertices[k]], origin);
      corners[3] = mo_add(corners[3], corners[k]);
    }
    double v = mo_dot(corners[0], mo_cross(corners[1], corners[2])) / 6.0;
    volume += v;
    for (int i = 0; i < 3; i++) {
      moment[i] += v * (&corners[3].x)[i] / 4.0;
      for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 4; k++) {
          second[i][j] += v * (&corners[k].x)[i] * (&corners[k].x)[j] / 20.0;
        }
      }
    }
  }
  mo_vec3 center = mo_scale(1.0 / volume, mo_v3(moment[0], moment[1], moment[2]));
  mo_mat3 covariance;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      (&covariance.cx.x)[3 * i + j] = second[i][j] / volume - (&center.x)[i] * (&center.x)[j];
    }
  }
  double trace = covariance.cx.x + covariance.cy.y + covariance.cz.z;
  mo_mat3 inertia =
      mo_mat3_add(mo_mat3_diagonal(trace, trace, trace), mo_mat3_scale(-1.0, covariance));
  return (mo_mass_properties){volume, mo_add(origin, center), inertia};
}

static void random_polytopes_agree_with_tetrahedra(void **state) {
  (void)state;
  uint64_t seed = 31;
  for (int trial = 0; trial < 300; trial++) {
    mo_vec3 points[60];
    int count = 4 + trial % 57;
    double scale = trial % 3 == 0 ? 1.0 : (trial % 3 == 1 ? 1e-3 : 1e4);
    mo_vec3 offset = mo_scale(trial % 2 ? 0.0 : 100.0 * scale, random_in_cube(&seed));
    for (int i = 0; i < count; i++) {
      points[i] = mo_add_scaled(offset, scale, random_in_cube(&seed));
    }
    mo_hull *hull = hull_of(points, (size_t)count);
    mo_mass_properties oracle = by_tetrahedra(hull);
    // a polytope may be thin, and its integrals are differences then
    double thin = scale * scale * scale / oracle.volume;
    assert_near(hull->volume, oracle.volume, 1e-14 * scale * scale * scale);
    assert_near_v3(hull->centroid, oracle.centroid, 2e-14 * thin * scale + 1e-14 * hull->radius);
    assert_near_mat3(hull->inertia_per_mass, oracle.inertia_per_mass, 2e-14 * thin * scale * scale);
    mo_hull_release(hull);
  }
}

static void inertia_turns_with_the_body(void **state) {
  (void)state;
  uint64_t seed = 32;
  for (int trial = 0; trial < 100; trial++) {
    mo_transform t = {mo_quat_to_mat3(mo_quat_exp(mo_scale(3.0, random_in_cube(&seed)))),
                      mo_scale(trial % 2 ? 1e3 : 1.0, random_in_cube(&seed))};
    mo_vec3 points[8];
    for (int i = 0; i < 8; i++) {
      mo_vec3 c = cube_corner(i);
      points[i] = mo_transform_point(t, mo_v3(2.0 * c.x - 1.0, 3.0 * c.y - 1.5, 4.0 * c.z - 2.0));
    }
    mo_hull *hull = hull_of(points, 8);
    mo_mat3 expected = mo_mat3_rotate_symmetric(
        t.rotation, mo_mat3_diagonal(25.0 / 12.0, 20.0 / 12.0, 13.0 / 12.0));
    double tolerance = trial % 2 ? 3e-12 : 1e-14; // the corners are rounded to 1e-13 at 1e3 m
    assert_near(hull->volume, 24.0, 24.0 * tolerance);
    assert_near_v3(hull->centroid, t.translation, tolerance);
    assert_near_mat3(hull->inertia_per_mass, expected, 4.0 * tolerance);
    mo_hull_release(hull);
  }
}

static void parts_add_up_to_the_whole(void **state) {
  (void)state;
  // a cube cut in two by a slanted plane
  mo_vec3 lower[8], upper[8];
  for (int i = 0; i < 4; i++) {
    mo_vec3 c = cube_corner(i);
    mo_vec3 cut = mo_v3(c.x, c.y, 0.5 + 0.3 * (c.x - 0.5) + 0.1 * (c.y - 0.5));
    lower[i] = c;
    lower[i + 4] = cut;
    upper[i] = mo_v3(c.x, c.y, 1.0);
    upper[i + 4] = cut;
  }
  mo_hull *a = hull_of(lower, 8), *b = hull_of(upper, 8);
  assert_int_equal(a->face_count, 6);
  assert_near(a->volume + b->volume, 1.0, 1e-15);
  mo_vec3 center = mo_add(mo_scale(a->volume, a->centroid), mo_scale(b->volume, b->centroid));
  assert_near_v3(center, mo_v3(0.5, 0.5, 0.5), 1e-15);
  mo_mat3 inertia = mo_mat3_zero();
  mo_hull *parts[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    double mass = parts[i]->volume;
    inertia = mo_mat3_add(inertia, mo_hull_inertia(parts[i], mass));
    inertia = mo_mat3_add(inertia, mo_mat3_parallel_axis(mass, mo_sub(parts[i]->centroid, center)));
  }
  assert_near_mat3(inertia, mo_mat3_diagonal(1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0), 1e-15);
  mo_hull_release(a);
  mo_hull_release(b);
}

static void thin_slab_is_a_plate(void **state) {
  (void)state;
  double thickness = 1e-6;
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    mo_vec3 c = cube_corner(i);
    points[i] = mo_v3(c.x, thickness * c.y, c.z);
  }
  mo_hull *hull = hull_of(points, 8);
  assert_near(hull->volume, thickness, 1e-18);
  assert_near_v3(hull->centroid, mo_v3(0.5, 0.5e-6, 0.5), 1e-12);
  assert_near_mat3(hull->inertia_per_mass, mo_mat3_diagonal(1.0 / 12.0, 1.0 / 6.0, 1.0 / 12.0),
                   1e-9);
  mo_hull_release(hull);
}

static void inertia_is_positive_and_obeys_the_triangle_inequality(void **state) {
  (void)state;
  uint64_t seed = 33;
  for (int trial = 0; trial < 200; trial++) {
    mo_vec3 points[12];
    for (int i = 0; i < 12; i++) {
      mo_vec3 p = random_in_cube(&seed);
      points[i] = mo_v3(p.x, p.y / (1 + trial % 10), p.z / (1 + trial / 10));
    }
    mo_hull *hull = hull_of(points, 12);
    mo_mat3 m = hull->inertia_per_mass;
    assert_true(m.cx.y == m.cy.x && m.cx.z == m.cz.x && m.cy.z == m.cz.y);
    assert_true(mo_mat3_determinant(m) > 0.0);
    assert_true(m.cx.x + m.cy.y > m.cz.z && m.cy.y + m.cz.z > m.cx.x && m.cz.z + m.cx.x > m.cy.y);
    mo_hull_release(hull);
  }
}

// A needle of 26 m whose base of four corners is flat but for 2e-5 m, which is 0.3 % of how thick
// it is: the centroid of a pyramid is at a quarter of its height.
static void a_needle_with_a_face_that_is_nearly_flat(void **state) {
  (void)state;
  const mo_vec3 points[] = {{0.7763671875, 0.0009765625, 0.0},
                            {-0.0380859375, -0.0009765625, -0.0009765625},
                            {-0.0009765625, -0.0009765625, -0.0009765625},
                            {0.0068359375, 25.7607421875, 5.9970703125},
                            {0.2529296875, 0.0, 0.0068359375}};
  mo_hull *hull;
  assert_int_equal(mo_hull_create(points, 5, &hull), MO_OK);
  mo_vec3 centroid = mo_hull_centroid(hull);
  assert_near(mo_hull_volume(hull), 0.025872793669501938, 1e-12);
  assert_near(centroid.x, 0.2495117120710153, 1e-9);
  assert_near(centroid.y, 6.440163522922917, 1e-9);
  assert_near(centroid.z, 1.5007272940844885, 1e-9);
  mo_hull_release(hull);
}

// A rod of 100 by `width` by twice that, along no axis. Integrals over faces are good to seven
// digits.
static void assert_rod(double width) {
  mo_quat turn = mo_quat_normalize((mo_quat){0.2, 0.5, -0.3, 0.7});
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    mo_vec3 c = mo_sub(cube_corner(i), mo_v3(0.5, 0.5, 0.5));
    points[i] = mo_quat_rotate(turn, mo_v3(100.0 * c.x, width * c.y, 2.0 * width * c.z));
  }
  mo_hull *hull;
  if (mo_hull_create(points, 8, &hull) != MO_OK) {
    return; // too thin for a hull
  }
  mo_mat3 rotation = mo_quat_to_mat3(turn), inertia = mo_hull_inertia(hull, 1.0);
  mo_vec3 axis = rotation.cx, across = rotation.cy;
  double round_off = 1e-15 * 100.0 / width; // of a width
  assert_near(mo_hull_volume(hull) / (200.0 * width * width), 1.0, 1e-7 + 100.0 * round_off);
  double moment = (1e4 + 4.0 * width * width) / 12.0;
  assert_near(mo_dot(across, mo_mat3_mul(inertia, across)) / moment, 1.0, 1e-7 + 100.0 * round_off);
  double along = mo_dot(axis, mo_mat3_mul(inertia, axis));
  assert_true(along > -1e-11 && along < 1e-3 + width * width); // the products round to 1e-15 of 1e4
  mo_hull_release(hull);
}

// A needle that libFuzzer found: its moments of inertia were negative.
static void needles_have_positive_moments(void **state) {
  (void)state;
  const mo_vec3 found[4] = {{-175.39722777667154, -4.655334886158641, -149.9162774738803},
                            {2.77e-78, 2.299974339238792e-09, 8.431141933004961e-09},
                            {0, 0, 0},
                            {0, -5.655943324182219e-07, 0}};
  mo_hull *hull = hull_of(found, 4);
  mo_mat3 inertia = mo_hull_inertia(hull, 1.0);
  mo_vec3 center = mo_hull_centroid(hull);
  // Its corners are as close as faces are flat, so that only their order of magnitude is known: it
  // is 3/80 L^2 about an axis across a tetrahedron whose far corner is L from the others.
  double square = 3.0 / 80.0 * mo_length_squared(found[0]);
  double mean = (inertia.cx.x + inertia.cy.y + inertia.cz.z) / 2.0;
  assert_true(mean > 0.5 * square && mean < 2.0 * square);
  assert_true(center.x < 0.0 && center.x > 0.5 * found[0].x);
  assert_true(inertia.cx.x > 0.0 && inertia.cy.y > 0.0 && inertia.cz.z > 0.0);
  mo_hull_release(hull);
  for (int k = 0; k < 30; k++) {
    assert_rod(ldexp(1.0, -k));
  }
}

TEST_GROUP(mass_properties) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_needle_with_a_face_that_is_nearly_flat),
      cmocka_unit_test(box_2_3_4),
      cmocka_unit_test(octahedron),
      cmocka_unit_test(square_pyramid),
      cmocka_unit_test(corner_tetrahedron_has_products_of_the_right_sign),
      cmocka_unit_test(regular_tetrahedron),
      cmocka_unit_test(cube_at_a_million_metres),
      cmocka_unit_test(random_polytopes_agree_with_tetrahedra),
      cmocka_unit_test(inertia_turns_with_the_body),
      cmocka_unit_test(parts_add_up_to_the_whole),
      cmocka_unit_test(thin_slab_is_a_plate),
      cmocka_unit_test(needles_have_positive_moments),
      cmocka_unit_test(inertia_is_positive_and_obeys_the_triangle_inequality),
  };
  return run_group(tests, NULL, NULL);
}
