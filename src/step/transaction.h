/// A step is a transaction: a refused step leaves the world unchanged, down to the last bit of all
/// later steps. Private to src.
///
/// Most of a step works on copies in arenas, which its commit writes into the world; the commit
/// cannot fail. What is too large to copy is written in place, and undone if the step is refused.

// clang-format off
/// what                                 | written before the commit by       | taken back by
/// -------------------------------------|------------------------------------|---------------------
/// pairs, soft contacts, colours,       | complete_pairs, choose_solvers,    | the journal: notes of
/// collision caches                     | find_contacts, fast_contacts_update| pair_store.c
/// contacts: who is near, their places, | the same                           | pair_store.c: lengths of
/// lists of bodies                      |                                    | lists, all else follows
/// who is awake, still times            | wake_pair, drop_stale_pairs        | notes of activity.c
/// islands: joined, loosened            | fast_contacts_update, drop_stale_  | notes of
///                                      | pairs                              | island_sets.c
/// kept rows: gaps, biases, impulses    | refresh_rows, solve                | notes of kept_rows.c
/// counts and flags of all those, what  | the same; read-outs in functions   | mo_world_before
/// read-outs make of the last step      | of the user                        |
/// boxes, set of pairs, move buffer     | complete_pairs, find_contacts      | changes of the broad
///                                      |                                    | phase
/// constraints that are to break        | functions of the user              | transaction.c
/// joints of soft-step                  | soft_constraints_make, solve       | nobody: they are made
///                                      |                                    | anew, with the same
///                                      |                                    | bits
/// fresh contacts, arenas, trees, joined| all                                | nobody: no result
/// pairs, caches of the exact solvers   |                                    | depends on them
// clang-format on
#pragma once

#include "world/world.h"

/// Begins to record what the step changes in place.
void mo_world_begin_transaction(mo_world *world);
/// Ends the record before the commit, or undoes all changes.
void mo_world_end_transaction(mo_world *world, bool take_back);
