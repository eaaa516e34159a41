/// Paths: bodies on curves, with all solvers.
#include "constraints/constraint.h"
#include "joint_machines.h"
#include "math/quat.h"
#include "test_group.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

#define POINTS 24

// A ring of radius 1 m about y, and one that goes up and down.
static void ring(mo_vec3 *points, double height) {
  for (int i = 0; i < POINTS; i++) {
    double angle = 2.0 * MO_TEST_PI * i / POINTS;
    points[i] = vec(cos(angle), sin(angle), height * cos(2.0 * angle));
  }
}

static mo_constraint_def path_def(const mo_vec3 *points, uint32_t count, bool closed) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_PATH);
  def.path = (mo_path_def){points, count, closed, MO_PATH_ALIGN_NONE};
  return def;
}

// --- derivatives -----------------------------------------------------------------------------

static double uniform(uint32_t *seed, double size) {
  *seed = *seed * 1664525u + 1013904223u;
  return size * ((*seed >> 8) / 8388608.0 - 1.0);
}

static mo_vec3 random_vector(uint32_t *seed, double size) {
  double x = uniform(seed, size), y = uniform(seed, size);
  return vec(x, y, uniform(seed, size));
}

static mo_constraint_body random_body(uint32_t *seed, mo_vec3 near) {
  mo_constraint_body body = mo_constraint_body_world();
  body.body = mo_body_id_load(1);
  body.position = mo_add(near, random_vector(seed, 0.1));
  body.orientation = mo_quat_exp(random_vector(seed, 1.5));
  body.center_of_mass = mo_add(body.position, random_vector(seed, 0.3));
  body.linear_velocity = random_vector(seed, 2.0);
  body.angular_velocity = random_vector(seed, 2.0);
  return body;
}

static mo_constraint random_path(uint32_t *seed, mo_path_alignment alignment,
                                 mo_constraint_place *at) {
  const uint32_t slots[MO_ROW_SIDES] = {0, 1, MO_WORLD_SLOT, MO_WORLD_SLOT};
  mo_vec3 points[POINTS];
  ring(points, 0.4);
  mo_constraint_def def = path_def(points, POINTS, true);
  def.path.alignment = alignment;
  def.anchor_b = random_vector(seed, 0.1);
  *at = (mo_constraint_place){
      .metre = 1.0, .a = random_body(seed, vec(0, 0, 0)), .b = random_body(seed, vec(0, 0, 0))};
  mo_vec3 place = points[(*seed >> 8) % POINTS];
  at->b.position = mo_add(at->a.position, mo_quat_rotate(at->a.orientation, place));
  at->b.center_of_mass = mo_add(at->b.position, random_vector(seed, 0.1));
  mo_constraint constraint;
  assert_true(mo_constraint_init(&constraint, &def, slots, at));
  at->b.position = mo_add(at->b.position, random_vector(seed, 0.1));
  at->b.orientation = mo_quat_mul(mo_quat_exp(random_vector(seed, 0.7)), at->b.orientation);
  return constraint;
}

static void jacobians_are_derivatives(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int i = 0; i < 150; i++) {
    mo_constraint_place at;
    mo_constraint path = random_path(&seed, (mo_path_alignment)(i % 3), &at);
    double exact[MO_JACOBIAN_NUMBERS] = {0}, differences[MO_JACOBIAN_NUMBERS] = {0};
    assert_null(mo_constraint_jacobian(&path, &at, exact));
    assert_null(mo_constraint_difference_jacobian(&path, &at, differences));
    assert_int_equal(path.dimension, i % 3 == 0 ? 2 : i % 3 == 1 ? 4 : 5);
    for (uint32_t k = 0; k < MO_JACOBIAN_COLUMNS * path.dimension; k++) {
      assert_near(exact[k], differences[k], 1e-6);
    }
    mo_constraint_free(&path);
  }
}

// Both bodies after a time, with the velocities that they have.
static mo_constraint_place later(mo_constraint_place at, double time) {
  mo_constraint_body *bodies[] = {&at.a, &at.b};
  for (int i = 0; i < 2; i++) {
    mo_constraint_body *body = bodies[i];
    mo_quat turn = mo_quat_exp(mo_scale(time, body->angular_velocity));
    mo_vec3 arm = mo_quat_rotate(turn, mo_sub(body->position, body->center_of_mass));
    body->center_of_mass = mo_add_scaled(body->center_of_mass, time, body->linear_velocity);
    body->position = mo_add(body->center_of_mass, arm);
    body->orientation = mo_quat_normalize(mo_quat_mul(turn, body->orientation));
  }
  return at;
}

// Where the anchor is on the curve: beside it, what the offset itself changes is left out.
static void curvature_is_the_second_derivative(void **state) {
  (void)state;
  uint32_t seed = 7;
  const double time = 1e-3;
  for (int i = 0; i < 50; i++) {
    mo_constraint_place at;
    mo_constraint path = random_path(&seed, MO_PATH_ALIGN_NONE, &at);
    mo_coordinate along;
    mo_constraint_coordinates(&path, &at, &along);
    mo_vec3 place = mo_curve_at_length(path.curve, along.value).position;
    mo_vec3 world = mo_add(at.a.position, mo_quat_rotate(at.a.orientation, place));
    mo_vec3 arm = mo_quat_rotate(at.b.orientation, path.anchor_b);
    mo_vec3 to_center = mo_sub(at.b.center_of_mass, at.b.position);
    at.b.position = mo_sub(world, arm);
    at.b.center_of_mass = mo_add(at.b.position, to_center);
    double bends[2], before[2], now[2], after[2];
    mo_constraint_place earlier = later(at, -time), afterwards = later(at, time);
    path.class->curvature(&path, &at, bends);
    assert_null(mo_constraint_evaluate(&path, &earlier, before));
    assert_null(mo_constraint_evaluate(&path, &at, now));
    assert_null(mo_constraint_evaluate(&path, &afterwards, after));
    // The frame turns in its own plane of the offsets: their length across counts.
    for (int k = 0; k < 2; k++) {
      double second = (before[k] - 2.0 * now[k] + after[k]) / (time * time);
      assert_near(bends[k], second, 2e-2 * (1.0 + fabs(second)));
    }
    mo_constraint_free(&path);
  }
}

// --- motion ----------------------------------------------------------------------------------

static mo_body_id add_bead(mo_world *world, mo_vec3 position, mo_vec3 velocity) {
  mo_body_id bead = add_wheel(world, position, 1.0, vec(0.01, 0.01, 0.01));
  assert_int_equal(mo_body_set_linear_velocity(world, bead, velocity), MO_OK);
  return bead;
}

static double distance_from_path(mo_world *world, mo_constraint_id path, mo_body_id bead) {
  mo_path_point point;
  assert_int_equal(mo_constraint_get_path_point(world, path, coordinate_at(world, path), &point),
                   MO_OK);
  return mo_distance_between(point.position, state_of(world, bead).position);
}

// Nothing brakes it: 10 s at 5 m/s are eight turns, and its path is one way at 60 steps a second.
static void a_bead_keeps_its_speed_around_a_ring(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_vec3 points[POINTS];
    ring(points, 0.0);
    mo_body_id bead = add_bead(world, points[0], vec(0, 5, 0));
    mo_constraint_def def = path_def(points, POINTS, true);
    def.body_b = bead;
    mo_constraint_id path = add_joint(world, &def);
    double farthest = 0.0;
    for (int i = 0; i < 600; i++) {
      step_many(world, 1.0 / 60.0, 1);
      farthest = fmax(farthest, distance_from_path(world, path, bead));
    }
    assert_near(mo_length(state_of(world, bead).linear_velocity), 5.0, 0.05);
    assert_near(coordinate_at(world, path), 50.0, 0.5);
    assert_true(farthest < (joint_solvers[s] == MO_SOLVER_BLOCK_PGS ? 4e-3 : 1e-4));
    mo_world_destroy(world);
  }
}

// A roller coaster without friction, over hills of 5.9 J: how far its energy goes away in 10 s, and
// how far it is from its path. Where it leans the first step gives it its spin, which costs energy.
static void rides(mo_solver solver, mo_integrator integrator, mo_path_alignment alignment,
                  double most_energy) {
  mo_world_def settings = joint_settings(solver, 9.81);
  settings.integrator = integrator;
  mo_world *world = make_world(settings);
  mo_vec3 points[POINTS];
  ring(points, 0.3);
  mo_body_id bead = add_bead(world, points[0], vec(0, 0, 0));
  mo_constraint_def def = path_def(points, POINTS, true);
  def.body_b = bead;
  def.path.alignment = alignment;
  mo_constraint_id path = add_joint(world, &def);
  mo_path_point point;
  assert_int_equal(mo_constraint_get_path_point(world, path, 0.0, &point), MO_OK);
  mo_body_set_linear_velocity(world, bead, mo_scale(1.5, point.tangent));
  step_many(world, 1.0 / 60.0, 1);
  double begin = mo_world_energy(world).total;
  for (int i = 0; i < 600; i++) {
    step_many(world, 1.0 / 60.0, 1);
    assert_near(mo_world_energy(world).total, begin, most_energy);
    assert_true(distance_from_path(world, path, bead) < 4e-3);
  }
  assert_true(coordinate_at(world, path) > 24.0); // three turns and a half
  mo_world_destroy(world);
}

static void rides_aligned(mo_solver solver, mo_integrator integrator, double most_energy) {
  rides(solver, integrator, MO_PATH_ALIGN_NONE, most_energy);
  rides(solver, integrator, MO_PATH_ALIGN_TANGENT, most_energy);
  rides(solver, integrator, MO_PATH_ALIGN_FRAME, most_energy);
}

// With one step per 1/60 s, m g h v / 2 of the way down is 0.13 J of any body that falls. Soft-step
// has four: 1 % of the hills are 0.059 J.
static void a_coaster_keeps_its_energy(void **state) {
  (void)state;
  rides_aligned(MO_SOLVER_SOFT_STEP, MO_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.04);
  rides_aligned(MO_SOLVER_EXACT, MO_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.15);
  rides_aligned(MO_SOLVER_BLOCK_PGS, MO_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.25);
}

static void a_coaster_of_second_order_keeps_more(void **state) {
  (void)state;
  rides(MO_SOLVER_EXACT, MO_INTEGRATOR_VELOCITY_VERLET, MO_PATH_ALIGN_NONE, 0.012);
  rides(MO_SOLVER_EXACT, MO_INTEGRATOR_IMPLICIT_MIDPOINT, MO_PATH_ALIGN_NONE, 0.012);
}

// The x axis of B is along the path at creation; with the frame its y axis comes back, too.
static void b_turns_with_the_path(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_vec3 points[POINTS];
    ring(points, 0.3);
    mo_constraint_def def = path_def(points, POINTS, true);
    def.body_b = add_bead(world, points[0], vec(0, 0, 0));
    def.path.alignment = MO_PATH_ALIGN_FRAME;
    mo_constraint_id path = add_joint(world, &def);
    mo_path_point begin, now;
    assert_int_equal(mo_constraint_get_path_point(world, path, 0.0, &begin), MO_OK);
    mo_coordinate_drive motor = mo_coordinate_drive_default();
    motor.motor = MO_MOTOR_VELOCITY;
    motor.target_velocity = 1.0;
    assert_int_equal(mo_constraint_set_drive(world, path, 0, &motor), MO_OK);
    mo_constraint_state about;
    assert_int_equal(mo_constraint_get_state(world, path, &about), MO_OK);
    for (int i = 0; i < 100; i++) {
      step_many(world, about.path_length / 100.0, 1);
      double at = coordinate_at(world, path);
      assert_int_equal(mo_constraint_get_path_point(world, path, at, &now), MO_OK);
      mo_quat q = state_of(world, def.body_b).orientation;
      mo_vec3 axis = mo_quat_rotate(q, begin.tangent); // it was turned by nothing at creation
      assert_true(mo_distance_between(axis, now.tangent) < 0.02);
    }
    assert_near(coordinate_at(world, path), about.path_length, 0.02);
    assert_near(fabs(state_of(world, def.body_b).orientation.w), 1.0, 1e-3);
    mo_world_destroy(world);
  }
}

// A slope from the origin, 5 m long: it slides to the end and stays there.
static void an_open_path_ends(void **state) {
  (void)state;
  const mo_vec3 points[] = {{0, 0, 0}, {2, 0, -1.5}, {4, 0, -3}};
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 9.81);
    mo_constraint_def def = path_def(points, 3, false);
    def.body_b = add_bead(world, vec(0, 0, 0), vec(0, 0, 0));
    mo_constraint_id path = add_joint(world, &def);
    step_many(world, 1.0 / 60.0, 30);
    assert_near(coordinate_at(world, path), 0.5 * 0.6 * 9.81 * 0.25, 0.06); // a step more or less
    step_many(world, 1.0 / 60.0, 120);
    assert_near(coordinate_at(world, path), 5.0, 5e-3);
    mo_coordinate_drive drive;
    assert_int_equal(mo_constraint_get_drive(world, path, 0, &drive), MO_OK);
    assert_near(drive.lower, 0.0, 0.0);
    assert_near(drive.upper, 5.0, 1e-12);
    drive.lower = drive.upper = -3.0; // still within its ends
    assert_int_equal(mo_constraint_set_drive(world, path, 0, &drive), MO_OK);
    assert_int_equal(mo_constraint_get_drive(world, path, 0, &drive), MO_OK);
    assert_near(drive.upper, 0.0, 0.0);
    mo_world_destroy(world);
  }
}

// On a path that a kinematic body turns, a bead at rest in it is carried.
static void a_path_moves_with_its_body(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    mo_world *world = joint_world(joint_solvers[s], 0.0);
    mo_vec3 points[POINTS];
    ring(points, 0.0);
    mo_body_def platform = body_at(0, 0, 0, 1.0);
    platform.type = MO_BODY_KINEMATIC;
    platform.filter.mask = 0;
    platform.linear_velocity = vec(0.5, 0, 0);
    platform.angular_velocity = vec(1, 0, 0);
    mo_constraint_def def = path_def(points, POINTS, true);
    def.body_a = add_body(world, platform, sphere(0.1));
    def.body_b = add_bead(world, points[0], vec(0.5, 0, 0));
    mo_constraint_id path = add_joint(world, &def);
    step_many(world, 1.0 / 60.0, 300);
    assert_true(distance_from_path(world, path, def.body_b) < 2e-3);
    mo_world_destroy(world);
  }
}

// --- curves ----------------------------------------------------------------------------------

static mo_curve *curve_of(const mo_world *world, mo_constraint_id path) {
  return world->constraints[mo_constraint_id_slot(path)].curve;
}

static mo_constraint_id add_path(mo_world *world, const mo_vec3 *points) {
  mo_constraint_def def = path_def(points, POINTS, true);
  def.body_b = add_bead(world, points[0], vec(0, 1, 0));
  return add_joint(world, &def);
}

static void restore(mo_world *world, const unsigned char *bytes, size_t count) {
  assert_int_equal(mo_world_restore(world, bytes, count, NULL), MO_OK);
}

// A curve takes longer to make than all the rest of a world with a path.
static void a_rollback_makes_no_curve(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_SOFT_STEP, 9.81);
  mo_vec3 points[POINTS], others[POINTS];
  ring(points, 0.3);
  ring(others, 0.2);
  mo_constraint_id first = add_path(world, points), second = add_path(world, points);
  mo_constraint_id third = add_path(world, others);
  mo_bytes snapshot;
  assert_int_equal(mo_world_snapshot(world, true, &snapshot), MO_OK);
  unsigned char *bytes = malloc(snapshot.count);
  memcpy(bytes, snapshot.bytes, snapshot.count);
  const mo_curve *before[] = {curve_of(world, first), curve_of(world, second),
                              curve_of(world, third)};
  step_many(world, 1.0 / 60.0, 10);
  restore(world, bytes, snapshot.count);
  assert_ptr_equal(curve_of(world, first), before[0]);
  assert_ptr_equal(curve_of(world, second), before[1]);
  assert_ptr_equal(curve_of(world, third), before[2]);
  mo_world *fresh = joint_world(MO_SOLVER_SOFT_STEP, 9.81);
  restore(fresh, bytes, snapshot.count);
  assert_ptr_not_equal(curve_of(fresh, first), before[0]);
  assert_ptr_equal(curve_of(fresh, second), curve_of(fresh, first)); // through the same points
  assert_ptr_not_equal(curve_of(fresh, third), curve_of(fresh, first));
  mo_world_destroy(world);
  step_many(fresh, 1.0 / 60.0, 10);
  mo_world_destroy(fresh);
  free(bytes);
}

// --- definitions -----------------------------------------------------------------------------

static void refuses(mo_world *world, mo_constraint_def def, const char *part) {
  assert_true(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
  if (!strstr(mo_world_last_error(world), part)) {
    print_error("%s\n", mo_world_last_error(world));
  }
  assert_non_null(strstr(mo_world_last_error(world), part));
}

static void bad_paths_are_refused(void **state) {
  (void)state;
  mo_world *world = joint_world(MO_SOLVER_EXACT, 0.0);
  mo_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, NAN, 0}};
  mo_constraint_def def = path_def(points, 2, false);
  def.body_b = add_bead(world, vec(0, 0, 0), vec(0, 0, 0));
  def.path.is_closed = true;
  refuses(world, def, "2 to 65536, of a closed path 3 or more, got 2");
  def.path.point_count = 3;
  refuses(world, def, "each another one than the next; the index, got 1");
  def.path.point_count = 4;
  points[2] = vec(3, 0, 0);
  refuses(world, def, "got 2");
  def.path.points = NULL;
  refuses(world, def, "path.point_count");
  def.path.points = points;
  def.path.point_count = 2;
  def.path.is_closed = false;
  def.path.alignment = (mo_path_alignment)3;
  refuses(world, def, "mo_path_alignment");
  mo_path_point out;
  assert_int_equal(mo_constraint_get_path_point(world, MO_NULL_CONSTRAINT_ID, 0.0, &out),
                   MO_ERROR_STALE_HANDLE);
  mo_world_destroy(world);
}

TEST_GROUP(paths) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobians_are_derivatives),
      cmocka_unit_test(curvature_is_the_second_derivative),
      cmocka_unit_test(a_bead_keeps_its_speed_around_a_ring),
      cmocka_unit_test(a_coaster_keeps_its_energy),
      cmocka_unit_test(a_coaster_of_second_order_keeps_more),
      cmocka_unit_test(b_turns_with_the_path),
      cmocka_unit_test(an_open_path_ends),
      cmocka_unit_test(a_path_moves_with_its_body),
      cmocka_unit_test(a_rollback_makes_no_curve),
      cmocka_unit_test(bad_paths_are_refused),
  };
  return run_group(tests, NULL, NULL);
}
