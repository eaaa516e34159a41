/// Arms whose joints motors without gains turn to positions that move, under their weight.
#include "dynamics/rotation.h"
#include "math/vec3.h"
#include "test_group.h"
#include "world/world.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)
#define MOST_LINKS 6
// rad, 1/s: how far the targets swing, and how often.
#define SWING 0.3
#define FREQUENCY 1.0
#define DEGREE (MO_PI / 180.0)

typedef struct arm {
  mo_world *world;
  mo_body_id links[MOST_LINKS];
  mo_constraint_id motors[MOST_LINKS];
  int count;
  bool has_hinges; // else balls with motors to a pose
} arm;

static mo_quat turn_to(double angle) { return (mo_quat){0, 0, sin(0.5 * angle), cos(0.5 * angle)}; }

static mo_constraint_id join(arm *a, mo_constraint_type type, int i) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = i > 0 ? a->links[i - 1] : MO_NULL_BODY_ID;
  def.body_b = a->links[i];
  def.anchor_a = vec(i > 0 ? 0.15 : 0.0, 0, 0);
  def.anchor_b = vec(-0.15, 0, 0);
  def.axis_a = def.axis_b = vec(0, 0, 1);
  if (type == MO_CONSTRAINT_HINGE) {
    def.drives[0].motor = MO_MOTOR_POSITION;
  }
  def.pose_motor.has_orientation = true;
  def.pose_motor.max_force = 0.0;
  def.pose_motor.max_torque = INFINITY;
  mo_constraint_id id = mo_constraint_create(a->world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

// Links of 30 cm and 1 kg in a row along x, from the origin on; the last one has another mass.
static arm make(mo_solver solver, bool has_hinges, int count, double last_mass) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.allow_sleep = false;
  arm a = {.world = make_world(settings), .count = count, .has_hinges = has_hinges};
  for (int i = 0; i < count; i++) {
    mo_body_def def = body_at(0.15 + 0.3 * i, 0, 0, i + 1 < count ? 1.0 : last_mass);
    a.links[i] = add_body(a.world, def, box(0.15, 0.05, 0.05));
    if (has_hinges) {
      a.motors[i] = join(&a, MO_CONSTRAINT_HINGE, i);
    } else {
      join(&a, MO_CONSTRAINT_BALL, i);
      a.motors[i] = join(&a, MO_CONSTRAINT_MOTOR, i);
    }
  }
  return a;
}

static void aim(const arm *a, int i, double angle) {
  if (a->has_hinges) {
    mo_coordinate_drive drive;
    assert_int_equal(mo_constraint_get_drive(a->world, a->motors[i], 0, &drive), MO_OK);
    drive.target_position = angle;
    assert_int_equal(mo_constraint_set_drive(a->world, a->motors[i], 0, &drive), MO_OK);
  } else {
    mo_pose_motor motor = {
        .has_orientation = true, .target_orientation = turn_to(angle), .max_torque = INFINITY};
    assert_int_equal(mo_constraint_set_pose_motor(a->world, a->motors[i], &motor), MO_OK);
  }
}

// The largest angle by which a joint misses its target, rad.
static double error_of(const arm *a, double angle) {
  mo_quat parent = mo_quat_identity();
  double most = 0.0;
  for (int i = 0; i < a->count; i++) {
    mo_quat own = state_of(a->world, a->links[i]).orientation;
    mo_quat wanted = mo_quat_mul(parent, turn_to(angle));
    mo_vec3 missed = mo_quat_log(mo_quat_mul(own, mo_quat_conjugate(wanted)));
    most = fmax(most, mo_length(missed));
    parent = own;
  }
  return most;
}

// Swings an arm for four seconds, and returns the largest error of the last two, rad.
static double swing(const arm *a) {
  double most = 0.0;
  for (int step = 1; step <= 240; step++) {
    double angle = SWING * sin(2.0 * MO_PI * FREQUENCY * step * DT);
    for (int i = 0; i < a->count; i++) {
      aim(a, i, angle);
    }
    assert_int_equal(mo_world_step(a->world, DT), MO_OK);
    most = step > 120 ? fmax(most, error_of(a, angle)) : 0.0;
  }
  return most;
}

static const struct {
  int links;
  double last_mass;
} arms[] = {{2, 1.0}, {3, 1.0}, {3, 20.0}, {6, 1.0}};

// By rows, the exact solver is the referee.
static void with_auto_pose_motors_in_series_follow_as_with_exact(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    arm exact = make(MO_SOLVER_EXACT, false, arms[i].links, arms[i].last_mass);
    arm chosen = make(MO_SOLVER_AUTO, false, arms[i].links, arms[i].last_mass);
    double error = swing(&exact);
    assert_true(error < 3.0 * DEGREE);
    assert_true(fabs(swing(&chosen) - error) < 1e-6);
    mo_world_destroy(exact.world);
    mo_world_destroy(chosen.world);
  }
}

// Those of a tree of hinges are solved with all that hangs on them, in soft-step too.
static void with_auto_hinges_in_series_follow_in_soft_step(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    arm soft = make(MO_SOLVER_SOFT_STEP, true, arms[i].links, arms[i].last_mass);
    arm chosen = make(MO_SOLVER_AUTO, true, arms[i].links, arms[i].last_mass);
    double error = swing(&soft);
    assert_true(error < 0.01 * DEGREE);
    assert_true(swing(&chosen) == error);
    mo_world_destroy(soft.world);
    mo_world_destroy(chosen.world);
  }
}

// The two ends of an arm that a rod holds together are no tree: sweeps solve its motors one by one.
static void with_auto_hinges_in_a_loop_are_exact(void **state) {
  (void)state;
  mo_vec3 ends[2];
  for (int i = 0; i < 2; i++) {
    arm a = make(i == 0 ? MO_SOLVER_EXACT : MO_SOLVER_AUTO, true, 3, 1.0);
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_DISTANCE);
    def.body_a = a.links[0];
    def.body_b = a.links[2];
    assert_false(mo_constraint_id_is_null(mo_constraint_create(a.world, &def)));
    for (int step = 1; step <= 60; step++) {
      aim(&a, 0, 0.2 * sin(step * DT));
      assert_int_equal(mo_world_step(a.world, DT), MO_OK);
    }
    ends[i] = state_of(a.world, a.links[2]).position;
    mo_world_destroy(a.world);
  }
  assert_true(ends[0].x == ends[1].x);
  assert_true(ends[0].y == ends[1].y);
}

static void with_soft_step_pose_motors_in_series_follow(void **state) {
  (void)state;
  for (int links = 1; links <= 3; links++) {
    arm a = make(MO_SOLVER_SOFT_STEP, false, links, 1.0);
    assert_true(swing(&a) < (links == 1 ? 0.01 : 3.0) * DEGREE);
    mo_world_destroy(a.world);
  }
}

// One that arrives may get gains, lose its target or end with its body.
static void the_world_knows_how_many_arrive(void **state) {
  (void)state;
  arm a = make(MO_SOLVER_AUTO, false, 3, 1.0);
  assert_int_equal(a.world->arriving_count, 3);
  mo_pose_motor motor = {.has_orientation = true,
                         .target_orientation = turn_to(0.0),
                         .max_torque = INFINITY,
                         .gains = {.hertz = 5.0, .damping = 1.0}};
  assert_int_equal(mo_constraint_set_pose_motor(a.world, a.motors[0], &motor), MO_OK);
  assert_int_equal(a.world->arriving_count, 2);
  motor = (mo_pose_motor){.target_orientation = turn_to(0.0), .max_torque = 1.0};
  assert_int_equal(mo_constraint_set_pose_motor(a.world, a.motors[0], &motor), MO_OK);
  assert_int_equal(a.world->arriving_count, 2);
  assert_int_equal(mo_body_destroy(a.world, a.links[2]), MO_OK);
  assert_int_equal(a.world->arriving_count, 1);
  mo_world_destroy(a.world);
}

TEST_GROUP(motor_chains) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_auto_pose_motors_in_series_follow_as_with_exact),
      cmocka_unit_test(with_auto_hinges_in_series_follow_in_soft_step),
      cmocka_unit_test(with_auto_hinges_in_a_loop_are_exact),
      cmocka_unit_test(with_soft_step_pose_motors_in_series_follow),
      cmocka_unit_test(the_world_knows_how_many_arrive),
  };
  return run_group(tests, NULL, NULL);
}
