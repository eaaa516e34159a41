/// Analyses of block graphs kept from step to step: most islands have the graph they had in the
/// step before.
#pragma once

#include "solvers/linear/block_sparse.h"

#define MO_CACHED_PATTERNS 64

typedef struct mo_cached_pattern {
  uint64_t hash;
  uint64_t last_use;  ///< of the cache's lookups
  uint32_t key_bytes; ///< the graph; the pattern follows it
  uint32_t bytes;     ///< both; 0: empty
  size_t capacity;
  unsigned char *memory;
} mo_cached_pattern;

/// The last MO_CACHED_PATTERNS graphs and their patterns. Zero-initialised it is empty and usable.
typedef struct mo_ordering_cache {
  mo_cached_pattern entries[MO_CACHED_PATTERNS];
  uint64_t lookups;
  uint64_t hits;
} mo_ordering_cache;

/// What mo_block_analyse gives for the graph, from the cache if it was seen before (the whole graph
/// is compared, not the hash alone). The result lives in the arena and is the same, byte by byte,
/// whether it was cached or not. The cache may be null.
/// @return null without memory in the arena or beyond the work of use; a cache that gets no memory
/// merely forgets
const mo_block_pattern *mo_ordering_cache_find(mo_ordering_cache *cache,
                                               const mo_block_graph *graph, mo_arena *arena);
void mo_ordering_cache_free(mo_ordering_cache *cache);
