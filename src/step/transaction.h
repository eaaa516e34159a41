/// A step is a transaction: one that is refused leaves the world as it was, to the last bit of all
/// steps to come. Private to src/world.
///
/// Most of a step works on copies in arenas, which its commit, which cannot fail, writes into the
/// world. What is too large to copy is written in place, and taken back where the step is refused.

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

/// Begins to write down what the step changes in place.
void mo_world_begin_transaction(mo_world *world);
/// Ends it before the commit, or takes all back.
void mo_world_end_transaction(mo_world *world, bool take_back);
