// Bodies on meshes: parts of contacts over sleep, solvers, destruction and motion of the mesh.
#include "assert_near.h"
#include "test_group.h"
#include "world/world.h"
#include "world_fixture.h"

#include <string.h>

#define DT (1.0 / 60.0)

// A valley along x, whose sides rise by `slope`. Its fronts look down: bodies lie on the back.
static mo_shape *valley_of(double slope) {
  double top = 3.0 * slope;
  const mo_vec3 vertices[] = {{-5, -3, top}, {5, -3, top}, {5, 0, 0},
                              {-5, 0, 0},    {5, 3, top},  {-5, 3, top}};
  static const uint32_t indices[] = {0, 2, 1, 0, 3, 2, 3, 4, 2, 3, 5, 4};
  mo_mesh_def def = {vertices, 6, indices, 12, false};
  mo_result result;
  return mo_shape_create_mesh(&def, &result);
}

static mo_shape *valley(void) { return valley_of(1.0); }

typedef struct scene {
  mo_world *world;
  mo_body_id ground, ball;
} scene;

static scene make_scene(mo_solver solver, mo_body_type type) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  scene s = {.world = make_world(settings)};
  mo_body_def ground = mo_body_def_default();
  ground.type = type;
  s.ground = add_body(s.world, ground, valley());
  s.ball = add_body(s.world, body_at(0, 0.1, 0.8, 1), sphere(0.5));
  return s;
}

static void run(scene *s, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_int_equal(mo_world_step(s->world, DT), MO_OK);
  }
}

// The ball touches both sides of the valley, and the contact counts once.
static void assert_in_valley(scene *s) {
  assert_int_equal(mo_world_contact_point_count(s->world), 2);
  mo_contact_point points[2];
  mo_world_contact_points(s->world, points, 2);
  assert_true(points[0].normal.y * points[1].normal.y < -0.49);
  assert_true(points[0].normal_impulse > 0.0 && points[1].normal_impulse > 0.0);
  uint32_t near = 0, touching = 0;
  const mo_contact_store *store = &s->world->pairs.records;
  for (uint32_t i = 0; i < store->records_count; i++) {
    uint8_t flags = store->records[i].flags;
    near += (flags & MO_CONTACT_NEAR) && !(flags & MO_CONTACT_PART);
    touching += (flags & MO_CONTACT_TOUCHING) != 0;
  }
  assert_int_equal(near, 1);
  assert_int_equal(touching, 1);
}

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};

static void a_ball_rests_in_a_valley_asleep_and_awake(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    scene s = make_scene(solvers[i], MO_BODY_STATIC);
    run(&s, 60);
    assert_in_valley(&s);
    run(&s, 200);
    assert_int_equal(mo_world_awake_count(s.world), 0);
    assert_in_valley(&s);
    mo_body_wake(s.world, s.ball);
    run(&s, 5);
    assert_in_valley(&s);
    mo_world_destroy(s.world);
  }
}

static void contacts_go_over_to_other_solvers(void **state) {
  (void)state;
  scene s = make_scene(MO_SOLVER_SOFT_STEP, MO_BODY_STATIC);
  for (int i = 0; i < 9; i++) {
    mo_body_set_solver(s.world, s.ball, true, solvers[i % 3]);
    run(&s, 30);
    if (i > 0) {
      assert_in_valley(&s);
    }
  }
  mo_world_destroy(s.world);
}

static void nothing_is_left_of_what_is_destroyed(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    for (int which = 0; which < 2; which++) {
      scene s = make_scene(solvers[i], MO_BODY_STATIC);
      run(&s, which == 0 ? 60 : 260);
      mo_body_destroy(s.world, which == 0 ? s.ground : s.ball);
      run(&s, 3);
      assert_int_equal(mo_world_contact_point_count(s.world), 0);
      assert_int_equal(mo_pair_store_contact_count(&s.world->pairs), 0);
      assert_int_equal(s.world->pairs.near_count + s.world->pairs.asleep_count, 0);
      mo_world_destroy(s.world);
    }
  }
}

static void a_mesh_that_moves_carries_what_rests_on_it(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    scene s = make_scene(solvers[i], MO_BODY_KINEMATIC);
    run(&s, 260);
    mo_body_set_linear_velocity(s.world, s.ground, vec(0, 0.5, 0.2));
    run(&s, 120);
    mo_body_state ball;
    mo_body_get_state(s.world, s.ball, &ball);
    assert_true(fabs(ball.linear_velocity.y - 0.5) < 1e-3);
    assert_true(fabs(ball.position.y - 1.0) < 0.02);
    assert_in_valley(&s);
    mo_world_destroy(s.world);
  }
}

// A cube that lies across a shallow valley without friction slides on two edges, like a pendulum
// about where the normals of both sides meet: 16.7 m above the edges, so that a quarter of its
// period is 2.0 s. Normals are as old as 2 cm of motion, which must not swing it up much.
static void a_cube_swings_in_a_shallow_valley(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = MO_SOLVER_SOFT_STEP;
  settings.allow_sleep = false;
  scene s = {.world = make_world(settings)};
  mo_body_def ground = mo_body_def_default(), cube = body_at(0, 0.3, 0.515, 1);
  ground.type = MO_BODY_STATIC;
  ground.friction = cube.friction = 0.0;
  s.ground = add_body(s.world, ground, valley_of(0.03));
  s.ball = add_body(s.world, cube, box(0.5, 0.5, 0.5));
  double least = 0.0, greatest = 0.0;
  int quarter = 0;
  for (int i = 0; i < 480; i++) {
    run(&s, 1);
    mo_body_state now;
    mo_body_get_state(s.world, s.ball, &now);
    quarter += least == 0.0 && now.position.y > 0.0;
    least = mo_min(least, now.position.y);
    greatest = mo_max(greatest, now.position.y);
  }
  assert_near(quarter * DT, 2.02, 0.1);
  assert_near(least, -0.3, 0.03);
  assert_near(greatest, 0.3, 0.05);
  mo_world_destroy(s.world);
}

static mo_shape *heights(uint32_t side, const double *heights) {
  mo_heightfield_def def = {heights, side, side, vec(1, 1, 1), false};
  mo_result result;
  return mo_shape_create_heightfield(&def, &result);
}

// Where a cone is after four seconds whose origin begins at a height over the ground, upright.
static double height_of_cone(mo_solver solver, mo_shape *ground, mo_shape *cone, double height) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.gravity = vec(0, -9.81, 0);
  mo_world *world = make_world(settings);
  mo_body_def floor = mo_body_def_default();
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, ground);
  mo_body_def def = body_at(0.03, height, 0.1, 1.0);
  def.lock_rotation = MO_AXIS_X | MO_AXIS_Y | MO_AXIS_Z;
  mo_body_id body = add_body(world, def, cone);
  for (int i = 0; i < 240; i++) {
    assert_int_equal(mo_world_step(world, DT), MO_OK);
  }
  double end = state_of(world, body).position.y;
  mo_world_destroy(world);
  return end;
}

static void a_cone_that_begins_deep_ends_on_the_ground(void **state) {
  (void)state;
  static const double flat[121], hill[] = {0, 0.1, 0, 0.1, 0.3, 0.1, 0, 0.1, 0};
  for (int s = 0; s < 3; s++) {
    mo_result result;
    mo_shape *tall = mo_shape_create_cone(0.3, 1.0, 0.0, &result);
    assert_near(height_of_cone(solvers[s], heights(11, flat), tall, 0.3), 1.0, 0.01);
    mo_shape *wide = mo_shape_create_cone(0.5, 0.5, 0.0, &result);
    assert_near(height_of_cone(solvers[s], heights(3, hill), wide, 0.3), 0.8, 0.15);
  }
}

static void dynamic_bodies_cannot_have_meshes(void **state) {
  (void)state;
  scene s = make_scene(MO_SOLVER_SOFT_STEP, MO_BODY_KINEMATIC);
  assert_true(mo_body_id_is_null(add_body(s.world, mo_body_def_default(), valley())));
  assert_int_equal(mo_world_last_result(s.world), MO_ERROR_INVALID_ARGUMENT);
  assert_non_null(strstr(mo_world_last_error(s.world), "mesh"));
  assert_int_equal(mo_body_set_type(s.world, s.ground, MO_BODY_DYNAMIC), MO_ERROR_INVALID_ARGUMENT);
  mo_world_destroy(s.world);
}

TEST_GROUP(meshes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_rests_in_a_valley_asleep_and_awake),
      cmocka_unit_test(contacts_go_over_to_other_solvers),
      cmocka_unit_test(nothing_is_left_of_what_is_destroyed),
      cmocka_unit_test(a_mesh_that_moves_carries_what_rests_on_it),
      cmocka_unit_test(a_cube_swings_in_a_shallow_valley),
      cmocka_unit_test(a_cone_that_begins_deep_ends_on_the_ground),
      cmocka_unit_test(dynamic_bodies_cannot_have_meshes),
  };
  return run_group(tests, NULL, NULL);
}
