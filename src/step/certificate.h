/// The certificate of a step: how far its result is from the contact laws. Private to src.
#pragma once

#include "world/world.h"

/// Evaluates the contact laws on the result of the last step. Returns NaN where that fails, and
/// records the reason.
mo_residual mo_step_certificate(mo_world *world);
/// Writes the certificate of a step of soft-step into the statistics of the step.
void mo_step_certify(mo_world *world);
