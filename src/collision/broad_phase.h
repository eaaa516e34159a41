/// Which of many bounds overlap.
///
/// The caller lists all proxies anew in each step (reset, insert, ...) and asks for the pairs.
/// Nothing that is remembered between steps reaches the result: it only makes the next search
/// faster. Memory grows with the number of proxies and pairs and is kept, so a steady state
/// allocates nothing. A tree will take the place of what is inside.
#pragma once

#include "geometry/bounds.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mo_proxy {
  mo_bounds bounds; ///< may be infinite
  bool movable;     ///< two proxies that are not movable make no pair
} mo_proxy;

/// Indices of two proxies in the order of their insertion, a < b.
typedef struct mo_proxy_pair {
  uint32_t a, b;
} mo_proxy_pair;

typedef struct mo_sweep_item mo_sweep_item;
typedef struct mo_sort_entry mo_sort_entry;

/// Begins as zeros. proxies and pairs are for the caller to read, the rest is private.
typedef struct mo_broad_phase {
  mo_proxy *proxies;
  uint32_t proxies_count, proxies_capacity;
  mo_proxy_pair *pairs; ///< after find_pairs: ascending by (a, b)
  uint32_t pairs_count, pairs_capacity;

  mo_proxy_pair *unsorted; ///< as the search finds them
  uint32_t unsorted_count, unsorted_capacity;
  mo_proxy_pair *spare; ///< half-way sorted
  uint32_t spare_capacity;
  uint32_t *starts; ///< per proxy: where its pairs go
  uint32_t starts_capacity;
  uint32_t *order; ///< proxies along the axis, from the last step
  uint32_t order_count, order_capacity;
  mo_sweep_item *items; ///< the swept proxies in that order
  uint32_t items_count, items_capacity;
  mo_sort_entry *keys; ///< of the swept proxies, where their order has to be made anew
  uint32_t keys_capacity;
  uint32_t *wide; ///< proxies that are too long for the sweep
  uint32_t wide_count, wide_capacity;
} mo_broad_phase;

/// Forgets the proxies of the last step.
void mo_broad_phase_reset(mo_broad_phase *bp);
/// Adds a proxy; its index is the number of those before it. False without memory.
bool mo_broad_phase_insert(mo_broad_phase *bp, mo_proxy proxy);
/// Finds all pairs of proxies whose bounds overlap or touch, at least one of them movable (sweep
/// and prune: Baraff 1992). False without memory.
bool mo_broad_phase_find_pairs(mo_broad_phase *bp);
void mo_broad_phase_free(mo_broad_phase *bp);
