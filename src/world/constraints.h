/// Life of constraints. Private to src/world and src/step.
#pragma once

#include "world/world.h"

/// Destroys a constraint that is alive. Not in a step.
void mo_world_end_constraint(mo_world *world, uint32_t slot);

// --- breaking (constraint_breaks.c) ----------------------------------------------------------
//
// A function of the user that is called in a step may ask for the end of a constraint, which the
// step still needs. The request is a mark on the constraint, so that it takes no memory, and asking
// twice is asking once.

/// Breaks the constraints that a step was asked to, by ascending slot, and makes them the ones that
/// mo_world_broken_constraints tells of. Last in the commit of a step, whose journal is closed.
void mo_world_break_marked(mo_world *world);
/// The step is refused: it was not asked.
void mo_world_forget_breaks(mo_world *world);
