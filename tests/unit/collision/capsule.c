// Capsules: what is refused, mass properties, bounds, contacts with every shape.
#include "collision_oracle.h"
#include "test_group.h"

#include "collision/narrow/manifold.h"

static void refused_measures(void **state) {
  (void)state;
  const double bad[] = {0.0, -1.0, NAN, INFINITY, 1e200};
  size_t bytes = mo_allocated_bytes();
  for (int i = 0; i < 5; i++) {
    mo_result result = MO_OK;
    assert_null(mo_shape_create_capsule(bad[i], 1.0, &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
    assert_null(mo_shape_create_capsule(1.0, bad[i], &result));
    assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  }
  mo_shape_release(make_capsule(0.1, 0.2));
  assert_int_equal(mo_allocated_bytes(), bytes);
}

// Against a sum over thin discs.
static void mass_properties(void **state) {
  (void)state;
  const double r = 0.3, h = 0.7;
  mo_shape *shape = make_capsule(r, h);
  double volume = 0.0, about_axis = 0.0, across = 0.0;
  const int slices = 200000;
  double step = 2.0 * (h + r) / slices;
  for (int i = 0; i < slices; i++) {
    double y = -h - r + (i + 0.5) * step, over = mo_max(0.0, fabs(y) - h);
    double squared = r * r - over * over, mass = MO_PI * squared * step;
    volume += mass;
    about_axis += 0.5 * mass * squared;
    across += mass * (0.25 * squared + y * y);
  }
  assert_near(shape->volume, volume, 1e-9);
  assert_near(shape->inertia_per_mass.cy.y, about_axis / volume, 1e-9);
  assert_near(shape->inertia_per_mass.cx.x, across / volume, 1e-9);
  assert_near(shape->inertia_per_mass.cz.z, across / volume, 1e-9);
  assert_near(shape->bounding_radius, 1.0, 1e-15);
  assert_int_equal(mo_shape_get_type(shape), MO_SHAPE_CAPSULE);
  mo_transform placement = turned(1, 2, 3, mo_v3(0, 0, MO_PI / 4));
  mo_bounds bounds = mo_shape_bounds(shape, &placement);
  double reach = h * sqrt(0.5) + r;
  assert_vector_near(bounds.upper, 1 + reach, 2 + reach, 3 + r, 1e-14);
  assert_vector_near(bounds.lower, 1 - reach, 2 - reach, 3 - r, 1e-14);
  mo_shape_release(shape);
}

static void on_planes_and_boxes(void **state) {
  (void)state;
  mo_result result;
  mo_shape *capsule = make_capsule(0.2, 0.5), *box = make_box(2, 0.5, 2);
  mo_shape *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.5, &result);
  mo_transform lying = turned(0.3, 0.69, 0.1, mo_v3(0, 0, MO_PI / 2));
  const mo_shape *floors[] = {plane, box};
  mo_manifold m;
  for (int i = 0; i < 2; i++) {
    mo_collide_shapes(capsule, lying, floors[i], at(0, 0, 0), 1e-3, 1.0, &m);
    assert_int_equal(m.point_count, 2);
    assert_vector_near(m.normal, 0, -1, 0, 1e-14);
    for (int k = 0; k < 2; k++) {
      assert_near(m.points[k].separation, -0.01, 1e-14);
      assert_near(fabs(m.points[k].point_a.x - 0.3), 0.5, 1e-14);
      assert_near(m.points[k].point_a.y, 0.49, 1e-14);
      assert_near(m.points[k].point_b.y, 0.5, 1e-14);
    }
    assert_int_not_equal(m.points[0].feature_id, m.points[1].feature_id);
    // Standing: one end.
    mo_collide_shapes(floors[i], at(0, 0, 0), capsule, at(0.3, 1.19, 0.1), 1e-3, 1.0, &m);
    assert_int_equal(m.point_count, 1);
    assert_near(m.points[0].separation, -0.01, 1e-14);
    assert_vector_near(m.points[0].point_b, 0.3, 0.49, 0.1, 1e-14);
    assert_near(mo_distance(capsule, pose_at(0, 2, 0), floors[i], pose_at(0, 0, 0)).distance, 0.8,
                1e-12);
  }
  // Half over the side of the box: the second point is on the side.
  mo_collide_shapes(capsule, turned(2.2, 0.69, 0, mo_v3(0, 0, MO_PI / 2)), box, at(0, 0, 0), 1e-3,
                    1.0, &m);
  assert_int_equal(m.point_count, 2);
  assert_near(mo_max(m.points[0].point_b.x, m.points[1].point_b.x), 2.0, 1e-14);
  assert_near(mo_min(m.points[0].point_b.x, m.points[1].point_b.x), 1.7, 1e-14);
  mo_shape_release(capsule);
  mo_shape_release(box);
  mo_shape_release(plane);
}

static void parallel_crossing_and_coaxial(void **state) {
  (void)state;
  mo_shape *a = make_capsule(0.2, 0.5), *b = make_capsule(0.3, 1.0);
  mo_manifold m;
  mo_collide_shapes(a, at(0, 0, 0), b, at(0.49, 1.2, 0), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 2);
  assert_vector_near(m.normal, 1, 0, 0, 1e-14);
  double low = mo_min(m.points[0].point_a.y, m.points[1].point_a.y);
  double high = mo_max(m.points[0].point_a.y, m.points[1].point_a.y);
  assert_near(low, 0.2, 1e-14);
  assert_near(high, 0.5, 1e-14);
  assert_near(m.points[0].separation, -0.01, 1e-14);
  // End to end along one axis.
  mo_collide_shapes(a, at(0, 0, 0), b, at(0, 1.99, 0), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 1);
  assert_vector_near(m.normal, 0, 1, 0, 1e-14);
  assert_near(m.points[0].separation, -0.01, 1e-14);
  // Crossing at right angles, and with axes that meet.
  mo_collide_shapes(a, at(0, 0, 0), b, turned(0, 0.1, 0.4, mo_v3(0, 0, MO_PI / 2)), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 1);
  assert_vector_near(m.normal, 0, 0, 1, 1e-12);
  assert_near(m.points[0].separation, -0.1, 1e-14);
  mo_collide_shapes(a, at(0, 0, 0), b, turned(0, 0.1, 0, mo_v3(0, 0, MO_PI / 2)), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 1);
  assert_near(fabs(m.normal.z), 1.0, 1e-12);
  assert_near(m.points[0].separation, -0.5, 1e-12);
  mo_collide_shapes(a, at(0, 0, 0), a, at(0, 0, 0), 1e-3, 1.0, &m);
  assert_true(m.point_count >= 1);
  assert_near(m.points[0].separation, -0.4, 1e-14);
  mo_shape_release(a);
  mo_shape_release(b);
}

static double deepest(const mo_manifold *m) {
  double least = INFINITY;
  for (int i = 0; i < m->point_count; i++) {
    least = mo_min(least, m->points[i].separation);
  }
  return least;
}

// Manifolds tell what mo_distance tells, and (B, A) what (A, B) tells.
static void agreement_with_distance(void **state) {
  (void)state;
  random_seed(31);
  mo_result result;
  mo_shape *shapes[] = {make_capsule(0.3, 0.6),
                        make_capsule(0.1, 1.5),
                        make_sphere(0.4),
                        make_box(0.5, 0.3, 0.8),
                        make_random_hull(20, false, mo_v3(1, 0.5, 0.8)),
                        make_random_hull(300, true, mo_v3(0.6, 0.6, 0.6)),
                        mo_shape_create_plane(mo_v3(0.1, 1, 0.2), -0.5, &result)};
  enum { COUNT = sizeof shapes / sizeof *shapes };
  int apart = 0, touching = 0;
  for (int i = 0; i < 20000; i++) {
    const mo_shape *a = shapes[i % 2], *b = shapes[i / 2 % COUNT];
    mo_vec3 far = i % 5 == 0 ? mo_v3(1e6, -1e6, 1e6) : mo_v3_zero();
    mo_pose pa = random_pose(1.0), pb = random_pose(1.0);
    pa.position = mo_add(pa.position, far);
    if (!mo_shape_is_unbounded(b)) {
      pb.position = mo_add(pb.position, far);
    }
    mo_manifold m, s;
    mo_collide_shapes(a, mo_transform_from_pose(pa), b, mo_transform_from_pose(pb), 0.2, 1.0, &m);
    mo_collide_shapes(b, mo_transform_from_pose(pb), a, mo_transform_from_pose(pa), 0.2, 1.0, &s);
    mo_distance_result d = mo_distance(a, pa, b, pb);
    assert_int_equal(m.point_count, s.point_count);
    double rounding = i % 5 == 0 ? 1e-8 : 1e-12;
    if (d.distance > 0.2 + rounding) {
      assert_int_equal(m.point_count, 0);
      continue;
    }
    if (d.distance < 0.2 - rounding) {
      assert_true(m.point_count > 0);
      assert_near(mo_length(m.normal), 1.0, 1e-12);
      assert_vector_near(s.normal, -m.normal.x, -m.normal.y, -m.normal.z, 0);
    }
    for (int k = 0; k < m.point_count; k++) {
      const mo_manifold_point *p = &m.points[k];
      assert_near(mo_dot(mo_sub(p->point_b, p->point_a), m.normal), p->separation, rounding);
    }
    if (m.point_count > 0 && d.distance > 0.0) {
      assert_near(deepest(&m), d.distance, 5e-7 + rounding);
      apart++;
    } else if (m.point_count > 0) {
      assert_true(deepest(&m) <= rounding);
      touching++;
    }
  }
  assert_true(apart > 1000 && touching > 1000);
  for (int i = 0; i < COUNT; i++) {
    mo_shape_release(shapes[i]);
  }
}

// The depth of a capsule in a hull: less than in any other direction.
static void depth_is_least(void **state) {
  (void)state;
  random_seed(32);
  mo_shape *capsule = make_capsule(0.1, 0.5), *box = make_box(0.5, 0.4, 0.6);
  mo_shape *hull = make_random_hull(20, true, mo_v3(0.6, 0.6, 0.6));
  int overlapping = 0;
  for (int i = 0; i < 2000; i++) {
    const mo_shape *a = i % 2 ? box : hull;
    mo_transform ta = random_placement(0.0), tb = random_placement(0.5);
    mo_manifold m;
    mo_collide_shapes(a, ta, capsule, tb, 0.0, 1.0, &m);
    if (m.point_count == 0) {
      continue;
    }
    double depth = -deepest(&m);
    overlapping++;
    for (int k = 0; k < 200; k++) {
      mo_vec3 n = k == 0 ? m.normal : random_direction();
      double reach_a = -INFINITY;
      for (uint32_t v = 0; v < a->hull->vertex_count; v++) {
        reach_a = mo_max(reach_a, mo_dot(n, world_vertex(a->hull, ta, v)));
      }
      double reach_b = mo_dot(n, tb.translation) - 0.5 * fabs(mo_dot(n, tb.rotation.cy)) - 0.1;
      assert_true(reach_a - reach_b >= depth - 1e-6);
      // The normal is that of the depth; that of a face may stand in for one that is tilted by 2.6
      // degrees at most.
      assert_true(k > 0 || reach_a - reach_b <= depth + (m.point_count == 1 ? 1e-6 : 0.03));
    }
  }
  assert_true(overlapping > 500);
  mo_shape_release(capsule);
  mo_shape_release(box);
  mo_shape_release(hull);
}

TEST_GROUP(capsule) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_measures),        cmocka_unit_test(mass_properties),
      cmocka_unit_test(on_planes_and_boxes),     cmocka_unit_test(parallel_crossing_and_coaxial),
      cmocka_unit_test(agreement_with_distance), cmocka_unit_test(depth_is_least),
  };
  return run_group(tests, NULL, NULL);
}
