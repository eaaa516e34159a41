#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/closest_point.h"
#include "collision/convex/distance.h"
#include "collision/narrow/shape_cast.h"
#include "world_fixture.h"

static mo_shape_cast cast_of(const mo_shape *shape, mo_vec3 from, mo_vec3 direction) {
  mo_shape_cast cast = mo_shape_cast_default();
  cast.shape = shape;
  cast.pose.position = from;
  cast.direction = direction;
  return cast;
}

static mo_query_hit cast(mo_world *world, mo_shape_cast cast) {
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_shape(world, &cast, &hit), MO_OK);
  return hit;
}

static mo_body_id add_static(mo_world *world, mo_vec3 position, mo_vec3 turn, mo_shape *shape) {
  mo_body_def def = body_at(0, 0, 0, 0.0);
  def.type = MO_BODY_STATIC;
  def.position = position;
  def.orientation = mo_quat_exp(turn);
  return add_body(world, def, shape);
}

// --- A93 -------------------------------------------------------------------------------------

static void ball_meets_face_edge_and_corner_of_a_box(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_id target = add_static(world, vec(0, 0, 0), vec(0, 0, 0), box(0.5, 0.4, 0.3));
  mo_shape *ball = sphere(0.2);
  mo_query_hit hit = cast(world, cast_of(ball, vec(-3, 0.1, 0), vec(1, 0, 0)));
  assert_same_body(hit.body, target);
  assert_near(hit.distance, 2.3, 1e-12);
  assert_vector_near(hit.normal, -1, 0, 0, 1e-12);
  assert_vector_near(hit.position, -0.5, 0.1, 0, 1e-12);
  hit = cast(world, cast_of(ball, vec(-3, 0.52, 0.1), vec(1, 0, 0)));
  assert_near(hit.distance, 2.34, 1e-10);
  assert_vector_near(hit.normal, -0.8, 0.6, 0, 1e-9);
  hit = cast(world, cast_of(ball, vec(-3, 0.496, 0.372), vec(1, 0, 0)));
  assert_near(hit.distance, 2.34, 1e-10);
  assert_vector_near(hit.normal, -0.8, 0.48, 0.36, 1e-9);
  hit = cast(world, cast_of(ball, vec(-3, -1.4, -0.75), vec(2, 1, 0.5)));
  assert_near(hit.distance, 2.6349810246, 1e-10);
  assert_vector_near(hit.position, -0.5, -0.25, -0.175, 1e-10);
  hit = cast(world, cast_of(ball, vec(-3, 0.601, 0), vec(1, 0, 0)));
  assert_true(mo_body_id_is_null(hit.body));
  mo_shape_release(ball);
  mo_world_destroy(world);
}

// --- A94 -------------------------------------------------------------------------------------

static void edges_meet_edges(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_shape *cube = box(0.5, 0.5, 0.5), *capsule = make_capsule(0.2, 1.0),
           *short_capsule = make_capsule(0.2, 0.5);
  mo_body_id b = add_static(world, vec(0, 0.3, 0), vec(0, 0, MO_PI / 4), box(0.5, 0.5, 0.5));
  mo_query_hit hit = cast(world, cast_of(cube, vec(-3, 0, 0), vec(1, 0, 0)));
  assert_near(hit.distance, 1.7928932188, 1e-9);
  assert_vector_near(hit.normal, -1, 0, 0, 1e-9);
  mo_body_destroy(world, b);
  b = add_static(world, vec(0.1, -0.1, 0), vec(MO_PI / 4, 0, 0), box(0.5, 0.5, 0.5));
  mo_shape_cast turned_cast = cast_of(cube, vec(0, 0, -2), vec(0, 0, 1));
  turned_cast.pose.orientation = mo_quat_exp(vec(0, MO_PI / 4, 0));
  hit = cast(world, turned_cast);
  assert_near(hit.distance, 0.5857864376, 1e-9);
  assert_vector_near(hit.normal, 0, 0, -1, 1e-9);
  mo_body_destroy(world, b);
  add_static(world, vec(0, 0, 0), vec(0, 0, 0), make_capsule(0.3, 1.0));
  turned_cast = cast_of(capsule, vec(-0.3, 0, -3), vec(1, 0, 2));
  turned_cast.pose.orientation = mo_quat_exp(vec(0, 0, -MO_PI / 2));
  hit = cast(world, turned_cast);
  assert_near(hit.distance, 2.7950849719, 1e-9);
  assert_vector_near(hit.normal, 0, 0, -1, 1e-9);
  turned_cast.shape = short_capsule;
  turned_cast.pose.position = vec(-0.9, 1.2, -3);
  turned_cast.direction = vec(0, 0, 1);
  assert_near(cast(world, turned_cast).distance, 2.7763932023, 1e-9);
  mo_shape_release(cube);
  mo_shape_release(capsule);
  mo_shape_release(short_capsule);
  mo_world_destroy(world);
}

// --- how casts begin -------------------------------------------------------------------------

static void overlapped_at_the_start_gives_the_shortest_way_out(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_id block = add_static(world, vec(0, 0, 0), vec(0, 0, 0), box(1, 1, 1));
  mo_shape *cube = box(0.5, 0.5, 0.5);
  for (int way = -1; way <= 1; way += 2) { // whether it moves out or deeper
    mo_shape_cast overlapped = cast_of(cube, vec(0.2, 1.4, -0.1), vec(0, way, 0));
    mo_query_hit hit = cast(world, overlapped);
    assert_same_body(hit.body, block);
    assert_near(hit.distance, 0.0, 0.0);
    assert_near(hit.penetration_depth, 0.1, 1e-12);
    assert_vector_near(hit.normal, 0, 1, 0, 1e-12);
    assert_near(hit.position.y, 1.0, 1e-12);
    overlapped.stop_at_penetration = false;
    assert_true(mo_body_id_is_null(cast(world, overlapped).body) == (way > 0));
  }
  mo_shape_release(cube);
  mo_world_destroy(world);
}

static void touching_at_the_start_is_met_if_the_two_approach(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_static(world, vec(0, 0, 0), vec(0, 0, 0), box(1, 1, 1));
  mo_shape *shapes[3] = {box(0.5, 0.5, 0.5), sphere(0.5), make_capsule(0.25, 0.25)};
  for (int i = 0; i < 3; i++) {
    mo_query_hit hit = cast(world, cast_of(shapes[i], vec(0.2, 1.5, -0.1), vec(0.5, -0.1, 0)));
    assert_false(mo_body_id_is_null(hit.body));
    assert_near(hit.distance, 0.0, 0.0);
    assert_vector_near(hit.normal, 0, 1, 0, 1e-9);
    mo_vec3 along[3] = {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, -1)};
    for (int k = 0; k < 3; k++) {
      hit = cast(world, cast_of(shapes[i], vec(0.2, 1.5, -0.1), along[k]));
      assert_true(mo_body_id_is_null(hit.body));
    }
    mo_shape_release(shapes[i]);
  }
  mo_world_destroy(world);
}

static void planes_and_far_bodies_are_met_exactly(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_result result;
  add_static(world, vec(0, 0, 0), vec(0, 0, 0), mo_shape_create_plane(vec(0, 1, 0), 0, &result));
  mo_shape *cube = box(0.5, 0.5, 0.5);
  mo_query_hit hit = cast(world, cast_of(cube, vec(3, 2, 0), vec(3, -4, 0)));
  assert_near(hit.distance, 1.875, 1e-12);
  assert_vector_near(hit.normal, 0, 1, 0, 1e-15);
  assert_near(hit.position.y, 0.0, 1e-12);
  assert_near(cast(world, cast_of(cube, vec(0, 1e6, 0), vec(0, -1, 0))).distance, 1e6 - 0.5, 1e-9);
  hit = cast(world, cast_of(cube, vec(0, 0.4, 0), vec(0, 1, 0)));
  assert_near(hit.penetration_depth, 0.1, 1e-12);
  assert_true(mo_body_id_is_null(cast(world, cast_of(cube, vec(0, 0.5, 0), vec(1, 0, 0))).body));
  add_static(world, vec(1e6, 9, 0), vec(0, 0, 0), box(1, 1, 1));
  assert_near(cast(world, cast_of(cube, vec(0, 9, 0), vec(1, 0, 0))).distance, 1e6 - 1.5, 1e-8);
  mo_shape_cast none = cast_of(cube, vec(0, 9, 0), vec(1, 0, 0));
  none.max_distance = 0.0;
  assert_true(mo_body_id_is_null(cast(world, none).body));
  mo_shape_release(cube);
  mo_world_destroy(world);
}

// Where 0.5 m of gap over a slope of 1e-320 is beyond all numbers, nothing is met.
static void surfaces_at_an_endless_distance_are_not_met(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_result result;
  add_static(world, vec(0, 0, 0), vec(0, 0, 0), mo_shape_create_plane(vec(0, 1, 0), 0, &result));
  mo_shape *cube = box(0.5, 0.5, 0.5);
  mo_shape_cast endless = cast_of(cube, vec(0, 1, 0), vec(1, -1e-320, 0));
  endless.max_distance = INFINITY;
  assert_true(mo_body_id_is_null(cast(world, endless).body));
  endless.direction.y = -1e-300;
  mo_query_hit hit = cast(world, endless);
  assert_near(hit.distance, 5e299, 1e285);
  assert_near(hit.position.x, 5e299, 1e285);
  mo_shape_release(cube);
  mo_world_destroy(world);
}

// --- against looking at every body -----------------------------------------------------------

enum { BODIES = 300 };
static mo_shape *shapes[BODIES];
static mo_transform placements[BODIES];
static mo_body_id ids[BODIES];

static mo_shape *random_shape(int i) {
  switch (i % 4) {
  case 0:
    return make_sphere(random_between(0.1, 0.8));
  case 1:
    return make_box(0.2, 0.7, 0.4);
  case 2:
    return make_capsule(0.2, 0.5);
  default:
    return make_random_hull(12, true, mo_v3(0.5, 0.9, 0.4));
  }
}

static mo_world *make_crowd(void) {
  random_seed(23);
  mo_world *world = make_world(mo_world_def_default());
  for (int i = 0; i < BODIES; i++) {
    shapes[i] = random_shape(i);
    mo_pose pose = random_pose(7.0);
    mo_body_def def = body_at(0, 0, 0, 1.0);
    def.type = (mo_body_type)(i % 3);
    def.position = pose.position;
    def.orientation = pose.orientation;
    mo_shape_retain(shapes[i]);
    ids[i] = add_body(world, def, shapes[i]);
    mo_body_state body = state_of(world, ids[i]); // normalised
    placements[i] = mo_transform_from_pose((mo_pose){body.position, body.orientation});
  }
  return world;
}

static void free_crowd(mo_world *world) {
  mo_world_destroy(world);
  for (int i = 0; i < BODIES; i++) {
    mo_shape_release(shapes[i]);
  }
}

static double gap_at(const mo_shape *a, mo_transform pose_a, const mo_shape *b, mo_pose pose,
                     mo_vec3 direction, double distance) {
  pose.position = mo_add_scaled(pose.position, distance, direction);
  return mo_distance_placed(a, pose_a, b, mo_transform_from_pose(pose)).distance;
}

static void random_casts_agree_with_looking_at_every_body(void **state) {
  (void)state;
  mo_world *world = make_crowd();
  int hits = 0, free_starts = 0;
  for (int i = 0; i < 1500; i++) {
    mo_shape *moving = random_shape(i);
    mo_pose pose = random_pose(9.0);
    mo_vec3 direction = mo_normalize(mo_sub(random_in_cube(7.0), pose.position));
    mo_shape_cast query = cast_of(moving, pose.position, direction);
    query.pose.orientation = pose.orientation;
    query.max_distance = i % 4 ? INFINITY : 3.0;
    mo_query_hit hit = cast(world, query);
    int met = 0;
    double nearest = INFINITY, deepest = 0.0;
    for (int k = 0; k < BODIES; k++) {
      mo_shape_hit expected;
      if (mo_cast_shape(shapes[k], placements[k], moving, mo_transform_from_pose(pose), direction,
                        query.max_distance, 1.0, &expected)) {
        met++;
        nearest = mo_min(nearest, expected.distance);
        deepest = mo_max(deepest, expected.penetration_depth);
      }
    }
    const mo_query_hit *all;
    uint32_t count;
    assert_int_equal(mo_world_cast_shape_all(world, &query, &all, &count), MO_OK);
    assert_int_equal(count, met);
    assert_true((met == 0) == mo_body_id_is_null(hit.body));
    if (met > 0) {
      hits++;
      assert_near(hit.distance, nearest, 1e-12);
      assert_near(hit.penetration_depth, deepest, 1e-12);
      assert_same_body(all[0].body, hit.body);
    }
    // At the time of impact they touch, and they did not before.
    if (met > 0 && hit.distance > 0.0) {
      free_starts++;
      uint32_t k = mo_body_id_slot(hit.body);
      double slope = -mo_dot(hit.normal, direction);
      assert_true(slope > 0.0);
      if (slope > 0.05) {
        const mo_shape *met_shape = shapes[k];
        mo_transform there = placements[k];
        assert_true(gap_at(met_shape, there, moving, pose, direction, hit.distance) < 1e-10);
        assert_true(gap_at(met_shape, there, moving, pose, direction, hit.distance - 1e-8) > 0.0);
        assert_true(gap_at(met_shape, there, moving, pose, direction, hit.distance + 1e-8) == 0.0);
        mo_surface_point on;
        assert_true(mo_shape_closest_point(shapes[k], placements[k], hit.position, 1.0, &on));
        assert_near(on.distance, 0.0, 1e-9);
      }
    }
    mo_shape_release(moving);
  }
  assert_true(hits > 600 && hits < 1490 && free_starts > 300);
  free_crowd(world);
}

static void overlaps_and_closest_points_agree_with_looking_at_every_body(void **state) {
  (void)state;
  mo_world *world = make_crowd();
  for (int i = 0; i < 600; i++) {
    mo_shape *shape = random_shape(i);
    mo_pose pose = random_pose(8.0);
    const mo_query_hit *hits;
    uint32_t count, met = 0;
    assert_int_equal(mo_world_overlap(world, shape, pose, NULL, &hits, &count), MO_OK);
    mo_surface_point nearest = {.distance = INFINITY};
    uint32_t which = 0;
    for (uint32_t k = 0; k < BODIES; k++) {
      mo_collision collision;
      mo_body_state body = state_of(world, ids[k]);
      if (mo_collide(shapes[k], (mo_pose){body.position, body.orientation}, shape, pose,
                     &collision)) {
        assert_true(met < count);
        assert_same_body(hits[met].body, ids[k]);
        met++;
      }
      mo_surface_point on;
      if (mo_shape_closest_point(shapes[k], placements[k], pose.position, INFINITY, &on) &&
          on.distance < nearest.distance) {
        nearest = on;
        which = k;
      }
    }
    assert_int_equal(count, met);
    mo_query_hit closest;
    bool contains;
    assert_int_equal(mo_world_closest_point(world, pose.position, INFINITY, NULL, &closest), MO_OK);
    assert_int_equal(mo_world_contains(world, pose.position, NULL, &contains), MO_OK);
    assert_same_body(closest.body, ids[which]);
    assert_near(closest.distance, nearest.distance, 1e-12);
    assert_true(contains == (nearest.distance < 0.0));
    // Along the normal from the surface lies the point.
    mo_vec3 back = mo_add_scaled(closest.position, closest.distance, closest.normal);
    assert_true(mo_distance_between(back, pose.position) < 1e-9);
    assert_int_equal(mo_world_closest_point(world, pose.position, mo_max(nearest.distance, 0.0) / 2,
                                            NULL, &closest),
                     MO_OK);
    assert_true(mo_body_id_is_null(closest.body) == (nearest.distance > 0.0));
    mo_shape_release(shape);
  }
  free_crowd(world);
}

// --- A95 -------------------------------------------------------------------------------------

static void closest_points_of_a_box(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_static(world, vec(0, 0, 0), vec(0, 0, 0), box(0.5, 0.4, 0.3));
  const mo_vec3 from[3] = {{1.5, 0.2, 0.1}, {0.2, 0.1, 0.05}, {0.9, 1, 0.3}};
  const mo_vec3 to[3] = {{0.5, 0.2, 0.1}, {0.2, 0.1, 0.3}, {0.5, 0.4, 0.3}};
  const double distance[3] = {1.0, -0.25, 0.7211102551};
  for (int i = 0; i < 3; i++) {
    mo_query_hit hit;
    bool contains;
    assert_int_equal(mo_world_closest_point(world, from[i], INFINITY, NULL, &hit), MO_OK);
    assert_true(mo_distance_between(hit.position, to[i]) < 1e-9);
    assert_near(hit.distance, distance[i], 1e-9);
    assert_int_equal(mo_world_contains(world, from[i], NULL, &contains), MO_OK);
    assert_true(contains == (distance[i] < 0.0));
  }
  mo_world_destroy(world);
}

static void centres_of_balls_and_capsules_have_a_way_out(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_static(world, vec(0, 0, 0), vec(0, 0, 0), sphere(0.5));
  add_static(world, vec(5, 0, 0), vec(0, 0, 0), make_capsule(0.4, 1.0));
  const mo_vec3 points[2] = {{0, 0, 0}, {5, 0.3, 0}};
  for (int i = 0; i < 2; i++) {
    mo_query_hit hit;
    assert_int_equal(mo_world_closest_point(world, points[i], INFINITY, NULL, &hit), MO_OK);
    assert_near(hit.distance, i == 0 ? -0.5 : -0.4, 1e-12);
    assert_near(mo_length(hit.normal), 1.0, 1e-12);
    assert_near(mo_distance_between(hit.position, points[i]), -hit.distance, 1e-12);
  }
  mo_world_destroy(world);
}

// --- predicates ------------------------------------------------------------------------------

typedef struct refusal {
  mo_world *world;
  mo_body_id refused;
  int asked;
} refusal;

// Reads the world while it is asked: by a query of its own that gives a list, too.
static bool refuse(mo_body_id body, uint32_t shape, void *user) {
  refusal *r = user;
  r->asked++;
  assert_int_equal(shape, 0);
  mo_ray ray = mo_ray_default();
  ray.origin = vec(-9, 0, 0);
  ray.direction = vec(1, 0, 0);
  const mo_query_hit *hits;
  uint32_t count;
  assert_int_equal(mo_world_cast_ray_all(r->world, &ray, &hits, &count), MO_OK);
  assert_int_equal(count, 3);
  assert_near(hits[2].distance, 14.5, 1e-12);
  assert_int_equal(mo_world_step(r->world, 0.01), MO_ERROR_WORLD_LOCKED);
  return !mo_body_id_equals(body, r->refused);
}

static void predicates_choose_and_may_ask_in_turn(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  refusal r = {.world = world};
  for (int i = 0; i < 3; i++) {
    mo_body_id body = add_static(world, vec(3.0 * i, 0, 0), vec(0, 0, 0), sphere(0.5));
    r.refused = i == 0 ? body : r.refused;
  }
  mo_ray ray = mo_ray_default();
  ray.origin = vec(-9, 0, 0);
  ray.direction = vec(1, 0, 0);
  ray.filter.predicate = refuse;
  ray.filter.user = &r;
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  assert_near(hit.distance, 11.5, 1e-12);
  const mo_query_hit *hits;
  uint32_t count;
  assert_int_equal(mo_world_cast_ray_all(world, &ray, &hits, &count), MO_OK);
  assert_int_equal(count, 2);
  assert_near(hits[0].distance, 11.5, 1e-12);
  assert_near(hits[1].distance, 14.5, 1e-12);
  mo_shape *ball = sphere(0.25);
  mo_shape_cast query = cast_of(ball, vec(-9, 0, 0), vec(1, 0, 0));
  query.filter = ray.filter;
  assert_near(cast(world, query).distance, 11.25, 1e-12);
  assert_int_equal(mo_world_overlap(world, ball, (mo_pose){vec(0, 0, 0), {0, 0, 0, 1}}, &ray.filter,
                                    &hits, &count),
                   MO_OK);
  assert_int_equal(count, 0);
  assert_int_equal(mo_world_closest_point(world, vec(0, 0, 0), INFINITY, &ray.filter, &hit), MO_OK);
  assert_near(hit.distance, 2.5, 1e-12);
  assert_true(r.asked >= 8);
  assert_int_equal(mo_world_step(world, 0.01), MO_OK); // unlocked again
  mo_shape_release(ball);
  mo_world_destroy(world);
}

static void bad_casts_are_refused_by_name(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_result result;
  mo_shape *plane = mo_shape_create_plane(vec(0, 1, 0), 0, &result), *ball = sphere(0.5);
  mo_query_hit hit = {.shape = 77};
#define REFUSED(change, text)                                                                      \
  do {                                                                                             \
    mo_shape_cast bad = cast_of(ball, vec(0, 0, 0), vec(1, 0, 0));                                 \
    change;                                                                                        \
    assert_int_equal(mo_world_cast_shape(world, &bad, &hit), MO_ERROR_INVALID_ARGUMENT);           \
    assert_string_equal(mo_world_last_error(world), "mo_world_cast_shape: " text);                 \
    assert_int_equal(hit.shape, 77);                                                               \
  } while (0)
  REFUSED(bad.shape = NULL, "shape must be there, and not a plane");
  REFUSED(bad.shape = plane, "shape must be there, and not a plane");
  REFUSED(bad.pose.position.x = NAN, "position must be finite, got [NaN, 0, 0]");
  REFUSED(bad.direction = vec(0, 0, 0), "direction must be finite and not zero, got [0, 0, 0]");
  REFUSED(bad.max_distance = -1.0, "max_distance must be 0 or more metres, got -1");
  assert_int_equal(mo_world_closest_point(world, vec(0, NAN, 0), 1.0, NULL, &hit),
                   MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_world_closest_point(world, vec(0, 0, 0), NAN, NULL, &hit),
                   MO_ERROR_INVALID_ARGUMENT);
  mo_shape_release(plane);
  mo_shape_release(ball);
  mo_world_destroy(world);
}

TEST_GROUP(shape_queries) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_meets_face_edge_and_corner_of_a_box),
      cmocka_unit_test(edges_meet_edges),
      cmocka_unit_test(overlapped_at_the_start_gives_the_shortest_way_out),
      cmocka_unit_test(touching_at_the_start_is_met_if_the_two_approach),
      cmocka_unit_test(planes_and_far_bodies_are_met_exactly),
      cmocka_unit_test(surfaces_at_an_endless_distance_are_not_met),
      cmocka_unit_test(random_casts_agree_with_looking_at_every_body),
      cmocka_unit_test(overlaps_and_closest_points_agree_with_looking_at_every_body),
      cmocka_unit_test(closest_points_of_a_box),
      cmocka_unit_test(centres_of_balls_and_capsules_have_a_way_out),
      cmocka_unit_test(predicates_choose_and_may_ask_in_turn),
      cmocka_unit_test(bad_casts_are_refused_by_name),
  };
  return run_group(tests, NULL, NULL);
}
