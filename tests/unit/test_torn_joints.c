/// Joints of soft-step whose bodies are far from where they hold them, or turn fast.
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
    def.lower = -limit;
    def.upper = limit;
  }
  j.joint = mo_constraint_create(j.world, &def);
  assert_true(j.joint != MO_NULL_ID);
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

// More than half a turn in a step, about an axis that is not in the middle: the way of the middle
// in a substep is a chord, so the joint opens, but never by more than its arm.
static void joined_bodies_may_spin_fast(void **state) {
  (void)state;
  for (double spin = 50.0; spin < 1000.0; spin *= 2.0) {
    joined j = join(MO_CONSTRAINT_HINGE, INFINITY);
    mo_body_set_type(j.world, j.a, MO_BODY_STATIC);
    mo_body_set_angular_velocity(j.world, j.b, vec(0, 0, spin));
    mo_body_set_linear_velocity(j.world, j.b, vec(0, 0.6 * spin, 0));
    for (int step = 0; step < 600; step++) {
      assert_int_equal(mo_world_step(j.world, 1.0 / 60), MO_OK);
      mo_body_state b = state_of(j.world, j.b);
      assert_true(speed_of(b.angular_velocity) < 1.5 * spin);
      assert_true(speed_of(vec(b.position.x - 0.6, b.position.y, b.position.z)) < 20.0);
    }
    mo_world_destroy(j.world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_torn_joint_comes_together_at_bounded_speeds),
      cmocka_unit_test(joined_bodies_may_spin_fast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
