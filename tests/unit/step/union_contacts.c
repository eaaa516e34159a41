/// Contacts with what moves as one: seams of a flat surface are not felt, steps and walls are.
#include "math/vec3.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60)
#define SOLVERS 3

static const mo_solver solvers[SOLVERS] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS,
                                           MO_SOLVER_EXACT};

static mo_world *world_without_sleep(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.allow_sleep = false;
  settings.gravity = vec(0, 0, -9.81);
  return make_world(settings);
}

static void add_still(mo_world *world, mo_shape *shape, double x, double y, double z) {
  mo_body_def def = body_at(x, y, z, 0.0);
  def.type = MO_BODY_STATIC;
  add_body(world, def, shape);
}

// A rectangle of two triangles that looks up.
static mo_shape *sheet(double x, double y) {
  mo_vec3 vertices[] = {vec(-x, -y, 0), vec(x, -y, 0), vec(x, y, 0), vec(-x, y, 0)};
  uint32_t indices[] = {0, 1, 2, 0, 2, 3};
  mo_mesh_def def = {.vertices = vertices, .vertex_count = 4, .indices = indices, .index_count = 6};
  mo_result result;
  mo_shape *shape = mo_shape_create_mesh(&def, &result);
  assert_non_null(shape);
  return shape;
}

static mo_body_id add_mover(mo_world *world, mo_shape *shape, double x, double z, double speed) {
  mo_body_def def = body_at(x, 0.13, z, 1.0);
  def.friction = 0.0;
  def.linear_velocity = vec(speed, 0.2 * speed, 0);
  return add_body(world, def, shape);
}

// The slowest that a body is along x in some steps, and how far it leaves a height.
typedef struct ride {
  double slowest, hop;
} ride;

static ride ride_over(mo_world *world, mo_body_id body, double height, int steps) {
  ride all = {INFINITY, 0.0};
  for (int i = 0; i < steps; i++) {
    step_many(world, DT, 1);
    mo_body_state now = state_of(world, body);
    all.slowest = fmin(all.slowest, now.linear_velocity.x);
    all.hop = fmax(all.hop, fabs(now.position.z - height));
  }
  return all;
}

static void assert_slides(mo_world *world, mo_shape *shape, double height, double speed) {
  mo_body_id body = add_mover(world, shape, -1.9, height, speed);
  ride all = ride_over(world, body, height, (int)(3.5 / speed / DT));
  assert_true(all.slowest > 0.97 * speed);
  assert_true(all.hop < 2e-3);
  mo_world_destroy(world);
}

static mo_world *world_of_tiles(mo_solver solver, bool are_meshes) {
  mo_world *world = world_without_sleep(solver);
  for (int i = -3; i <= 3; i++) {
    for (int j = -2; j <= 2; j++) {
      mo_shape *tile = are_meshes ? sheet(0.5, 0.5) : box(0.5, 0.5, 0.3);
      add_still(world, tile, i, j, are_meshes ? 0.0 : -0.3);
    }
  }
  return world;
}

static void seams_of_tiles_are_not_felt(void **state) {
  (void)state;
  for (int i = 0; i < 4 * SOLVERS; i++) {
    for (int speed = 1; speed <= 4; speed += 3) {
      mo_world *world = world_of_tiles(solvers[i % SOLVERS], i / SOLVERS % 2);
      mo_shape *mover = i / SOLVERS < 2 ? box(0.4, 0.4, 0.4) : sphere(0.4);
      assert_slides(world, mover, 0.4, speed);
    }
  }
}

static void steps_are_felt(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_without_sleep(solvers[i]);
    add_still(world, box(2, 2, 0.5), -2, 0, -0.5);
    add_still(world, box(2, 2, 0.5), 2, 0, -0.49);
    mo_body_id body = add_mover(world, box(0.4, 0.4, 0.4), -1.2, 0.4, 1.0);
    assert_true(ride_over(world, body, 0.4, 90).slowest < 0.5);
    mo_world_destroy(world);
  }
}

static void walls_on_tiles_stop(void **state) {
  (void)state;
  for (int i = 0; i < 2 * SOLVERS; i++) {
    mo_world *world = world_of_tiles(solvers[i % SOLVERS], false);
    add_still(world, box(0.1, 3, 1), 1.6, 0, 1);
    mo_shape *mover = i < SOLVERS ? box(0.3, 0.3, 0.3) : sphere(0.3);
    mo_body_id body = add_mover(world, mover, -0.5, 0.3, 5.0);
    step_many(world, DT, 90);
    assert_true(state_of(world, body).position.x < 1.3);
    mo_world_destroy(world);
  }
}

// The normal of what touches a ball goes through its centre, where it is touched: at the time of
// the impact too, which the narrow phase finds ahead of it.
static void frictionless_ball_keeps_its_spin(void **state) {
  (void)state;
  for (int i = 0; i < 2 * SOLVERS; i++) {
    mo_world *world = world_without_sleep(solvers[i % SOLVERS]);
    add_still(world, i < SOLVERS ? sheet(9, 7) : box(9, 7, 1), 0, 0, i < SOLVERS ? 0.0 : -1.0);
    mo_body_def def = body_at(-0.7, 0.3, 1.1, 1.0);
    def.linear_velocity = vec(1.7, 0.4, -2);
    def.angular_velocity = vec(2, 0, 1);
    def.friction = 0.0;
    def.restitution = 0.9;
    mo_body_id ball = add_body(world, def, sphere(0.2));
    step_many(world, DT, 150);
    mo_vec3 spin = state_of(world, ball).angular_velocity;
    double tolerance = i % SOLVERS == 0 ? 1e-6 : 1e-9; // soft-step has floats
    assert_true(fabs(spin.x - 2) < tolerance && fabs(spin.y) < tolerance);
    assert_true(fabs(spin.z - 1) < tolerance);
    mo_world_destroy(world);
  }
}

// A sheet that is beside a fast ball at the start of the step is touched with the arms of the
// impact.
static void frictionless_ball_keeps_its_spin_on_what_is_beside_it(void **state) {
  (void)state;
  int met = 0; // others pass by the border
  for (int i = 0; i < 20 * SOLVERS; i++) {
    mo_world *world = world_without_sleep(solvers[i % SOLVERS]);
    add_still(world, sheet(0.6, 0.6), 0, 0, 0);
    mo_body_def def = body_at(-3.2 + 0.015 * (i / SOLVERS), 0.1, 1.3, 1.0);
    def.linear_velocity = vec(15, 0.4, -6);
    def.angular_velocity = vec(3, 5, 1);
    def.friction = 0.0;
    mo_body_id ball = add_body(world, def, sphere(0.1));
    step_many(world, DT, 20);
    mo_vec3 spin = state_of(world, ball).angular_velocity;
    double tolerance = i % SOLVERS == 0 ? 1e-4 : 1e-9; // soft-step has floats
    met += state_of(world, ball).linear_velocity.z > -6.0;
    assert_true(fabs(spin.x - 3) + fabs(spin.y - 5) + fabs(spin.z - 1) < tolerance);
    mo_world_destroy(world);
  }
  assert_true(met > 10 * SOLVERS);
}

// A body that turns and lands meets a mesh with all points that it meets a box with. soft-step,
// which looks at what is fast alone, parts by up to 8 mm (tests/invariance has its tolerance).
static void body_lands_on_a_mesh_as_on_a_box(void **state) {
  (void)state;
  for (int i = 0; i < 24; i++) {
    mo_vec3 ends[2];
    for (int k = 0; k < 2; k++) {
      mo_world *world = world_without_sleep(solvers[1 + i % 2]);
      add_still(world, k == 0 ? sheet(9, 7) : box(9, 7, 1), 0, 0, k == 0 ? 0.0 : -1.0);
      mo_body_def def = body_at(-0.7, 0.3, 0.9 + 0.01 * i, 1.0);
      def.linear_velocity = vec(1.7, 0.4, -6);
      def.angular_velocity = vec(0.6, 0.2, -0.5);
      mo_body_id cube = add_body(world, def, box(0.4, 0.3, 0.2));
      step_many(world, DT, 12);
      ends[k] = state_of(world, cube).position;
      mo_world_destroy(world);
    }
    assert_true(mo_distance_between(ends[0], ends[1]) < 1e-3);
  }
}

// Friction of a ball that is stopped before it touches acts at its radius, without the gap.
static void impact_ahead_has_the_arm_of_its_own_body(void **state) {
  (void)state;
  for (int i = 1; i < SOLVERS; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = solvers[i];
    settings.gravity = vec(0, 0, 0);
    mo_world *world = make_world(settings);
    add_still(world, box(9, 9, 1), 0, 0, -1);
    mo_body_def def = body_at(0, 0, 0.06, 1.0);
    def.linear_velocity = vec(4, 0, -3);
    def.friction = 0.2;
    def.restitution = 0.5;
    mo_body_id ball = add_body(world, def, sphere(0.05));
    step_many(world, DT, 2);
    mo_body_state end = state_of(world, ball);
    double impulse = 4.0 - end.linear_velocity.x; // of friction, per mass
    // I = 2 m r^2 / 5
    assert_true(fabs(end.angular_velocity.y - 2.5 * impulse / 0.05) < 1e-6);
    mo_world_destroy(world);
  }
}

TEST_GROUP(union_contacts) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seams_of_tiles_are_not_felt),
      cmocka_unit_test(steps_are_felt),
      cmocka_unit_test(walls_on_tiles_stop),
      cmocka_unit_test(frictionless_ball_keeps_its_spin),
      cmocka_unit_test(frictionless_ball_keeps_its_spin_on_what_is_beside_it),
      cmocka_unit_test(body_lands_on_a_mesh_as_on_a_box),
      cmocka_unit_test(impact_ahead_has_the_arm_of_its_own_body),
  };
  return run_group(tests, NULL, NULL);
}
