/// What the stages of soft-step's part of a step read and write. Private to src/step/soft_step.
#pragma once

#include "step/stages.h"

/// A contact that goes round on its bodies (moving_arms.h).
typedef struct mo_moving_arm {
  uint32_t contact;
  mo_vec3 acceleration; ///< m/s^2, world: what its rows leave out, of B relative to A
  struct mo_moving_arm *next;
} mo_moving_arm;

typedef struct mo_soft_step {
  mo_world *world;
  double dt;
  uint32_t substeps; ///< of this step
  const mo_solver_choice *choice;
  mo_soft_stage *soft;
  mo_moving_arm *arms; ///< of this step
} mo_soft_step;
