/// Joints of soft-step in scenes: far away, on heavy and crowded bodies, how far long chains and
/// sheets come apart, without memory.
#include "assert_near.h"
#include "substep_joint_fixture.h"
#include "test_group.h"

#include <string.h>

// --- far away, heavy, many -------------------------------------------------------------------

static void run_far(mo_vec3 origin, mo_vec3 velocities[6]) {
  substep_scene s = soft_chains(1, 6, 1.0);
  s.joints[0].arm_a = origin;
  for (uint32_t i = 0; i < 6; i++) {
    mo_motion *m = &s.motions[i];
    m->center_of_mass = m->position = mo_add(m->center_of_mass, origin);
  }
  for (int i = 0; i < 20; i++) {
    mo_vec3 before[6];
    for (int k = 0; k < 6; k++) {
      before[k] = s.motions[k].center_of_mass;
    }
    assert_true(substep_scene_step(&s));
    for (int k = 0; k < 6; k++) { // to 2^-24 m: what both places can hold
      mo_vec3 way = mo_sub(s.motions[k].center_of_mass, before[k]);
      way = mo_scale(0x1p-24,
                     mo_v3(floor(0x1p24 * way.x), floor(0x1p24 * way.y), floor(0x1p24 * way.z)));
      s.motions[k].center_of_mass = mo_add(before[k], way);
    }
  }
  for (int k = 0; k < 6; k++) {
    velocities[k] = s.motions[k].linear_velocity;
  }
  substep_scene_end(&s);
}

static void a_chain_far_away_moves_to_the_bit_as_at_the_origin(void **state) {
  (void)state;
  mo_vec3 here[6], there[6];
  run_far(mo_v3_zero(), here);
  run_far(mo_v3(0x1p20, -0x1p20, 0x1p19), there);
  assert_memory_equal(here, there, sizeof here);
}

static void run_for(substep_scene *s, int steps, double worst_error) {
  for (int i = 0; i < steps; i++) {
    assert_true(substep_scene_step(s));
    assert_near(soft_worst_error(s), 0.0, worst_error);
  }
}

static void a_kinematic_body_pulls_and_is_not_pulled(void **state) {
  (void)state;
  substep_scene s = soft_chains(1, 4, 1.0);
  s.motions[0].linear_velocity = mo_v3(1.0, 0.0, 0.5);
  s.motions[0].angular_velocity = mo_v3(0.0, 0.0, 1.0);
  s.masses[0] = (mo_mass){0};
  s.joint_count--; // the first, to the world
  memmove(s.joints, s.joints + 1, s.joint_count * sizeof *s.joints);
  run_for(&s, 120, 5e-3);
  assert_near(s.motions[0].center_of_mass.x, 0.5 + 2.0, 1e-5);
  assert_near(s.motions[0].center_of_mass.z, 1.0, 1e-5);
  assert_near(s.motions[0].angular_velocity.z, 1.0, 0.0);
  substep_scene_end(&s);
}

static void more_joints_than_colours_on_a_body_are_solved(void **state) {
  (void)state;
  enum { SPOKES = 40 };
  substep_scene s = substep_scene_begin(SPOKES + 1, SPOKES + 1);
  substep_body(&s, mo_v3_zero(), 10.0, 1.0);
  soft_ball(&s, SOFT_WORLD, 0, mo_v3_zero());
  for (int i = 0; i < SPOKES; i++) {
    mo_sin_cos sc = mo_sine_cosine(2.0 * MO_PI * i / SPOKES);
    uint32_t spoke = substep_body(&s, mo_v3(2.0 * sc.cos, 2.0 * sc.sin, 0.0), 0.1, 0.01);
    soft_ball(&s, 0, spoke, mo_v3(1.5 * sc.cos, 1.5 * sc.sin, 0.0));
  }
  for (int i = 0; i < 120; i++) {
    assert_true(substep_scene_step(&s));
    assert_near(soft_worst_error(&s), 0.0, 0.02);
  }
  substep_scene_end(&s);
}

static void a_sheet_of_400_balls_holds_together(void **state) {
  (void)state;
  substep_scene s = soft_sheet(20);
  run_for(&s, 300, 25e-3); // it swings down
  assert_near(soft_worst_error(&s), 0.0, 2e-3);
  substep_scene_end(&s);
}

static void chains_of_100_links_hold_together(void **state) {
  (void)state;
  substep_scene s = soft_chains(10, 100, 1.0);
  run_for(&s, 300, 100e-3); // the free ends crack like whips
  run_for(&s, 300, 40e-3);
  substep_scene_end(&s);
}

static void a_chain_holds_a_100_times_heavier_end(void **state) {
  (void)state;
  substep_scene s = soft_chains(1, 20, 100.0);
  run_for(&s, 900, 100e-3);
  substep_scene_end(&s);
}

// --- memory ----------------------------------------------------------------------------------

static void prepare_without_memory_changes_nothing(void **state) {
  (void)state;
  substep_scene s = soft_chains(2, 10, 1.0);
  assert_true(substep_scene_step(&s));
  size_t needed = s.arena.used_bytes;
  mo_motion before[20];
  mo_substep_joint joints[20];
  memcpy(before, s.motions, sizeof before);
  memcpy(joints, s.joints, sizeof joints);
  for (size_t limit = 16; limit < needed; limit += 160) {
    s.arena.limit_bytes = limit;
    assert_false(substep_scene_step(&s));
    assert_memory_equal(before, s.motions, sizeof before);
    assert_memory_equal(joints, s.joints, sizeof joints);
  }
  s.arena.limit_bytes = needed;
  assert_true(substep_scene_step(&s));
  substep_scene_end(&s);
}

TEST_GROUP(substep_joint_scenes) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_far_away_moves_to_the_bit_as_at_the_origin),
      cmocka_unit_test(a_kinematic_body_pulls_and_is_not_pulled),
      cmocka_unit_test(more_joints_than_colours_on_a_body_are_solved),
      cmocka_unit_test(a_sheet_of_400_balls_holds_together),
      cmocka_unit_test(chains_of_100_links_hold_together),
      cmocka_unit_test(a_chain_holds_a_100_times_heavier_end),
      cmocka_unit_test(prepare_without_memory_changes_nothing),
  };
  return run_group(tests, NULL, NULL);
}
