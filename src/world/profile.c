#include "world/world.h"

void mo_profiler_mark_begin(mo_profiler *profiler, mo_profile_stage stage) {
  if (stage == MO_PROFILE_STEP) {
    profiler->present = (mo_profile){0};
  }
  profiler->began[stage] = profiler->clock(profiler->user);
}

void mo_profiler_mark_end(mo_profiler *profiler, mo_profile_stage stage) {
  profiler->present.seconds[stage] += profiler->clock(profiler->user) - profiler->began[stage];
  if (stage == MO_PROFILE_STEP) {
    profiler->last = profiler->present;
  }
}

const char *mo_profile_stage_name(mo_profile_stage stage) {
  static const char *const names[MO_PROFILE_STAGE_COUNT] = {
      [MO_PROFILE_STEP] = "step",
      [MO_PROFILE_FORCES] = "forces",
      [MO_PROFILE_BROAD_PHASE] = "broad_phase",
      [MO_PROFILE_NARROW_PHASE] = "narrow_phase",
      [MO_PROFILE_ISLANDS] = "islands",
      [MO_PROFILE_PREPARE] = "prepare",
      [MO_PROFILE_SOLVE] = "solve",
      [MO_PROFILE_INTEGRATE] = "integrate",
      [MO_PROFILE_CONTINUOUS] = "continuous",
      [MO_PROFILE_SLEEP] = "sleep",
      [MO_PROFILE_COMMIT] = "commit",
      [MO_PROFILE_CERTIFICATE] = "certificate",
  };
  return (unsigned)stage < MO_PROFILE_STAGE_COUNT ? names[stage] : NULL;
}

void mo_world_set_clock(mo_world *world, mo_clock_function *clock, void *user) {
  world->profiler.clock = clock;
  world->profiler.user = user;
}

mo_profile mo_world_profile(const mo_world *world) { return world->profiler.last; }
