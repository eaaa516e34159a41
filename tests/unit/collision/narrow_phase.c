// The ways of the narrow phase against each other: axes against GJK and EPA, what is remembered
// against what is searched anew.
#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/epa.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/hull_pair.h"
#include "collision/narrow/manifold.h"

#include <string.h>

// Boxes and hulls of all proportions, random and regular.
enum { SHAPES = 12 };
static mo_shape *shapes[SHAPES];

static int make_shapes(void **state) {
  (void)state;
  random_seed(40);
  mo_vec3 prism[12], wedge[6];
  for (int i = 0; i < 6; i++) {
    mo_sin_cos sc = mo_sine_cosine(2.0 * MO_PI * i / 6);
    prism[2 * i] = mo_v3(0.5 * sc.cos, 0.6, 0.5 * sc.sin);
    prism[2 * i + 1] = mo_v3(0.5 * sc.cos, -0.6, 0.5 * sc.sin);
    wedge[i] = mo_v3(i % 3 == 2 ? 0.0 : 0.5, i % 3 == 1 ? 0.4 : 0.0, i < 3 ? 0.5 : -0.5);
  }
  int n = 0;
  shapes[n++] = make_cube();
  shapes[n++] = make_box(0.2, 0.7, 0.4);
  shapes[n++] = make_box(3.0, 0.1, 2.0);
  shapes[n++] = make_hull(prism, 12);
  shapes[n++] = make_hull(wedge, 6);
  shapes[n++] = make_random_hull(4, false, mo_v3(1, 1, 1));
  shapes[n++] = make_random_hull(8, true, mo_v3(0.8, 0.5, 0.8));
  shapes[n++] = make_random_hull(16, true, mo_v3(0.6, 0.6, 0.6));
  shapes[n++] = make_random_hull(16, true, mo_v3(0.9, 0.3, 0.5));
  shapes[n++] = make_random_hull(30, true, mo_v3(0.6, 0.6, 0.6));
  shapes[n++] = make_random_hull(12, false, mo_v3(1.0, 0.05, 1.0));
  shapes[n++] = make_random_hull(120, true, mo_v3(0.5, 0.5, 0.5));
  assert_int_equal(n, SHAPES);
  return 0;
}

static int release_shapes(void **state) {
  (void)state;
  for (int i = 0; i < SHAPES; i++) {
    mo_shape_release(shapes[i]);
  }
  return 0;
}

static mo_shape *random_shape(int count) { return shapes[(int)random_between(0.0, count - 1e-9)]; }

// Of all kinds: turned at random, nearly parallel, by right angles; deep and apart.
static mo_transform random_beside(mo_transform a, int kind) {
  mo_vec3 offset = random_in_cube(kind % 2 ? 1.2 : 0.6);
  mo_quat turn = random_rotation();
  if (kind % 3 == 1) {
    double tilt = 1e-9;
    for (int k = 0; k < kind % 7; k++) {
      tilt *= 20.0;
    }
    turn = mo_quat_exp(random_in_cube(tilt));
  } else if (kind % 12 == 2) {
    double quarter = floor(random_between(0.0, 4.0));
    turn = mo_quat_exp(mo_v3(0.0, 0.5 * MO_PI * quarter, 0.0));
    offset = mo_v3(0.1 * floor(10.0 * offset.x), 0.1 * floor(10.0 * offset.y), offset.z);
  }
  mo_mat3 rotation = mo_mat3_mul_mat3(a.rotation, mo_quat_to_mat3(turn));
  return (mo_transform){rotation, mo_add(a.translation, mo_mat3_mul(a.rotation, offset))};
}

// --- axes against GJK and EPA ----------------------------------------------------------------

static void axes_agree_with_gjk_and_epa(void **state) {
  (void)state;
  random_seed(41);
  int overlapping = 0, apart = 0, exact = 0;
  for (int i = 0; i < 100000; i++) {
    const mo_shape *a = random_shape(SHAPES - 1), *b = random_shape(SHAPES - 1);
    mo_transform ta = random_placement(0.5);
    if (i % 10 == 0) {
      ta.translation = mo_add(ta.translation, mo_v3(1e6, -1e6, 1e6));
    }
    mo_transform tb = random_beside(ta, i);
    mo_hull_pair pair = {
        {.hull = a->hull}, {b->hull, mo_transform_relative(ta, tb), true}, &ta, &tb, 0.0, 1.0};
    assert_true(mo_can_search_axes(&pair));
    mo_hull_axis axis;
    bool boxes = a->hull->is_box && b->hull->is_box && i % 2 == 0;
    assert_true(boxes ? mo_find_box_axis(&pair, INFINITY, &axis)
                      : mo_find_hull_axis(&pair, INFINITY, &axis));
    assert_near(mo_length(axis.normal), 1.0, 1e-12);
    // Whatever the axis, it separates as much as it says.
    mo_transform identity = at(0, 0, 0);
    assert_near(separation_along(a->hull, identity, b->hull, pair.b.in_a, axis.normal),
                axis.separation, 1e-9);

    mo_minkowski minkowski = mo_minkowski_of(&a->core, &b->core, pair.b.in_a);
    mo_gjk_result gjk = mo_gjk(&minkowski, INFINITY);
    if (gjk.status == MO_GJK_OVERLAP) {
      mo_epa_result epa = mo_epa(&minkowski, &gjk.simplex);
      assert_near(-axis.separation, epa.depth, 1e-6);
      overlapping++;
    } else {
      assert_true(axis.separation <= gjk.distance + 1e-9);
      assert_true(gjk.distance < 1e-6 || axis.separation > -1e-6);
      exact += fabs(axis.separation - gjk.distance) < 1e-9;
      apart++;
    }
  }
  assert_true(overlapping > 20000 && apart > 20000 && exact > 5000);
}

// --- the cache -------------------------------------------------------------------------------

static double deepest(const mo_manifold *m) {
  double least = INFINITY;
  for (int i = 0; i < m->point_count; i++) {
    least = mo_min(least, m->points[i].separation);
  }
  return least;
}

// One step of a sequence: the manifold with the cache against the one without.
static void check_step(const mo_shape *a, mo_transform ta, const mo_shape *b, mo_transform tb,
                       mo_collision_cache *cache) {
  const double margin = 0.02;
  double rounding = 1e-9 + 1e-15 * mo_length(ta.translation);
  mo_manifold cached, fresh;
  double gap;
  mo_collide_pair(a, &ta, b, &tb, margin, 1.0, cache, &gap, &cached);
  mo_collide_shapes(a, ta, b, tb, margin, 1.0, &fresh);
  if (cached.point_count == 0 || fresh.point_count == 0) {
    // Both say that they are apart, or they are so within round-off of the margin.
    assert_true(cached.point_count == 0 || deepest(&cached) > margin - 1e-6);
    assert_true(fresh.point_count == 0 || deepest(&fresh) > margin - 1e-6);
    if (cached.point_count == 0) {
      mo_minkowski pair = mo_minkowski_create(&a->core, ta, &b->core, tb);
      assert_true(gap >= margin && gap <= mo_gjk(&pair, INFINITY).distance + rounding);
    }
    return;
  }
  assert_near(gap, deepest(&cached), 0.0);
  assert_near(deepest(&cached), deepest(&fresh), 1e-6);
  for (int i = 0; i < cached.point_count; i++) {
    const mo_manifold_point *p = &cached.points[i];
    assert_near(mo_dot(mo_sub(p->point_b, p->point_a), cached.normal), p->separation, rounding);
    for (int k = 0; k < i; k++) {
      assert_int_not_equal(p->feature_id, cached.points[k].feature_id);
    }
  }
}

static mo_transform moved(mo_transform t, double shift, double turn) {
  mo_vec3 by = random_in_cube(shift), about = random_in_cube(turn);
  mo_mat3 rotation = mo_mat3_mul_mat3(mo_quat_to_mat3(mo_quat_exp(about)), t.rotation);
  // Back to a rotation: columns drift over many steps.
  rotation.cx = mo_normalize(rotation.cx);
  rotation.cz = mo_normalize(mo_cross(rotation.cx, rotation.cy));
  rotation.cy = mo_cross(rotation.cz, rotation.cx);
  return (mo_transform){rotation, mo_add(t.translation, by)};
}

// B at a depth of up to `depth` in A, or apart by as much, along a random direction.
static mo_transform put_beside(const mo_shape *a, mo_transform ta, const mo_shape *b, int kind,
                               double depth) {
  mo_transform tb = random_beside(ta, kind);
  mo_vec3 along = random_direction();
  mo_minkowski pair = mo_minkowski_create(&a->core, ta, &b->core, tb);
  mo_gjk_result gjk = mo_gjk(&pair, INFINITY);
  double distance = gjk.distance;
  if (gjk.status == MO_GJK_OVERLAP) {
    mo_epa_result epa = mo_epa(&pair, &gjk.simplex);
    along = mo_mat3_mul(ta.rotation, epa.normal);
    distance = -epa.depth;
  } else {
    along = mo_mat3_mul(ta.rotation, gjk.normal);
  }
  tb.translation = mo_add_scaled(tb.translation, -distance - random_between(-depth, depth), along);
  return tb;
}

static void cached_results_are_those_of_a_search(void **state) {
  (void)state;
  random_seed(42);
  for (int i = 0; i < 10000; i++) {
    const mo_shape *a = random_shape(SHAPES), *b = random_shape(SHAPES);
    mo_transform ta = random_placement(0.5);
    if (i % 10 == 0) {
      ta.translation = mo_add(ta.translation, mo_v3(1e6, -1e6, 1e6));
    }
    double depth = i % 4 == 0 ? 0.2 : 0.02;
    mo_transform tb = put_beside(a, ta, b, i, depth);
    double step = i % 3 == 0 ? 1e-2 : i % 3 == 1 ? 1e-4 : 1e-7;
    mo_collision_cache cache = {0};
    for (int k = 0; k < 8; k++) {
      check_step(a, ta, b, tb, &cache);
      tb = moved(tb, step, step);
    }
  }
}

// Round shapes roll over a hull: with what was remembered, or with noise, as without.
static void round_shapes_with_a_cache(void **state) {
  (void)state;
  random_seed(46);
  mo_shape *rounds[] = {make_sphere(0.2), make_capsule(0.1, 0.4)};
  for (int i = 0; i < 20000; i++) {
    const mo_shape *a = random_shape(SHAPES), *b = rounds[i % 2];
    mo_transform ta = random_placement(0.5), tb = random_placement(1.0);
    double step = i % 3 == 0 ? 0.1 : i % 3 == 1 ? 1e-2 : 1e-5;
    mo_collision_cache cache = {0};
    if (i % 5 == 0) {
      cache = (mo_collision_cache){.kind = MO_AXIS_SIMPLEX,
                                   .feature_a = (uint16_t)random_between(0.0, 65535.0),
                                   .feature_b = (uint16_t)(0x8000u + i % 64),
                                   .direction_z = (uint16_t)(0xc000u + i % 32)};
    }
    for (int k = 0; k < 6; k++) {
      mo_manifold cached, fresh;
      double gap;
      mo_collide_pair(a, &ta, b, &tb, 0.1, 1.0, &cache, &gap, &cached);
      mo_collide_shapes(a, ta, b, tb, 0.1, 1.0, &fresh);
      assert_int_equal(cached.point_count, fresh.point_count);
      for (int p = 0; p < cached.point_count; p++) {
        assert_near(cached.points[p].separation, fresh.points[p].separation, 1e-9);
        assert_int_equal(cached.points[p].feature_id, fresh.points[p].feature_id);
      }
      tb = moved(tb, step, step);
    }
  }
  mo_shape_release(rounds[0]);
  mo_shape_release(rounds[1]);
}

// The cache of (B, A) does for (B, A) what that of (A, B) does for (A, B), and equal caches give
// equal bits.
static void order_and_repetition(void **state) {
  (void)state;
  random_seed(43);
  for (int i = 0; i < 4000; i++) {
    const mo_shape *a = random_shape(SHAPES), *b = random_shape(SHAPES);
    mo_transform ta = random_placement(0.5), tb = put_beside(a, ta, b, i, 0.02);
    mo_collision_cache forward = {0}, backward = {0};
    for (int k = 0; k < 4; k++) {
      mo_manifold m, s, again;
      double gap, swapped_gap, gap_again;
      mo_collision_cache copy = forward;
      memset(&m, 0, sizeof m);
      memset(&again, 0, sizeof again);
      mo_collide_pair(a, &ta, b, &tb, 0.01, 1.0, &forward, &gap, &m);
      mo_collide_pair(a, &ta, b, &tb, 0.01, 1.0, &copy, &gap_again, &again);
      mo_collide_pair(b, &tb, a, &ta, 0.01, 1.0, &backward, &swapped_gap, &s);
      assert_memory_equal(&copy, &forward, sizeof copy);
      assert_memory_equal(&again, &m, sizeof m);
      assert_true(gap == swapped_gap && gap == gap_again);
      assert_int_equal(m.point_count, s.point_count);
      for (int p = 0; p < m.point_count; p++) {
        assert_true(mo_v3_equal(m.points[p].point_a, s.points[p].point_b));
        assert_true(m.points[p].separation == s.points[p].separation);
        assert_int_equal(s.points[p].feature_id, mo_feature_swap(m.points[p].feature_id));
      }
      tb = moved(tb, 1e-3, 1e-3);
    }
  }
}

// A cache that belongs to another pair, or is noise, does no harm.
static void foreign_caches(void **state) {
  (void)state;
  random_seed(44);
  for (int i = 0; i < 20000; i++) {
    const mo_shape *a = random_shape(SHAPES), *b = random_shape(SHAPES);
    mo_transform ta = random_placement(0.5), tb = put_beside(a, ta, b, i, 0.05);
    mo_collision_cache cache;
    unsigned char noise[sizeof cache];
    for (size_t k = 0; k < sizeof noise; k++) {
      noise[k] = (unsigned char)random_between(0.0, i % 2 ? 256.0 : 8.0);
    }
    memcpy(&cache, noise, sizeof cache);
    check_step(a, ta, b, tb, &cache);
  }
}

// --- extremes --------------------------------------------------------------------------------

static void slivers_and_sizes(void **state) {
  (void)state;
  random_seed(45);
  mo_shape *odd[] = {make_random_hull(20, true, mo_v3(1, 1e-4, 1)),
                     make_random_hull(20, false, mo_v3(1e-3, 1e-3, 5)),
                     make_random_hull(10, true, mo_v3(1e-4, 1e-4, 1e-4)),
                     make_random_hull(30, true, mo_v3(1e5, 1e5, 1e5)),
                     make_random_hull(20, true, mo_v3(1e-9, 1e-9, 1e-9)),
                     make_random_hull(20, true, mo_v3(1e10, 1e10, 1e10)),
                     make_box(1e-6, 1.0, 1.0),
                     make_box(1e-9, 1e-9, 1e-9),
                     make_box(1e9, 1.0, 1e9),
                     make_cube()};
  enum { ODD = sizeof odd / sizeof *odd };
  for (int i = 0; i < 30000; i++) {
    const mo_shape *a = odd[i % ODD], *b = odd[i / ODD % ODD];
    double reach = mo_min(a->bounding_radius, b->bounding_radius);
    mo_transform ta = random_placement(0.0), tb = random_placement(reach);
    mo_collision_cache cache = {0};
    for (int k = 0; k < 3; k++) {
      mo_manifold m;
      double gap;
      mo_collide_pair(a, &ta, b, &tb, 1e-3 * reach, 1.0, &cache, &gap, &m);
      assert_in_range(m.point_count, 0, MO_MANIFOLD_POINTS);
      assert_true(gap == gap);
      for (int p = 0; p < m.point_count; p++) {
        assert_true(mo_v3_is_finite(m.points[p].point_a) && mo_v3_is_finite(m.points[p].point_b));
        assert_true(mo_is_finite(m.points[p].separation));
        assert_near(mo_length(m.normal), 1.0, 1e-9);
      }
      tb = moved(tb, 1e-3 * reach, 1e-3);
    }
  }
  for (int i = 0; i < ODD; i++) {
    mo_shape_release(odd[i]);
  }
}

TEST_GROUP(narrow_phase) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes_agree_with_gjk_and_epa),
      cmocka_unit_test(cached_results_are_those_of_a_search),
      cmocka_unit_test(round_shapes_with_a_cache),
      cmocka_unit_test(order_and_repetition),
      cmocka_unit_test(foreign_caches),
      cmocka_unit_test(slivers_and_sizes),
  };
  return run_group(tests, make_shapes, release_shapes);
}
