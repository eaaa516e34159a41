/// The search for new pairs of which one proxy has an infinite box, as a plane has.
#include "collision/broad/broad_phase_search.h"
#include "geometry/bvh_search.h"

// Whether two kinds may make pairs.
static bool may_meet(uint32_t kind, uint32_t other) {
  return kind < MO_TREE_SENSOR && (kind == MO_TREE_DYNAMIC || other == MO_TREE_DYNAMIC);
}

static bool meet(const mo_pair_search *search, uint32_t proxy, uint32_t other) {
  return mo_pair_set_has(&search->bp->pairs, proxy, other) ||
         mo_pair_search_consider(search, proxy, other);
}

// Looks for pairs of a proxy that has moved with those of a kind that have infinite boxes. Two that
// have both moved would find each other twice.
static bool meet_unbounded(const mo_pair_search *search, uint32_t proxy,
                           const mo_proxy_tree *tree) {
  const mo_broad_phase *bp = search->bp;
  for (uint32_t i = 0; i < tree->unbounded_count; i++) {
    uint32_t other = tree->unbounded[i];
    bool searches =
        bp->places[other].moved > 0 && (!mo_proxy_is_unbounded(bp, proxy) || other < proxy);
    if (!searches && mo_aabb_overlap(&bp->boxes[proxy], &bp->boxes[other]) &&
        !meet(search, proxy, other)) {
      return false;
    }
  }
  return true;
}

// The same for all proxies in the move buffer.
static bool meet_unbounded_of(const mo_pair_search *search, uint32_t kind) {
  const mo_broad_phase *bp = search->bp;
  const mo_proxy_tree *tree = &bp->trees[kind];
  for (uint32_t i = 0; tree->unbounded_count > 0 && i < bp->moved_count; i++) {
    uint32_t proxy = bp->moved[i];
    if (may_meet(bp->proxies[proxy].kind, kind) && !meet_unbounded(search, proxy, tree)) {
      return false;
    }
  }
  return true;
}

// Looks for pairs of a proxy with an infinite box with the items of a tree.
static bool meet_items(const mo_pair_search *search, uint32_t proxy, const mo_bvh *bvh) {
  mo_bvh_search walk;
  uint32_t places[MO_BVH_BATCH], count;
  mo_bvh_search_begin(&walk, bvh, &search->bp->boxes[proxy], MO_BVH_ALL);
  while ((count = mo_bvh_search_next(&walk, places)) > 0) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t item = bvh->nodes[places[i] / 4].child[places[i] % 4] & ~MO_BVH_ITEM;
      if (!meet(search, proxy, item)) {
        return false;
      }
    }
  }
  return true;
}

bool mo_pair_search_unbounded(const mo_pair_search *search) {
  const mo_broad_phase *bp = search->bp;
  bool found = true;
  for (uint32_t kind = 0; found && kind < MO_TREE_SENSOR; kind++) {
    found = meet_unbounded_of(search, kind);
  }
  for (uint32_t i = 0; found && i < bp->moved_count; i++) {
    uint32_t proxy = bp->moved[i];
    for (uint32_t kind = 0; mo_proxy_is_unbounded(bp, proxy) && kind < MO_TREE_SENSOR; kind++) {
      found = found && (!may_meet(bp->proxies[proxy].kind, kind) ||
                        meet_items(search, proxy, &bp->trees[kind].bvh));
    }
  }
  return found;
}
