/// The contacts of soft-step whose surfaces move or resist rolling and spinning. Private to src.
#pragma once

#include "step/soft_step/soft_step.h"

/// Lists them, with the impulses of the last step. Returns false without memory.
bool mo_soft_surfaces_list(mo_soft_step *step);
/// Part of the commit: keeps their impulses.
void mo_soft_surfaces_keep(const mo_soft_step *step);
