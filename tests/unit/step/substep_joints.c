/// Joints of soft-step by the laws of mechanics: periods, tensions, what is conserved, limits.
#include "assert_near.h"
#include "substep_joint_fixture.h"
#include "test_group.h"

#include <string.h>

#define GRAVITY 9.81
#define SMALL_INERTIA 4e-5 // of a ball of 1 kg and radius 0.01 m: a point

// --- pendulums -------------------------------------------------------------------------------

static mo_vec3 at_angle(double angle) {
  mo_sin_cos sc = mo_sine_cosine(angle);
  return mo_v3(sc.sin, 0.0, -sc.cos);
}

typedef enum hanger { BY_ROD, BY_BALL, BY_HINGE } hanger;

// A point of 1 kg, 1 m from the origin, let go at an angle from the vertical.
static substep_scene pendulum(hanger by, double angle) {
  substep_scene s = substep_scene_begin(1, 1);
  uint32_t bob = substep_body(&s, at_angle(angle), 1.0, SMALL_INERTIA);
  mo_vec3 arm = mo_neg(at_angle(angle));
  if (by == BY_ROD) {
    mo_substep_joint *rod = substep_joint(&s, MO_SUBSTEP_POINT_DISTANCE, MO_SUBSTEP_ANGLE_FREE,
                                          SOFT_WORLD, bob, mo_v3_zero(), mo_v3_zero());
    rod->length = 1.0;
  } else {
    mo_substep_joint *joint = substep_joint(
        &s, MO_SUBSTEP_POINT_BALL, by == BY_HINGE ? MO_SUBSTEP_ANGLE_HINGE : MO_SUBSTEP_ANGLE_FREE,
        SOFT_WORLD, bob, mo_v3_zero(), arm);
    joint->frame_a = joint->frame_b = mo_quat_exp(mo_v3(0.0, 0.0, 0.5 * MO_PI)); // axis y
  }
  return s;
}

static void a_pendulum_has_its_period_and_keeps_its_swing(void **state) {
  (void)state;
  for (hanger by = BY_ROD; by <= BY_HINGE; by++) {
    substep_scene s = pendulum(by, MO_PI / 18.0);
    double first = 0.0, last = 0.0, before = s.motions[0].center_of_mass.x, furthest = 0.0;
    int crossings = 0;
    for (int i = 1; crossings < 5; i++) {
      assert_true(i < 1000);
      assert_true(substep_scene_step(&s));
      double now = s.motions[0].center_of_mass.x;
      if ((before > 0.0) != (now > 0.0)) {
        last = (i - now / (now - before)) * s.settings.dt;
        first = crossings++ == 0 ? last : first;
      }
      furthest = crossings == 4 ? mo_max(furthest, fabs(now)) : furthest;
      before = now;
    }
    assert_near((last - first) / 2.0, 2.00989, 0.02 * 2.00989);
    assert_near(furthest, at_angle(MO_PI / 18.0).x, 0.01);
    substep_scene_end(&s);
  }
}

static void a_rod_pulls_with_three_weights_at_the_bottom(void **state) {
  (void)state;
  substep_scene s = pendulum(BY_ROD, 0.5 * MO_PI);
  double most = 0.0;
  for (int i = 0; i < 60; i++) {
    assert_true(substep_scene_step(&s));
    most = mo_max(most, -s.joints[0].impulses[MO_SUBSTEP_POINT_IMPULSE] / s.settings.dt);
    assert_near(mo_length(s.motions[0].center_of_mass), 1.0, 0.005);
  }
  assert_near(most, 3.0 * GRAVITY, 0.02 * 3.0 * GRAVITY);
  substep_scene_end(&s);
}

static void a_hanging_ball_carries_its_weight(void **state) {
  (void)state;
  substep_scene s = pendulum(BY_BALL, 0.0);
  for (int i = 0; i < 60; i++) {
    assert_true(substep_scene_step(&s));
  }
  const double *impulse = s.joints[0].impulses;
  assert_near(impulse[2] / s.settings.dt, GRAVITY, 1e-3);
  assert_near(impulse[0], 0.0, 1e-6);
  assert_near(impulse[1], 0.0, 1e-6);
  substep_scene_end(&s);
}

// --- what is conserved, what is kept ---------------------------------------------------------

static mo_vec3 momentum_of(const substep_scene *s, mo_vec3 *angular) {
  mo_vec3 linear = *angular = mo_v3_zero();
  for (uint32_t i = 0; i < s->body_count; i++) {
    const mo_motion *m = &s->motions[i];
    mo_vec3 p = mo_scale(s->masses[i].mass, m->linear_velocity);
    linear = mo_add(linear, p);
    mo_vec3 spin = mo_scale(s->masses[i].inertia.cx.x, m->angular_velocity);
    *angular = mo_add(*angular, mo_add(mo_cross(m->center_of_mass, p), spin));
  }
  return linear;
}

// Two bodies on one joint, spinning in free flight.
static substep_scene spinning_pair(mo_substep_point_lock point, mo_substep_angle_lock angle) {
  substep_scene s = substep_scene_begin(2, 1);
  s.gravity = mo_v3_zero();
  substep_body(&s, mo_v3(-0.5, 0.0, 0.0), 1.0, 0.1);
  substep_body(&s, mo_v3(0.5, 0.0, 0.0), 3.0, 0.4);
  // As one rigid body: 2 rad/s about z and 1 about x, with the joint at rest.
  mo_vec3 spin = mo_v3(1.0, 0.0, 2.0);
  for (int i = 0; i < 2; i++) {
    s.motions[i].angular_velocity = spin;
    s.motions[i].linear_velocity = mo_cross(spin, s.motions[i].center_of_mass);
  }
  substep_joint(&s, point, angle, 0, 1, mo_v3(0.5, 0.0, 0.0), mo_v3(-0.5, 0.0, 0.0));
  return s;
}

static void joints_between_free_bodies_keep_momentum(void **state) {
  (void)state;
  for (int angle = MO_SUBSTEP_ANGLE_FREE; angle <= MO_SUBSTEP_ANGLE_FIXED; angle++) {
    substep_scene s = spinning_pair(MO_SUBSTEP_POINT_BALL, (mo_substep_angle_lock)angle);
    mo_vec3 angular, angular_now;
    mo_vec3 linear = momentum_of(&s, &angular);
    for (int i = 0; i < 120; i++) {
      assert_true(substep_scene_step(&s));
    }
    mo_vec3 linear_now = momentum_of(&s, &angular_now);
    assert_near(mo_distance_between(linear, linear_now), 0.0, 1e-5);
    assert_near(mo_distance_between(angular, angular_now), 0.0, 2e-3 * mo_length(angular));
    assert_near(soft_worst_error(&s), 0.0, 1e-3);
    substep_scene_end(&s);
  }
}

static double angle_between(const substep_scene *s, uint32_t a, uint32_t b) {
  mo_quat q = mo_quat_mul(mo_quat_conjugate(s->motions[a].orientation), s->motions[b].orientation);
  return 2.0 * mo_arc_tangent(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

static void a_fixed_joint_keeps_orientations(void **state) {
  (void)state;
  substep_scene s = spinning_pair(MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_FIXED);
  s.motions[1].angular_velocity = mo_v3(-3.0, 2.0, 5.0); // torn at
  for (int i = 0; i < 300; i++) {
    assert_true(substep_scene_step(&s));
    if (i > 20) {
      assert_near(angle_between(&s, 0, 1), 0.0, 2e-3);
      assert_near(soft_worst_error(&s), 0.0, 2e-3);
    }
  }
  mo_vec3 difference = mo_sub(s.motions[0].angular_velocity, s.motions[1].angular_velocity);
  assert_near(mo_length(difference), 0.0, 1e-3);
  substep_scene_end(&s);
}

static void a_large_angle_error_is_turned_back(void **state) {
  (void)state;
  substep_scene s = spinning_pair(MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_FIXED);
  s.motions[1].orientation = mo_quat_exp(mo_v3(0.0, 3.0, 0.0));
  s.joints[0].arm_b = mo_quat_rotate_inverse(s.motions[1].orientation, s.joints[0].arm_b);
  for (int i = 0; i < 120; i++) {
    assert_true(substep_scene_step(&s));
  }
  assert_near(angle_between(&s, 0, 1), 0.0, 5e-3);
  substep_scene_end(&s);
}

static void a_hinge_keeps_its_axes_together(void **state) {
  (void)state;
  substep_scene s = spinning_pair(MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_HINGE);
  s.motions[0].angular_velocity = mo_v3(4.0, 1.0, -2.0);
  for (int i = 0; i < 300; i++) {
    assert_true(substep_scene_step(&s));
    mo_vec3 a = mo_quat_rotate(s.motions[0].orientation, mo_v3(1.0, 0.0, 0.0));
    mo_vec3 b = mo_quat_rotate(s.motions[1].orientation, mo_v3(1.0, 0.0, 0.0));
    if (i > 20) {
      assert_near(mo_length(mo_cross(a, b)), 0.0, 5e-3);
    }
  }
  mo_vec3 spin = mo_sub(s.motions[1].angular_velocity, s.motions[0].angular_velocity);
  assert_true(mo_length(spin) > 1.0); // free about the axis
  substep_scene_end(&s);
}

// --- slider and limits -----------------------------------------------------------------------

// A body on a rail of the world along (1, 0, -1), hung off its centre of mass.
static substep_scene rail(double upper) {
  substep_scene s = substep_scene_begin(1, 1);
  uint32_t body = substep_body(&s, mo_v3(0.0, 0.3, 0.0), 2.0, 0.1);
  mo_substep_joint *joint = substep_joint(&s, MO_SUBSTEP_POINT_LINE, MO_SUBSTEP_ANGLE_FIXED,
                                          SOFT_WORLD, body, mo_v3_zero(), mo_v3(0.0, -0.3, 0.0));
  joint->frame_a = joint->frame_b = mo_quat_exp(mo_v3(0.0, 0.25 * MO_PI, 0.0));
  substep_coordinate(&s, joint, MO_SUBSTEP_TRAVEL, -INFINITY, upper);
  return s;
}

static void a_slider_falls_along_its_line(void **state) {
  (void)state;
  substep_scene s = rail(INFINITY);
  for (int i = 0; i < 60; i++) {
    assert_true(substep_scene_step(&s));
    mo_vec3 p = soft_offset(&s, &s.joints[0]);
    assert_near(p.y, 0.0, 2e-3);
    assert_near(p.x + p.z, 0.0, 2e-3);
  }
  double way = mo_length(soft_offset(&s, &s.joints[0]));
  double expected = 0.5 * GRAVITY * sqrt(0.5); // after 1 s
  assert_near(way, expected, 0.02 * expected);
  substep_scene_end(&s);
}

static void a_slider_stops_at_its_end_without_a_bounce(void **state) {
  (void)state;
  substep_scene s = rail(1.0);
  for (int i = 0; i < 180; i++) {
    assert_true(substep_scene_step(&s));
    double way = mo_length(soft_offset(&s, &s.joints[0]));
    assert_true(way < 1.0 + 2e-3);
    if (i > 60) {
      assert_near(way, 1.0, 2e-3);
      assert_near(mo_length(s.motions[0].linear_velocity), 0.0, 1e-3);
    }
  }
  double along = s.coordinates[0].impulses[MO_SUBSTEP_UPPER_IMPULSE] / s.settings.dt;
  assert_near(along, 2.0 * GRAVITY * sqrt(0.5), 0.01);
  substep_scene_end(&s);
}

// A bar on a hinge about y that falls onto a limit; `sign` chooses the side.
static void hinge_limit_holds(double sign, double start_turns) {
  substep_scene s = substep_scene_begin(1, 1);
  uint32_t body = substep_body(&s, mo_v3(sign, 0.0, 0.0), 1.0, 0.1);
  mo_substep_joint *joint = substep_joint(&s, MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_HINGE,
                                          SOFT_WORLD, body, mo_v3_zero(), mo_v3(-sign, 0.0, 0.0));
  joint->frame_a = joint->frame_b = mo_quat_exp(mo_v3(0.0, 0.0, 0.5 * MO_PI)); // axis y
  double start = 2.0 * MO_PI * start_turns;
  mo_substep_coordinate *turn =
      substep_coordinate(&s, joint, MO_SUBSTEP_TURN, start - 0.5, start + 0.5);
  turn->value = start;
  mo_sin_cos limit = mo_sine_cosine(0.5);
  for (int i = 0; i < 180; i++) {
    assert_true(substep_scene_step(&s));
    assert_true(s.motions[0].center_of_mass.z > -limit.sin - 5e-3);
    if (i > 60) {
      assert_near(s.motions[0].center_of_mass.z, -limit.sin, 2e-3);
      assert_near(mo_length(s.motions[0].linear_velocity), 0.0, 1e-3);
    }
  }
  // The torque of the weight about the hinge.
  int side = sign > 0.0 ? MO_SUBSTEP_UPPER_IMPULSE : MO_SUBSTEP_LOWER_IMPULSE;
  assert_near(turn->impulses[side] / s.settings.dt, GRAVITY * limit.cos, 0.05);
  assert_near(turn->impulses[MO_SUBSTEP_LOWER_IMPULSE + MO_SUBSTEP_UPPER_IMPULSE - side], 0.0, 0.0);
  substep_scene_end(&s);
}

static void hinge_limits_hold_on_both_sides_and_after_turns(void **state) {
  (void)state;
  hinge_limit_holds(1.0, 0.0);
  hinge_limit_holds(-1.0, 0.0);
  hinge_limit_holds(1.0, 3.0);
}

static void a_rope_pulls_and_does_not_push(void **state) {
  (void)state;
  substep_scene s = substep_scene_begin(1, 1);
  uint32_t body = substep_body(&s, mo_v3(0.0, 0.0, -0.5), 1.0, 0.1);
  mo_substep_joint *rope = substep_joint(&s, MO_SUBSTEP_POINT_DISTANCE, MO_SUBSTEP_ANGLE_FREE,
                                         SOFT_WORLD, body, mo_v3_zero(), mo_v3_zero());
  mo_substep_coordinate *length = substep_coordinate(&s, rope, MO_SUBSTEP_LENGTH, -INFINITY, 2.0);
  for (int i = 0; i < 180; i++) {
    double t = i * s.settings.dt, z = -0.5 - 0.5 * GRAVITY * t * t;
    if (z > -1.8) { // free fall until the rope is tight
      assert_near(s.motions[0].center_of_mass.z, z, 0.05);
    }
    assert_true(substep_scene_step(&s));
    assert_true(s.motions[0].center_of_mass.z > -2.003);
  }
  assert_near(s.motions[0].center_of_mass.z, -2.0, 2e-3);
  assert_near(length->impulses[MO_SUBSTEP_UPPER_IMPULSE] / s.settings.dt, GRAVITY, 1e-2);
  substep_scene_end(&s);
}

static void a_least_distance_pushes(void **state) {
  (void)state;
  substep_scene s = substep_scene_begin(2, 1);
  s.gravity = mo_v3_zero();
  substep_body(&s, mo_v3_zero(), 1.0, 0.1);
  substep_body(&s, mo_v3(2.0, 0.0, 0.0), 1.0, 0.1);
  s.motions[1].linear_velocity = mo_v3(-3.0, 0.0, 0.0);
  mo_substep_joint *joint = substep_joint(&s, MO_SUBSTEP_POINT_DISTANCE, MO_SUBSTEP_ANGLE_FREE, 0,
                                          1, mo_v3_zero(), mo_v3_zero());
  substep_coordinate(&s, joint, MO_SUBSTEP_LENGTH, 1.0, INFINITY);
  for (int i = 0; i < 120; i++) {
    assert_true(substep_scene_step(&s));
    double gap = mo_distance_between(s.motions[0].center_of_mass, s.motions[1].center_of_mass);
    assert_true(gap > 1.0 - 1e-3);
  }
  assert_near(s.motions[0].linear_velocity.x, -1.5, 1e-3); // plastic: both at half the speed
  assert_near(s.motions[1].linear_velocity.x, -1.5, 1e-3);
  substep_scene_end(&s);
}

TEST_GROUP(substep_joints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_has_its_period_and_keeps_its_swing),
      cmocka_unit_test(a_rod_pulls_with_three_weights_at_the_bottom),
      cmocka_unit_test(a_hanging_ball_carries_its_weight),
      cmocka_unit_test(joints_between_free_bodies_keep_momentum),
      cmocka_unit_test(a_fixed_joint_keeps_orientations),
      cmocka_unit_test(a_large_angle_error_is_turned_back),
      cmocka_unit_test(a_hinge_keeps_its_axes_together),
      cmocka_unit_test(a_slider_falls_along_its_line),
      cmocka_unit_test(a_slider_stops_at_its_end_without_a_bounce),
      cmocka_unit_test(hinge_limits_hold_on_both_sides_and_after_turns),
      cmocka_unit_test(a_rope_pulls_and_does_not_push),
      cmocka_unit_test(a_least_distance_pushes),
  };
  return run_group(tests, NULL, NULL);
}
