/// A set of pairs of proxies that knows the partners of each proxy.
///
/// Every proxy has one array of its partners, in blocks of a common pool. Each entry knows the
/// index of its mirror entry in the partner's array. So a pair is found by a scan of the shorter
/// array and removed without a search for its mirror, and all pairs of a proxy are listed when it
/// is removed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A pair in the array of one of its two proxies.
typedef struct mo_partner {
  uint32_t proxy;  ///< the other one
  uint32_t mirror; ///< index of this pair in the other one's array
} mo_partner;

typedef struct mo_partner_list {
  uint32_t first; ///< index of its block in `pool`
  uint32_t count;
  uint8_t size_class; ///< the block holds 2^(size_class + 1) entries; 0: no block
} mo_partner_list;

enum { MO_PARTNER_CLASSES = 32 };

/// Begins as zeros. Private.
typedef struct mo_pair_set {
  mo_partner_list *lists; ///< per proxy
  uint32_t lists_capacity;
  mo_partner *pool;
  uint32_t pool_count, pool_capacity;
  uint32_t free_blocks[MO_PARTNER_CLASSES]; ///< per size class: 1 + index of a free block, linked
  uint32_t count;                           ///< pairs
} mo_pair_set;

/// Makes room for proxies with ids below `proxy_count`. False without memory.
bool mo_pair_set_reserve_proxies(mo_pair_set *set, uint32_t proxy_count);
/// Adds a pair that is not in the set. Returns false without memory, with the set unchanged. It
/// needs no memory for a pair that was removed if nothing added since is still in the set.
bool mo_pair_set_add(mo_pair_set *set, uint32_t a, uint32_t b);
/// Removes a pair. Returns false if it was not in the set.
bool mo_pair_set_remove(mo_pair_set *set, uint32_t a, uint32_t b);
/// Removes all pairs of a proxy.
void mo_pair_set_remove_all(mo_pair_set *set, uint32_t proxy);
bool mo_pair_set_has(const mo_pair_set *set, uint32_t a, uint32_t b);
void mo_pair_set_free(mo_pair_set *set);

/// The partners of a proxy, in an order that depends only on the calls.
static inline const mo_partner *mo_pair_set_partners(const mo_pair_set *set, uint32_t proxy,
                                                     uint32_t *count) {
  *count = set->lists[proxy].count;
  return set->pool + set->lists[proxy].first;
}
