// Convex hulls: acceptance rows A01 to A06, precision, degenerate clouds, order, errors and memory.
#include "hull_fixture.h"
#include "test_group.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// --- known solids ----------------------------------------------------------------------------

static void cube_with_inner_points_and_duplicates(void **state) {
  (void)state;
  mo_vec3 points[40];
  size_t count = 0;
  uint64_t seed = 1;
  for (int i = 0; i < 20; i++) {
    points[count++] =
        mo_v3(random_in(&seed, 0.1, 0.9), random_in(&seed, 0.1, 0.9), random_in(&seed, 0.1, 0.9));
  }
  for (int i = 0; i < 8; i++) {
    points[count++] = cube_corner(i);
  }
  for (int i = 0; i < 8; i++) {
    points[count++] = cube_corner(7 - i);
  }
  mo_hull *hull = hull_of(points, count);
  assert_hull_of(hull, points, count, 1e-15);
  assert_int_equal(mo_hull_vertex_count(hull), 8);
  assert_int_equal(mo_hull_facet_count(hull), 12);
  assert_int_equal(mo_hull_face_count(hull), 6);
  assert_near(mo_hull_volume(hull), 1.0, 1e-12);
  assert_near(mo_hull_surface_area(hull), 6.0, 1e-12);
  assert_near_v3(mo_hull_centroid(hull), mo_v3(0.5, 0.5, 0.5), 1e-12);
  // vertices in the order of their first appearance
  for (int i = 0; i < 8; i++) {
    assert_true(mo_v3_equal(mo_hull_vertices(hull)[i], cube_corner(i)));
  }
  mo_vec3 lower, upper;
  mo_hull_bounds(hull, &lower, &upper);
  assert_true(mo_v3_equal(lower, mo_v3_zero()) && mo_v3_equal(upper, mo_v3(1.0, 1.0, 1.0)));
  mo_hull_release(hull);
}

static void centered_cube_has_the_numbers_of_the_seed(void **state) {
  (void)state;
  mo_vec3 points[28];
  uint64_t seed = 7;
  for (int i = 0; i < 28; i++) {
    points[i] = i < 8 ? mo_sub(cube_corner(i), mo_v3(0.5, 0.5, 0.5))
                      : mo_scale(0.45, random_in_cube(&seed));
  }
  mo_hull *hull = hull_of(points, 28);
  assert_near_v3(hull->centroid, mo_v3_zero(), 1e-12);
  assert_near(hull->radius, sqrt(0.75), 1e-15);
  mo_hull_release(hull);
}

static void tetrahedron_of_the_seed(void **state) {
  (void)state;
  mo_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, 0.5, 1}};
  mo_hull *hull = hull_of(points, 4);
  assert_hull_of(hull, points, 4, 1e-15);
  assert_near(hull->volume, 1.0 / 6.0, 1e-15);
  assert_near(hull->surface_area, 2.204660918114, 1e-9);
  assert_near_v3(hull->centroid, mo_v3(0.5, 0.375, 0.25), 1e-12);
  assert_int_equal(mo_hull_facet_count(hull), 4);
  assert_true(mo_hull_contains(hull, mo_v3(0.5, 0.5, 0.25), 0.0));
  assert_near(mo_hull_signed_distance(hull, mo_v3(0.5, 0.5, 0.25)), -0.1636634177, 1e-9);
  assert_near(mo_hull_signed_distance(hull, hull->centroid), -0.2182178902, 1e-9);
  assert_false(mo_hull_contains(hull, mo_v3(0.5, 0.5, -0.01), 0.0));
  assert_true(mo_hull_contains(hull, mo_v3(0.5, 0.5, -0.01), 0.011));
  mo_hull_release(hull);
}

static void octahedron(void **state) {
  (void)state;
  mo_vec3 points[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mo_hull *hull = hull_of(points, 6);
  assert_hull_of(hull, points, 6, 1e-15);
  assert_int_equal(hull->face_count, 8);
  assert_near(hull->volume, 4.0 / 3.0, 1e-12);
  assert_near(hull->surface_area, 4.0 * sqrt(3.0), 1e-12);
  mo_hull_release(hull);
}

static void square_pyramid(void **state) {
  (void)state;
  mo_vec3 points[5] = {{0.5, 0.5, 0}, {-0.5, 0.5, 0}, {-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0, 0, 1}};
  mo_hull *hull = hull_of(points, 5);
  assert_hull_of(hull, points, 5, 1e-15);
  assert_int_equal(hull->face_count, 5);
  assert_int_equal(mo_hull_facet_count(hull), 6);
  assert_near(hull->volume, 1.0 / 3.0, 1e-12);
  assert_near(hull->surface_area, 1.0 + sqrt(5.0), 1e-12);
  assert_near_v3(hull->centroid, mo_v3(0, 0, 0.25), 1e-12);
  mo_hull_release(hull);
}

static void box_hull_is_what_the_builder_makes(void **state) {
  (void)state;
  mo_vec3 half = mo_v3(0.5, 1.25, 3.0);
  mo_hull *box = mo_hull_create_box(half);
  mo_hull *built = hull_of(box->vertices, 8);
  assert_topology(box);
  assert_same_hull(box, built);
  assert_near_mat3(box->inertia_per_mass, built->inertia_per_mass, 1e-13);
  assert_near(box->surface_area, built->surface_area, 1e-12);
  mo_hull_release(box);
  mo_hull_release(built);
}

// A regular prism about y. Its corners are exact mirror images, so that its caps are flat.
static void fill_prism(mo_vec3 *points, int sides) {
  for (int i = 0; i < sides; i++) {
    mo_sin_cos sc = mo_sine_cosine(2.0 * MO_PI * i / sides);
    points[2 * i] = mo_v3(sc.cos, 0.5, sc.sin);
    points[2 * i + 1] = mo_v3(sc.cos, -0.5, sc.sin);
  }
}

static void prism_with_64_sides(void **state) {
  (void)state;
  mo_vec3 points[128];
  fill_prism(points, 64);
  mo_hull *hull = hull_of(points, 128);
  assert_hull_of(hull, points, 128, 1e-15);
  assert_int_equal(hull->vertex_count, 128);
  assert_int_equal(hull->face_count, 66);
  double area = 32.0 * mo_sine_cosine(2.0 * MO_PI / 64.0).sin;
  assert_near(hull->volume, area, 1e-13);
  assert_near(hull->surface_area, 2.0 * area + 128.0 * mo_sine_cosine(MO_PI / 64.0).sin, 1e-12);
  mo_hull_release(hull);
}

static void turned_prism_keeps_its_faces(void **state) {
  (void)state;
  mo_vec3 points[128];
  fill_prism(points, 64);
  uint64_t seed = 3;
  for (int turn = 0; turn < 50; turn++) {
    mo_transform t = {mo_quat_to_mat3(mo_quat_exp(mo_scale(3.0, random_in_cube(&seed)))),
                      mo_scale(turn < 25 ? 10.0 : 1e5, random_in_cube(&seed))};
    mo_vec3 turned[128], rounded[128];
    for (int i = 0; i < 128; i++) {
      turned[i] = mo_transform_point(t, points[i]);
      // as a mesh comes out of a Float32Array
      mo_vec3 p = mo_transform_point((mo_transform){t.rotation, mo_v3(1.0, 2.0, 3.0)}, points[i]);
      rounded[i] = mo_v3((float)p.x, (float)p.y, (float)p.z);
    }
    mo_hull *hull = hull_of(turned, 128);
    assert_hull_of(hull, turned, 128, 1e-10);
    assert_int_equal(hull->face_count, 66);
    mo_hull_release(hull);
    hull = hull_of(rounded, 128);
    assert_hull_of(hull, rounded, 128, 2e-6);
    assert_int_equal(hull->face_count, 66);
    mo_hull_release(hull);
  }
}

static void subdivided_cube_has_six_faces(void **state) {
  (void)state;
  mo_vec3 points[9 * 9 * 9];
  size_t count = 0;
  for (int x = 0; x < 9; x++) {
    for (int y = 0; y < 9; y++) {
      for (int z = 0; z < 9; z++) {
        points[count++] = mo_v3(0.1 * x, 0.1 * y, 0.1 * z);
      }
    }
  }
  mo_hull *hull = hull_of(points, count);
  assert_hull_of(hull, points, count, 1e-14);
  assert_int_equal(hull->vertex_count, 8);
  assert_int_equal(hull->face_count, 6);
  assert_near(hull->volume, 0.512, 1e-14);
  mo_hull_release(hull);
}

// --- noise, size and place -------------------------------------------------------------------

static void nearly_flat_cube_has_six_faces(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int trial = 0; trial < 200; trial++) {
    mo_vec3 points[8];
    for (int i = 0; i < 8; i++) {
      points[i] = cube_corner(i);
      points[i].z += random_in(&seed, -1e-13, 1e-13);
    }
    mo_hull *hull = hull_of(points, 8);
    assert_hull_of(hull, points, 8, 1e-9);
    assert_int_equal(hull->face_count, 6);
    assert_int_equal(hull->vertex_count, 8);
    assert_near(hull->volume, 1.0, 1e-9);
    mo_hull_release(hull);
  }
}

static void noisy_clouds_are_valid_at_every_level_of_noise(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (double noise = 1e-17; noise < 1e-3; noise *= 10.0) {
    for (int trial = 0; trial < 30; trial++) {
      mo_vec3 points[6 * 6 * 6];
      size_t count = 0;
      for (int i = 0; i < 216; i++) {
        mo_vec3 grid = mo_v3(i % 6 / 5.0, i / 6 % 6 / 5.0, i / 36 / 5.0);
        points[count++] = mo_add_scaled(grid, noise, random_in_cube(&seed));
      }
      mo_hull *hull = hull_of(points, count);
      assert_hull_of(hull, points, count, 1e-9);
      assert_near(hull->volume, 1.0, 1e-9 + 10.0 * noise);
      mo_hull_release(hull);
    }
  }
}

static void sphere_of_200_points_holds_every_point(void **state) {
  (void)state;
  mo_vec3 points[200];
  uint64_t seed = 13;
  for (int i = 0; i < 200; i++) {
    points[i] = random_on_sphere(&seed);
  }
  mo_hull *hull = hull_of(points, 200);
  assert_hull_of(hull, points, 200, 1e-14);
  assert_int_equal(hull->vertex_count, 200);
  assert_int_equal(hull->facet_count, 396);
  mo_hull_release(hull);
}

static void sphere_of_2000_points_is_nearly_a_ball(void **state) {
  (void)state;
  mo_vec3 *points = malloc(2000 * sizeof *points);
  uint64_t seed = 14;
  for (int i = 0; i < 2000; i++) {
    points[i] = random_on_sphere(&seed);
  }
  mo_hull *hull = hull_of(points, 2000);
  assert_hull_of(hull, points, 2000, 1e-14);
  assert_int_equal(hull->vertex_count, 2000);
  assert_near(hull->volume, 4.0 / 3.0 * MO_PI, 0.03);
  assert_near(hull->inertia_per_mass.cx.x, 0.4, 0.01);
  mo_hull_release(hull);
  free(points);
}

static void hundred_thousand_points(void **state) {
  (void)state;
  size_t count = 100000;
  mo_vec3 *points = malloc(count * sizeof *points);
  uint64_t seed = 15;
  for (size_t i = 0; i < count; i++) {
    points[i] = random_in_cube(&seed);
  }
  mo_hull *hull = hull_of(points, count);
  assert_hull_of(hull, points, count, 1e-14);
  assert_near(hull->volume, 8.0, 0.05);
  mo_hull_release(hull);
  free(points);
}

static void twenty_thousand_points_on_a_sphere(void **state) {
  (void)state;
  size_t count = 20000;
  mo_vec3 *points = malloc(count * sizeof *points);
  uint64_t seed = 16;
  for (size_t i = 0; i < count; i++) {
    points[i] = random_on_sphere(&seed);
  }
  mo_hull *hull = hull_of(points, count);
  assert_topology(hull);
  assert_int_equal(hull->vertex_count, count);
  mo_hull_release(hull);
  free(points);
}

static void thin_slabs(void **state) {
  (void)state;
  uint64_t seed = 17;
  for (double thickness = 1e-2; thickness > 3e-12; thickness *= 0.1) {
    for (int turn = 0; turn < 20; turn++) {
      mo_mat3 r = turn ? mo_quat_to_mat3(mo_quat_exp(random_in_cube(&seed))) : mo_mat3_identity();
      mo_vec3 points[8];
      for (int i = 0; i < 8; i++) {
        mo_vec3 c = cube_corner(i);
        points[i] = mo_mat3_mul(r, mo_v3(c.x, c.y * thickness, c.z));
      }
      mo_hull *hull = hull_of(points, 8);
      // The corners are rounded to 1e-16, so the narrow sides are twisted by up to some 1e-16 /
      // thickness.
      assert_hull_of(hull, points, 8, 1e-15 / thickness);
      assert_near(hull->volume, thickness, 1e-15);
      assert_int_equal(hull->face_count, 6);
      mo_hull_release(hull);
    }
  }
}

static void any_size(void **state) {
  (void)state;
  uint64_t seed = 18;
  mo_vec3 unit[50], points[50];
  for (int i = 0; i < 50; i++) {
    unit[i] = random_in_cube(&seed);
  }
  mo_hull *reference = hull_of(unit, 50);
  static const double sizes[] = {1e-60, 1e-6, 1e-3, 1e3, 1e8, 1e60};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    for (int i = 0; i < 50; i++) {
      points[i] = mo_scale(sizes[s], unit[i]);
    }
    mo_hull *hull = hull_of(points, 50);
    assert_hull_of(hull, points, 50, 1e-14);
    assert_int_equal(hull->face_count, reference->face_count);
    double cubed = sizes[s] * sizes[s] * sizes[s];
    assert_near(hull->volume / cubed, reference->volume, 1e-13);
    assert_near(hull->inertia_per_mass.cx.y / (sizes[s] * sizes[s]),
                reference->inertia_per_mass.cx.y, 1e-13);
    mo_hull_release(hull);
  }
  mo_hull_release(reference);
}

static void a_distant_hull_keeps_its_digits(void **state) {
  (void)state;
  mo_vec3 points[8];
  for (int i = 0; i < 8; i++) {
    points[i] = mo_add(cube_corner(i), mo_v3(1e6, 1e6, 1e6));
  }
  mo_hull *hull = hull_of(points, 8);
  assert_hull_of(hull, points, 8, 1e-15);
  assert_int_equal(hull->face_count, 6);
  assert_near(hull->volume, 1.0, 1e-15);
  assert_near(hull->surface_area, 6.0, 1e-15);
  assert_near_v3(hull->centroid, mo_v3(1e6 + 0.5, 1e6 + 0.5, 1e6 + 0.5), 0.0);
  assert_near(mo_hull_signed_distance(hull, hull->centroid), -0.5, 1e-15);
  mo_hull_release(hull);
}

// --- hard shapes -----------------------------------------------------------------------------

// A torus knot as three.js makes it: a tube about a curve on a torus.
static void fill_torus_knot(mo_vec3 *points, int along, int around, double p, double q) {
  for (int i = 0; i < along; i++) {
    double u = 2.0 * MO_PI * p * i / along;
    mo_sin_cos a = mo_sine_cosine(u), b = mo_sine_cosine(q / p * u);
    double radius = 2.0 + b.cos;
    mo_vec3 center = mo_v3(0.5 * radius * a.cos, 0.5 * radius * a.sin, 0.5 * b.sin);
    for (int j = 0; j < around; j++) {
      mo_sin_cos c = mo_sine_cosine(2.0 * MO_PI * j / around);
      mo_vec3 outward = mo_normalize(mo_v3(center.x, center.y, 0.0));
      mo_vec3 at = mo_add_scaled(center, 0.4 * c.cos, outward);
      at.z += 0.4 * c.sin;
      points[i * around + j] = mo_v3((float)at.x, (float)at.y, (float)at.z);
    }
  }
}

static void torus_knots(void **state) {
  (void)state;
  mo_vec3 points[64 * 8];
  for (int p = 1; p < 6; p++) {
    for (int q = 1; q < 6; q++) {
      fill_torus_knot(points, 64, 8, p, q);
      mo_hull *hull = hull_of(points, COUNT(points));
      assert_hull_of(hull, points, COUNT(points), 1e-6);
      mo_hull_release(hull);
    }
  }
}

static void lat_long_spheres_cones_and_cylinders(void **state) {
  (void)state;
  static mo_vec3 points[65 * 65];
  for (int segments = 3; segments <= 64; segments += 7) {
    for (int kind = 0; kind < 3; kind++) {
      size_t count = 0;
      for (int i = 0; i <= segments; i++) {
        double t = (double)i / segments;
        mo_sin_cos latitude = mo_sine_cosine(MO_PI * t);
        double radius = kind == 0 ? latitude.sin : (kind == 1 ? t : 1.0),
               height = kind == 0 ? latitude.cos : t;
        // the last column repeats the first up to round-off, as in three.js
        for (int j = 0; j <= segments; j++) {
          mo_sin_cos sc = mo_sine_cosine(2.0 * MO_PI * j / segments);
          points[count++] =
              mo_v3((float)(radius * sc.cos), (float)height, (float)(radius * sc.sin));
        }
      }
      mo_hull *hull = hull_of(points, count);
      assert_hull_of(hull, points, count, 2e-6);
      if (kind == 1) {
        assert_int_equal(hull->face_count, segments + 1);
      }
      if (kind == 2) {
        assert_int_equal(hull->face_count, segments + 2);
      }
      mo_hull_release(hull);
    }
  }
}

static void nearly_coincident_points(void **state) {
  (void)state;
  uint64_t seed = 19;
  for (double distance = 1e-18; distance < 1e-2; distance *= 10.0) {
    mo_vec3 points[80];
    for (int i = 0; i < 80; i++) {
      points[i] = mo_add_scaled(cube_corner(i % 8), distance, random_on_sphere(&seed));
    }
    mo_hull *hull = hull_of(points, 80);
    assert_hull_of(hull, points, 80, 1e-9);
    mo_hull_release(hull);
  }
}

static void needle_like_and_lopsided_clouds(void **state) {
  (void)state;
  uint64_t seed = 20;
  for (int trial = 0; trial < 300; trial++) {
    mo_vec3 points[40], axes = mo_v3(1.0, 1.0, 1.0);
    axes.y = 1.0 / (1 << (trial % 20));
    axes.z = 1.0 / (1 << (trial / 20 % 15));
    mo_mat3 r = mo_quat_to_mat3(mo_quat_exp(mo_scale(2.0, random_in_cube(&seed))));
    for (int i = 0; i < 40; i++) {
      mo_vec3 p = random_in_cube(&seed);
      points[i] = mo_mat3_mul(r, mo_v3(axes.x * p.x * p.x * p.x, axes.y * p.y, axes.z * p.z));
    }
    mo_hull *hull = hull_of(points, 40);
    assert_hull_of(hull, points, 40, 1e-9);
    mo_hull_release(hull);
  }
}

// Any of many kinds of clouds, squeezed, turned, moved and noisy at random.
static size_t fill_hostile_cloud(mo_vec3 *points, uint64_t *seed) {
  int kind = (int)random_in(seed, 0.0, 6.0);
  double most = random_in(seed, 0.0, 1.0) < 0.1 ? 250.0 : 60.0;
  size_t count = 4 + (size_t)random_in(seed, 0.0, most);
  double noise = 1.0, squeeze = 1.0;
  for (int halvings = (int)random_in(seed, 0.0, 60.0); halvings > 0; halvings--) {
    noise *= 0.5;
  }
  for (int halvings = (int)random_in(seed, 0.0, 30.0); halvings > 0 && kind % 2; halvings--) {
    squeeze *= 0.5;
  }
  mo_mat3 turn = mo_quat_to_mat3(mo_quat_exp(random_in_cube(seed)));
  double distance = random_in(seed, 0.0, 1.0) < 0.5 ? 0.0 : 1e3;
  mo_vec3 offset = mo_scale(distance, random_in_cube(seed));
  for (size_t i = 0; i < count; i++) {
    mo_vec3 p = random_in_cube(seed);
    if (kind == 1) { // on the surface of a cube
      p = mo_scale(1.0 / mo_v3_max_component(mo_v3_abs(p)), p);
    } else if (kind == 2) { // grid
      p = mo_v3(floor(4.0 * p.x), floor(4.0 * p.y), floor(4.0 * p.z));
    } else if (kind == 3) {
      p = random_on_sphere(seed);
    } else if (kind == 4) { // clumps on the corners of a prism
      mo_sin_cos sc = mo_sine_cosine(MO_PI / 8.0 * floor(8.0 * p.x));
      p = mo_v3(sc.cos, p.y < 0.0 ? 0.0 : 1.0, sc.sin);
    } else if (kind == 5) { // clumps on the corners of a cube
      p = mo_v3(p.x < 0.0 ? 0.0 : 1.0, p.y < 0.0 ? 0.0 : 1.0, p.z < 0.0 ? 0.0 : 1.0);
    }
    p = mo_add_scaled(p, noise, random_in_cube(seed));
    p.z *= squeeze;
    points[i] = mo_add(mo_mat3_mul(turn, p), offset);
  }
  return count;
}

static void hostile_clouds(void **state) {
  (void)state;
  uint64_t seed = 25;
  static mo_vec3 points[310];
  for (int trial = 0; trial < 4000; trial++) {
    size_t count = fill_hostile_cloud(points, &seed), bytes = mo_allocated_bytes();
    mo_hull *hull;
    mo_result result = mo_hull_create(points, count, &hull);
    if (result == MO_OK) {
      assert_hull_of(hull, points, count, INFINITY);
      mo_hull_release(hull);
    } else {
      // few enough points in a grid or in clumps may well lie in one plane
      assert_true(result == MO_ERROR_HULL_COPLANAR || result == MO_ERROR_HULL_COLLINEAR);
    }
    assert_int_equal(mo_allocated_bytes(), bytes);
  }
}

// --- order -----------------------------------------------------------------------------------

// The same points in another order make the same solid: vertices by name agree, and so do faces.
static void assert_same_solid(const mo_hull *a, const mo_hull *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->face_count, b->face_count);
  assert_near(a->volume, b->volume, 1e-13);
  uint32_t found = 0;
  for (uint32_t i = 0; i < a->face_count; i++) {
    for (uint32_t j = 0; j < b->face_count; j++) {
      bool same = mo_length(mo_sub(a->faces[i].normal, b->faces[j].normal)) < 1e-9 &&
                  fabs(a->faces[i].offset - b->faces[j].offset) < 1e-9 &&
                  a->faces[i].vertex_count == b->faces[j].vertex_count;
      found += same;
    }
  }
  assert_int_equal(found, a->face_count);
}

static void order_of_the_points_does_not_matter(void **state) {
  (void)state;
  uint64_t seed = 21;
  mo_vec3 points[8 + 60 + 128];
  for (int cloud = 0; cloud < 3; cloud++) {
    int count = cloud == 0 ? 60 : (cloud == 1 ? 128 : 27);
    fill_prism(points, 64);
    for (int i = 0; i < count && cloud != 1; i++) {
      points[i] = cloud == 0 ? random_on_sphere(&seed) : mo_v3(i % 3, i / 3 % 3, i / 9);
    }
    mo_hull *reference = hull_of(points, (size_t)count);
    for (int trial = 0; trial < 20; trial++) {
      for (int i = count - 1; i > 0; i--) {
        int j = (int)random_in(&seed, 0.0, i + 1.0);
        mo_vec3 swapped = points[i];
        points[i] = points[j];
        points[j] = swapped;
      }
      mo_hull *hull = hull_of(points, (size_t)count);
      assert_hull_of(hull, points, (size_t)count, 1e-14);
      assert_same_solid(reference, hull);
      mo_hull_release(hull);
    }
    mo_hull_release(reference);
  }
}

// Qhull hashes addresses. Blocks of other sizes and places between the runs must not show in the
// result.
static void *scattered_allocate(size_t bytes, void *user) {
  unsigned *counter = user;
  size_t shift = 16u * (*counter * 7919u % 61u);
  *counter += 1;
  unsigned char *block = malloc(bytes + shift + 16);
  if (!block) {
    return NULL;
  }
  *(size_t *)(void *)(block + shift) = shift;
  return block + shift + 16;
}

static void scattered_release(void *memory, void *user) {
  (void)user;
  unsigned char *header = (unsigned char *)memory - 16;
  free(header - *(size_t *)(void *)header);
}

static void addresses_do_not_matter(void **state) {
  (void)state;
  static mo_vec3 points[64 * 8];
  uint64_t seed = 22;
  for (int cloud = 0; cloud < 20; cloud++) {
    for (size_t i = 0; i < COUNT(points); i++) {
      mo_vec3 grid = mo_v3((double)(i % 8), (double)(i / 8 % 8), (double)(i / 64));
      points[i] = cloud % 2 ? random_in_cube(&seed)
                            : mo_add_scaled(grid, cloud * 1e-15, random_in_cube(&seed));
    }
    mo_hull *reference = hull_of(points, COUNT(points));
    size_t bytes = sizeof *reference->vertices * reference->vertex_count;
    mo_vec3 *vertices = malloc(bytes);
    memcpy(vertices, reference->vertices, bytes);
    uint32_t face_count = reference->face_count, vertex_count = reference->vertex_count;
    double volume = reference->volume;
    mo_hull_release(reference);
    unsigned counter = (unsigned)cloud * 1000u;
    mo_set_allocator(scattered_allocate, scattered_release, &counter);
    for (int trial = 0; trial < 5; trial++) {
      mo_hull *hull = hull_of(points, COUNT(points));
      assert_int_equal(hull->face_count, face_count);
      assert_int_equal(hull->vertex_count, vertex_count);
      assert_memory_equal(hull->vertices, vertices, bytes);
      assert_true(hull->volume == volume);
      mo_hull_release(hull);
    }
    mo_set_allocator(NULL, NULL, NULL);
    free(vertices);
  }
}

static void of_coincident_points_the_first_is_taken(void **state) {
  (void)state;
  mo_vec3 points[9];
  points[0] = mo_v3(-0.0, 0.0, -0.0);
  for (int i = 0; i < 8; i++) {
    points[i + 1] = cube_corner(i);
  }
  mo_hull *hull = hull_of(points, 9);
  assert_int_equal(hull->vertex_count, 8);
  assert_true(1.0 / hull->vertices[0].x < 0.0); // -0 of points[0], not 0 of points[1]
  mo_hull_release(hull);
}

// --- errors and memory -----------------------------------------------------------------------

static void assert_refused(const mo_vec3 *points, size_t count, mo_result expected) {
  size_t bytes = mo_allocated_bytes();
  mo_hull *hull = (mo_hull *)(uintptr_t)1;
  assert_int_equal(mo_hull_create(points, count, &hull), expected);
  assert_null(hull);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void each_kind_of_bad_input_has_its_code(void **state) {
  (void)state;
  mo_vec3 points[10];
  mo_vec3 direction = mo_v3(0.3, -0.7, 0.2), other = mo_v3(0.1, 0.4, -0.9);
  uint64_t seed = 23;
  assert_refused(NULL, 0, MO_ERROR_HULL_EMPTY);
  assert_refused(points, 0, MO_ERROR_HULL_EMPTY);
  for (int i = 0; i < 10; i++) {
    points[i] = random_in_cube(&seed);
  }
  assert_refused(points, 3, MO_ERROR_HULL_TOO_FEW_POINTS);
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t b = 0; b < 3; b++) {
    for (int i = 0; i < 30; i++) {
      mo_vec3 copy[10];
      memcpy(copy, points, sizeof copy);
      (&copy[i / 3].x)[i % 3] = bad[b];
      assert_refused(copy, 10, MO_ERROR_HULL_NOT_FINITE);
    }
  }
  for (int i = 0; i < 10; i++) {
    points[i] = mo_v3(1.5, -2.5, 1e6);
  }
  assert_refused(points, 10, MO_ERROR_HULL_ALL_EQUAL);
  static const double offsets[] = {0.0, 1.0, 1e6, -1e9};
  for (size_t o = 0; o < COUNT(offsets); o++) {
    for (int i = 0; i < 10; i++) {
      points[i] = mo_add_scaled(mo_v3(offsets[o], 1.0, offsets[o]), 0.37 * i, direction);
    }
    assert_refused(points, 10, MO_ERROR_HULL_COLLINEAR);
    for (int i = 0; i < 10; i++) {
      points[i] = mo_add_scaled(points[i], 0.11 * i * i, other);
    }
    assert_refused(points, 10, MO_ERROR_HULL_COPLANAR);
    assert_refused(points, 4, MO_ERROR_HULL_COPLANAR);
  }
  // three different points out of ten span a plane and no more
  for (int i = 0; i < 10; i++) {
    points[i] = cube_corner(i % 3);
  }
  assert_refused(points, 10, MO_ERROR_HULL_COPLANAR);
  // finite, but their differences are not
  for (int i = 0; i < 8; i++) {
    points[i] = mo_scale(1.7e308, mo_sub(cube_corner(i), mo_v3(0.5, 0.5, 0.5)));
    points[i] = mo_scale(2.0, points[i]);
  }
  assert_refused(points, 8, MO_ERROR_HULL_NOT_FINITE);
  for (int i = 0; i < 8; i++) {
    points[i] = mo_scale(1e-320, cube_corner(i));
  }
  assert_refused(points, 8, MO_ERROR_HULL_ALL_EQUAL);
  assert_int_equal(mo_hull_create(points, 8, NULL), MO_ERROR_INVALID_ARGUMENT);
  assert_refused(NULL, 8, MO_ERROR_INVALID_ARGUMENT);
  mo_hull_release(NULL);
}

static void the_number_of_an_error_of_qhull_comes_back(void **state) {
  (void)state;
  // a tetrahedron that is just thick enough for us and too flat for Qhull
  mo_vec3 points[4] = {{-0x1.26fbaa91ec051p+3, -0x1.ce21906200235p+1, -0x1.9003532b25182p+2},
                       {-0x1.234087cd631bp+3, -0x1.c2896a0cac474p+1, -0x1.868a626160e43p+2},
                       {-0x1.2f521b09c8cafp+3, -0x1.e80a7ae646257p+1, -0x1.a52e5517cc26fp+2},
                       {-0x1.2434da794ad99p+3, -0x1.c580aa1a9effep+1, -0x1.88f6ae99236a8p+2}};
  assert_refused(points, 4, MO_ERROR_HULL_QHULL);
  mo_hull *hull;
  int number = -1;
  assert_int_equal(mo_hull_create_reporting(points, 4, &hull, &number), MO_ERROR_HULL_QHULL);
  assert_int_equal(number, 6154);
  assert_int_equal(mo_hull_create_reporting(points, 3, &hull, &number),
                   MO_ERROR_HULL_TOO_FEW_POINTS);
  assert_int_equal(number, 0);
}

// An allocator that makes another hull while the first is being made, as a second engine in the
// process may at any time.
typedef struct nested {
  long calls; // of the allocator, until the other hull is made
  bool is_inside;
  mo_hull *hull;
} nested;

static size_t cube_corners(mo_vec3 corners[8]) {
  for (uint32_t i = 0; i < 8; i++) {
    corners[i] = cube_corner(i);
  }
  return 8;
}

static void *nested_allocate(size_t bytes, void *user) {
  nested *n = user;
  if (!n->is_inside && n->calls-- == 0) {
    // Too flat for Qhull: it leaves by an error.
    mo_vec3 flat[4] = {{-0x1.26fbaa91ec051p+3, -0x1.ce21906200235p+1, -0x1.9003532b25182p+2},
                       {-0x1.234087cd631bp+3, -0x1.c2896a0cac474p+1, -0x1.868a626160e43p+2},
                       {-0x1.2f521b09c8cafp+3, -0x1.e80a7ae646257p+1, -0x1.a52e5517cc26fp+2},
                       {-0x1.2434da794ad99p+3, -0x1.c580aa1a9effep+1, -0x1.88f6ae99236a8p+2}};
    mo_hull *none = NULL;
    n->is_inside = true;
    assert_int_equal(mo_hull_create(flat, 4, &none), MO_ERROR_HULL_QHULL);
    mo_vec3 corners[8];
    assert_int_equal(mo_hull_create(corners, cube_corners(corners), &n->hull), MO_OK);
    n->is_inside = false;
  }
  return malloc(bytes);
}

static void nested_release(void *memory, void *user) {
  (void)user;
  free(memory);
}

static void hulls_are_made_one_within_another(void **state) {
  (void)state;
  size_t bytes = mo_allocated_bytes();
  long made = 0;
  for (long calls = 0; made == calls; calls++) {
    nested n = {.calls = calls};
    mo_set_allocator(nested_allocate, nested_release, &n);
    mo_vec3 corners[8];
    mo_hull *hull = NULL;
    assert_int_equal(mo_hull_create(corners, cube_corners(corners), &hull), MO_OK);
    assert_near(mo_hull_volume(hull), 1.0, 1e-14);
    if (n.hull) {
      assert_near(mo_hull_volume(n.hull), 1.0, 1e-14);
      made++;
    }
    mo_hull_release(n.hull);
    mo_hull_release(hull);
    mo_set_allocator(NULL, NULL, NULL);
    assert_int_equal(mo_allocated_bytes(), bytes);
  }
  assert_true(made > 10); // at each call of the allocator
}

typedef struct budget {
  long left; // calls that succeed
  long held;
} budget;

static void *budget_allocate(size_t bytes, void *user) {
  budget *b = user;
  if (b->left <= 0) {
    return NULL;
  }
  b->left--;
  b->held++;
  return malloc(bytes);
}

static void budget_release(void *memory, void *user) {
  ((budget *)user)->held--;
  free(memory);
}

static void assert_survives_without_memory(const mo_vec3 *points, size_t count, long stride) {
  size_t bytes = mo_allocated_bytes();
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  long calls = 0;
  for (; result != MO_OK; calls += stride) {
    budget b = {calls, 0};
    mo_set_allocator(budget_allocate, budget_release, &b);
    mo_hull *hull;
    result = mo_hull_create(points, count, &hull);
    if (result != MO_OK) {
      assert_int_equal(result, MO_ERROR_OUT_OF_MEMORY);
      assert_null(hull);
    }
    mo_hull_release(hull);
    mo_set_allocator(NULL, NULL, NULL);
    assert_int_equal(b.held, 0);
    assert_int_equal(mo_allocated_bytes(), bytes);
  }
  assert_true(calls > 10);
}

static void no_memory_at_any_moment(void **state) {
  (void)state;
  mo_vec3 points[500];
  uint64_t seed = 24;
  for (int i = 0; i < 500; i++) {
    points[i] = i < 8 ? cube_corner(i) : mo_v3(0.5, 0.5, 0.5);
  }
  assert_survives_without_memory(points, 20, 1);
  for (int i = 0; i < 500; i++) {
    points[i] = random_on_sphere(&seed);
  }
  assert_survives_without_memory(points, 40, 1);
  assert_survives_without_memory(points, 500, 1);
  // merging at work
  for (int i = 0; i < 125; i++) {
    points[i] = mo_add_scaled(mo_v3(i % 5, i / 5 % 5, i / 25), 1e-15, random_in_cube(&seed));
  }
  assert_survives_without_memory(points, 125, 1);
}

static void shared_hull_lives_until_the_last_reference(void **state) {
  (void)state;
  size_t bytes = mo_allocated_bytes();
  mo_hull *hull = mo_hull_create_box(mo_v3(1.0, 1.0, 1.0));
  mo_hull_retain(hull);
  mo_hull_release(hull);
  assert_int_equal(mo_hull_vertex_count(hull), 8);
  mo_hull_release(hull);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void support_is_the_farthest_vertex_and_of_equals_the_first(void **state) {
  (void)state;
  mo_hull *box = mo_hull_create_box(mo_v3(1.0, 2.0, 3.0));
  assert_int_equal(mo_hull_support_vertex(box, mo_v3(1.0, 1.0, 1.0)), 7);
  assert_int_equal(mo_hull_support_vertex(box, mo_v3(0.0, 0.0, 1.0)), 4);
  assert_int_equal(mo_hull_support_vertex(box, mo_v3_zero()), 0);
  mo_hull_release(box);
}

TEST_GROUP(hull) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cube_with_inner_points_and_duplicates),
      cmocka_unit_test(centered_cube_has_the_numbers_of_the_seed),
      cmocka_unit_test(tetrahedron_of_the_seed),
      cmocka_unit_test(octahedron),
      cmocka_unit_test(square_pyramid),
      cmocka_unit_test(box_hull_is_what_the_builder_makes),
      cmocka_unit_test(prism_with_64_sides),
      cmocka_unit_test(turned_prism_keeps_its_faces),
      cmocka_unit_test(subdivided_cube_has_six_faces),
      cmocka_unit_test(nearly_flat_cube_has_six_faces),
      cmocka_unit_test(noisy_clouds_are_valid_at_every_level_of_noise),
      cmocka_unit_test(sphere_of_200_points_holds_every_point),
      cmocka_unit_test(sphere_of_2000_points_is_nearly_a_ball),
      cmocka_unit_test(hundred_thousand_points),
      cmocka_unit_test(twenty_thousand_points_on_a_sphere),
      cmocka_unit_test(thin_slabs),
      cmocka_unit_test(any_size),
      cmocka_unit_test(a_distant_hull_keeps_its_digits),
      cmocka_unit_test(torus_knots),
      cmocka_unit_test(lat_long_spheres_cones_and_cylinders),
      cmocka_unit_test(nearly_coincident_points),
      cmocka_unit_test(needle_like_and_lopsided_clouds),
      cmocka_unit_test(hostile_clouds),
      cmocka_unit_test(order_of_the_points_does_not_matter),
      cmocka_unit_test(addresses_do_not_matter),
      cmocka_unit_test(of_coincident_points_the_first_is_taken),
      cmocka_unit_test(each_kind_of_bad_input_has_its_code),
      cmocka_unit_test(the_number_of_an_error_of_qhull_comes_back),
      cmocka_unit_test(hulls_are_made_one_within_another),
      cmocka_unit_test(no_memory_at_any_moment),
      cmocka_unit_test(shared_hull_lives_until_the_last_reference),
      cmocka_unit_test(support_is_the_farthest_vertex_and_of_equals_the_first),
  };
  return run_group(tests, NULL, NULL);
}
