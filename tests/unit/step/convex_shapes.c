// Shapes that the engine knows by a support function alone, and rounded ones, in a world.
#include "test_group.h"
#include "toy_cone.h"
#include "world_fixture.h"

#include "geometry/shape_hull.h"

#include <string.h>

// A static body whose top is at y = 0.
static mo_shape *ground_of(int kind) {
  mo_result result;
  const mo_vec3 pyramid[8] = {{-4, -2, -4}, {4, -2, -4}, {-4, -2, 4}, {4, -2, 4},
                              {-3, 0, -3},  {3, 0, -3},  {-3, 0, 3},  {3, 0, 3}};
  mo_hull *hull = NULL;
  mo_shape *shape = NULL;
  switch (kind) {
  case 0:
    return mo_shape_create_plane(vec(0, 1, 0), 0.0, &result);
  case 1:
    return mo_shape_create_box(vec(5, 1, 5), &result);
  case 2:
    return mo_shape_create_sphere(20.0, &result);
  default:
    assert_int_equal(mo_hull_create(pyramid, 8, &hull), MO_OK);
    shape = mo_shape_create_hull(hull, &result);
    mo_hull_release(hull);
    return shape;
  }
}

static const double ground_heights[4] = {0.0, -1.0, -20.0, 0.0};
static const mo_solver solvers[2] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS};

static mo_world *world_with_ground(int kind, mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  mo_world *world = make_world(settings);
  mo_body_def ground = body_at(0, ground_heights[kind], 0, 0.0);
  ground.type = MO_BODY_STATIC;
  add_body(world, ground, ground_of(kind));
  return world;
}

static void run(mo_world *world, double seconds) {
  for (int i = 0; i < 60.0 * seconds; i++) {
    assert_int_equal(mo_world_step(world, 1.0 / 60.0), MO_OK);
  }
}

static double speed(mo_world *world, mo_body_id id) {
  mo_body_state state = state_of(world, id);
  return mo_length(state.linear_velocity) + mo_length(state.angular_velocity);
}

// How far the y axis of a body leans.
static double lean(mo_world *world, mo_body_id id) {
  mo_mat3 r = mo_quat_to_mat3(state_of(world, id).orientation);
  return sqrt(r.cy.x * r.cy.x + r.cy.z * r.cy.z);
}

static void cone_lands_on_its_base_and_rests(void **state) {
  (void)state;
  for (int solver = 0; solver < 2; solver++) {
    for (int kind = 0; kind < 4; kind++) {
      mo_world *world = world_with_ground(kind, solvers[solver]);
      mo_body_def def = body_at(0, 0.7, 0, 0.0);
      def.orientation = mo_quat_exp(vec(0.1, 0.3, -0.05));
      mo_body_id id = add_body(world, def, toy_cone_create(0.5, 0.5));
      run(world, 4.0);
      mo_vec3 position = state_of(world, id).position;
      // A flat base on a ball rocks and turns on one point, which nothing hinders.
      bool rocks = kind == 2;
      assert_true(lean(world, id) < (rocks ? 0.2 : 0.02));
      assert_true(speed(world, id) < (rocks ? 1.0 : 0.01));
      assert_true(position.y > 0.5 - 0.01 && position.y < 0.505);
      mo_world_destroy(world);
    }
  }
}

// Whichever way it falls it comes to lie, and no part of it is in the ground.
static void tumbling_cone_comes_to_lie(void **state) {
  (void)state;
  for (int solver = 0; solver < 2; solver++) {
    mo_world *world = world_with_ground(1, solvers[solver]);
    mo_body_def def = body_at(0, 2.0, 0, 0.0);
    def.orientation = mo_quat_exp(vec(2.0, 0.0, 0.4));
    def.angular_velocity = vec(1.0, 3.0, -2.0);
    mo_body_id id = add_body(world, def, toy_cone_create(0.5, 0.5));
    run(world, 12.0);
    mo_transform t = mo_transform_from_pose(
        (mo_pose){state_of(world, id).position, state_of(world, id).orientation});
    mo_shape *cone = toy_cone_create(0.5, 0.5);
    double lowest = mo_shape_bounds(cone, &t).lower.y;
    assert_true(lowest > -0.01 && lowest < 0.005);
    assert_true(fabs(state_of(world, id).linear_velocity.y) < 0.02);
    mo_shape_release(cone);
    mo_world_destroy(world);
  }
}

static void rays_of_the_world_meet_a_cone(void **state) {
  (void)state;
  mo_world *world = world_with_ground(0, MO_SOLVER_SOFT_STEP);
  mo_body_id id = add_body(world, body_at(3, 1, 0, 0.0), toy_cone_create(0.5, 0.5));
  mo_ray ray = mo_ray_default();
  ray.origin = vec(0, 1, 0);
  ray.direction = vec(1, 0, 0);
  mo_query_hit hit;
  assert_int_equal(mo_world_cast_ray(world, &ray, &hit), MO_OK);
  assert_true(memcmp(&hit.body, &id, sizeof id) == 0);
  assert_true(fabs(hit.distance - 2.75) < 1e-9);
  mo_world_destroy(world);
}

static void bullet_cone_does_not_pass_a_wall(void **state) {
  (void)state;
  mo_world *world = world_with_ground(0, MO_SOLVER_SOFT_STEP);
  mo_body_def wall = body_at(0, 2, 0, 0.0);
  wall.type = MO_BODY_STATIC;
  add_body(world, wall, box(0.01, 2, 2));
  mo_body_def def = body_at(-5, 2, 0, 0.0);
  def.linear_velocity = vec(300, 0, 0);
  def.orientation = mo_quat_exp(vec(0, 0, -1.3));
  mo_body_id id = add_body(world, def, toy_cone_create(0.1, 0.1));
  run(world, 0.1); // later it may fly over
  assert_true(state_of(world, id).position.x < 0.0);
  mo_world_destroy(world);
}

static void rounded_boxes_stack(void **state) {
  (void)state;
  for (int solver = 0; solver < 2; solver++) {
    mo_world *world = world_with_ground(1, solvers[solver]);
    mo_body_id ids[3];
    for (int i = 0; i < 3; i++) {
      mo_result result;
      ids[i] = add_body(world, body_at(0, 0.55 + 1.05 * i, 0, 0.0),
                        mo_shape_create_rounded_box(vec(0.4, 0.4, 0.4), 0.1, &result));
    }
    run(world, 4.0);
    for (int i = 0; i < 3; i++) {
      assert_true(fabs(state_of(world, ids[i]).position.y - (0.5 + i)) < 0.02);
      assert_true(lean(world, ids[i]) < 1e-3);
      assert_true(speed(world, ids[i]) < 0.01);
    }
    mo_world_destroy(world);
  }
}

TEST_GROUP(convex_shapes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cone_lands_on_its_base_and_rests),
      cmocka_unit_test(tumbling_cone_comes_to_lie),
      cmocka_unit_test(rays_of_the_world_meet_a_cone),
      cmocka_unit_test(bullet_cone_does_not_pass_a_wall),
      cmocka_unit_test(rounded_boxes_stack),
  };
  return run_group(tests, NULL, NULL);
}
