/// Constraints in soft-step's part of a step. Private to src.
#pragma once

#include "step/soft_step/soft_step.h"

/// Makes the joints and rows of the constraints between soft-step's bodies. Calls functions of
/// users.
mo_result mo_soft_constraints_make(mo_soft_step *step);
/// Part of the commit: keeps the impulses, and counts the turns of hinges at the motions of the
/// end.
void mo_soft_constraints_commit(mo_soft_step *step);
