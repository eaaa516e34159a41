#include "broad_phase_fixture.h"
#include "test_group.h"

typedef struct visits {
  uint32_t count[MAX_PROXIES];
  uint32_t total, limit;
  double last_entry;
  uint64_t order; // a hash of who came when
} visits;

static bool count_visit(void *user, uint32_t proxy) {
  visits *seen = (visits *)user;
  seen->count[proxy]++;
  seen->order = seen->order * 0x100000001B3u + proxy;
  return ++seen->total < seen->limit;
}

static double count_ray_visit(void *user, uint32_t proxy, double max_distance) {
  return count_visit(user, proxy) ? max_distance : 0.0;
}

// A scene whose tree has seen many changes.
static void make_scene(model *m, uint64_t seed, double room, double centre) {
  m->room = room;
  m->centre = centre;
  random_seed(seed);
  for (int step = 0; step < 12; step++) {
    model_step(m, 120, 0.1);
    assert_true(mo_broad_phase_find_new_pairs(&m->bp, NULL));
  }
  model_step(m, 120, 0.1); // some are stale
}

static bool is_asked_for(const model *m, uint32_t id, uint32_t kinds) {
  return m->proxies[id].is_alive && (kinds >> m->proxies[id].kind & 1u) != 0;
}

static model world;

// --- boxes -----------------------------------------------------------------------------------

static void box_queries(void **state) {
  (void)state;
  const double rooms[] = {5.0, 1e5, 3e38}, centres[] = {0.0, 1e7, 0.0};
  for (int scene = 0; scene < 3; scene++) {
    make_scene(&world, 30 + (uint64_t)scene, rooms[scene], centres[scene]);
    for (int i = 0; i < 500; i++) {
      mo_aabb box = mo_aabb_from_bounds(random_bounds(&world));
      uint32_t kinds = (uint32_t)i % 8;
      visits seen = {.limit = UINT32_MAX};
      mo_broad_phase_query(&world.bp, kinds, &box, count_visit, &seen);
      for (uint32_t id = 0; id < MAX_PROXIES; id++) {
        bool expected =
            is_asked_for(&world, id, kinds) && model_overlap(&box, &world.proxies[id].fat);
        assert_int_equal(seen.count[id], expected);
      }
      visits few = {.limit = 3};
      mo_broad_phase_query(&world.bp, kinds, &box, count_visit, &few);
      assert_int_equal(few.total, seen.total < 3 ? seen.total : 3);
    }
    model_free(&world);
  }
}

// The box around the fat boxes of the kinds, by looking at all of them.
static mo_aabb around(const model *m, uint32_t kinds) {
  mo_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t id = 0; id < MAX_PROXIES; id++) {
    box = is_asked_for(m, id, kinds) ? mo_aabb_union(&box, &m->proxies[id].fat) : box;
  }
  return box;
}

static void bounds_of_kinds(void **state) {
  (void)state;
  for (int scene = 0; scene < 5; scene++) {
    make_scene(&world, 70 + (uint64_t)scene, 5.0, 0.0);
    for (uint32_t kinds = 0; kinds < 8; kinds++) {
      mo_aabb expected = around(&world, kinds);
      mo_bounds found = mo_broad_phase_bounds(&world.bp, kinds);
      assert_true(mo_v3_equal(found.lower, mo_v3_from_floats(expected.lower)));
      assert_true(mo_v3_equal(found.upper, mo_v3_from_floats(expected.upper)));
      mo_bounds box = {mo_v3(-1.0, -1.0, -1.0), mo_v3(1.0, 1.0, 1.0)};
      assert_int_equal(mo_bounds_overlap(&box, &found), kinds != 0);
    }
    model_free(&world);
  }
}

// Moves a box of 2 m along each axis until it touches another one, and beyond.
static void overlap_of_bounds(void **state) {
  (void)state;
  mo_bounds fixed = {mo_v3(0.0, 0.0, 0.0), mo_v3(1.0, 2.0, 3.0)};
  const double sizes[3] = {1.0, 2.0, 3.0};
  for (int axis = 0; axis < 3; axis++) {
    for (double x = -3.0; x <= 4.0; x += 0.5) {
      double at[3] = {0.5, 0.5, 0.5};
      at[axis] = x;
      mo_vec3 lower = mo_v3(at[0], at[1], at[2]);
      mo_bounds moved = {lower, mo_add(lower, mo_v3(2.0, 2.0, 2.0))};
      bool expected = x + 2.0 >= 0.0 && x <= sizes[axis];
      assert_int_equal(mo_bounds_overlap(&moved, &fixed), expected);
      assert_int_equal(mo_bounds_overlap(&fixed, &moved), expected);
    }
  }
}

// --- rays ------------------------------------------------------------------------------------

// Where the ray enters a box that is `half` larger on all sides, exactly but for round-off in
// double precision; `tolerance` metres too early and too late. Infinity if it misses.
static double entry(const mo_aabb *box, mo_vec3 origin, mo_vec3 half, mo_vec3 direction,
                    double max_distance, double tolerance) {
  double o[3] = {origin.x, origin.y, origin.z}, d[3] = {direction.x, direction.y, direction.z},
         h[3] = {half.x, half.y, half.z}, near = 0.0, far = max_distance;
  for (int i = 0; i < 3; i++) {
    double lower = box->lower[i] - h[i] - tolerance, upper = box->upper[i] + h[i] + tolerance;
    if (d[i] == 0.0) {
      if (o[i] < lower || o[i] > upper) {
        return INFINITY;
      }
      continue;
    }
    double a = (lower - o[i]) / d[i], b = (upper - o[i]) / d[i];
    near = mo_max(near, mo_min(a, b));
    far = mo_min(far, mo_max(a, b));
  }
  return near <= far ? near : INFINITY;
}

// Components that are zero, negative zero, tiny, or about to vanish in single precision.
static mo_vec3 odd_direction(void) {
  mo_vec3 d = random_direction();
  const double tiny[] = {0.0, -0.0, 1e-8, -1e-20, 1e-31, -1e-310, 5e-39};
  double first = random_between(0.0, 7.0), second = random_between(0.0, 14.0);
  double which = random_between(0.0, 3.0);
  double *axes[3] = {&d.x, &d.y, &d.z};
  *axes[(int)which] = tiny[(int)first];
  if (second < 7.0) {
    *axes[((int)which + 1) % 3] = tiny[(int)second];
  }
  return mo_normalize(d);
}

static bool is_zero_or_usual(double d) { return d == 0.0 || fabs(d) > 1e-30; }

// All boxes that the ray meets are reported once, and none that it misses by far.
static void check_ray(mo_vec3 origin, mo_vec3 half, mo_vec3 direction, double max_distance,
                      uint32_t kinds) {
  visits seen = {.limit = UINT32_MAX};
  mo_broad_phase_cast_box(&world.bp, kinds, origin, half, direction, max_distance, count_ray_visit,
                          &seen);
  double size = mo_v3_max_component(mo_v3_abs(origin)) + fabs(world.centre) + world.room;
  // What a ray without end does along an axis to which it is all but perpendicular is not known.
  bool is_sharp =
      max_distance < INFINITY || (is_zero_or_usual(direction.x) && is_zero_or_usual(direction.y) &&
                                  is_zero_or_usual(direction.z));
  for (uint32_t id = 0; id < MAX_PROXIES; id++) {
    const mo_aabb *box = &world.proxies[id].fat;
    bool is_asked = is_asked_for(&world, id, kinds);
    if (is_asked && entry(box, origin, half, direction, max_distance, 0.0) < INFINITY) {
      assert_int_equal(seen.count[id], 1);
    } else if (!is_asked || (is_sharp && mo_aabb_is_finite(box) &&
                             entry(box, origin, half, direction, max_distance + 1e-5 * size,
                                   1e-5 * size) == INFINITY)) {
      assert_int_equal(seen.count[id], 0);
    }
  }
}

static void rays(void **state) {
  (void)state;
  const double rooms[] = {5.0, 100.0, 1.0, 1e20}, centres[] = {0.0, 1e7, -1e6, 0.0};
  for (int scene = 0; scene < 4; scene++) {
    make_scene(&world, 40 + (uint64_t)scene, rooms[scene], centres[scene]);
    mo_vec3 middle = mo_v3(world.centre, world.centre, world.centre);
    for (int i = 0; i < 2000; i++) {
      mo_vec3 origin = mo_add(middle, random_in_cube(2.0 * world.room));
      mo_vec3 half = i % 4 == 0 ? mo_v3_abs(random_in_cube(0.1 * world.room)) : mo_v3_zero();
      mo_vec3 direction = i % 2 == 0 ? random_direction() : odd_direction();
      double reach = i % 3 == 0 ? INFINITY : random_between(0.0, 4.0 * world.room);
      if (i % 5 == 0) { // from far away, to the middle
        origin = mo_add_scaled(middle, -1e3 * world.room, direction);
        reach = 2e3 * world.room;
      } else if (i % 5 == 1) { // along the sides of a box
        const mo_aabb *box = &world.proxies[i % MAX_PROXIES].fat;
        origin.x = mo_is_finite(box->lower[0]) ? box->lower[0] : origin.x;
        origin.y = mo_is_finite(box->upper[1]) ? box->upper[1] : origin.y;
      }
      check_ray(origin, half, direction, reach, i % 7 == 0 ? (uint32_t)i % 8 : MO_TREES_ALL);
    }
    model_free(&world);
  }
}

// From beyond single precision, and along an axis there: nothing but what is asked for is promised
// not to be missed.
static void rays_from_beyond(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  mo_bounds box = {{-1, -1, -1}, {1, 1, 1}};
  mo_broad_phase_add(&bp, MO_TREE_DYNAMIC, box, 0.0, 0, 0, mo_filter_default());
  visits seen = {.limit = UINT32_MAX};
  mo_broad_phase_cast_ray(&bp, MO_TREES_ALL, mo_v3(-1e60, 0, 0), mo_v3(1, 0, 0), INFINITY,
                          count_ray_visit, &seen);
  assert_int_equal(seen.total, 1);
  mo_broad_phase_cast_ray(&bp, MO_TREES_ALL, mo_v3(1e60, 0, 0), mo_v3(1, 0, 0), INFINITY,
                          count_ray_visit, &seen);
  assert_int_equal(seen.total, 1);
  // A component too small for single precision leads there in the end.
  mo_broad_phase_cast_ray(&bp, MO_TREES_ALL, mo_v3(-1e35, 10, 0), mo_v3(1, -1e-34, 0), INFINITY,
                          count_ray_visit, &seen);
  assert_int_equal(seen.total, 2);
  mo_broad_phase_free(&bp);
}

// Boxes, rays and sweeps beyond single precision, without end or without a direction: whatever they
// meet, it is a proxy. The lanes of a node that hold none are not.
static void rays_beyond_all_numbers(void **state) {
  (void)state;
  mo_broad_phase bp = {0};
  mo_bounds box = {{-1, -1, -1}, {1, 1, 1}};
  mo_broad_phase_add(&bp, MO_TREE_STATIC, box, 0.0, 0, 0, mo_filter_default());
  const double lengths[] = {0.0, 1.0, 3e38, 1e50, 1e160, INFINITY};
  const double parts[] = {0.0, -1.0, 1.0, 1e-38, -1e-40, (double)NAN};
  for (int i = 0; i < 6 * 6 * 6 * 6; i++) {
    double far = lengths[i % 6], half = lengths[i / 6 % 6];
    double x = parts[i / 36 % 6], y = parts[i / 216];
    mo_vec3 origin = {-far * x, far, -far}, halves = {half, half, half};
    visits seen = {.limit = UINT32_MAX};
    mo_broad_phase_cast_box(&bp, MO_TREES_ALL, origin, halves, mo_v3(x, y, 0.0), far,
                            count_ray_visit, &seen);
    assert_int_equal(seen.total, seen.count[0]);
    assert_true(seen.total <= 1);
  }
  mo_broad_phase_free(&bp);
}

typedef struct nearest {
  mo_vec3 origin, direction;
  double distance;
  uint32_t calls;
} nearest;

static double find_nearest(void *user, uint32_t proxy, double max_distance) {
  nearest *best = (nearest *)user;
  best->calls++;
  double distance = entry(&world.proxies[proxy].fat, best->origin, mo_v3_zero(), best->direction,
                          max_distance, 0.0);
  best->distance = mo_min(best->distance, distance);
  return mo_min(distance, max_distance);
}

// The reach shrinks with each hit: the nearest box is found, and the ray does not visit most of the
// others behind it.
static void rays_that_stop_at_hits(void **state) {
  (void)state;
  make_scene(&world, 50, 5.0, 0.0);
  uint32_t calls = 0, all_calls = 0;
  for (int i = 0; i < 500; i++) {
    mo_vec3 origin = random_in_cube(10.0);
    mo_vec3 direction = mo_normalize(mo_sub(random_in_cube(3.0), origin));
    nearest best = {.origin = origin, .direction = direction, .distance = INFINITY};
    mo_broad_phase_cast_ray(&world.bp, MO_TREES_ALL, origin, direction, 100.0, find_nearest, &best);
    visits seen = {.limit = UINT32_MAX};
    mo_broad_phase_cast_ray(&world.bp, MO_TREES_ALL, origin, direction, 100.0, count_ray_visit,
                            &seen);
    double expected = INFINITY;
    for (uint32_t id = 0; id < MAX_PROXIES; id++) {
      if (world.proxies[id].is_alive) {
        expected = mo_min(
            expected, entry(&world.proxies[id].fat, origin, mo_v3_zero(), direction, 100.0, 0.0));
      }
    }
    assert_true(best.distance == expected);
    assert_true(best.calls <= seen.total);
    calls += best.calls;
    all_calls += seen.total;
    visits one = {.limit = 1};
    mo_broad_phase_cast_ray(&world.bp, MO_TREES_ALL, origin, direction, 100.0, count_ray_visit,
                            &one);
    assert_int_equal(one.total, seen.total > 0);
  }
  assert_true(calls < all_calls);
  model_free(&world);
}

// --- determinism -----------------------------------------------------------------------------

static uint64_t run(uint64_t seed) {
  uint64_t hash = 0;
  make_scene(&world, seed, 5.0, 0.0);
  for (int step = 0; step < 30; step++) {
    model_step(&world, 110, 0.1);
    visits seen = {.limit = UINT32_MAX};
    mo_aabb box = mo_aabb_from_bounds(random_bounds(&world));
    mo_broad_phase_query(&world.bp, MO_TREES_ALL, &box, count_visit, &seen);
    mo_broad_phase_cast_ray(&world.bp, MO_TREES_ALL, random_in_cube(5.0), mo_v3(0, -1, 0), 9.0,
                            count_ray_visit, &seen);
    hash = hash * 31 + seen.order;
    assert_true(mo_broad_phase_find_new_pairs(&world.bp, NULL));
    for (uint32_t i = 0; i < world.bp.new_pairs_count; i++) {
      hash = (hash ^ world.bp.new_pairs[i].a) * 31 + world.bp.new_pairs[i].b;
    }
  }
  model_free(&world);
  return hash;
}

static void same_calls_same_order(void **state) {
  (void)state;
  uint64_t first = run(60);
  void *elsewhere = malloc(12345); // other addresses
  assert_true(run(60) == first);
  assert_true(run(61) != first);
  free(elsewhere);
}

TEST_GROUP(broad_phase_query) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(box_queries),
      cmocka_unit_test(bounds_of_kinds),
      cmocka_unit_test(overlap_of_bounds),
      cmocka_unit_test(rays),
      cmocka_unit_test(rays_from_beyond),
      cmocka_unit_test(rays_beyond_all_numbers),
      cmocka_unit_test(rays_that_stop_at_hits),
      cmocka_unit_test(same_calls_same_order),
  };
  return run_group(tests, NULL, NULL);
}
