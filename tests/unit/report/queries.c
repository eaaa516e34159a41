#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/ray_cast.h"
#include "world_fixture.h"

static mo_ray ray_of(mo_vec3 origin, mo_vec3 direction) {
  mo_ray ray = mo_ray_default();
  ray.origin = origin;
  ray.direction = direction;
  return ray;
}

static mo_query_hit cast(mo_world *world, mo_ray ray) {
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  return hit;
}

static uint32_t cast_all(mo_world *world, mo_ray ray, const mo_query_hit **hits) {
  uint32_t count = UINT32_MAX;
  assert_int_equal(mo_world_cast_ray_all(world, &ray, hits, &count), MO_OK);
  return count;
}

// A static ball of radius 0.5.
static mo_body_id add_ball(mo_world *world, double x, double y, double z) {
  mo_body_def def = body_at(x, y, z, 0.0);
  def.type = MO_BODY_STATIC;
  return add_body(world, def, sphere(0.5));
}

static void ray_meets_the_nearest_of_a_row(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_id far = add_ball(world, 9, 0, 0), near = add_ball(world, 3, 0, 0),
             middle = add_ball(world, 6, 0, 0);
  add_ball(world, -3, 0, 0);
  mo_ray ray = ray_of(vec(0, 0, 0), vec(1e-200, 0, 0)); // any length
  mo_query_hit hit = cast(world, ray);
  assert_same_body(hit.body, near);
  assert_int_equal(hit.shape, 0);
  assert_near(hit.distance, 2.5, 1e-15);
  assert_vector_near(hit.position, 2.5, 0, 0, 1e-15);
  assert_vector_near(hit.normal, -1, 0, 0, 1e-15);

  const mo_query_hit *hits;
  assert_int_equal(cast_all(world, ray, &hits), 3);
  assert_same_body(hits[0].body, near);
  assert_same_body(hits[1].body, middle);
  assert_same_body(hits[2].body, far);
  ray.max_distance = 5.5;
  assert_int_equal(cast_all(world, ray, &hits), 2);
  ray.max_distance = 2.4999;
  assert_true(mo_body_id_is_null(cast(world, ray).body));
  assert_int_equal(cast_all(world, ray, &hits), 0);
  mo_world_destroy(world);
}

static void filter_and_excluded_body_are_passed_through(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_def def = body_at(3, 0, 0, 0.0);
  def.type = MO_BODY_STATIC;
  def.filter = (mo_filter){.category = 2, .mask = 4, .group = -1};
  mo_body_id first = add_body(world, def, sphere(0.5));
  mo_body_id second = add_ball(world, 6, 0, 0); // category 1, meets all
  mo_ray ray = ray_of(vec(0, 0, 0), vec(1, 0, 0));
  assert_same_body(cast(world, ray).body, first);
  ray.filter.mask = ~2u;
  assert_same_body(cast(world, ray).body, second);
  ray.filter.mask = 2;
  assert_same_body(cast(world, ray).body, first);
  ray.filter.category = 8; // which the first does not meet
  assert_true(mo_body_id_is_null(cast(world, ray).body));
  ray.filter = mo_ray_default().filter;
  ray.filter.exclude = first;
  assert_same_body(cast(world, ray).body, second);
  mo_body_set_filter(world, second, (mo_filter){.category = 0, .mask = 1});
  assert_true(mo_body_id_is_null(cast(world, ray).body));
  mo_world_destroy(world);
}

static void ray_sees_bodies_as_they_are_now(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_def def = body_at(5, 0, 0, 1.0);
  def.linear_velocity = vec(0, 60, 0);
  def.gravity_scale = 0.0;
  mo_body_id body = add_body(world, def, sphere(0.5));
  mo_ray along_x = ray_of(vec(0, 0, 0), vec(1, 0, 0));
  assert_same_body(cast(world, along_x).body, body);
  step_many(world, 1.0 / 60.0, 3);
  assert_true(mo_body_id_is_null(cast(world, along_x).body));
  assert_near(cast(world, ray_of(vec(0, 3, 0), vec(1, 0, 0))).distance, 4.5, 1e-9);
  assert_int_equal(mo_body_set_position(world, body, vec(7, 0, 0)), MO_OK);
  assert_near(cast(world, along_x).distance, 6.5, 1e-12);
  assert_int_equal(mo_body_destroy(world, body), MO_OK);
  assert_true(mo_body_id_is_null(cast(world, along_x).body));
  mo_world_destroy(world);
}

// The boxes of bodies in rows were left where the step began.
static void fast_bodies_are_met_where_they_are(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT,
                                      MO_SOLVER_CONE};
  for (int i = 0; i < 4 * 3; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = solvers[i % 4];
    mo_world *world = make_world(settings);
    mo_body_def def = body_at(0, 10, 0, 1);
    def.linear_velocity = vec(i / 4 == 0 ? 3 : i / 4 == 1 ? 200 : 1e5, 0, 0);
    mo_body_id ball = add_body(world, def, sphere(0.5));
    for (int step = 0; step < 20; step++) {
      step_many(world, 1.0 / 60.0, 1);
      mo_vec3 at = state_of(world, ball).position;
      mo_query_hit hit = cast(world, ray_of(vec(at.x, at.y + 2, at.z), vec(0, -1, 0)));
      assert_same_body(hit.body, ball);
      assert_near(hit.distance, 1.5, 1e-9);
    }
    mo_world_destroy(world);
  }
}

static void shapes_of_one_body_are_told_apart(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_placed_shape shapes[2] = {place(sphere(0.5)), place(box(0.5, 0.5, 0.5))};
  shapes[0].pose.position = vec(4, 0, 0);
  shapes[1].pose.position = vec(2, 0, 0);
  mo_body_def def = body_at(0, 1, 0, 0.0);
  def.orientation = (mo_quat){0, 0, sqrt(0.5), sqrt(0.5)}; // x becomes y
  def.type = MO_BODY_STATIC;
  def.shapes = shapes;
  def.shape_count = 2;
  mo_body_id body = mo_body_create(world, &def);
  const mo_query_hit *hits;
  assert_int_equal(cast_all(world, ray_of(vec(0, 9, 0), vec(0, -2, 0)), &hits), 2);
  assert_true(mo_body_id_equals(hits[0].body, body) && hits[0].shape == 0 && hits[1].shape == 1);
  assert_near(hits[0].distance, 3.5, 1e-12);
  assert_near(hits[1].distance, 5.5, 1e-12);
  mo_shape_release(shapes[0].shape);
  mo_shape_release(shapes[1].shape);
  mo_world_destroy(world);
}

static void equally_far_hits_come_by_slot_and_shape(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_id bodies[40];
  for (int i = 0; i < 40; i++) {
    bodies[i] = add_ball(world, 5, 0, 0);
  }
  // From outside, and from inside of all.
  mo_ray inside = ray_of(vec(5, 0, 0), vec(1, 0, 0)), ray = ray_of(vec(0, 0.1, 0), vec(1, 0, 0));
  inside.max_distance = 0.0;
  assert_same_body(cast(world, ray).body, bodies[0]);
  assert_same_body(cast(world, inside).body, bodies[0]);
  inside.filter.exclude = bodies[0];
  assert_same_body(cast(world, inside).body, bodies[1]);
  const mo_query_hit *hits;
  assert_int_equal(cast_all(world, ray, &hits), 40);
  for (int i = 0; i < 40; i++) {
    assert_same_body(hits[i].body, bodies[i]);
  }
  mo_world_destroy(world);
}

static void planes_are_met_wherever_they_are(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_result result;
  mo_body_def def = body_at(0, -1, 0, 0.0);
  def.type = MO_BODY_STATIC;
  mo_body_id floor = add_body(world, def, mo_shape_create_plane(vec(0.1, 1, 0), 0.0, &result));
  mo_query_hit hit = cast(world, ray_of(vec(-1e7, 1, -1e7), vec(0, -1, 0)));
  assert_same_body(hit.body, floor);
  assert_near(hit.distance, 0.0, 0.0); // below the slope there
  hit = cast(world, ray_of(vec(1e7, 1, 1e7), vec(0, -1, 0)));
  assert_near(hit.distance, 1e6 + 2, 1e-6);
  mo_world_destroy(world);
}

// The nearest by looking at every body.
static mo_query_hit cast_at_each(const mo_shape *const *shapes, const mo_pose *poses, int count,
                                 mo_ray ray, int *met) {
  mo_query_hit best = {.distance = INFINITY, .shape = UINT32_MAX};
  *met = 0;
  for (int i = 0; i < count; i++) {
    mo_surface_hit hit;
    if (mo_shape_cast_ray(shapes[i], mo_transform_from_pose(poses[i]), ray.origin, ray.direction,
                          ray.max_distance, &hit)) {
      (*met)++;
      if (hit.distance < best.distance) {
        best = (mo_query_hit){.shape = (uint32_t)i, .distance = hit.distance, .normal = hit.normal};
      }
    }
  }
  return best;
}

static void random_rays_agree_with_looking_at_every_body(void **state) {
  (void)state;
  enum { BODIES = 400 };
  random_seed(17);
  mo_world *world = make_world(mo_world_def_default());
  static const mo_shape *shapes[BODIES];
  static mo_pose poses[BODIES];
  static mo_body_id ids[BODIES];
  for (int i = 0; i < BODIES; i++) {
    mo_shape *shape = i % 3 == 0   ? make_sphere(random_between(0.1, 0.8))
                      : i % 3 == 1 ? make_box(0.2, 0.7, 0.4)
                                   : make_random_hull(12, true, mo_v3(0.5, 0.9, 0.4));
    poses[i] = random_pose(7.0);
    mo_body_def def = body_at(0, 0, 0, 1.0);
    def.type = (mo_body_type)(i % 3);
    def.position = poses[i].position;
    def.orientation = poses[i].orientation;
    mo_shape_retain(shape);
    shapes[i] = shape;
    ids[i] = add_body(world, def, shape);
    mo_body_state body = state_of(world, ids[i]); // normalised
    poses[i] = (mo_pose){body.position, body.orientation};
  }
  int hits = 0;
  for (int i = 0; i < 3000; i++) {
    mo_vec3 origin = random_in_cube(9.0);
    mo_vec3 aim = random_in_cube(7.0);
    mo_ray ray = ray_of(origin, mo_normalize(mo_sub(aim, origin)));
    ray.max_distance = i % 4 ? INFINITY : 5.0;
    int met;
    mo_query_hit expected = cast_at_each(shapes, poses, BODIES, ray, &met);
    mo_query_hit hit = cast(world, ray);
    const mo_query_hit *all;
    assert_int_equal(cast_all(world, ray, &all), met);
    for (int k = 1; k < met; k++) {
      assert_true(all[k - 1].distance <= all[k].distance);
    }
    hits += met > 0;
    if (met == 0) {
      assert_true(mo_body_id_is_null(hit.body));
      continue;
    }
    assert_same_body(hit.body, ids[expected.shape]);
    assert_near(hit.distance, expected.distance, 1e-13);
    assert_same_body(all[0].body, hit.body);
    assert_true(all[0].distance == hit.distance);
  }
  assert_true(hits > 1000 && hits < 2900);
  mo_world_destroy(world);
  for (int i = 0; i < BODIES; i++) {
    mo_shape_release((mo_shape *)(uintptr_t)shapes[i]);
  }
}

static void bad_rays_are_refused_by_name(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  mo_body_id ball = add_ball(world, 3, 0, 0);
  mo_ray good = ray_of(vec(0, 0, 0), vec(1, 0, 0)), bad;
  mo_query_hit hit = {.shape = 77};
  const mo_query_hit *hits = NULL;
  uint32_t count = 77;
#define REFUSED(change, code, text)                                                                \
  do {                                                                                             \
    bad = good;                                                                                    \
    change;                                                                                        \
    assert_int_equal(mo_world_cast_ray(world, &bad, &hit), code);                                  \
    assert_string_equal(mo_world_last_error(world), "mo_world_cast_ray: " text);                   \
    assert_int_equal(mo_world_cast_ray_all(world, &bad, &hits, &count), code);                     \
    assert_true(hit.shape == 77 && hits == NULL && count == 77);                                   \
  } while (0)
  REFUSED(bad.origin.y = NAN, MO_ERROR_INVALID_ARGUMENT, "origin must be finite, got [0, NaN, 0]");
  REFUSED(bad.direction = vec(0, 0, 0), MO_ERROR_INVALID_ARGUMENT,
          "direction must be finite and not zero, got [0, 0, 0]");
  REFUSED(bad.direction.z = INFINITY, MO_ERROR_INVALID_ARGUMENT,
          "direction must be finite and not zero, got [1, 0, Infinity]");
  REFUSED(bad.max_distance = -1.0, MO_ERROR_INVALID_ARGUMENT,
          "max_distance must be 0 or more metres, got -1");
  REFUSED(bad.max_distance = NAN, MO_ERROR_INVALID_ARGUMENT,
          "max_distance must be 0 or more metres, got NaN");
  mo_body_id gone = add_ball(world, 5, 0, 0);
  mo_body_destroy(world, gone);
  bad = good;
  bad.filter.exclude = gone;
  assert_int_equal(mo_world_cast_ray(world, &bad, &hit), MO_ERROR_STALE_HANDLE);
  assert_same_body(cast(world, good).body, ball);
  mo_world_destroy(world);
}

static void casting_again_allocates_nothing(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  for (int i = 0; i < 50; i++) {
    add_ball(world, i, 0, 0);
  }
  mo_ray ray = ray_of(vec(-5, 0, 0), vec(1, 0, 0));
  const mo_query_hit *hits;
  assert_int_equal(cast_all(world, ray, &hits), 50);
  uint64_t allocations = mo_allocation_count();
  assert_int_equal(cast_all(world, ray, &hits), 50);
  assert_near(cast(world, ray).distance, 4.5, 1e-15);
  assert_true(mo_allocation_count() == allocations);
  mo_world_destroy(world);
}

TEST_GROUP(queries) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ray_meets_the_nearest_of_a_row),
      cmocka_unit_test(filter_and_excluded_body_are_passed_through),
      cmocka_unit_test(ray_sees_bodies_as_they_are_now),
      cmocka_unit_test(fast_bodies_are_met_where_they_are),
      cmocka_unit_test(shapes_of_one_body_are_told_apart),
      cmocka_unit_test(equally_far_hits_come_by_slot_and_shape),
      cmocka_unit_test(planes_are_met_wherever_they_are),
      cmocka_unit_test(random_rays_agree_with_looking_at_every_body),
      cmocka_unit_test(bad_rays_are_refused_by_name),
      cmocka_unit_test(casting_again_allocates_nothing),
  };
  return run_group(tests, NULL, NULL);
}
