/// What the stages of soft-step's part of a step read and write. Private to src/step/fast.
#pragma once

#include "step/stages.h"

typedef struct mo_fast_step {
  mo_world *world;
  double dt;
  uint32_t substeps; ///< of this step
  const mo_solver_choice *choice;
  mo_fast_stage *fast;
} mo_fast_step;
