/// The state of a world: everything on which its next steps depend. One list serves the hash and
/// whatever else needs all of it. Private to src.
///
/// The list contains bodies, constraints, potentials and settings, the values from which solvers
/// start, which bodies sleep, which pairs are near and in which order, and what lets a step leave
/// pairs out. It does not contain read-outs of the last step, working memory, and what is rebuilt
/// from the state with the same bits: trees, the list of awake bodies, the packed joints of
/// soft-step. Dropping any of those changes no bit of a later step.
#pragma once

#include "memory/record.h"
#include "world/world.h"

/// Whether two sets of settings are equal in all that motions depend on.
bool mo_settings_equal(const mo_world_def *a, const mo_world_def *b);

typedef void mo_state_function(void *context, const mo_record_type *type, const void *records,
                               size_t count);

/// Calls `function` with all records of the state, in an order that depends on the state alone.
/// Lists of variable length are preceded by their length.
void mo_world_visit_state(const mo_world *world, mo_state_function *function, void *context);
