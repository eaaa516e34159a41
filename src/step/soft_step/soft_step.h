/// What the stages of soft-step's part of a step read and write. Private to src/step/soft_step.
#pragma once

#include "step/stages.h"

typedef struct mo_soft_step {
  mo_world *world;
  double dt;
  uint32_t substeps; ///< of this step
  const mo_solver_choice *choice;
  mo_soft_stage *soft;
} mo_soft_step;
