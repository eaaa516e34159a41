/// What is joined to bodies that the user moves, and hangs from them asleep.
#include "test_group.h"
#include "world_fixture.h"

#define STEP (1.0 / 60)

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const mo_constraint_type joints[] = {
    MO_CONSTRAINT_BALL, MO_CONSTRAINT_FIXED,    MO_CONSTRAINT_HINGE,  MO_CONSTRAINT_SLIDER,
    MO_CONSTRAINT_ROPE, MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_SIX_DOF};
enum { JOINTS = sizeof joints / sizeof *joints };

typedef struct scene {
  mo_world *world;
  mo_body_id hook, load;
  mo_constraint_id joint;
} scene;

static mo_constraint_def joint_between(mo_constraint_type type, mo_body_id hook, mo_body_id load) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = hook;
  def.body_b = load;
  if (type != MO_CONSTRAINT_ROPE && type != MO_CONSTRAINT_DISTANCE) {
    def.anchor_b = vec(0, 0, 1);
  }
  for (int i = 0; type == MO_CONSTRAINT_SIX_DOF && i < MO_CONSTRAINT_COORDINATES; i++) {
    def.drives[i].locked = true;
  }
  return def;
}

// A load 1 m below a hook.
static scene make_scene(mo_solver solver, mo_body_type kind, mo_constraint_type type) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  scene s = {.world = make_world(settings)};
  mo_body_def hook = body_at(0, 0, 0, 0);
  hook.type = kind;
  s.hook = add_body(s.world, hook, sphere(0.2));
  s.load = add_body(s.world, body_at(0, 0, -1, 1), sphere(0.2));
  mo_constraint_def def = joint_between(type, s.hook, s.load);
  s.joint = mo_constraint_create(s.world, &def);
  assert_false(mo_constraint_id_is_null(s.joint));
  return s;
}

static void sleep_all(const scene *s) {
  step_many(s->world, STEP, 180);
  assert_int_equal(mo_world_awake_count(s->world), 0);
}

enum { BY_TARGET, BY_VELOCITY, BY_POSITION, WAYS };

// Moves a hook by 1 m along x, the axis of sliders, of which gravity leaves the place along it.
static void carry(const scene *s, int way) {
  mo_pose pose = {.position = vec(1, 0, 0), .orientation = {0, 0, 0, 1}};
  if (way == BY_TARGET) {
    assert_int_equal(mo_body_move_to(s->world, s->hook, pose, 1.0), MO_OK);
  } else if (way == BY_VELOCITY) {
    assert_int_equal(mo_body_set_linear_velocity(s->world, s->hook, vec(1, 0, 0)), MO_OK);
  } else {
    assert_int_equal(mo_body_set_position(s->world, s->hook, vec(0, 0, 0.1)), MO_OK);
  }
  step_many(s->world, STEP, 60);
  if (way == BY_VELOCITY) {
    assert_int_equal(mo_body_set_linear_velocity(s->world, s->hook, vec(0, 0, 0)), MO_OK);
  }
}

static double distance_of(const scene *s) {
  mo_vec3 a = state_of(s->world, s->hook).position, b = state_of(s->world, s->load).position;
  double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  return sqrt(x * x + y * y + z * z);
}

static void a_load_follows_its_hook(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS * JOINTS * WAYS; i++) {
    mo_constraint_type type = joints[i / WAYS % JOINTS];
    int way = i % WAYS;
    if (type == MO_CONSTRAINT_SLIDER && way != BY_POSITION) {
      continue; // its hook goes along the axis, and the load stays
    }
    scene s = make_scene(solvers[i / WAYS / JOINTS], MO_BODY_KINEMATIC, type);
    sleep_all(&s);
    carry(&s, way);
    assert_float_equal(distance_of(&s), 1.0, 0.01);
    step_many(s.world, STEP, 300);
    assert_float_equal(distance_of(&s), 1.0, 0.01);
    mo_world_destroy(s.world);
  }
}

static void a_load_follows_a_static_body_that_is_put_elsewhere(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS * JOINTS; i++) {
    scene s = make_scene(solvers[i / JOINTS], MO_BODY_STATIC, joints[i % JOINTS]);
    sleep_all(&s);
    carry(&s, BY_POSITION);
    step_many(s.world, STEP, 60);
    assert_float_equal(state_of(s.world, s.load).position.z, -0.9, 0.01);
    mo_world_destroy(s.world);
  }
}

static void a_load_turns_with_its_hook(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    scene s = make_scene(solvers[i], MO_BODY_KINEMATIC, MO_CONSTRAINT_FIXED);
    sleep_all(&s);
    mo_body_set_angular_velocity(s.world, s.hook, vec(0, 0.5, 0));
    step_many(s.world, STEP, 120);
    mo_vec3 place = state_of(s.world, s.load).position;
    assert_float_equal(place.x, -sin(1.0), 0.01);
    assert_float_equal(place.z, -cos(1.0), 0.01);
    mo_world_destroy(s.world);
  }
}

// It is slower than what counts as still, and never arrives.
static void a_load_does_not_fall_asleep_on_a_slow_hook(void **state) {
  (void)state;
  for (int i = 0; i < 2 * SOLVERS; i++) {
    scene s = make_scene(solvers[i / 2], MO_BODY_KINEMATIC, MO_CONSTRAINT_FIXED);
    if (i % 2 == 0) {
      mo_body_set_linear_velocity(s.world, s.hook, vec(0, 0, 1e-3));
    } else {
      mo_body_set_angular_velocity(s.world, s.hook, vec(0, 1e-3, 0));
    }
    step_many(s.world, STEP, 600);
    mo_body_state load = state_of(s.world, s.load);
    assert_true(load.is_awake);
    double way = i % 2 ? -load.position.x : load.position.z + 1.0;
    assert_float_equal(way, 0.01, 1e-4);
    mo_world_destroy(s.world);
  }
}

// As with contacts: the user's word holds until the next step.
static void a_moving_hook_wakes_a_load_that_was_put_to_sleep(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    scene s = make_scene(solvers[i], MO_BODY_KINEMATIC, MO_CONSTRAINT_ROPE);
    mo_body_set_linear_velocity(s.world, s.hook, vec(0, 0, 0.1));
    assert_int_equal(mo_body_sleep(s.world, s.load), MO_OK);
    assert_false(state_of(s.world, s.load).is_awake);
    step_many(s.world, STEP, 1);
    assert_true(state_of(s.world, s.load).is_awake);
    mo_world_destroy(s.world);
  }
}

// A step that is refused, here since another body overflows, wakes no load.
static void a_refused_step_leaves_a_load_asleep(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    scene s = make_scene(solvers[i], MO_BODY_KINEMATIC, MO_CONSTRAINT_ROPE);
    mo_body_def lost = body_at(1e6, 0, 0, 1);
    lost.linear_velocity = vec(1.79e308, 0, 0);
    mo_body_id id = add_body(s.world, lost, sphere(0.5));
    mo_body_apply_force(s.world, id, vec(1.79e308, 0, 0), NULL);
    mo_body_set_linear_velocity(s.world, s.hook, vec(0, 0, 0.1));
    mo_body_sleep(s.world, s.load);
    uint64_t hash = mo_world_hash(s.world);
    assert_int_equal(mo_world_step(s.world, STEP), MO_ERROR_NOT_FINITE);
    assert_true(mo_world_hash(s.world) == hash);
    assert_false(state_of(s.world, s.load).is_awake);
    mo_world_destroy(s.world);
  }
}

static mo_constraint_id add_axle(mo_world *world, mo_body_id wheel) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
  def.body_b = wheel;
  def.anchor_a = state_of(world, wheel).position;
  def.axis_a = def.axis_b = vec(0, 1, 0);
  return mo_constraint_create(world, &def);
}

// A gear has four bodies, of which here the world is two.
static void a_wheel_turns_with_the_one_that_drives_it(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.gravity = vec(0, 0, 0);
    settings.solver = solvers[i];
    mo_world *world = make_world(settings);
    mo_body_def driver = body_at(0, 0, 0, 0);
    driver.type = MO_BODY_KINEMATIC;
    mo_body_id first = add_body(world, driver, sphere(0.2));
    mo_body_id second = add_body(world, body_at(1, 0, 0, 1), sphere(0.2));
    mo_constraint_def gear = mo_constraint_def_default(MO_CONSTRAINT_GEAR);
    gear.joint_a = add_axle(world, first);
    gear.joint_b = add_axle(world, second);
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &gear)));
    step_many(world, STEP, 180);
    assert_int_equal(mo_world_awake_count(world), 0);
    mo_body_set_angular_velocity(world, first, vec(0, 1, 0));
    step_many(world, STEP, 30);
    assert_float_equal(state_of(world, second).angular_velocity.y, -1.0, 0.02);
    mo_world_destroy(world);
  }
}

static void a_load_falls_once_its_hook_takes_no_part(void **state) {
  (void)state;
  for (int i = 0; i < 2 * SOLVERS; i++) {
    mo_body_type kind = i % 2 ? MO_BODY_STATIC : MO_BODY_KINEMATIC;
    scene s = make_scene(solvers[i / 2], kind, MO_CONSTRAINT_BALL);
    sleep_all(&s);
    assert_int_equal(mo_body_set_enabled(s.world, s.hook, false), MO_OK);
    step_many(s.world, STEP, 60);
    assert_true(state_of(s.world, s.load).position.z < -4.0);
    mo_world_destroy(s.world);
  }
}

// A hook that takes no part does not move, whatever its velocity is.
static void a_hook_out_of_the_world_keeps_nobody_awake(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    scene s = make_scene(solvers[i], MO_BODY_KINEMATIC, MO_CONSTRAINT_ROPE);
    mo_body_def floor = body_at(0, 0, -1.7, 0);
    floor.type = MO_BODY_STATIC;
    add_body(s.world, floor, box(5, 5, 0.5));
    mo_body_set_linear_velocity(s.world, s.hook, vec(0, 0, 1));
    mo_body_set_enabled(s.world, s.hook, false);
    step_many(s.world, STEP, 240);
    assert_int_equal(mo_world_awake_count(s.world), 0);
    mo_body_set_enabled(s.world, s.hook, true);
    assert_int_equal(mo_world_awake_count(s.world), 2);
    mo_world_destroy(s.world);
  }
}

TEST_GROUP(carried) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_follows_its_hook),
      cmocka_unit_test(a_load_follows_a_static_body_that_is_put_elsewhere),
      cmocka_unit_test(a_load_turns_with_its_hook),
      cmocka_unit_test(a_load_does_not_fall_asleep_on_a_slow_hook),
      cmocka_unit_test(a_moving_hook_wakes_a_load_that_was_put_to_sleep),
      cmocka_unit_test(a_refused_step_leaves_a_load_asleep),
      cmocka_unit_test(a_wheel_turns_with_the_one_that_drives_it),
      cmocka_unit_test(a_load_falls_once_its_hook_takes_no_part),
      cmocka_unit_test(a_hook_out_of_the_world_keeps_nobody_awake),
  };
  return run_group(tests, NULL, NULL);
}
