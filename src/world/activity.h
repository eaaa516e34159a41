/// Sleeping and waking: the part of activity.c and sleep.c that the step calls. Private to src.
#pragma once

#include "world/world.h"

/// Rebuilds the list of awake bodies if it is stale.
void mo_world_list_awake(mo_world *world);
/// Removes a body from the list of awake bodies.
void mo_world_leave_awake(mo_world *world, uint32_t slot);
/// Links the bodies of every constraint into one island.
void mo_world_link_constraints(mo_world *world);
/// Moves the pairs of bodies that fell asleep to the sleeping ones, and those of woken bodies back.
/// Returns false without memory; it may then be called again.
bool mo_world_sort_pairs_by_activity(mo_world *world);

// --- falling asleep (sleep.c) ----------------------------------------------------------------

/// Counts how long bodies have been still, and puts each island to sleep whose bodies have all been
/// still for long enough. Expects the motions of the end of the step. Part of the commit: cannot
/// fail.
/// @param room three numbers per slot of working memory
void mo_world_put_to_sleep(mo_world *world, double dt, float *room);
/// Makes the list of sleep events of a step.
void mo_world_collect_sleep_events(mo_world *world);
