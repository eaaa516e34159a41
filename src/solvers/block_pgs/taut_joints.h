/// Inertia that taut joints give to the bodies that hang in them.
#pragma once

#include "constraints/rows.h"
#include "memory/arena.h"

/// Adds inertia to bodies that joints pull at so hard that they would swing about their taut
/// position faster than steps can follow.
///
/// A body with a pull P (N) at a point r from its centre resists a turn across r with the stiffness
/// P . r, which rows do not know: they are linear. A light link in a chain with a heavy end yields
/// to the end by turning, and with it the chain opens without bound, though every step solves its
/// rows. The stiffness counts as inertia dt^2 P . r, as in an implicit step (geometric stiffness:
/// Andrews, Teichmann and Kovecses 2017). Bodies that swing slower keep their inertia, as does what
/// hangs by one joint alone: a pendulum keeps its period. The pulls are those of the last step, the
/// warm start of the rows.
/// @param left_out per body, of those that stay as they are; null: none
/// @return false without memory
bool mo_taut_joints_stiffen(mo_row_problem *problem, const bool *left_out, mo_arena *arena);
