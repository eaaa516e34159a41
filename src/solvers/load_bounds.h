/// Bounds of box rows that follow the load of a contact: rolling and spinning friction.
///
/// Such a bound is a coefficient times normal impulses that the same solve finds. It is set from
/// the impulses at hand, the problem is solved again, and so on, until the bounds stay: at that
/// point the impulses obey the law (successive approximation, Panagiotopoulos 1975).
#pragma once

#include "solvers/island_partition.h"

/// N s or N m s: the bound of a block with a load, from the impulses of the problem. Two blocks of
/// a disc share their bound: the second has what the first leaves.
double mo_load_bound(const mo_row_problem *problem, const mo_row_block *block);
/// Sets the bounds of all blocks with a load, and moves impulses to within them.
/// @param tolerance of a change, relative to the largest bound of the island
/// @param[out] changed per island: whether a bound changed by more
/// @return whether one of any island did
bool mo_load_bounds_follow(mo_row_problem *problem, const mo_island_partition *partition,
                           double tolerance, bool *changed);
