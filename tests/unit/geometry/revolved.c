// Solids of revolution: the support function, the distance and the mass properties of one profile.
#include "assert_near_v3.h"
#include "random_fixture.h"
#include "test_group.h"

#include "geometry/revolved.h"
#include "geometry/shape.h"

// Two ends with the roundings of all the shapes there are.
static mo_convex make(mo_revolved_end bottom, mo_revolved_end top, double half_height) {
  mo_convex core;
  assert_true(mo_convex_revolved(bottom, top, half_height, mo_min(bottom.ball, top.ball), &core));
  return core;
}

#define CORES 6
static void make_cores(mo_convex cores[CORES]) {
  cores[0] = make((mo_revolved_end){0.5, 0.0}, (mo_revolved_end){0.5, 0.0}, 0.8);
  cores[1] = make((mo_revolved_end){0.6, 0.0}, (mo_revolved_end){0.0, 0.0}, 0.8);
  cores[2] = make((mo_revolved_end){0.4, 0.1}, (mo_revolved_end){0.4, 0.1}, 0.5);
  cores[3] = make((mo_revolved_end){0.2, 0.05}, (mo_revolved_end){0.7, 0.05}, 0.1);
  cores[4] = make((mo_revolved_end){0.0, 0.2}, (mo_revolved_end){0.0, 0.5}, 0.4);
  cores[5] = make((mo_revolved_end){0.0, 0.0}, (mo_revolved_end){0.0, 0.3}, 0.25);
}

// The support function with the radius of the core.
static double reach(const mo_convex *core, mo_vec3 n) {
  return mo_dot(n, mo_revolved_support(core, n)) + core->radius;
}

static mo_vec3 random_point(uint64_t *random) {
  double x = random_in(random, -1.0, 1.0), y = random_in(random, -1.0, 1.0);
  return mo_v3(x, y, random_in(random, -1.0, 1.0));
}

// The distance of a point from a convex set is the greatest n . x - h(n) over all normals.
static void distance_is_that_of_the_support_planes(void **state) {
  (void)state;
  mo_convex cores[CORES];
  make_cores(cores);
  uint64_t random = 7;
  for (int i = 0; i < 20000; i++) {
    const mo_convex *core = &cores[i % CORES];
    mo_vec3 point = mo_scale(1.5, random_point(&random)), normal;
    double distance = mo_revolved_distance(core, point, &normal);
    assert_near(mo_length(normal), 1.0, 1e-12);
    assert_near(mo_dot(normal, point) - reach(core, normal), distance, 1e-12);
    mo_vec3 other = mo_normalize(random_point(&random));
    assert_true(mo_dot(other, point) - reach(core, other) <= distance + 1e-12);
  }
}

// Mass properties by slices across the axis, as thick as the midpoint rule allows.
static void mass_is_that_of_the_slices(void **state) {
  (void)state;
  mo_convex cores[CORES];
  make_cores(cores);
  enum { SLICES = 4000, HALVINGS = 50 };
  for (int c = 0; c < CORES; c++) {
    const mo_convex *core = &cores[c];
    mo_vec3 up = mo_v3(0, 1, 0), normal;
    double top = reach(core, up), bottom = -reach(core, mo_neg(up));
    double one = 0.0, y = 0.0, yy = 0.0, xx = 0.0, thick = (top - bottom) / SLICES;
    for (int i = 0; i < SLICES; i++) {
      double height = bottom + (i + 0.5) * thick, inside = 0.0, outside = 2.0;
      for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (inside + outside);
        bool is_in = mo_revolved_distance(core, mo_v3(middle, height, 0), &normal) <= 0.0;
        *(is_in ? &inside : &outside) = middle;
      }
      double area = MO_PI * inside * inside;
      one += area * thick;
      y += area * thick * height;
      yy += area * thick * height * height;
      xx += 0.25 * area * inside * inside * thick;
    }
    double surface;
    mo_mass_properties mass = mo_revolved_mass_properties(core, &surface);
    assert_near(mass.volume, one, 1e-6);
    assert_near_v3(mass.centroid, mo_v3(0, y / one, 0), 1e-6);
    assert_near(mass.inertia_per_mass.cy.y, 2.0 * xx / one, 1e-6);
    assert_near(mass.inertia_per_mass.cx.x, (xx + yy) / one - mo_square(y / one), 1e-6);
  }
}

// The surface is the growth of the volume as the rounding grows (Steiner).
static void surface_is_the_growth_of_the_volume(void **state) {
  (void)state;
  const double grown = 1e-4;
  mo_revolved_end ends[2] = {{0.3, 0.1}, {0.5, 0.1}};
  double volumes[2], surface, unused;
  for (int i = 0; i < 2; i++) {
    double more = i == 0 ? -grown : grown;
    mo_revolved_end bottom = {ends[0].disc, ends[0].ball + more};
    mo_revolved_end top = {ends[1].disc, ends[1].ball + more};
    mo_convex core = make(bottom, top, 0.4);
    volumes[i] = mo_revolved_mass_properties(&core, &unused).volume;
  }
  mo_convex core = make(ends[0], ends[1], 0.4);
  mo_revolved_mass_properties(&core, &surface);
  assert_near((volumes[1] - volumes[0]) / (2.0 * grown), surface, 1e-6);
}

static void refuses_a_ball_inside_the_other(void **state) {
  (void)state;
  mo_result result;
  assert_null(mo_shape_create_tapered_capsule(1.0, 0.2, 0.4, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  mo_shape *equal = mo_shape_create_tapered_capsule(0.3, 0.3, 0.4, &result);
  assert_non_null(equal);
  assert_int_equal(equal->core.kind, MO_CORE_SEGMENT); // a capsule
  mo_shape_release(equal);
  const double bad[] = {-1.0, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    assert_null(mo_shape_create_cylinder(bad[i], 1.0, 0.0, &result));
    assert_null(mo_shape_create_cylinder(1.0, bad[i], 0.0, &result));
    assert_null(mo_shape_create_cone(1.0, 1.0, bad[i], &result));
    assert_null(mo_shape_create_tapered_cylinder(bad[i], 1.0, 1.0, 0.0, &result));
    assert_null(mo_shape_create_rounded_box(mo_v3(1, 1, 1), bad[i], &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  }
}

TEST_GROUP(revolved) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distance_is_that_of_the_support_planes),
      cmocka_unit_test(mass_is_that_of_the_slices),
      cmocka_unit_test(surface_is_the_growth_of_the_volume),
      cmocka_unit_test(refuses_a_ball_inside_the_other),
  };
  return run_group(tests, NULL, NULL);
}
