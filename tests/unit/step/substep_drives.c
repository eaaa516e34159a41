/// Motors and springs of soft-step's joints, and joints with several coordinates.
#include "assert_near.h"
#include "math/trig.h"
#include "substep_joint_fixture.h"
#include "test_group.h"

#define GRAVITY 9.81

static mo_quat axis_y(void) { return mo_quat_exp(mo_v3(0.0, 0.0, 0.5 * MO_PI)); }

// A body of 1 kg on a hinge of the world about y, its centre of mass `arm` m from the axis.
static substep_scene hinge(double arm, double inertia) {
  substep_scene s = substep_scene_begin(1, 1);
  uint32_t body = substep_body(&s, mo_v3(arm, 0.0, 0.0), 1.0, inertia);
  mo_substep_joint *joint = substep_joint(&s, MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_HINGE,
                                          SOFT_WORLD, body, mo_v3_zero(), mo_v3(-arm, 0.0, 0.0));
  joint->frame_a = joint->frame_b = axis_y();
  substep_coordinate(&s, joint, MO_SUBSTEP_TURN, -INFINITY, INFINITY);
  return s;
}

// A body of 2 kg on a vertical rail of the world.
static substep_scene rail(mo_substep_angle_lock angle) {
  substep_scene s = substep_scene_begin(1, 1);
  uint32_t body = substep_body(&s, mo_v3_zero(), 2.0, 0.1);
  mo_substep_joint *joint =
      substep_joint(&s, MO_SUBSTEP_POINT_LINE, angle, SOFT_WORLD, body, mo_v3_zero(), mo_v3_zero());
  joint->frame_a = joint->frame_b = mo_quat_exp(mo_v3(0.0, -0.5 * MO_PI, 0.0)); // axis z
  substep_coordinate(&s, joint, MO_SUBSTEP_TRAVEL, -INFINITY, INFINITY);
  return s;
}

static mo_substep_drive motor(double speed, double max_force) {
  return (mo_substep_drive){.is_rigid = true, .speed = speed, .max_force = max_force};
}

// Of a mass or moment of inertia.
static mo_substep_drive spring(double mass, double hertz, double damping) {
  double omega = 2.0 * MO_PI * hertz;
  return (mo_substep_drive){.stiffness = mass * omega * omega,
                            .damping = 2.0 * damping * mass * omega,
                            .max_force = INFINITY};
}

static double force_of(const substep_scene *s, int coordinate, int impulse) {
  return s->coordinates[coordinate].impulses[impulse] / s->settings.dt;
}

// --- motors ----------------------------------------------------------------------------------

// 1 N m on 0.1 kg m^2 is 10 rad/s^2: after half a second the wheel has its 5 rad/s and needs no
// more. The other way round too, and with the mass off the axis: 1.1 kg m^2 and 11 N m.
static void motor_reaches_its_speed(double arm, double speed) {
  substep_scene s = hinge(arm, 0.1);
  s.gravity = mo_v3_zero();
  double torque = arm > 0.0 ? 11.0 : 1.0;
  s.coordinates[0].drives[MO_SUBSTEP_MOTOR] = motor(speed, torque);
  for (int i = 1; i <= 60; i++) {
    assert_true(substep_scene_step(&s));
    double expected = mo_clamp(speed, -10.0 * i / 60.0, 10.0 * i / 60.0);
    assert_near(s.motions[0].angular_velocity.y, expected, 1e-3 * fabs(speed));
    if (i < 30) {
      assert_near(force_of(&s, 0, MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR),
                  speed > 0.0 ? torque : -torque, 1e-5);
    }
  }
  assert_near(force_of(&s, 0, MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR), 0.0, 1e-2);
  assert_near(mo_length(soft_offset(&s, &s.joints[0])), 0.0, 2e-3);
  substep_scene_end(&s);
}

static void a_motor_brings_a_hinge_to_its_speed_with_no_more_than_its_torque(void **state) {
  (void)state;
  motor_reaches_its_speed(0.0, 5.0);
  motor_reaches_its_speed(0.0, -5.0);
  motor_reaches_its_speed(1.0, 5.0);
}

// A weight of 9.81 N m: a motor of 9 N m lets it down, one of 11 N m holds it.
static void a_motor_holds_what_it_is_strong_enough_for(void **state) {
  (void)state;
  for (int strong = 0; strong < 2; strong++) {
    substep_scene s = hinge(1.0, 0.1);
    s.coordinates[0].drives[MO_SUBSTEP_MOTOR] = motor(0.0, strong ? 11.0 : 9.0);
    for (int i = 0; i < 15; i++) {
      assert_true(substep_scene_step(&s));
    }
    double expected =
        strong ? 0.0 : (GRAVITY - 9.0) / 1.1 * 0.25; // about y a fall is a positive turn
    assert_near(s.motions[0].angular_velocity.y, expected, 2e-3);
    double torque = strong ? -GRAVITY : -9.0;
    assert_near(force_of(&s, 0, MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR), torque, 1e-2);
    substep_scene_end(&s);
  }
}

static void a_motor_runs_into_a_limit(void **state) {
  (void)state;
  substep_scene s = hinge(0.0, 0.1);
  s.coordinates[0].upper = 0.5;
  s.coordinates[0].drives[MO_SUBSTEP_MOTOR] = motor(5.0, 1.0);
  for (int i = 0; i < 60; i++) {
    assert_true(substep_scene_step(&s));
    mo_quat q = s.motions[0].orientation;
    assert_true(2.0 * mo_arc_tangent(q.y, q.w) < 0.5 + 1e-3);
  }
  assert_near(mo_length(s.motions[0].angular_velocity), 0.0, 1e-4);
  assert_near(force_of(&s, 0, MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR), 1.0, 1e-5);
  assert_near(force_of(&s, 0, MO_SUBSTEP_UPPER_IMPULSE), 1.0, 1e-3);
  substep_scene_end(&s);
}

// Two free wheels, one twice as heavy to turn: the motor turns them against each other.
static void a_motor_between_free_bodies_keeps_momentum(void **state) {
  (void)state;
  substep_scene s = substep_scene_begin(2, 1);
  s.gravity = mo_v3_zero();
  substep_body(&s, mo_v3(0.0, -0.5, 0.0), 1.0, 0.2);
  substep_body(&s, mo_v3(0.3, 0.5, 0.0), 3.0, 0.1);
  mo_substep_joint *joint = substep_joint(&s, MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_HINGE, 0, 1,
                                          mo_v3(0.0, 0.5, 0.0), mo_v3(-0.3, -0.5, 0.0));
  joint->frame_a = joint->frame_b = axis_y();
  mo_substep_coordinate *turn = substep_coordinate(&s, joint, MO_SUBSTEP_TURN, -INFINITY, INFINITY);
  turn->drives[MO_SUBSTEP_MOTOR] = motor(4.0, 2.0);
  for (int i = 0; i < 120; i++) {
    assert_true(substep_scene_step(&s));
    mo_vec3 linear = mo_v3_zero(), angular = mo_v3_zero();
    for (int k = 0; k < 2; k++) {
      mo_vec3 p = mo_scale(s.masses[k].mass, s.motions[k].linear_velocity);
      linear = mo_add(linear, p);
      angular = mo_add(angular, mo_cross(s.motions[k].center_of_mass, p));
      angular = mo_add_scaled(angular, s.masses[k].inertia.cx.x, s.motions[k].angular_velocity);
    }
    assert_near(mo_length(linear), 0.0, 1e-4);
    assert_near(mo_length(angular), 0.0, 5e-3);
  }
  mo_vec3 axis = mo_quat_rotate(s.motions[0].orientation, mo_v3(0.0, 1.0, 0.0));
  mo_vec3 turning = mo_sub(s.motions[1].angular_velocity, s.motions[0].angular_velocity);
  assert_near(mo_dot(turning, axis), 4.0, 1e-2);
  substep_scene_end(&s);
}

// --- springs ---------------------------------------------------------------------------------

// The period in s of a turn about y that swings about 0, over `count` of them; 0: it does not.
static double period(substep_scene *s, int count) {
  double before = 1.0, first = 0.0;
  int crossings = 0;
  for (int i = 0; i < 600; i++) {
    assert_true(substep_scene_step(s));
    double now = s->motions[0].orientation.y;
    if (before < 0.0 && now >= 0.0) {
      double time = i + before / (before - now);
      first = crossings == 0 ? time : first;
      if (crossings++ == count) {
        return s->settings.dt * (time - first) / count;
      }
    }
    before = now;
  }
  return 0.0;
}

// That of implicit Euler by substeps of h: a phase of atan(omega h) in each.
static double expected_period(const substep_scene *s, double hertz) {
  double step = 2.0 * MO_PI * hertz * s->settings.dt / s->settings.substeps;
  return step / mo_arc_tangent(step, 1.0) / hertz;
}

// With the mass on the axis and off it: the frequency is that of what the hinge lets move. Off it
// the point lock follows an arc by chords of a substep, and the spring counts on what the softness
// of the lock will add to its rate: it holds a weight where it should, and swings 1.3 % slower at 4
// Hz.
static void a_spring_of_a_hinge_has_its_frequency(void **state) {
  (void)state;
  for (int off = 0; off < 2; off++) {
    for (int hertz = 1; hertz <= 4; hertz *= 2) {
      substep_scene s = hinge(off, 0.1);
      s.gravity = mo_v3_zero();
      s.motions[0].orientation = mo_quat_exp(mo_v3(0.0, 0.3, 0.0));
      s.motions[0].center_of_mass = mo_quat_rotate(s.motions[0].orientation, mo_v3(off, 0.0, 0.0));
      s.coordinates[0].value = 0.3;
      s.coordinates[0].drives[MO_SUBSTEP_SPRING] = spring(off ? 1.1 : 0.1, hertz, 0.0);
      double expected = expected_period(&s, hertz);
      assert_near(period(&s, 3), expected, (off ? 1.5e-2 : 1e-4) * expected);
      substep_scene_end(&s);
    }
  }
}

// 2 kg on a vertical rail with a spring of 1 Hz sink by g / (2 pi)^2 and, with a damping ratio of
// 1, no further.
static void a_damped_spring_of_a_slider_sinks_by_the_weight(void **state) {
  (void)state;
  substep_scene s = rail(MO_SUBSTEP_ANGLE_FIXED);
  s.coordinates[0].drives[MO_SUBSTEP_SPRING] = spring(2.0, 1.0, 1.0);
  s.coordinates[0].drives[MO_SUBSTEP_SPRING].rest = 0.1;
  double sunk = 0.1 - GRAVITY / (4.0 * MO_PI * MO_PI);
  for (int i = 0; i < 240; i++) {
    assert_true(substep_scene_step(&s));
    assert_true(s.motions[0].center_of_mass.z > sunk - 1e-4);
  }
  assert_near(s.motions[0].center_of_mass.z, sunk, 1e-3);
  assert_near(force_of(&s, 0, MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_SPRING), 2.0 * GRAVITY, 1e-2);
  substep_scene_end(&s);
}

// --- several coordinates ---------------------------------------------------------------------

// A body that turns about its rail and travels along it, each by a motor, each up to a limit.
static void a_rail_that_turns_has_two_coordinates(void **state) {
  (void)state;
  substep_scene s = rail(MO_SUBSTEP_ANGLE_HINGE);
  mo_substep_coordinate *travel = &s.coordinates[0];
  mo_substep_coordinate *turn =
      substep_coordinate(&s, &s.joints[0], MO_SUBSTEP_TURN, -INFINITY, 1.5);
  travel->drives[MO_SUBSTEP_MOTOR] = motor(0.5, 100.0);
  travel->upper = 0.4;
  turn->drives[MO_SUBSTEP_MOTOR] = motor(3.0, 10.0);
  for (int i = 1; i <= 90; i++) {
    assert_true(substep_scene_step(&s));
    if (i == 24) { // 0.4 s
      assert_near(s.motions[0].center_of_mass.z, 0.2, 5e-3);
      assert_near(s.motions[0].linear_velocity.z, 0.5, 1e-3);
      assert_near(s.motions[0].angular_velocity.z, 3.0, 1e-3);
      assert_near(force_of(&s, 0, MO_SUBSTEP_DRIVE_IMPULSE + MO_SUBSTEP_MOTOR), 2.0 * GRAVITY,
                  0.05);
    }
  }
  assert_near(s.motions[0].center_of_mass.z, 0.4, 1e-3);
  mo_quat q = s.motions[0].orientation;
  assert_near(2.0 * mo_arc_tangent(q.z, q.w), 1.5, 1e-3);
  assert_near(force_of(&s, 0, MO_SUBSTEP_UPPER_IMPULSE), 100.0 - 2.0 * GRAVITY, 0.1);
  assert_near(force_of(&s, 1, MO_SUBSTEP_UPPER_IMPULSE), 10.0, 0.01);
  substep_scene_end(&s);
}

TEST_GROUP(substep_drives) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_brings_a_hinge_to_its_speed_with_no_more_than_its_torque),
      cmocka_unit_test(a_motor_holds_what_it_is_strong_enough_for),
      cmocka_unit_test(a_motor_runs_into_a_limit),
      cmocka_unit_test(a_motor_between_free_bodies_keeps_momentum),
      cmocka_unit_test(a_spring_of_a_hinge_has_its_frequency),
      cmocka_unit_test(a_damped_spring_of_a_slider_sinks_by_the_weight),
      cmocka_unit_test(a_rail_that_turns_has_two_coordinates),
  };
  return run_group(tests, NULL, NULL);
}
