/// Joints of soft-step whose bodies are far from where they hold them, or turn fast.
#include "test_group.h"
#include "world_fixture.h"

static const mo_constraint_type types[] = {MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_BALL,
                                           MO_CONSTRAINT_FIXED, MO_CONSTRAINT_HINGE,
                                           MO_CONSTRAINT_SLIDER};

/// Two boards in free space, joined by their ends.
typedef struct joined {
  mo_world *world;
  mo_body_id a, b;
  mo_constraint_id joint;
} joined;

static joined join(mo_constraint_type type, double limit) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, 0);
  joined j = {.world = make_world(settings)};
  j.a = add_body(j.world, body_at(0, 0, 0, 0), box(0.5, 0.1, 0.3));
  j.b = add_body(j.world, body_at(1.2, 0, 0, 0), box(0.5, 0.1, 0.3));
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = j.a;
  def.body_b = j.b;
  def.anchor_a = vec(0.6, 0, 0);
  def.anchor_b = vec(-0.6, 0, 0);
  if (type == MO_CONSTRAINT_HINGE || type == MO_CONSTRAINT_SLIDER) {
    def.axis_a = def.axis_b = vec(0, 0, 1);
    def.drives[0].lower = -limit;
    def.drives[0].upper = limit;
  }
  j.joint = mo_constraint_create(j.world, &def);
  assert_false(mo_constraint_id_is_null(j.joint));
  return j;
}

static double speed_of(mo_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

static void a_torn_joint_comes_together_at_bounded_speeds(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    for (double way = 0.5; way < 1e4; way *= 4.0) {
      joined j = join(types[i], 0.5);
      step_many(j.world, 1.0 / 60, 10);
      assert_int_equal(mo_body_set_position(j.world, j.b, vec(1.2 + 0.2 * way, way, 0.3 * way)),
                       MO_OK);
      for (int step = 0; step < 600; step++) {
        assert_int_equal(mo_world_step(j.world, 1.0 / 60), MO_OK);
        mo_body_state a = state_of(j.world, j.a), b = state_of(j.world, j.b);
        assert_true(speed_of(a.linear_velocity) < 200.0 && speed_of(b.linear_velocity) < 200.0);
      }
      mo_world_destroy(j.world);
    }
  }
}

// Of the two points that a joint holds together, m.
static double gap_of(const joined *j) {
  double c[MO_CONSTRAINT_ROWS];
  assert_int_equal(mo_constraint_violation(j->world, j->joint, c), MO_OK);
  return speed_of(vec(c[0], c[1], c[2]));
}

// More than half a turn in a step, about an axis that is not in the middle: the way of the middle
// in a substep is straight, so the joint opens, but by less than that way.
static void joined_bodies_may_spin_fast(void **state) {
  (void)state;
  for (double spin = 50.0; spin < 1000.0; spin *= 2.0) {
    joined j = join(MO_CONSTRAINT_HINGE, INFINITY);
    double speed = 0.6 * spin, h = 1.0 / 60 / mo_world_def_default().substeps;
    mo_body_set_type(j.world, j.a, MO_BODY_STATIC);
    mo_body_set_angular_velocity(j.world, j.b, vec(0, 0, spin));
    mo_body_set_linear_velocity(j.world, j.b, vec(0, speed, 0));
    for (int step = 0; step < 600; step++) {
      assert_int_equal(mo_world_step(j.world, 1.0 / 60), MO_OK);
      mo_body_state b = state_of(j.world, j.b);
      assert_true(speed_of(b.angular_velocity) < spin);
      assert_true(speed_of(b.linear_velocity) < speed);
      assert_true(gap_of(&j) < h * speed);
    }
    mo_world_destroy(j.world);
  }
}

// --- a light body with long arms between heavy ones ------------------------------------------

#define ARM 0.375 // m, of a ball with a radius of 0.1 m

static void hold(mo_world *world, mo_constraint_type type, mo_body_id ball, mo_body_id box_body,
                 double side) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = ball;
  def.body_b = box_body;
  def.anchor_a = vec(side * ARM, 0, 0);
  def.anchor_b = vec(-side * ARM, 0, 0);
  if (type == MO_CONSTRAINT_HINGE || type == MO_CONSTRAINT_SLIDER) {
    def.axis_a = def.axis_b = vec(0, 0, 1);
    def.drives[0].lower = -0.5;
    def.drives[0].upper = 0.5;
  }
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
}

// The ball turns by a quarter of a radian per substep, and would fling the boxes about if the
// impulses of its joints did not notice that they turn with it.
static void a_light_body_that_spins_between_heavy_ones_flings_none(void **state) {
  (void)state;
  const size_t count = sizeof types / sizeof types[0];
  for (size_t i = 0; i < count * count; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.gravity = vec(0, 0, 0);
    mo_world *world = make_world(settings);
    mo_body_id ball = add_body(world, body_at(0, 0, 0, 0), sphere(0.1));
    mo_body_id bodies[2] = {add_body(world, body_at(-2 * ARM, 0, 0, 0), box(0.3, 0.3, 0.3)),
                            add_body(world, body_at(2 * ARM, 0, 0, 0), box(0.3, 0.3, 0.3))};
    assert_int_equal(mo_body_set_mass(world, ball, 4.0), MO_OK);
    for (int k = 0; k < 2; k++) {
      assert_int_equal(mo_body_set_mass(world, bodies[k], 240.0), MO_OK);
      hold(world, types[k == 0 ? i / count : i % count], ball, bodies[k], k == 0 ? -1.0 : 1.0);
    }
    mo_body_set_angular_velocity(world, ball, vec(-20, -42, 45));
    mo_body_set_linear_velocity(world, bodies[0], vec(3, 4, -5));
    for (int step = 0; step < 600; step++) {
      assert_int_equal(mo_world_step(world, 1.0 / 60), MO_OK);
      assert_true(speed_of(state_of(world, bodies[0]).linear_velocity) < 30.0);
      assert_true(speed_of(state_of(world, bodies[1]).linear_velocity) < 30.0);
    }
    mo_world_destroy(world);
  }
}

TEST_GROUP(torn_joints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_torn_joint_comes_together_at_bounded_speeds),
      cmocka_unit_test(joined_bodies_may_spin_fast),
      cmocka_unit_test(a_light_body_that_spins_between_heavy_ones_flings_none),
  };
  return run_group(tests, NULL, NULL);
}
