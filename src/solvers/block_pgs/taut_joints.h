/// Inertia that taut joints give to the bodies of the row solvers.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

/// Adds inertia to bodies that joints pull at so hard that they would swing about their taut
/// position faster than steps can follow (taut_body.h). The pulls are those of the last step, the
/// warm start of the rows.
/// @param left_out per body, of those that stay as they are; null: none
/// @return false without memory
bool mo_taut_joints_stiffen(mo_row_problem *problem, const bool *left_out, mo_arena *arena);
/// The largest swing of a body of the problem under the impulses in its rows (mo_taut_body_swing).
/// @param[out] swing (w dt)^2
/// @return false without memory
bool mo_taut_joints_swing(const mo_row_problem *problem, mo_arena *arena, double *swing);
