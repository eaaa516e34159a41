/// How the islands of the last step were solved. Private to src.
#pragma once

#include "world/world.h"

/// Counts the islands by what became of them, and tells the worst of it as the status of the step.
/// Islands of block-pgs are measured in this call, and with `certify` those of soft-step, where not
/// all of them are within the tolerance.
/// @param[in,out] stats of the last step, with `islands` and `residual` filled in
void mo_islands_count_statuses(mo_world *world, mo_stats *stats);
