/// Time spent in each stage of a step. Without a clock, a mark costs only a branch.
///
/// Marks nest and repeat: the times of a stage add up over the step.
#pragma once

#include "moreau.h"

typedef struct mo_profiler {
  mo_clock_function *clock; ///< null: time is not measured
  void *user;
  double began[MO_PROFILE_STAGE_COUNT];
  mo_profile present; ///< of the running step
  mo_profile last;    ///< of the last step that was timed
} mo_profiler;

void mo_profiler_mark_begin(mo_profiler *profiler, mo_profile_stage stage);
void mo_profiler_mark_end(mo_profiler *profiler, mo_profile_stage stage);

/// Starts a stage. MO_PROFILE_STEP is the first, and clears the times of the step before.
static inline void mo_profile_begin(mo_profiler *profiler, mo_profile_stage stage) {
  if (profiler->clock) {
    mo_profiler_mark_begin(profiler, stage);
  }
}
/// Ends a stage. MO_PROFILE_STEP is the last; its profile can be read from then on.
static inline void mo_profile_end(mo_profiler *profiler, mo_profile_stage stage) {
  if (profiler->clock) {
    mo_profiler_mark_end(profiler, stage);
  }
}
