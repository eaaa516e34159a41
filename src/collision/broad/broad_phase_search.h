/// A search for new pairs, and its ways to find candidates. Private to the broad phase.
#pragma once

#include "collision/broad/broad_phase.h"

typedef struct mo_pair_search {
  mo_broad_phase *bp;
  uint32_t first; ///< number of the first search of the present move buffer
  mo_pair_rules rules;
} mo_pair_search;

/// Whether a proxy is in the list of those with infinite boxes, and not in the tree.
static inline bool mo_proxy_is_unbounded(const mo_broad_phase *bp, uint32_t proxy) {
  return bp->leaves[proxy] >= MO_BVH_ITEM;
}

/// Lists two proxies that are no partners and whose boxes overlap, if they may make a pair. Returns
/// false without memory, as do those below.
bool mo_pair_search_consider(const mo_pair_search *search, uint32_t one, uint32_t other);
/// Finds the pairs with proxies in the move buffer of which one has an infinite box.
bool mo_pair_search_unbounded(const mo_pair_search *search);
/// Finds those of proxies in trees by going through the trees together.
bool mo_pair_search_together(const mo_pair_search *search);
