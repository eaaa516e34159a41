/// Newton's law of impact where one impact of a step leads to another.
///
/// In rows each contact that approaches at the start of the step parts with e times that speed. A
/// contact with a gap that only such an impact closes would be stopped in the same step, as if its
/// restitution were 0. So impacts go on: what the first ones throw at others parts with e times the
/// speed of its own approach, in turn, until nothing is thrown at anything. Contacts that touch
/// share an impact, as the law says.
#pragma once

#include "step/impact_reflections.h"

/// Finds them for a problem that has all contacts and joints.
/// @param restitutions per block of the problem: of a contact; below 0: it is none
/// @param start per body of the problem: its velocity before the forces
/// @param[out] out `any` only if an impact leads to another
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_late_impacts_find(mo_world *world, const mo_row_problem *problem,
                               const double *restitutions, mo_velocity *start, mo_arena *arena,
                               mo_impact_targets *out);
