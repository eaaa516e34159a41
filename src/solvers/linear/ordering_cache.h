/// Caches the analyses of block graphs: most islands have the same graph as in the step before.
#pragma once

#include "solvers/linear/block_sparse.h"

#define MO_CACHED_PATTERNS 64

typedef struct mo_cached_pattern {
  uint64_t hash;
  uint64_t last_use;  ///< number of the cache's last lookup that used it
  uint32_t key_bytes; ///< the graph; the pattern follows it
  uint32_t bytes;     ///< both; 0: empty
  size_t capacity;
  unsigned char *memory;
} mo_cached_pattern;

/// The last MO_CACHED_PATTERNS graphs and their patterns. Initialised with zeros it is empty and
/// usable.
typedef struct mo_ordering_cache {
  mo_cached_pattern *entries; ///< MO_CACHED_PATTERNS; null: none was kept
  uint64_t lookups;
  uint64_t hits;
} mo_ordering_cache;

/// The result of mo_block_analyse for the graph, from the cache if the graph was seen before (the
/// whole graph is compared, not only the hash). The result is in the arena, and is the same, byte
/// by byte, with and without the cache. The cache may be null.
/// @return null without memory in the arena, or if the work exceeds most_work; a cache without
/// memory
/// only forgets
const mo_block_pattern *mo_ordering_cache_find(mo_ordering_cache *cache,
                                               const mo_block_graph *graph, mo_arena *arena);
void mo_ordering_cache_free(mo_ordering_cache *cache);
