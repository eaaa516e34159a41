// Manifolds of triangles on which one face lies.
#include "collision/narrow/joined_facets.h"
#include "assert_near_v3.h"
#include "collision_oracle.h"
#include "test_group.h"

// Two sides along y that rise from the middle by `slope`.
static mo_shape *valley(double slope) {
  mo_vec3 vertices[6] = {{-1, -1, slope}, {-1, 1, slope}, {0, -1, 0},
                         {0, 1, 0},       {1, -1, slope}, {1, 1, slope}};
  uint32_t indices[12] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};
  mo_mesh_def def = {vertices, 6, indices, 12, false};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_int_equal(result, MO_OK);
  return shape;
}

// The manifolds of a shape over a valley, and how many there were before they were joined. What is
// nearer than `support` counts for the normal.
static mo_mesh_manifolds touch(const mo_shape *shape, mo_transform placement, double slope,
                               double support, int *before) {
  mo_shape *mesh = valley(slope);
  mo_transform world = at(0, 0, 0);
  mo_mesh_manifolds all;
  mo_collide_mesh(shape, &placement, mesh, &world, 0.04, 1.0, &all);
  *before = all.count;
  mo_join_facets(shape, &placement, support, 1.0, &all);
  mo_shape_release(mesh);
  return all;
}

static mo_shape *plate(void) {
  mo_result result;
  return mo_shape_create_box(mo_v3(0.5, 0.4, 0.1), &result);
}

// The corners are over both sides, all at the same height.
static void a_face_across_a_shallow_valley_has_one_contact(void **state) {
  (void)state;
  mo_shape *box = plate();
  int before;
  mo_mesh_manifolds all = touch(box, at(0, 0, 0.12), 0.02, 0.02, &before);
  assert_int_equal(before, 2);
  assert_int_equal(all.count, 1);
  const mo_manifold *m = &all.manifolds[0];
  assert_near_v3(m->normal, mo_v3(0, 0, -1), 0.0);
  assert_int_equal(m->point_count, 4);
  for (int k = 0; k < 4; k++) {
    const mo_manifold_point *p = &m->points[k];
    assert_near(fabs(p->point_b.x), 0.5, 1e-3);
    assert_near(fabs(p->point_b.y), 0.4, 1e-9);
    assert_near(p->separation, 0.01, 1e-5);
    assert_near(mo_dot(m->normal, mo_sub(p->point_b, p->point_a)), p->separation, 1e-15);
  }
  mo_shape_release(box);
}

// The corners at x = -0.4 and 0.6 stand 8 mm and 12 mm above the middle of the valley.
static void a_plate_beside_the_middle_is_pushed_towards_it(void **state) {
  (void)state;
  mo_shape *box = plate();
  int before;
  mo_mesh_manifolds all = touch(box, at(0.1, 0, 0.115), 0.02, 0.02, &before);
  assert_int_equal(all.count, 1);
  assert_near_v3(all.manifolds[0].normal, mo_normalize(mo_v3(0.004, 0, -1)), 1e-5);
  // Far from all points, it is the normal of the face.
  all = touch(box, turned(0, 0, 0.125, mo_v3(0, 0.01, 0)), 0.02, 0.001, &before);
  assert_int_equal(before, 2);
  assert_int_equal(all.count, 1);
  assert_near_v3(all.manifolds[0].normal, mo_v3(-sin(0.01), 0, -cos(0.01)), 1e-15);
  mo_shape_release(box);
}

static void sides_of_a_steep_valley_are_two_contacts(void **state) {
  (void)state;
  mo_shape *box = plate();
  int before;
  mo_mesh_manifolds all = touch(box, at(0, 0, 0.2), 0.2, 0.02, &before);
  assert_int_equal(before, 2);
  assert_int_equal(all.count, 2);
  mo_shape_release(box);
}

// A joined contact of a ball would resist its rolling.
static void round_shapes_keep_their_contacts(void **state) {
  (void)state;
  mo_result result;
  mo_shape *ball = mo_shape_create_sphere(0.5, &result);
  int before;
  mo_mesh_manifolds all = touch(ball, at(0, 0, 0.5), 0.03, 0.02, &before);
  assert_int_equal(before, 2);
  assert_int_equal(all.count, 2);
  mo_shape_release(ball);
}

TEST_GROUP(joined_facets) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_face_across_a_shallow_valley_has_one_contact),
      cmocka_unit_test(a_plate_beside_the_middle_is_pushed_towards_it),
      cmocka_unit_test(sides_of_a_steep_valley_are_two_contacts),
      cmocka_unit_test(round_shapes_keep_their_contacts),
  };
  return run_group(tests, NULL, NULL);
}
