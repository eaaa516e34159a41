/// Impacts that happen at once, in soft-step. Private to src/step/soft_step.
#pragma once

#include "step/soft_step/soft_step.h"

/// Gives the bodies of the solver the velocities after the impacts of this step, where the world's
/// law of impact is not Newton's, and notes the impulses for the read-outs. It happens before the
/// first substep, and contacts then have no rebounds of their own. Joints have no part.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_soft_reflect_impacts(mo_soft_step *s);
