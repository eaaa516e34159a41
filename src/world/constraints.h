/// Ending and breaking constraints. Private to src/world and src/step.
#pragma once

#include "world/world.h"

/// Destroys a constraint that is alive. Must not be called in a step.
void mo_world_end_constraint(mo_world *world, uint32_t slot);

// --- breaking (constraint_breaks.c) ----------------------------------------------------------
//
// A function of the user that runs in a step may ask to break a constraint, which that step still
// needs. The request is a mark on the constraint: it takes no memory, and asking twice is the same
// as asking once.

/// Breaks the marked constraints by ascending slot, and reports them in
/// mo_world_broken_constraints. It is the last part of the commit of a step, whose journal is
/// closed.
void mo_world_break_marked(mo_world *world);
/// Removes the marks because the step is refused.
void mo_world_forget_breaks(mo_world *world);
