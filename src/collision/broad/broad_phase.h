/// Which of many shapes may touch: their boxes overlap and their filters meet.
///
/// Every shape has a proxy, which lives as long as the shape does, in one of three trees by the
/// type of its body's motion. The box of a proxy is fat, so that a shape that moves little needs no
/// work. Proxies that are new, left their fat box or are touched wait in the move buffer; the next
/// search looks for pairs of those alone, and a set of the known pairs leaves only the new ones.
///
/// Everything is a function of the calls so far. Without changes nothing is allocated or done.
#pragma once

#include "collision/broad/bvh.h"
#include "collision/broad/filter.h"
#include "collision/broad/pair_set.h"

#define MO_NO_PROXY UINT32_MAX

/// The types of motion. Pairs have at least one dynamic proxy.
typedef enum mo_tree_kind {
  MO_TREE_STATIC,
  MO_TREE_KINEMATIC,
  MO_TREE_DYNAMIC,
  MO_TREE_COUNT
} mo_tree_kind;

/// Sets of kinds, for queries.
enum {
  MO_TREES_STATIC = 1 << MO_TREE_STATIC,
  MO_TREES_KINEMATIC = 1 << MO_TREE_KINEMATIC,
  MO_TREES_DYNAMIC = 1 << MO_TREE_DYNAMIC,
  MO_TREES_ALL = 7
};

/// A shape of a body. To be read; `slot`, `shape` and `filter` may also be written, with
/// mo_broad_phase_touch if that may make pairs.
typedef struct mo_proxy {
  uint32_t slot;  ///< of the body. Two proxies of one body make no pair
  uint32_t shape; ///< index in the body
  mo_filter filter;
  uint8_t kind; ///< mo_tree_kind
  bool is_alive;
} mo_proxy;

/// Ids of two proxies, a < b.
typedef struct mo_proxy_pair {
  uint32_t a, b;
} mo_proxy_pair;

/// Where a proxy is in the lists that it may be in: 1 + index there, or 0.
typedef struct mo_proxy_place {
  uint32_t member; ///< in the list of its kind
  uint32_t moved;  ///< in the move buffer
  uint32_t stale;  ///< in the list of those that the tree has in the wrong place, or not at all
} mo_proxy_place;

/// A change that can be taken back. Private.
typedef struct mo_broad_phase_change {
  enum { MO_PAIR_ENTERED, MO_PAIR_FORGOTTEN, MO_BOX_CHANGED, MO_MOVE_DONE } kind;
  uint32_t a, b;  ///< the proxies of the pair, or the proxy and nothing
  mo_aabb box;    ///< what the box was
  bool was_moved; ///< the proxy of the box was in the move buffer already
} mo_broad_phase_change;

/// The proxies of one kind of motion. Private.
typedef struct mo_proxy_tree {
  mo_bvh bvh;        ///< those with finite boxes
  uint32_t *members; ///< all
  uint32_t members_count, members_capacity;
  uint32_t *unbounded; ///< those with infinite boxes
  uint32_t unbounded_count, unbounded_capacity;
  uint32_t *stale; ///< those whose place in the above two is not up to date
  uint32_t stale_count, stale_capacity;
} mo_proxy_tree;

/// Begins as zeros. proxies, boxes and new_pairs are for the caller to read, the rest is private.
typedef struct mo_broad_phase {
  mo_proxy *proxies; ///< by id; move in memory when one is added
  uint32_t proxies_count, proxies_capacity;
  mo_aabb *boxes; ///< per proxy: its fat box
  uint32_t boxes_capacity;
  mo_proxy_pair *new_pairs; ///< after find_new_pairs: ascending by (a, b)
  uint32_t new_pairs_count, new_pairs_capacity;

  mo_proxy_tree trees[MO_TREE_COUNT];
  mo_pair_set pairs;
  mo_proxy_place *places; ///< per proxy
  uint32_t places_capacity;
  uint32_t *leaves; ///< per proxy: where it is in its tree
  uint32_t leaves_capacity;
  uint32_t *free_ids; ///< last in, first out
  uint32_t free_ids_count, free_ids_capacity;
  uint32_t *moved; ///< the move buffer
  uint32_t moved_count, moved_capacity;
  uint32_t *known; ///< per proxy: which proxies of the present search have it as a partner
  uint32_t known_capacity;
  uint32_t search;  ///< number of the last search
  uint64_t *found;  ///< candidates, a << 32 | b
  uint64_t *sorted; ///< room to sort them
  uint32_t found_count, found_capacity, sorted_capacity;
  mo_bvh_point *build_points, *build_spare; ///< room to build trees
  uint32_t build_points_capacity, build_spare_capacity;
  mo_aabb *build_level;
  uint32_t build_level_capacity;
  bool keeps_changes; ///< between mo_broad_phase_begin_changes and mo_broad_phase_end_changes
  mo_broad_phase_change *changes;
  uint32_t changes_count, changes_capacity;
} mo_broad_phase;

/// Room for `count` more proxies of a kind. False without memory.
bool mo_broad_phase_reserve(mo_broad_phase *bp, mo_tree_kind kind, uint32_t count);
/// Adds a proxy, which enters the move buffer. `tight` bounds the shape now, metres; its fat box is
/// larger by `margin` on all sides. The id: that of the last proxy removed, or a new one.
/// MO_NO_PROXY without memory, with nothing changed.
uint32_t mo_broad_phase_add(mo_broad_phase *bp, mo_tree_kind kind, mo_bounds tight, double margin,
                            uint32_t slot, uint32_t shape, mo_filter filter);
/// Removes a proxy and its pairs.
void mo_broad_phase_remove(mo_broad_phase *bp, uint32_t proxy);
/// Gives a proxy a new fat box and puts it into the move buffer. For mo_broad_phase_move.
void mo_broad_phase_set_box(mo_broad_phase *bp, uint32_t proxy, const mo_aabb *fat);
/// The shape moved: if `tight` is no longer inside the fat box, makes it `tight` and `margin` more
/// on all sides, puts the proxy into the move buffer, and gives true.
static inline bool mo_broad_phase_move_box(mo_broad_phase *bp, uint32_t proxy, const mo_aabb *tight,
                                           float margin) {
  if (mo_aabb_contains(&bp->boxes[proxy], tight)) {
    return false;
  }
  mo_aabb fat = mo_aabb_expand(tight, margin);
  mo_broad_phase_set_box(bp, proxy, &fat);
  return true;
}
/// The same for bounds in double precision.
bool mo_broad_phase_move(mo_broad_phase *bp, uint32_t proxy, mo_bounds tight, double margin);
/// Puts a proxy into the move buffer, so that its pairs are looked for anew: after its filter
/// changed or a joint that kept it from others went.
void mo_broad_phase_touch(mo_broad_phase *bp, uint32_t proxy);
/// Changes the type of motion. Pairs that may no longer be are for the caller to forget. The proxy
/// enters the move buffer. False without memory, with nothing changed.
bool mo_broad_phase_set_kind(mo_broad_phase *bp, uint32_t proxy, mo_tree_kind kind);

/// Whether two proxies whose boxes overlap and whose filters meet may make a pair.
typedef bool mo_may_pair_function(void *user, const mo_proxy *a, const mo_proxy *b);
/// Finds the pairs that are not in the set, of which a proxy is in the move buffer: fat boxes
/// overlap or touch, one is dynamic, not of one body, filters meet, and `may_pair` (null: all)
/// agrees; a is the lower id. They are entered into the set and listed in new_pairs. Empties the
/// move buffer. False without memory: the set and the move buffer are as they were, so the call can
/// be made again.
bool mo_broad_phase_find_new_pairs(mo_broad_phase *bp, mo_may_pair_function *may_pair, void *user);
/// Whether the fat boxes of two proxies overlap.
static inline bool mo_broad_phase_overlaps(const mo_broad_phase *bp, uint32_t a, uint32_t b) {
  return mo_aabb_overlap(&bp->boxes[a], &bp->boxes[b]);
}
/// Those with which a proxy makes a pair of the set, in an order that depends on the calls alone.
/// Valid until the set changes.
static inline const mo_partner *mo_broad_phase_partners(const mo_broad_phase *bp, uint32_t proxy,
                                                        uint32_t *count) {
  return mo_pair_set_partners(&bp->pairs, proxy, count);
}
/// Takes a pair out of the set, if it is in it: it can be found anew.
void mo_broad_phase_forget_pair(mo_broad_phase *bp, uint32_t a, uint32_t b);

/// From now on boxes that change and pairs that come and go are written down, to be forgotten or
/// taken back by mo_broad_phase_end_changes. Meanwhile no proxy may be added or removed. Trees and
/// the order of partners are not restored: no pair depends on them.
void mo_broad_phase_begin_changes(mo_broad_phase *bp);
/// Room for `count` more pairs to be forgotten and boxes to be changed meanwhile. False without
/// memory.
bool mo_broad_phase_reserve_changes(mo_broad_phase *bp, uint32_t count);
void mo_broad_phase_end_changes(mo_broad_phase *bp, bool take_back);

void mo_broad_phase_free(mo_broad_phase *bp);

/// Brings the trees up to date with all moves. Queries and searches do it themselves, so it is for
/// those who want them to write nothing (queries from several threads).
void mo_broad_phase_update_trees(mo_broad_phase *bp);

/// Called with a proxy; false ends the query.
typedef bool mo_box_query_function(void *user, uint32_t proxy);
/// Calls `function` with every proxy of the kinds (MO_TREES_...) whose fat box overlaps `box`. It
/// must not add, remove or move proxies.
void mo_broad_phase_query(mo_broad_phase *bp, uint32_t kinds, const mo_aabb *box,
                          mo_box_query_function *function, void *user);

/// m: as far as a ray is searched at least. Told 0 the search would end at the first proxy, but
/// several may begin at the ray's origin.
#define MO_LEAST_REACH 0x1p-1000
/// Called with a proxy whose fat box the ray may meet within max_distance metres. Returns the
/// distance up to which to search on: max_distance if there was no hit, 0 to end the query.
typedef double mo_ray_query_function(void *user, uint32_t proxy, double max_distance);
/// Calls `function` with every proxy of the kinds whose fat box the ray meets, and perhaps with
/// some that it just misses, roughly in the order in which it meets them, kind by kind; those of
/// infinite extent come first. It must not add, remove or move proxies.
/// @param direction unit vector; max_distance m, may be infinite
void mo_broad_phase_cast_ray(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin, mo_vec3 direction,
                             double max_distance, mo_ray_query_function *function, void *user);
/// The same for a box that moves along the ray without turning: what it sweeps.
/// @param half_extents m, of the box about its centre, which starts at `origin`
void mo_broad_phase_cast_box(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin,
                             mo_vec3 half_extents, mo_vec3 direction, double max_distance,
                             mo_ray_query_function *function, void *user);
