/// What a body touches and is joined to moves it, and nothing else: the same bits with others far
/// away and without them.
#include "joint_machines.h"
#include "test_group.h"
#include "world_fixture.h"

#include <string.h>

#define DT (1.0 / 60.0)
// m: where nothing of a scene comes to
#define AWAY 400.0

// Makes a scene on a floor, and returns its bodies.
typedef uint32_t scene_function(mo_world *world, mo_body_id bodies[2]);
typedef void others_function(mo_world *world, const mo_body_id bodies[2]);

static mo_world *floor_world(mo_solver solver) {
  mo_world_def def = mo_world_def_default();
  def.solver = solver;
  def.gravity = vec(0, 0, -9.81);
  def.allow_sleep = false;
  mo_world *world = make_world(def);
  add_floor(world);
  return world;
}

static bool moves_alike(mo_body_state p, mo_body_state q) {
  return memcmp(&p.position, &q.position, sizeof p.position) == 0 &&
         memcmp(&p.orientation, &q.orientation, sizeof p.orientation) == 0 &&
         memcmp(&p.angular_velocity, &q.angular_velocity, sizeof p.angular_velocity) == 0;
}

static void judge_with(mo_solver solver, scene_function *make, others_function *add_others,
                       int steps) {
  mo_world *alone = floor_world(solver), *beside = floor_world(solver);
  mo_body_id bodies[2], same[2];
  uint32_t count = make(alone, bodies);
  assert_int_equal(make(beside, same), count);
  add_others(beside, same);
  for (int i = 0; i < steps; i++) {
    step_many(alone, DT, 1);
    step_many(beside, DT, 1);
    for (uint32_t k = 0; k < count; k++) {
      assert_true(moves_alike(state_of(alone, bodies[k]), state_of(beside, same[k])));
    }
  }
  mo_world_destroy(alone);
  mo_world_destroy(beside);
}

static void judge(scene_function *make, others_function *add_others, int steps) {
  judge_with(MO_SOLVER_SOFT_STEP, make, add_others, steps);
}

// --- scenes ----------------------------------------------------------------------------------

static mo_body_id add_block(mo_world *world, double x, double z) {
  mo_body_def def = body_at(x, 0, z, 1.0);
  def.linear_velocity = vec(0.3, 0.1, 0);
  def.angular_velocity = vec(0.2, 1, 0.3);
  return add_body(world, def, box(0.5, 0.4, 0.3));
}

static uint32_t drop_a_box(mo_world *world, mo_body_id bodies[2]) {
  bodies[0] = add_block(world, 0, 1.0);
  return 1;
}

// Three contacts at once: two balls of unlike mass, and the rod between them.
static uint32_t drop_a_dumbbell(mo_world *world, mo_body_id bodies[2]) {
  mo_result result;
  mo_placed_shape parts[] = {place(sphere(0.15)),
                             place(mo_shape_create_capsule(0.045, 0.3, &result)),
                             place(sphere(0.15))};
  parts[0].pose.position = vec(0, -0.3, 0);
  parts[2].pose.position = vec(0, 0.3, 0);
  parts[0].density = 200.0;
  mo_body_def def = body_at(0, 0, 0.25, 0);
  def.linear_velocity = vec(0.1, 0, -2.41);
  bodies[0] = add_body(world, def, mo_shape_create_compound(parts, 3, &result));
  for (int i = 0; i < 3; i++) {
    mo_shape_release(parts[i].shape);
  }
  return 1;
}

static void join(mo_world *world, mo_constraint_type type, mo_body_id a, mo_body_id b, mo_vec3 at) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = mo_body_local_point(world, a, at);
  def.anchor_b = mo_body_local_point(world, b, at);
  add_joint(world, &def);
}

static void add_two(mo_world *world, double x, double z, mo_body_id bodies[2]) {
  bodies[0] = add_block(world, x, z);
  bodies[1] = add_block(world, x + 1.2, z);
  join(world, MO_CONSTRAINT_BALL, bodies[0], bodies[1], vec(x + 0.6, 0, z));
}

static uint32_t drop_two_in_a_joint(mo_world *world, mo_body_id bodies[2]) {
  add_two(world, 0, 0.8, bodies);
  return 2;
}

// One lies on the floor, and the other falls to it in the joint.
static uint32_t tip_two_in_a_joint(mo_world *world, mo_body_id bodies[2]) {
  for (int i = 0; i < 2; i++) {
    bodies[i] = add_body(world, body_at(1.2 * i, 0, 0.3, 1.0), box(0.5, 0.4, 0.3));
  }
  join(world, MO_CONSTRAINT_BALL, bodies[0], bodies[1], vec(0.6, 0, 0.6));
  mo_body_set_linear_velocity(world, bodies[1], vec(0, 0, 1.5));
  return 2;
}

// They hang from the world, and turn so fast that steps open their joints.
static uint32_t swing_two_in_joints(mo_world *world, mo_body_id bodies[2]) {
  add_two(world, 0, 5.0, bodies);
  join(world, MO_CONSTRAINT_BALL, MO_NULL_BODY_ID, bodies[0], vec(-0.6, 0, 5.0));
  mo_body_set_angular_velocity(world, bodies[1], vec(0, 9, 30));
  return 2;
}

// --- others ----------------------------------------------------------------------------------

static void roll_a_ball(mo_world *world, const mo_body_id bodies[2]) {
  (void)bodies;
  mo_body_def floor = body_at(AWAY, 0, -0.5, 0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(2, 2, 0.5));
  mo_body_def ball = body_at(AWAY, 0, 0.3, 0);
  ball.linear_velocity = vec(0, 1, 0);
  add_body(world, ball, sphere(0.3));
}

// More contacts begin at once than are compared at a time.
static void drop_many_balls(mo_world *world, const mo_body_id bodies[2]) {
  (void)bodies;
  mo_body_def floor = body_at(AWAY, 0, -0.5, 0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(50, 50, 0.5));
  for (int i = 0; i < 900; i++) {
    add_body(world, body_at(AWAY - 15 + i % 30, -15 + i / 30, 0.2 + 1e-3 * i, 0), sphere(0.1));
  }
}

static void drop_others_in_joints(mo_world *world, const mo_body_id bodies[2]) {
  (void)bodies;
  mo_body_def floor = body_at(AWAY, 0, -0.5, 0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(9, 9, 0.5));
  mo_body_id others[2];
  add_two(world, AWAY, 0.8, others);
  add_two(world, AWAY - 3, 0.5, others);
  mo_body_set_angular_velocity(world, others[0], vec(3, -9, 12));
}

static void spin_others_in_joints(mo_world *world, const mo_body_id bodies[2]) {
  (void)bodies;
  mo_body_id others[2];
  add_two(world, AWAY, 9, others);
  mo_body_set_angular_velocity(world, others[0], vec(3, -9, 40));
}

static void join_a_disabled_body(mo_world *world, const mo_body_id bodies[2]) {
  mo_body_def def = body_at(0, 0, 1, 1);
  def.is_enabled = false;
  mo_body_id off = add_body(world, def, box(1, 1, 1));
  join(world, MO_CONSTRAINT_BALL, bodies[0], off, vec(0, 0, 1));
}

// --- tests -----------------------------------------------------------------------------------

// Contacts of a body begin in an order of their own, whoever else has begun or ended some.
static void a_dumbbell_lands_alike_beside_a_ball(void **state) {
  (void)state;
  judge(drop_a_dumbbell, roll_a_ball, 60);
  judge(drop_a_dumbbell, drop_many_balls, 30);
}

// The row solvers solve each island alone: sweeps end when it has converged, whatever the others
// do.
static void islands_are_solved_alone(void **state) {
  (void)state;
  mo_solver solvers[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
  for (int i = 0; i < 2; i++) {
    judge_with(solvers[i], drop_a_box, roll_a_ball, 90);
    judge_with(solvers[i], tip_two_in_a_joint, drop_others_in_joints, 90);
  }
}

// Contacts and joints of others are in the same vectors, and are solved again when joints close.
static void joined_bodies_land_alike_beside_others(void **state) {
  (void)state;
  judge(drop_two_in_a_joint, drop_others_in_joints, 90);
  judge(tip_two_in_a_joint, drop_others_in_joints, 120);
  judge(tip_two_in_a_joint, spin_others_in_joints, 120);
}

// What no contact reaches swings as in a world without contacts.
static void joined_bodies_swing_alike_beside_a_ball(void **state) {
  (void)state;
  judge(swing_two_in_joints, roll_a_ball, 120);
}

static void a_joint_of_a_disabled_body_is_none(void **state) {
  (void)state;
  judge(drop_a_box, join_a_disabled_body, 90);
}

TEST_GROUP(bystanders) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dumbbell_lands_alike_beside_a_ball),
      cmocka_unit_test(islands_are_solved_alone),
      cmocka_unit_test(joined_bodies_land_alike_beside_others),
      cmocka_unit_test(joined_bodies_swing_alike_beside_a_ball),
      cmocka_unit_test(a_joint_of_a_disabled_body_is_none),
  };
  return run_group(tests, NULL, NULL);
}
