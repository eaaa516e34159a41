#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/tie_break.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/manifold.h"

#include <string.h>

static double deepest(const mo_manifold *m) {
  double least = INFINITY;
  for (int i = 0; i < m->point_count; i++) {
    least = mo_min(least, m->points[i].separation);
  }
  return least;
}

static void check_finite(const mo_manifold *m) {
  assert_in_range(m->point_count, 0, MO_MANIFOLD_POINTS);
  for (int i = 0; i < m->point_count; i++) {
    const mo_manifold_point *p = &m->points[i];
    assert_true(mo_v3_is_finite(p->point_a) && mo_v3_is_finite(p->point_b) &&
                mo_is_finite(p->separation));
    assert_near(mo_length(m->normal), 1.0, 1e-9);
  }
}

// (B, A) is (A, B) with the normal turned round and the features in each other's places, to the
// bit.
static void check_swapped(const mo_manifold *m, const mo_manifold *s) {
  assert_int_equal(m->point_count, s->point_count);
  for (int i = 0; i < m->point_count; i++) {
    assert_vector_near(s->normal, -m->normal.x, -m->normal.y, -m->normal.z, 0);
    assert_vector_near(s->points[i].point_a, m->points[i].point_b.x, m->points[i].point_b.y,
                       m->points[i].point_b.z, 0);
    assert_near(s->points[i].separation, m->points[i].separation, 0);
    assert_int_equal(s->points[i].feature_id, mo_feature_swap(m->points[i].feature_id));
  }
}

// --- boxes -----------------------------------------------------------------------------------

// A23, with boxes of all proportions, a third of them nearly parallel.
static void random_boxes_against_15_axes(void **state) {
  (void)state;
  random_seed(20);
  int overlapping = 0, edges = 0;
  for (int i = 0; i < 6000; i++) {
    mo_vec3 ha = random_vector(0.1, 1);
    mo_vec3 hb = random_vector(0.1, 1);
    mo_shape *a = make_box(ha.x, ha.y, ha.z), *b = make_box(hb.x, hb.y, hb.z);
    mo_pose pa = random_pose(1), pb = random_pose(1);
    if (i % 3 == 0) {
      // 1e-9 to 0.1 rad from parallel
      double tilt = 0.1;
      for (int k = 0; k < i % 9; k++) {
        tilt *= 0.1;
      }
      pb.orientation = mo_quat_mul(mo_quat_exp(random_in_cube(tilt)), pa.orientation);
    }
    mo_transform ta = mo_transform_from_pose(pa), tb = mo_transform_from_pose(pb);
    double sat = box_sat_separation(ha, ta, hb, tb);
    mo_collision c;
    bool hit = mo_collide(a, pa, b, pb, &c);
    if (fabs(sat) > 1e-6) {
      assert_int_equal(hit, sat < 0.0);
    }
    if (hit) {
      overlapping++;
      edges += c.point_count == 1;
      assert_near(c.penetration_depth, -sat, 1e-6);
      assert_near(mo_dot(mo_sub(c.point_a, c.point_b), c.normal), c.penetration_depth, 1e-9);
      // The normal is that of the depth. A face contact may stand in for an edge contact that is
      // tilted by 2.6 degrees at most.
      assert_true(separation_along(a->hull, ta, b->hull, tb, c.normal) > sat - 0.1);
    }
    mo_shape_release(a);
    mo_shape_release(b);
  }
  assert_true(overlapping > 1000 && edges > 100);
}

// A16, and the same for random pairs of all kinds.
static void order_matters_in_sign_only(void **state) {
  (void)state;
  random_seed(21);
  mo_result result;
  mo_shape *edgy = make_random_hull(12, false, mo_v3(1, 0.6, 1));
  mo_shape *round = make_random_hull(60, true, mo_v3(0.7, 0.7, 0.9));
  mo_shape *plane = mo_shape_create_plane(mo_v3(0.1, 1, 0.2), -0.2, &result);
  mo_shape *shapes[] = {
      make_sphere(0.6), make_sphere(0.6), make_cube(), make_box(0.4, 0.7, 0.3), edgy, round, plane};
  enum { COUNT = sizeof shapes / sizeof *shapes };
  for (int i = 0; i < 3000; i++) {
    const mo_shape *a = shapes[i % COUNT], *b = shapes[i / COUNT % COUNT];
    mo_pose pa = random_pose(0.8), pb = random_pose(0.8);
    mo_transform ta = mo_transform_from_pose(pa), tb = mo_transform_from_pose(pb);
    mo_manifold m, s;
    mo_collide_shapes(a, ta, b, tb, 0.05, 1.0, &m);
    mo_collide_shapes(b, tb, a, ta, 0.05, 1.0, &s);
    check_finite(&m);
    check_swapped(&m, &s);
    mo_distance_result d = mo_distance(a, pa, b, pb), e = mo_distance(b, pb, a, pa);
    assert_near(d.distance, e.distance, 0);
    assert_vector_near(d.point_a, e.point_b.x, e.point_b.y, e.point_b.z, 0);
  }
  for (int i = 0; i < COUNT; i++) {
    mo_shape_release(shapes[i]);
  }
}

static void swapped_features(void **state) {
  (void)state;
  assert_int_equal(mo_feature_swap(mo_feature_vertex_a(7)), mo_feature_vertex_b(7));
  assert_int_equal(mo_feature_swap(mo_feature_vertex_b(7)), mo_feature_vertex_a(7));
  assert_int_equal(mo_feature_swap(mo_feature_edges(3, 0x7FFF)), mo_feature_edges(0x7FFF, 3));
  assert_int_equal(mo_feature_swap(MO_FEATURE_ROUND), MO_FEATURE_ROUND);
  // Each kind of name has its own range, whatever the index.
  const uint32_t names[] = {mo_feature_vertex_a(UINT32_MAX), mo_feature_vertex_b(UINT32_MAX),
                            mo_feature_edges(UINT32_MAX, UINT32_MAX), MO_FEATURE_ROUND};
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(names[i] >> 30, i);
    assert_int_equal(mo_feature_swap(mo_feature_swap(names[i])), names[i]);
  }
}

static bool has_feature(const mo_manifold *m, uint32_t feature) {
  for (int i = 0; i < m->point_count; i++) {
    if (m->points[i].feature_id == feature) {
      return true;
    }
  }
  return false;
}

// Two equal shapes pass each other along y: within 1e-7 m of where B is put here the order in which
// they are collided changes. The names stay.
static void check_names_over_flip(const mo_shape *shape, mo_transform ta, mo_pose pb) {
  mo_vec3 d = mo_sub(pb.position, ta.translation);
  pb.position.y -= mo_tie_break(d) / 0.89 + 1e-7;
  mo_pose moved = pb;
  moved.position.y += 2e-7;
  assert_true(mo_tie_break(mo_sub(pb.position, ta.translation)) < 0.0);
  assert_true(mo_tie_break(mo_sub(moved.position, ta.translation)) > 0.0);
  mo_manifold before, after;
  mo_collide_shapes(shape, ta, shape, mo_transform_from_pose(pb), 1e-3, 1.0, &before);
  mo_collide_shapes(shape, ta, shape, mo_transform_from_pose(moved), 1e-3, 1.0, &after);
  assert_true(before.point_count > 0);
  assert_int_equal(before.point_count, after.point_count);
  for (int i = 0; i < before.point_count; i++) {
    assert_true(has_feature(&after, before.points[i].feature_id));
  }
}

static void names_survive_a_flip_of_the_order(void **state) {
  (void)state;
  mo_shape *cube = make_cube(), *ball = make_sphere(0.5);
  // Side by side, vertices of each on the other's edges.
  check_names_over_flip(cube, at(0, 0, 0), pose_at(0.9995, 0, 0));
  // Vertices of each on the other's face.
  check_names_over_flip(cube, at(1, 2, 3), pose_at(1.9995, 2, 3.2));
  // All corners coincide: turned so that the face normal, and with it the line of the centres, is
  // at right angles to the direction of ties.
  mo_quat q = mo_quat_exp(mo_v3(0, 0, -0.335173)); // - atan(0.31 / 0.89)
  check_names_over_flip(cube, mo_transform_from_pose((mo_pose){mo_v3_zero(), q}),
                        (mo_pose){mo_quat_rotate(q, mo_v3(0.9995, 0, 0)), q});
  // An edge across an edge.
  check_names_over_flip(cube, turned(0, 0, 0, mo_v3(0, MO_PI / 4, 0)),
                        (mo_pose){mo_v3(-0.4, 0, 1.41), mo_quat_exp(mo_v3(MO_PI / 4, 0, 0))});
  check_names_over_flip(ball, at(0, 0, 0), pose_at(0.9, 0, 0));
  mo_shape_release(cube);
  mo_shape_release(ball);
}

// A14 through the public function.
static void yawed_cube(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_collision c;
  mo_pose yawed = {mo_v3(1.1, 0, 0), mo_quat_exp(mo_v3(0, 0, MO_PI / 4))};
  assert_true(mo_collide(cube, pose_at(0, 0, 0), cube, yawed, &c));
  assert_near(c.penetration_depth, 0.1071067812, 1e-9);
  assert_vector_near(c.normal, 1, 0, 0, 1e-9);
  yawed.position.x = 1.2;
  assert_true(mo_collide(cube, pose_at(0, 0, 0), cube, yawed, &c));
  assert_near(c.penetration_depth, 0.0071067812, 1e-9);
  yawed.position.x = 1.21;
  c.penetration_depth = 42.0;
  assert_false(mo_collide(cube, pose_at(0, 0, 0), cube, yawed, &c));
  assert_near(c.penetration_depth, 42.0, 0);
  assert_near(mo_distance(cube, pose_at(0, 0, 0), cube, yawed).distance, 0.0028932188, 1e-9);
  mo_shape_release(cube);
}

// A19 through the public function: the witness of a flat contact is the middle of the patch.
static void witnesses_of_a_face(void **state) {
  (void)state;
  mo_shape *cube = make_cube();
  mo_collision c;
  assert_true(mo_collide(cube, pose_at(0, 0, 0), cube, pose_at(0.9, 0.3, 0), &c));
  assert_vector_near(c.point_a, 0.5, 0.15, 0, 1e-9);
  assert_vector_near(c.point_b, 0.4, 0.15, 0, 1e-9);
  assert_int_equal(c.point_count, 4);
  assert_vector_near(c.normal, 1, 0, 0, 1e-12);
  mo_shape_release(cube);
}

// --- hulls -----------------------------------------------------------------------------------

// Depth and distance of random polytopes against all faces and pairs of edges.
static void random_hulls(void **state) {
  (void)state;
  random_seed(22);
  const double margin = 0.3;
  int overlapping = 0, gaps = 0;
  for (int i = 0; i < 400; i++) {
    mo_shape *a = make_random_hull(4 + i % 25, i % 3 == 0, mo_v3(1, random_between(0.05, 1), 1));
    mo_shape *b = make_random_hull(4 + i % 19, i % 2 == 0, mo_v3(random_between(0.05, 2), 1, 1));
    mo_transform ta = random_placement(0.7);
    mo_transform tb = random_placement(1.5);
    double sat = sat_separation(a->hull, ta, b->hull, tb);
    double expected = sat < 0.0 ? sat : feature_distance(a->hull, ta, b->hull, tb);
    mo_manifold m;
    mo_collide_shapes(a, ta, b, tb, margin, 1.0, &m);
    check_finite(&m);
    if (fabs(expected - margin) > 1e-9) {
      assert_int_equal(m.point_count > 0, expected < margin);
    }
    if (m.point_count > 0) {
      assert_near(deepest(&m), expected, 1e-6);
      overlapping += sat < 0.0;
      gaps += sat > 0.0;
    }
    mo_shape_release(a);
    mo_shape_release(b);
  }
  assert_true(overlapping > 50 && gaps > 20);
}

// Hulls modelled far from their frame, as scans in world coordinates are: only their vertices lose
// digits.
static void vertices_far_from_the_frame(void **state) {
  (void)state;
  random_seed(25);
  for (double far = 1.0; far < 2e6; far *= 1e3) {
    mo_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
      corners[i] =
          mo_v3(far + (i & 1 ? 0.5 : -0.5), far + (i & 2 ? 0.5 : -0.5), far + (i & 4 ? 0.5 : -0.5));
    }
    mo_shape *hull = make_hull(corners, 8), *cube = make_cube();
    for (int i = 0; i < 500; i++) {
      mo_vec3 offset = random_in_cube(0.7);
      mo_quat turn = i % 2 ? random_rotation() : mo_quat_exp(random_in_cube(1e-6));
      mo_transform tb = mo_transform_from_pose(
          (mo_pose){mo_v3(far + offset.x, far + offset.y, far + offset.z), turn});
      double sat =
          box_sat_separation(half_extents(cube), at(far, far, far), half_extents(cube), tb);
      mo_manifold m;
      mo_collide_shapes(hull, at(0, 0, 0), cube, tb, 0.0, 1.0, &m);
      assert_int_equal(m.point_count > 0, sat < 0.0);
      if (m.point_count > 0) {
        assert_near(deepest(&m), sat, 1e-6 + 1e-14 * far);
      }
    }
    mo_shape_release(hull);
    mo_shape_release(cube);
  }
}

// --- spheres and planes ----------------------------------------------------------------------

static void spheres(void **state) {
  (void)state;
  mo_shape *a = make_sphere(1.0), *b = make_sphere(0.5);
  mo_collision c;
  assert_true(mo_collide(a, pose_at(0, 0, 0), b, pose_at(0, 0, 1.4), &c));
  assert_near(c.penetration_depth, 0.1, 1e-12);
  assert_vector_near(c.normal, 0, 0, 1, 0);
  assert_vector_near(c.point_a, 0, 0, 1, 1e-15);
  assert_vector_near(c.point_b, 0, 0, 0.9, 1e-15);
  assert_false(mo_collide(a, pose_at(0, 0, 0), b, pose_at(0, 0, 1.6), &c));
  assert_near(mo_distance(a, pose_at(0, 0, 0), b, pose_at(3, 4, 0)).distance, 3.5, 1e-15);
  // One centre: some unit normal, the whole depth.
  assert_true(mo_collide(a, pose_at(1, 2, 3), b, pose_at(1, 2, 3), &c));
  assert_near(c.penetration_depth, 1.5, 1e-15);
  assert_near(mo_length(c.normal), 1.0, 0);
  mo_shape_release(a);
  mo_shape_release(b);
}

static void sphere_and_box(void **state) {
  (void)state;
  mo_shape *box = make_box(1, 2, 3), *ball = make_sphere(0.5);
  mo_collision c;
  // on a face, on a corner, centre inside, centre on the face
  assert_true(mo_collide(ball, pose_at(0.2, 2.4, 0.3), box, pose_at(0, 0, 0), &c));
  assert_vector_near(c.normal, 0, -1, 0, 1e-12);
  assert_near(c.penetration_depth, 0.1, 1e-12);
  assert_vector_near(c.point_a, 0.2, 1.9, 0.3, 1e-12);
  assert_vector_near(c.point_b, 0.2, 2.0, 0.3, 1e-12);
  double d = 0.25;
  assert_true(mo_collide(box, pose_at(0, 0, 0), ball, pose_at(1 + d, 2 + d, 3 + d), &c));
  assert_near(c.penetration_depth, 0.5 - d * sqrt(3.0), 1e-12);
  assert_near(c.normal.x, sqrt(1.0 / 3.0), 1e-12);
  assert_true(mo_collide(box, pose_at(0, 0, 0), ball, pose_at(0.9, 0.5, 0), &c));
  assert_near(c.penetration_depth, 0.6, 1e-12);
  assert_vector_near(c.normal, 1, 0, 0, 1e-12);
  assert_true(mo_collide(box, pose_at(0, 0, 0), ball, pose_at(0.3, 0.5, -3), &c));
  assert_near(c.penetration_depth, 0.5, 1e-12);
  assert_vector_near(c.normal, 0, 0, -1, 1e-12);
  assert_false(mo_collide(box, pose_at(0, 0, 0), ball, pose_at(1.4, 2.4, 0), &c));
  assert_near(mo_distance(ball, pose_at(1.4, 2.4, 0), box, pose_at(0, 0, 0)).distance,
              0.4 * sqrt(2.0) - 0.5, 1e-12);
  mo_shape_release(box);
  mo_shape_release(ball);
}

static void planes(void **state) {
  (void)state;
  mo_result result;
  mo_shape *floor = mo_shape_create_plane(mo_v3(0, 2, 0), 2.0, &result);     // y <= 1
  mo_shape *ceiling = mo_shape_create_plane(mo_v3(0, -1, 0), -4.0, &result); // y >= 4
  assert_non_null(floor);
  double top = floor->offset;
  mo_shape *box = make_box(0.5, 0.25, 1), *ball = make_sphere(0.5);
  mo_manifold m;
  mo_collide_shapes(floor, at(0, 0, 0), box, at(7, top + 0.24, 8), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 4);
  assert_vector_near(m.normal, 0, 1, 0, 1e-15);
  for (int i = 0; i < 4; i++) {
    assert_near(m.points[i].separation, -0.01, 1e-14);
    assert_near(m.points[i].point_a.y, top, 1e-14);
    assert_near(fabs(m.points[i].point_b.x - 7), 0.5, 1e-14);
  }
  mo_collide_shapes(ball, at(0, top + 0.4, 0), floor, at(0, 0, 0), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 1);
  assert_vector_near(m.normal, 0, -1, 0, 1e-15);
  assert_near(m.points[0].separation, -0.1, 1e-14);
  assert_near(m.points[0].point_a.y, top - 0.1, 1e-14);
  // A tilted plane with a pose of its own.
  mo_transform tilted = turned(0, 1, 0, mo_v3(0, 0, 0.3));
  mo_vec3 up = mo_mat3_mul(tilted.rotation, mo_v3(0, 1, 0));
  mo_vec3 centre = mo_add(mo_add(tilted.translation, mo_scale(top + 0.5 - 0.02, up)),
                          mo_scale(3.0, mo_v3(0, 0, 1)));
  mo_collide_shapes(ball, (mo_transform){mo_mat3_identity(), centre}, floor, tilted, 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 1);
  assert_near(m.points[0].separation, -0.02, 1e-14);
  // Planes make no contacts, but have a distance.
  mo_collide_shapes(floor, at(0, 0, 0), ceiling, at(0, -5, 0), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 0);
  assert_near(mo_distance(floor, pose_at(0, 0, 0), ceiling, pose_at(0, 0, 0)).distance, 4.0 - top,
              1e-14);
  assert_near(mo_distance(floor, pose_at(0, 0, 0), box, pose_at(0, top + 1, 0)).distance, 0.75,
              1e-14);
  assert_near(mo_distance(floor, pose_at(0, 0, 0), box, pose_at(0, top, 0)).distance, 0.0, 0);
  // A round hull deep below the plane: far more candidates than points.
  mo_shape *hull = make_random_hull(300, true, mo_v3(1, 1, 1));
  mo_collide_shapes(hull, at(0, top - 5, 0), floor, at(0, 0, 0), 1e-3, 1.0, &m);
  assert_int_equal(m.point_count, 4);
  assert_near(deepest(&m), -5.0 + hull->hull->lower.y, 1e-12);
  mo_shape_release(hull);
  mo_shape_release(floor);
  mo_shape_release(ceiling);
  mo_shape_release(box);
  mo_shape_release(ball);
}

// --- fuzz ------------------------------------------------------------------------------------

// Poses in which everything is parallel, touching, equal or far away: a finite answer with the
// right depth for boxes.
static void degenerate_poses(void **state) {
  (void)state;
  random_seed(23);
  for (double scale = 1e-3; scale < 2e3; scale *= 1e3) {
    mo_shape *round = make_random_hull(200, true, mo_v3(scale, scale, scale));
    mo_shape *flat = make_random_hull(5, false, mo_v3(scale, 0.01 * scale, scale));
    mo_shape *shapes[] = {make_box(0.5 * scale, 0.5 * scale, 0.5 * scale),
                          make_box(0.5 * scale, 0.005 * scale, 2 * scale), round, flat,
                          make_sphere(0.5 * scale)};
    for (int i = 0; i < 6000; i++) {
      const mo_shape *a = shapes[i % 5], *b = shapes[i / 5 % 5];
      mo_vec3 steps = random_vector(-4, 5);
      steps = mo_v3(floor(steps.x), floor(steps.y), floor(steps.z));
      mo_vec3 turns = mo_v3(floor(random_between(-4, 5)), 0, 0);
      mo_quat q = mo_quat_exp(mo_scale(MO_PI / 4, turns));
      q = i % 2 ? mo_quat_mul(q, mo_quat_exp(mo_v3(0, MO_PI / 4 * floor(random_between(-4, 5)), 0)))
                : q;
      mo_vec3 base = i % 7 == 0 ? mo_v3(1e6, -1e6, 1e6) : mo_v3_zero();
      mo_transform ta = {mo_mat3_identity(), base};
      mo_transform tb = {mo_quat_to_mat3(q), mo_add_scaled(base, 0.25 * scale, steps)};
      mo_manifold m, s;
      mo_collide_shapes(a, ta, b, tb, 1e-3 * scale, 1.0, &m);
      mo_collide_shapes(b, tb, a, ta, 1e-3 * scale, 1.0, &s);
      check_finite(&m);
      assert_int_equal(m.point_count, s.point_count);
      if (mo_shape_get_type(a) == MO_SHAPE_BOX && mo_shape_get_type(b) == MO_SHAPE_BOX &&
          m.point_count > 0) {
        double sat = box_sat_separation(half_extents(a), ta, half_extents(b), tb);
        assert_near(deepest(&m), sat, 1e-6 * mo_max(scale, 1.0) + (i % 7 == 0 ? 1e-9 : 0.0));
        assert_near(deepest(&s), deepest(&m), 1e-9 * scale);
      }
    }
    for (int i = 0; i < 5; i++) {
      mo_shape_release(shapes[i]);
    }
  }
}

static void random_poses_of_everything(void **state) {
  (void)state;
  random_seed(24);
  mo_shape *round = make_random_hull(200, true, mo_v3(1, 1, 1));
  mo_shape *flat = make_random_hull(200, true, mo_v3(1, 1e-3, 1));
  mo_shape *simplex = make_random_hull(4, false, mo_v3(1, 1, 1));
  mo_shape *needle = make_random_hull(100, false, mo_v3(0.01, 0.01, 3));
  mo_shape *shapes[] = {make_cube(), make_box(50, 0.01, 50), round, flat, simplex,
                        needle,      make_sphere(0.4)};
  for (int i = 0; i < 20000; i++) {
    const mo_shape *a = shapes[i % 7], *b = shapes[i / 7 % 7];
    mo_transform ta = random_placement(0.5);
    mo_transform tb = random_placement(1.0);
    mo_manifold m;
    mo_collide_shapes(a, ta, b, tb, i % 3 == 0 ? 0.0 : 0.01, 1.0, &m);
    check_finite(&m);
  }
  for (int i = 0; i < 7; i++) {
    mo_shape_release(shapes[i]);
  }
}

// Poses that have overflowed make no contacts and no endless loops.
static void poses_that_are_not_numbers(void **state) {
  (void)state;
  mo_shape *shapes[] = {make_cube(), make_random_hull(50, true, mo_v3(1, 1, 1)), make_sphere(1)};
  const double bad[] = {NAN, INFINITY, -INFINITY};
  mo_manifold m;
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) {
      mo_collide_shapes(shapes[i % 3], at(0, 0, 0), shapes[i / 3], at(0, bad[k], 0), 0.01, 1.0, &m);
      assert_int_equal(m.point_count, 0);
      mo_transform t = turned(0, 0.1, 0, mo_v3(0, 0, 0));
      t.rotation.cx.x = bad[k];
      mo_collide_shapes(shapes[i % 3], t, shapes[i / 3], at(0, 0, 0), 0.01, 1.0, &m);
      check_finite(&m);
    }
  }
  for (int i = 0; i < 3; i++) {
    mo_shape_release(shapes[i]);
  }
}

TEST_GROUP(collide) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_boxes_against_15_axes),
      cmocka_unit_test(order_matters_in_sign_only),
      cmocka_unit_test(swapped_features),
      cmocka_unit_test(names_survive_a_flip_of_the_order),
      cmocka_unit_test(yawed_cube),
      cmocka_unit_test(witnesses_of_a_face),
      cmocka_unit_test(random_hulls),
      cmocka_unit_test(vertices_far_from_the_frame),
      cmocka_unit_test(spheres),
      cmocka_unit_test(sphere_and_box),
      cmocka_unit_test(planes),
      cmocka_unit_test(degenerate_poses),
      cmocka_unit_test(random_poses_of_everything),
      cmocka_unit_test(poses_that_are_not_numbers),
  };
  return run_group(tests, NULL, NULL);
}
