// Searches of smooth cores at poses whose answer is known: one of B's support planes is put at a
// given gap from one of A's, which proves how far apart they are at least.
#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/gjk.h"
#include "collision/convex/separation.h"

#define PAIRS 8000
// m: the accuracy that depths must have.
#define ACCURACY 1e-6

static mo_shape *random_round_shape(void) {
  int kind = (int)random_between(0.0, 4.0);
  double r = random_between(0.1, 0.7), s = random_between(0.1, 0.7), h = random_between(0.1, 0.7);
  switch (kind) {
  case 0:
    return mo_shape_create_cylinder(r, h, 0.0, NULL);
  case 1:
    return mo_shape_create_cone(r, h, 0.0, NULL);
  case 2:
    return mo_shape_create_tapered_cylinder(r, s, h, 0.0, NULL);
  default:
    return mo_shape_create_capsule(r, h, NULL);
  }
}

static mo_vec3 support(const mo_convex *core, mo_vec3 normal) {
  uint32_t vertex = mo_convex_first_vertex(core);
  return mo_convex_support(core, &vertex, normal);
}

// B at some orientation, `gap` metres beyond a support plane of A.
static mo_transform place_beyond(const mo_convex *a, const mo_convex *b, double gap) {
  mo_vec3 normal = random_direction(), shift = random_in_cube(0.5);
  mo_transform placement = {mo_quat_to_mat3(random_rotation()), mo_cross(normal, shift)};
  mo_vec3 down = mo_neg(mo_mat3_mul_transposed(placement.rotation, normal));
  mo_vec3 lowest = mo_transform_point(placement, support(b, down));
  double height = mo_dot(normal, mo_sub(support(a, normal), lowest));
  placement.translation = mo_add_scaled(placement.translation, height + gap, normal);
  return placement;
}

static mo_minkowski random_pair(const mo_shape *a, const mo_shape *b, double gap) {
  return mo_minkowski_of(&a->core, &b->core, place_beyond(&a->core, &b->core, gap));
}

// The vertices of a simplex on smooth surfaces lie so near to each other that its tetrahedron
// seemed to have the origin inside, for 1 of 250 pairs.
static void what_is_apart_is_found_apart(void **state) {
  (void)state;
  random_seed(84);
  for (int i = 0; i < PAIRS; i++) {
    mo_shape *a = random_round_shape(), *b = random_round_shape();
    double gap = random_between(0.01, 0.8);
    mo_minkowski pair = random_pair(a, b, gap);
    mo_gjk_result found = mo_gjk(&pair, INFINITY);
    assert_int_equal(found.status, MO_GJK_APART);
    assert_true(found.distance >= gap * (1.0 - 1e-9));
    mo_shape_release(a);
    mo_shape_release(b);
  }
}

// The search along a circle of normals lost its bracket for 1 of 200 pairs.
static void rough_searches_are_refined_to_the_distance(void **state) {
  (void)state;
  random_seed(85);
  int off = 0;
  for (int i = 0; i < PAIRS; i++) {
    mo_shape *a = random_round_shape(), *b = random_round_shape();
    mo_minkowski pair = random_pair(a, b, random_between(0.01, 0.8));
    double distance = mo_gjk(&pair, INFINITY).distance;
    pair.is_rough = true;
    double refined = mo_refine_separation(&pair, mo_gjk(&pair, INFINITY).normal).distance;
    off += !(fabs(refined - distance) <= ACCURACY);
    mo_shape_release(a);
    mo_shape_release(b);
  }
  assert_int_equal(off, 0);
}

TEST_GROUP(round_cores) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_apart_is_found_apart),
      cmocka_unit_test(rough_searches_are_refined_to_the_distance),
  };
  return run_group(tests, NULL, NULL);
}
