// Searches of smooth cores at poses whose answer is known: one of B's support planes is put at a
// given gap from one of A's, which proves how far apart they are at least.
#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/gjk.h"
#include "collision/convex/separation.h"
#include "collision/narrow/mesh_manifolds.h"

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

// A cylinder lies across the seam of two boxes, so that it only just touches one of them: its
// contact was a corner of that box, 2.8 m away.
static void what_touches_beside_a_side_is_touched_there(void **state) {
  (void)state;
  mo_shape *box = mo_shape_create_box(mo_v3(1.4, 1, 1.4), NULL);
  mo_shape *cylinder = mo_shape_create_cylinder(0.23, 0.1, 0.0, NULL);
  mo_quat turn = {0.707071426142115, 0.007070949961324532, -0.007070949961324532,
                  0.707071426142115};
  mo_quat floor_turn = {0, 0.009999833334166664, 0, 0.9999500004166653};
  mo_transform lies = {mo_quat_to_mat3(turn),
                       mo_v3(0.010999266681333194, 0.23, 0.5498900036666178)};
  mo_transform tile = {mo_quat_to_mat3(floor_turn),
                       mo_v3(-1.371721875962543, -1, 1.4277181427038736)};
  mo_manifold m;
  mo_collide_shapes(cylinder, lies, box, tile, 0.01, 1.0, &m);
  assert_true(m.point_count > 0);
  for (int i = 0; i < m.point_count; i++) {
    assert_true(mo_distance_between(m.points[i].point_a, lies.translation) < 0.26);
  }
  mo_shape_release(box);
  mo_shape_release(cylinder);
}

static void add_places(const mo_manifold *m, mo_vec3 places[4]) {
  assert_int_equal(m->point_count, 4);
  for (int i = 0; i < 4; i++) {
    places[i] = m->points[i].point_a;
  }
}

static bool has_place(const mo_vec3 places[4], mo_vec3 place) {
  for (int i = 0; i < 4; i++) {
    if (mo_distance_between(places[i], place) < 1e-9) {
      return true;
    }
  }
  return false;
}

// A disc that is about to land has the same four points over a plane, a box and a mesh.
static void disc_has_its_quarters_over_all_surfaces(void **state) {
  (void)state;
  mo_shape *disc = mo_shape_create_cylinder(0.4, 0.2, 0.0, NULL);
  mo_vec3 corners[] = {{-5, 0, -5}, {-5, 0, 5}, {5, 0, 5}, {5, 0, -5}};
  uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  mo_mesh_def def = {.vertices = corners, .vertex_count = 4, .indices = indices, .index_count = 6};
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.0, NULL);
  mo_shape *box = mo_shape_create_box(mo_v3(5, 1, 5), NULL);
  mo_shape *mesh = mo_shape_create_mesh(&def, NULL);
  mo_quat tilt = mo_quat_normalize((mo_quat){0.03, 0.4, 0.07, 1.0});
  mo_transform at = {mo_quat_to_mat3(tilt), mo_v3(0.1, 0.28, 0.2)},
               none = {mo_mat3_identity(), mo_v3_zero()},
               below = {mo_mat3_identity(), mo_v3(0, -1, 0)};
  mo_manifold over;
  mo_mesh_manifolds all;
  mo_vec3 places[3][4];
  mo_collide_shapes(disc, at, plane, none, 0.2, 1.0, &over);
  add_places(&over, places[0]);
  mo_collide_shapes(disc, at, box, below, 0.2, 1.0, &over);
  add_places(&over, places[1]);
  mo_collide_mesh(disc, &at, mesh, &none, 0.2, 1.0, &all);
  add_places(&all.manifolds[0], places[2]);
  for (int i = 0; i < 4; i++) {
    assert_true(has_place(places[1], places[0][i]) && has_place(places[2], places[0][i]));
  }
  mo_shape *shapes[] = {disc, plane, box, mesh};
  for (int i = 0; i < 4; i++) {
    mo_shape_release(shapes[i]);
  }
}

TEST_GROUP(round_cores) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_apart_is_found_apart),
      cmocka_unit_test(rough_searches_are_refined_to_the_distance),
      cmocka_unit_test(what_touches_beside_a_side_is_touched_there),
      cmocka_unit_test(disc_has_its_quarters_over_all_surfaces),
  };
  return run_group(tests, NULL, NULL);
}
