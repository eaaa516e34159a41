/// Sleeping and waking: what the step asks of activity.c and sleep.c. Private to src/world.
#pragma once

#include "world/world.h"

/// Lists the awake bodies anew if some came or went.
void mo_world_list_awake(mo_world *world);
/// Takes a body out of the awake ones.
void mo_world_leave_awake(mo_world *world, uint32_t slot);
/// Links the bodies that constraints join, all of them.
void mo_world_link_constraints(mo_world *world);
/// Moves the pairs of bodies that fell asleep to the sleeping ones, and those of woken bodies back.
/// False without memory, to be called again.
bool mo_world_sort_pairs_by_activity(mo_world *world);

// --- falling asleep (sleep.c) ----------------------------------------------------------------

/// Counts how long bodies have been still, and puts the islands to sleep of which all have been for
/// long enough, in a world whose motions are those of the end of a step. Part of the commit: cannot
/// fail.
/// @param room two numbers per slot, to work with
void mo_world_put_to_sleep(mo_world *world, double dt, float *room);
/// Makes the list of sleep events of a step.
void mo_world_collect_sleep_events(mo_world *world);
