/// A step is a transaction: one that is refused leaves the world as it was, to the last bit of all
/// steps to come. Private to src/world.
///
/// Most of a step works on copies in arenas, which its commit, which cannot fail, writes into the
/// world. What is too large to copy is written in place, and taken back where the step is refused:
///
///   written before the commit            by                            taken back by
///   -----------------------------------  ----------------------------
///   ----------------------------- pairs and soft contacts, colours     complete_pairs, choose_ the
///   journal (pair_store.c)
///                                        solvers, update_soft_contacts,
///                                        find_contacts
///   collision caches of pairs            find_contacts                 the journal (pair_store.c)
///   who is awake, still times            wake_pair, drop_stale_pairs   the journal (activity.c)
///   islands: joined, loosened            update_soft_contacts, drop_   the journal (island_sets.c)
///                                        stale_pairs
///   flags and counts of all those        the same                      the journal (transaction.c)
///   rows that are kept: gaps, impulses   refresh_rows, solve           the journal (kept_rows.c)
///   boxes, set of pairs, move buffer     complete_pairs, find_contacts the changes of the broad
///   phase joints of soft-step                  soft_constraints_make, solve  nobody: they are made
///   anew
///                                                                      from what the constraints
///                                                                      have, with the same bits
///   fresh_contacts, arenas, caches of    all                           nobody: no result depends
///   on the exact solvers, trees, profile                                  them
#pragma once

#include "world/world.h"

/// Begins to write down what the step changes in place.
void mo_world_begin_transaction(mo_world *world);
/// Ends it before the commit, or takes all back.
void mo_world_end_transaction(mo_world *world, bool take_back);
