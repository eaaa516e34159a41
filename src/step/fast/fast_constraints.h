/// Constraints in soft-step's part of a step. Private to src.
#pragma once

#include "step/fast/fast_step.h"

/// Makes the joints and rows of the constraints between soft-step's bodies. Calls functions of
/// users.
mo_result mo_fast_constraints_make(mo_fast_step *step);
/// Part of the commit: keeps the impulses, and counts the turns of hinges at the motions of the
/// end.
void mo_fast_constraints_commit(mo_fast_step *step);
