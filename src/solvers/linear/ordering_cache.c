#include "solvers/linear/ordering_cache.h"

#include "memory/allocator.h"

#include <string.h>

// Bytes of key and pattern above which a graph is not cached but analysed every time: its
// factorisation costs far more, and 64 of them would take much memory.
#define LARGEST_BYTES ((size_t)1 << 20)

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
  // FNV-1a (Fowler, Noll, Vo), 4 bytes at a time.
  const unsigned char *p = data;
  uint32_t word;
  for (; bytes >= sizeof word; bytes -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    hash = (hash ^ word) * 0x100000001b3u;
  }
  for (; bytes > 0; bytes--, p++) {
    hash = (hash ^ *p) * 0x100000001b3u;
  }
  return hash ^ hash >> 32;
}

// The graph as a sequence of bytes: counts, whether it has turns, edges, sizes, turns.
typedef struct key_part {
  const void *data;
  size_t bytes;
} key_part;

#define KEY_PARTS 4

static void list_parts(const mo_block_graph *graph, const uint32_t head[3], key_part *parts) {
  parts[0] = (key_part){head, 3 * sizeof *head};
  parts[1] = (key_part){graph->edges, (size_t)graph->edge_count * 2 * sizeof *graph->edges};
  parts[2] = (key_part){graph->sizes, graph->node_count};
  parts[3] = (key_part){graph->turns, graph->turns ? graph->node_count : 0};
}

static bool is_same(const mo_cached_pattern *entry, const key_part *parts) {
  const unsigned char *key = entry->memory;
  for (int i = 0; i < KEY_PARTS; i++) {
    if (parts[i].bytes > 0 && memcmp(key, parts[i].data, parts[i].bytes) != 0) {
      return false;
    }
    key += parts[i].bytes;
  }
  return true;
}

static mo_cached_pattern *find_entry(mo_ordering_cache *cache, uint64_t hash, size_t key_bytes,
                                     const key_part *parts) {
  for (uint32_t i = 0; cache->entries && i < MO_CACHED_PATTERNS; i++) {
    mo_cached_pattern *entry = &cache->entries[i];
    if (entry->bytes > 0 && entry->hash == hash && entry->key_bytes == key_bytes &&
        is_same(entry, parts)) {
      return entry;
    }
  }
  return NULL;
}

static size_t rounded_up(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

static const mo_block_pattern *copy_pattern(const mo_cached_pattern *entry, mo_arena *arena) {
  size_t bytes = entry->bytes - rounded_up(entry->key_bytes);
  void *copy = mo_arena_take_raw(arena, bytes, 1);
  return copy ? memcpy(copy, entry->memory + rounded_up(entry->key_bytes), bytes) : NULL;
}

static mo_cached_pattern *least_recently_used(mo_ordering_cache *cache) {
  mo_cached_pattern *oldest = &cache->entries[0];
  for (uint32_t i = 1; i < MO_CACHED_PATTERNS; i++) {
    if (cache->entries[i].last_use < oldest->last_use) {
      oldest = &cache->entries[i];
    }
  }
  return oldest;
}

// Makes room in an entry. Memory is kept from pattern to pattern and grows by half.
static bool reserve(mo_cached_pattern *entry, size_t bytes) {
  if (bytes <= entry->capacity) {
    return true;
  }
  mo_release(entry->memory);
  size_t capacity = bytes + bytes / 2;
  *entry = (mo_cached_pattern){.memory = mo_allocate(capacity)};
  entry->capacity = entry->memory ? capacity : 0;
  return entry->memory != NULL;
}

static void keep(mo_ordering_cache *cache, uint64_t hash, size_t key_bytes, const key_part *parts,
                 const mo_block_pattern *pattern) {
  size_t bytes = rounded_up(key_bytes) + pattern->bytes;
  if (!cache->entries) { // most worlds have none
    cache->entries = mo_allocate(MO_CACHED_PATTERNS * sizeof *cache->entries);
  }
  if (!cache->entries) {
    return;
  }
  mo_cached_pattern *entry = least_recently_used(cache);
  if (bytes > LARGEST_BYTES || !reserve(entry, bytes)) {
    return;
  }
  unsigned char *to = entry->memory;
  for (int i = 0; i < KEY_PARTS; i++) {
    if (parts[i].bytes > 0) {
      memcpy(to, parts[i].data, parts[i].bytes);
    }
    to += parts[i].bytes;
  }
  memcpy(entry->memory + rounded_up(key_bytes), pattern, pattern->bytes);
  entry->hash = hash;
  entry->last_use = cache->lookups;
  entry->key_bytes = (uint32_t)key_bytes;
  entry->bytes = (uint32_t)bytes;
}

const mo_block_pattern *mo_ordering_cache_find(mo_ordering_cache *cache,
                                               const mo_block_graph *graph, mo_arena *arena) {
  if (!cache) {
    return mo_block_analyse(graph, arena);
  }
  uint32_t head[3] = {graph->node_count, graph->edge_count, graph->turns != NULL};
  key_part parts[KEY_PARTS];
  list_parts(graph, head, parts);
  uint64_t hash = 0xcbf29ce484222325u;
  size_t key_bytes = 0;
  for (int i = 0; i < KEY_PARTS; i++) {
    hash = hash_bytes(hash, parts[i].data, parts[i].bytes);
    key_bytes += parts[i].bytes;
  }
  cache->lookups++;
  mo_cached_pattern *entry = find_entry(cache, hash, key_bytes, parts);
  if (entry) {
    cache->hits++;
    entry->last_use = cache->lookups;
    const mo_block_pattern *found = copy_pattern(entry, arena);
    bool is_of_use = found && mo_block_work_is_of_use(graph, mo_block_pattern_work(found));
    return is_of_use ? found : NULL;
  }
  const mo_block_pattern *pattern = mo_block_analyse(graph, arena);
  if (pattern && key_bytes <= LARGEST_BYTES) {
    keep(cache, hash, key_bytes, parts, pattern);
  }
  return pattern;
}

void mo_ordering_cache_free(mo_ordering_cache *cache) {
  for (uint32_t i = 0; cache->entries && i < MO_CACHED_PATTERNS; i++) {
    mo_release(cache->entries[i].memory);
  }
  mo_release(cache->entries);
  *cache = (mo_ordering_cache){0};
}
