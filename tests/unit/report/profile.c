#include "test_group.h"
#include "world_fixture.h"

#include "world/profile.h"

// A clock that is one second later whenever it is asked.
static double ticking(void *user) { return *(double *)user += 1.0; }

static void marks_without_a_clock_do_nothing(void **state) {
  (void)state;
  mo_profiler profiler = {0};
  mo_profile_begin(&profiler, MO_PROFILE_STEP);
  mo_profile_end(&profiler, MO_PROFILE_STEP);
  for (int i = 0; i < MO_PROFILE_STAGE_COUNT; i++) {
    assert_true(profiler.last.seconds[i] == 0.0);
  }
}

static void stages_nest_and_add_up(void **state) {
  (void)state;
  double now = 0.0;
  mo_profiler profiler = {.clock = ticking, .user = &now};
  for (int step = 0; step < 2; step++) { // the second forgets the first
    mo_profile_begin(&profiler, MO_PROFILE_STEP);
    for (int i = 0; i < 3; i++) {
      mo_profile_begin(&profiler, MO_PROFILE_SOLVE);
      mo_profile_begin(&profiler, MO_PROFILE_PREPARE);
      mo_profile_end(&profiler, MO_PROFILE_PREPARE);
      mo_profile_end(&profiler, MO_PROFILE_SOLVE);
    }
    mo_profile_end(&profiler, MO_PROFILE_STEP);
    assert_true(profiler.last.seconds[MO_PROFILE_PREPARE] == 3.0);
    assert_true(profiler.last.seconds[MO_PROFILE_SOLVE] == 9.0);
    assert_true(profiler.last.seconds[MO_PROFILE_STEP] == 13.0);
    assert_true(profiler.last.seconds[MO_PROFILE_FORCES] == 0.0);
  }
}

static void step_is_timed_under_a_clock_only(void **state) {
  (void)state;
  mo_world *world = make_world(mo_world_def_default());
  add_floor(world);
  add_body(world, body_at(0, 0, 0.5, 1.0), box(0.5, 0.5, 0.5));
  step_many(world, 1.0 / 60.0, 1);
  assert_true(mo_world_profile(world).seconds[MO_PROFILE_STEP] == 0.0);
  double now = 0.0;
  mo_world_set_clock(world, ticking, &now);
  step_many(world, 1.0 / 60.0, 1);
  mo_profile profile = mo_world_profile(world);
  double parts = 0.0;
  for (int i = 1; i < MO_PROFILE_STAGE_COUNT; i++) {
    parts += profile.seconds[i];
  }
  assert_true(profile.seconds[MO_PROFILE_STEP] > parts && parts >= 4.0);
  double last = now;
  mo_world_set_clock(world, NULL, NULL);
  step_many(world, 1.0 / 60.0, 1);
  assert_true(now == last);
  assert_true(mo_world_profile(world).seconds[MO_PROFILE_STEP] == profile.seconds[MO_PROFILE_STEP]);
  mo_world_destroy(world);
}

static void every_stage_has_a_name(void **state) {
  (void)state;
  for (int i = 0; i < MO_PROFILE_STAGE_COUNT; i++) {
    assert_non_null(mo_profile_stage_name((mo_profile_stage)i));
  }
  assert_string_equal(mo_profile_stage_name(MO_PROFILE_CERTIFICATE), "certificate");
  assert_null(mo_profile_stage_name(MO_PROFILE_STAGE_COUNT));
}

TEST_GROUP(profile) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marks_without_a_clock_do_nothing),
      cmocka_unit_test(stages_nest_and_add_up),
      cmocka_unit_test(step_is_timed_under_a_clock_only),
      cmocka_unit_test(every_stage_has_a_name),
  };
  return run_group(tests, NULL, NULL);
}
