/// What soft-step met in the last step, as the row solvers would have it. Private to src/world.
#pragma once

#include "world/world.h"

/// A contact as it stands where its bodies are at `a` and `b`, with the impulses of the last step.
mo_contact mo_substep_contact_to_rows(const mo_world *world, const mo_substep_contact *fast,
                                      const mo_motion *a, const mo_motion *b);

/// Sees to it that world->last_step.problem holds the whole problem. Contacts of bodies destroyed
/// since are not in it. Calls no function of a user, so one may ask for it.
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_world_complete_problem(mo_world *world);
