/// Where the time of a step goes. Without a clock a mark costs a branch.
///
/// Marks nest and repeat: what a stage spends adds up over the step.
#pragma once

#include "moreau.h"

typedef struct mo_profiler {
  mo_clock_function *clock; ///< null: nothing is timed
  void *user;
  double began[MO_PROFILE_STAGE_COUNT];
  mo_profile present; ///< of the step that runs
  mo_profile last;    ///< of the last one that was timed
} mo_profiler;

void mo_profiler_mark_begin(mo_profiler *profiler, mo_profile_stage stage);
void mo_profiler_mark_end(mo_profiler *profiler, mo_profile_stage stage);

/// A stage begins. MO_PROFILE_STEP first of all: it forgets the step before.
static inline void mo_profile_begin(mo_profiler *profiler, mo_profile_stage stage) {
  if (profiler->clock) {
    mo_profiler_mark_begin(profiler, stage);
  }
}
/// A stage ends. MO_PROFILE_STEP last of all: its profile can be read from then on.
static inline void mo_profile_end(mo_profiler *profiler, mo_profile_stage stage) {
  if (profiler->clock) {
    mo_profiler_mark_end(profiler, stage);
  }
}
