/// The state of a world: what its next steps depend on. One list serves whoever needs all of it.
/// Private to src.
///
/// In the list are bodies, constraints, potentials and settings, what solvers begin with, who
/// sleeps, which pairs are near in which order, and what allows a step to leave them out. Not in it
/// are read-outs of the last step, working memory, and what is made anew from the state with the
/// same bits: trees, the list of the awake bodies, joints as soft-step packs them. Dropping any of
/// that changes no bit of a later step.
#pragma once

#include "memory/record.h"
#include "world/world.h"

/// Whether two sets of settings are equal in all that motions depend on.
bool mo_settings_equal(const mo_world_def *a, const mo_world_def *b);

typedef void mo_state_function(void *context, const mo_record_type *type, const void *records,
                               size_t count);

/// Calls `function` with all records that the state consists of, in an order that depends on the
/// state alone. Lists of no fixed length are preceded by their length.
void mo_world_visit_state(const mo_world *world, mo_state_function *function, void *context);
