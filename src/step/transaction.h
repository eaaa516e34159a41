/// A step is a transaction: a refused step leaves the world unchanged, down to the last bit of all
/// later steps. Private to src.
///
/// Most of a step works on copies in arenas, which its commit writes into the world; the commit
/// cannot fail. What is too large to copy is written in place, and undone if the step is refused.

// clang-format off
/// what                                 | written before the commit by       | undone by
/// -------------------------------------|------------------------------------|---------------------
/// pairs, soft-step's contacts,         | complete_pairs, choose_solvers,    | the journal: notes of
/// colours, collision caches            | find_contacts,                     | pair_store.c
///                                      | soft_contacts_update               |
/// contact records: which are near,     | the same                           | pair_store.c: restores
/// their places, the lists of bodies    |                                    | lengths, from which
///                                      |                                    | the rest follows
/// flags of awake bodies, still times   | wake_pair, wake_carried,           | notes of activity.c
///                                      | drop_stale_pairs                   |
/// islands: joined, loosened            | soft_contacts_update,              | notes of island_sets.c
///                                      | drop_stale_pairs                   |
/// displacements of stopped bodies      | stop_fast_bodies                   | notes of continuous.c
/// limits of the boxes of fast bodies   | soft_contacts_reach_ahead          | notes of
///                                      |                                    | reach_ahead.c
/// counts and flags of all these,       | the same; read-outs in functions   | mo_world_before
/// read-outs of the last step           | of the user                        |
/// boxes, set of pairs, move buffer     | complete_pairs, find_contacts,     | changes of the broad
///                                      | soft_contacts_reach_ahead          | phase
/// constraints marked to break          | functions of the user              | transaction.c
/// joints of soft-step                  | soft_constraints_make, solve       | nothing: they are made
///                                      |                                    | again, with the same
///                                      |                                    | bits
/// fresh contacts, arenas, trees,       | all stages                         | nothing: no result
/// joined pairs, caches of the exact    |                                    | depends on them
/// solvers                              |                                    |
// clang-format on
#pragma once

#include "world/world.h"

/// Begins to record what the step changes in place. Returns false without memory.
bool mo_world_begin_transaction(mo_world *world);
/// Ends the record before the commit, or undoes all changes.
void mo_world_end_transaction(mo_world *world, bool take_back);
