// The part of a shape below a plane: closed forms, complements, and the quadratures against them.
#include "hull_fixture.h"
#include "test_group.h"

#include "geometry/shape_hull.h"
#include "geometry/submerged_parts.h"

static uint32_t random_state;

// -1 to 1, the same in every run.
static double random_number(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (double)(random_state >> 8) / 8388608.0 - 1.0;
}

static mo_vec3 random_normal(void) {
  return mo_normalize(mo_v3(random_number(), random_number(), random_number()));
}

// What is below a plane and what is above it make up the whole, with its centroid.
static void check_complement(const mo_shape *shape, double tolerance) {
  random_state = 7;
  for (int i = 0; i < 300; i++) {
    mo_vec3 normal = random_normal();
    double offset = shape->bounding_radius * random_number() + mo_dot(normal, shape->centroid);
    mo_submerged below = mo_shape_submerged(shape, normal, offset);
    mo_submerged above = mo_shape_submerged(shape, mo_neg(normal), -offset);
    assert_true(below.volume >= 0.0 && below.volume <= (1.0 + tolerance) * shape->volume);
    assert_near(below.volume + above.volume, shape->volume, tolerance * shape->volume);
    mo_vec3 moment =
        mo_add(mo_scale(below.volume, below.centroid), mo_scale(above.volume, above.centroid));
    assert_near_v3(mo_scale(1.0 / shape->volume, moment), shape->centroid,
                   tolerance * shape->bounding_radius);
    if (below.volume > tolerance * shape->volume) {
      assert_true(mo_dot(normal, below.centroid) <= offset + tolerance * shape->bounding_radius);
    }
  }
}

static void both_sides_of_a_plane_make_up_the_shape(void **state) {
  (void)state;
  mo_result result;
  mo_shape *sphere = mo_shape_create_sphere(0.7, &result);
  mo_shape *box = mo_shape_create_box(mo_v3(0.3, 0.8, 1.1), &result);
  mo_shape *capsule = mo_shape_create_capsule(0.4, 0.9, &result);
  mo_shape *rounded = mo_shape_create_rounded_box(mo_v3(0.5, 0.3, 0.2), 0.1, &result);
  check_complement(sphere, 1e-12);
  check_complement(box, 1e-12);
  check_complement(capsule, 1e-10);
  check_complement(rounded, 1e-2);
  mo_shape *revolved[] = {mo_shape_create_cylinder(0.5, 0.8, 0.0, &result),
                          mo_shape_create_cylinder(0.5, 0.8, 0.1, &result),
                          mo_shape_create_cone(0.6, 0.8, 0.0, &result),
                          mo_shape_create_cone(0.6, 0.8, 0.05, &result),
                          mo_shape_create_tapered_cylinder(0.5, 0.2, 0.7, 0.0, &result),
                          mo_shape_create_tapered_capsule(0.5, 0.2, 0.7, &result)};
  for (size_t i = 0; i < sizeof revolved / sizeof *revolved; i++) {
    check_complement(revolved[i], 1e-9);
    mo_shape_release(revolved[i]);
  }
  mo_shape_release(sphere);
  mo_shape_release(box);
  mo_shape_release(capsule);
  mo_shape_release(rounded);
}

// A cylinder of radius r whose axis lies in the plane is cut in halves; with the plane through the
// edge of its base it is a hoof, whose volume is 2/3 r^2 h (Archimedes).
static void cylinders_and_cones_by_sections(void **state) {
  (void)state;
  const double r = 0.5, h = 0.8;
  mo_profile_piece cylinder = {.lower = -h, .upper = h, .lower_radius = r, .upper_radius = r};
  mo_submerged half = mo_submerged_revolution(&cylinder, 1, mo_v3(1, 0, 0), 0.0);
  assert_near(half.volume, MO_PI * r * r * h, 1e-12);
  assert_near_v3(half.centroid, mo_v3(-4.0 * r / (3.0 * MO_PI), 0.0, 0.0), 1e-12);
  mo_submerged across = mo_submerged_revolution(&cylinder, 1, mo_v3(0, 1, 0), 0.3);
  assert_near(across.volume, MO_PI * r * r * (h + 0.3), 1e-12);
  assert_near_v3(across.centroid, mo_v3(0.0, -0.25, 0.0), 1e-12);
  // the plane through the middle of the base and the rim of the top
  double height = 2.0 * h, length = sqrt(r * r + height * height);
  mo_vec3 normal = mo_v3(-height / length, r / length, 0.0);
  mo_submerged hoof = mo_submerged_revolution(&cylinder, 1, normal, -r * h / length);
  assert_near(hoof.volume, 2.0 / 3.0 * r * r * height, 1e-10);
  // a cone that stands on its tip, half of its height under: an eighth of its volume
  mo_profile_piece cone = {.lower = -h, .upper = h, .lower_radius = 0.0, .upper_radius = r};
  mo_submerged tip = mo_submerged_revolution(&cone, 1, mo_v3(0, 1, 0), 0.0);
  assert_near(tip.volume, MO_PI * r * r * 2.0 * h / 24.0, 1e-12);
  // a plane through the axis halves it
  mo_submerged split = mo_submerged_revolution(&cone, 1, mo_v3(0.6, 0, 0.8), 0.0);
  assert_near(split.volume, MO_PI * r * r * 2.0 * h / 6.0, 1e-12);
}

// The polyhedron of support points, against the closed forms of shapes that have them.
static void support_points_are_within_one_percent(void **state) {
  (void)state;
  mo_result result;
  mo_shape *shapes[] = {mo_shape_create_sphere(0.7, &result),
                        mo_shape_create_box(mo_v3(0.3, 0.8, 1.1), &result),
                        mo_shape_create_capsule(0.4, 0.9, &result)};
  random_state = 3;
  for (int k = 0; k < 3; k++) {
    const mo_shape *shape = shapes[k];
    for (int i = 0; i < 200; i++) {
      mo_vec3 normal = random_normal();
      double offset = shape->bounding_radius * random_number();
      mo_submerged exact = mo_shape_submerged(shape, normal, offset);
      mo_submerged found = mo_submerged_support(shape, normal, offset);
      assert_near(found.volume, exact.volume, 0.01 * shape->volume);
      if (exact.volume > 0.05 * shape->volume) {
        assert_near_v3(found.centroid, exact.centroid, 0.02 * shape->bounding_radius);
      }
    }
    mo_shape_release(shapes[k]);
  }
}

static void nothing_and_everything(void **state) {
  (void)state;
  mo_result result;
  mo_shape *box = mo_shape_create_box(mo_v3(0.5, 0.5, 0.5), &result);
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, &result);
  assert_near(mo_shape_submerged(box, mo_v3(0, 1, 0), -0.5).volume, 0.0, 0.0);
  assert_near(mo_shape_submerged(box, mo_v3(0, 1, 0), 0.5).volume, 1.0, 1e-15);
  assert_near(mo_shape_submerged(box, mo_v3(0, 1, 0), 9.0).volume, 1.0, 0.0);
  assert_near(mo_shape_submerged(box, mo_v3(0, 1, 0), -9.0).volume, 0.0, 0.0);
  assert_near(mo_shape_submerged(plane, mo_v3(0, 1, 0), 9.0).volume, 0.0, 0.0);
  mo_shape_release(box);
  mo_shape_release(plane);
}

TEST_GROUP(submerged) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_sides_of_a_plane_make_up_the_shape),
      cmocka_unit_test(cylinders_and_cones_by_sections),
      cmocka_unit_test(support_points_are_within_one_percent),
      cmocka_unit_test(nothing_and_everything),
  };
  return run_group(tests, NULL, NULL);
}
