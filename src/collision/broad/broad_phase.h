/// The broad phase: finds the pairs of shapes whose boxes overlap and whose filters allow contact.
///
/// Every shape has a proxy, which lives as long as the shape, in one of three trees for the types
/// of motion of its body. The box of a proxy is enlarged ("fat"), so that small motions need no
/// work. New proxies, and those that left their fat box or were touched, wait in the move buffer.
/// The next search finds only their pairs, and a set of known pairs removes those that are not new.
///
/// All results depend only on the calls so far. Without changes nothing is allocated or computed.
#pragma once

#include "collision/broad/filter.h"
#include "collision/broad/pair_set.h"
#include "geometry/bvh.h"
#include "memory/arena.h"
#include "memory/sort.h"

#define MO_NO_PROXY UINT32_MAX

/// The types of motion, and sensors, however they move. Pairs have at least one dynamic proxy and
/// no sensor.
typedef enum mo_tree_kind {
  MO_TREE_STATIC,
  MO_TREE_KINEMATIC,
  MO_TREE_DYNAMIC,
  MO_TREE_SENSOR,
  MO_TREE_COUNT
} mo_tree_kind;

/// Sets of kinds, for queries.
enum {
  MO_TREES_STATIC = 1 << MO_TREE_STATIC,
  MO_TREES_KINEMATIC = 1 << MO_TREE_KINEMATIC,
  MO_TREES_DYNAMIC = 1 << MO_TREE_DYNAMIC,
  MO_TREES_SENSOR = 1 << MO_TREE_SENSOR,
  MO_TREES_FIXED = MO_TREES_STATIC | MO_TREES_KINEMATIC, ///< of what no contact moves
  MO_TREES_ALL = 7                                       ///< of what is solid: all but sensors
};

/// A shape of a body, for reading. `slot`, `shape` and `filter` may also be written, followed by
/// mo_broad_phase_touch if that may make new pairs.
typedef struct mo_proxy {
  uint32_t slot;  ///< of the body; two proxies of one body make no pair
  uint32_t shape; ///< index in the body
  mo_filter filter;
  uint8_t kind; ///< mo_tree_kind
  bool is_alive;
  uint16_t generation; ///< counts the shapes that had this proxy before
} mo_proxy;

/// Ids of two proxies, a < b.
typedef struct mo_proxy_pair {
  uint32_t a, b;
} mo_proxy_pair;

/// Positions of a proxy in the lists that may contain it: 1 + index, or 0.
typedef struct mo_proxy_place {
  uint32_t member; ///< in the list of its kind
  uint32_t moved;  ///< in the move buffer
  uint32_t stale;  ///< in the list of those that are missing or misplaced in the tree
} mo_proxy_place;

/// A change that can be undone. Private.
typedef struct mo_broad_phase_change {
  enum { MO_PAIR_ENTERED, MO_PAIR_FORGOTTEN, MO_BOX_CHANGED, MO_MOVE_DONE } kind;
  uint32_t a, b;  ///< the proxies of the pair, or the proxy and nothing
  mo_aabb box;    ///< the box before
  bool was_moved; ///< the proxy was in the move buffer before
} mo_broad_phase_change;

/// The proxies of one kind of motion. Private.
typedef struct mo_proxy_tree {
  mo_bvh bvh;        ///< those with finite boxes
  uint32_t *members; ///< all
  uint32_t members_count, members_capacity;
  uint32_t *unbounded; ///< those with infinite boxes
  uint32_t unbounded_count, unbounded_capacity;
  uint32_t *stale; ///< those whose position in tree or list is out of date
  uint32_t stale_count, stale_capacity;
} mo_proxy_tree;

/// Begins as zeros. The caller may read proxies, boxes and new_pairs; the rest is private.
typedef struct mo_broad_phase {
  mo_proxy *proxies; ///< by id; the array moves in memory when one is added
  uint32_t proxies_count, proxies_capacity;
  mo_aabb *boxes; ///< per proxy: its fat box
  uint32_t boxes_capacity;
  mo_proxy_pair *new_pairs; ///< after find_new_pairs: ascending by (a, b), in `work`
  uint32_t new_pairs_count, new_pairs_capacity;

  mo_proxy_tree trees[MO_TREE_COUNT];
  mo_pair_set pairs;
  mo_proxy_place *places; ///< per proxy
  uint32_t places_capacity;
  uint32_t *leaves; ///< per proxy: where it is in its tree
  uint32_t leaves_capacity;
  uint32_t *free_ids; ///< used last in, first out
  uint32_t free_ids_count, free_ids_capacity;
  uint32_t *moved; ///< the move buffer
  uint32_t moved_count, moved_capacity;
  uint32_t *known; ///< per proxy: the proxies of the present search that have it as a partner
  uint32_t known_capacity;
  uint32_t search; ///< number of the last search
  mo_arena work;   ///< of searches and changes; it may be lent (memory/scratch.h) between them
  uint64_t *found; ///< candidates, a << 32 | b, in `work`
  uint32_t found_count, found_capacity;
  uint64_t found_in_all;  ///< in the present search, with those that were refused since
  uint32_t refused_count; ///< pairs that the last search refused (pair_limit.h)
  /// Of the present search, in `work`, if it refuses pairs: per proxy, what it has spent and the
  /// key of the first pair that it refused; and room for sorting.
  uint32_t *spent;
  uint64_t *refused_from;
  mo_sort_entry *ranks;
  uint32_t ranks_capacity;
  mo_bvh_point *build_points, *build_spare; ///< memory for building trees
  uint32_t build_points_capacity, build_spare_capacity;
  mo_aabb *build_level;
  uint32_t build_level_capacity;
  bool keeps_changes; ///< between mo_broad_phase_begin_changes and mo_broad_phase_end_changes
  mo_broad_phase_change *changes; ///< in `work`
  uint32_t changes_count, changes_capacity;
} mo_broad_phase;

/// Makes room for `count` more proxies of a kind. Returns false without memory.
bool mo_broad_phase_reserve(mo_broad_phase *bp, mo_tree_kind kind, uint32_t count);
/// Adds a proxy, which enters the move buffer. `tight` bounds the shape now, in metres; its fat box
/// is larger by `margin` on all sides. Returns the id of the last removed proxy, or a new one;
/// MO_NO_PROXY without memory, with nothing changed.
uint32_t mo_broad_phase_add(mo_broad_phase *bp, mo_tree_kind kind, mo_bounds tight, double margin,
                            uint32_t slot, uint32_t shape, mo_filter filter);
/// Makes a new broad phase have `count` proxies, none of which is alive, and room for as many free
/// ids. Returns false without memory.
bool mo_broad_phase_restore(mo_broad_phase *bp, const uint16_t *generations, uint32_t count);
/// Makes one of these alive, with a fat box that was valid before. Its pairs are those that
/// mo_broad_phase_restore_pair adds. Returns false without memory.
bool mo_broad_phase_restore_proxy(mo_broad_phase *bp, uint32_t proxy, mo_tree_kind kind,
                                  const mo_aabb *fat, bool is_moved, uint32_t slot, uint32_t shape,
                                  mo_filter filter);
/// Adds a pair to the set, in which it is not. Returns false without memory.
bool mo_broad_phase_restore_pair(mo_broad_phase *bp, uint32_t a, uint32_t b);
/// Removes a proxy and its pairs.
void mo_broad_phase_remove(mo_broad_phase *bp, uint32_t proxy);
/// Gives a proxy a new fat box and puts it into the move buffer. For mo_broad_phase_move.
void mo_broad_phase_set_box(mo_broad_phase *bp, uint32_t proxy, const mo_aabb *fat);
/// Call this when the shape moved. If `tight` is no longer inside the fat box, the fat box becomes
/// `tight` enlarged by `margin` on all sides, the proxy enters the move buffer, and the result is
/// true.
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
/// Puts a proxy into the move buffer, so that its pairs are searched again, after its filter
/// changed or a joint that prevented contacts was removed.
void mo_broad_phase_touch(mo_broad_phase *bp, uint32_t proxy);
/// Changes the type of motion; the proxy enters the move buffer. The caller must forget pairs that
/// are no longer allowed. Returns false without memory, with nothing changed.
bool mo_broad_phase_set_kind(mo_broad_phase *bp, uint32_t proxy, mo_tree_kind kind);

typedef bool mo_pair_function(void *user, const mo_proxy *a, const mo_proxy *b);
/// What the owner of the shapes says of two of them.
typedef struct mo_pair_rules {
  /// Whether two proxies with overlapping boxes and matching filters may make a pair; null: always.
  mo_pair_function *may_pair;
  /// Whether the balls inside two shapes overlap, as those of no two solid bodies can; null: never.
  mo_pair_function *are_within;
  void *user;
} mo_pair_rules;

/// Finds the pairs that are not in the set and have a proxy in the move buffer. Their fat boxes
/// overlap or touch, one proxy is dynamic, they belong to different bodies, their filters match,
/// and the rules (null: none) agree; a is the lower id. The pairs enter the set and are listed in
/// new_pairs, until the next search or the end of changes. Empties the move buffer, but for proxies
/// of pairs beyond the limit (pair_limit.h). Returns false without memory, with the set and the
/// move buffer unchanged, so the call can be repeated.
bool mo_broad_phase_find_new_pairs(mo_broad_phase *bp, const mo_pair_rules *rules);
/// Whether the fat boxes of two proxies overlap.
static inline bool mo_broad_phase_overlaps(const mo_broad_phase *bp, uint32_t a, uint32_t b) {
  return mo_aabb_overlap(&bp->boxes[a], &bp->boxes[b]);
}
/// The partners of a proxy in the set of pairs, in an order that depends only on the calls. Valid
/// until the set changes.
static inline const mo_partner *mo_broad_phase_partners(const mo_broad_phase *bp, uint32_t proxy,
                                                        uint32_t *count) {
  return mo_pair_set_partners(&bp->pairs, proxy, count);
}
/// Removes a pair from the set if it is there. It can be found again.
void mo_broad_phase_forget_pair(mo_broad_phase *bp, uint32_t a, uint32_t b);

/// Starts to record changes of boxes and pairs, which mo_broad_phase_end_changes discards or
/// undoes. Until then no proxy may be added or removed. Trees and the order of partners are not
/// restored, because no pair depends on them.
void mo_broad_phase_begin_changes(mo_broad_phase *bp);
/// Makes room for recording `count` more forgotten pairs and changed boxes. Returns false without
/// memory.
static inline bool mo_broad_phase_reserve_changes(mo_broad_phase *bp, uint32_t count) {
  return !bp->keeps_changes || count <= bp->changes_capacity - bp->changes_count ||
         MO_ARENA_RESERVE(&bp->work, bp, changes, bp->changes_count + count);
}
void mo_broad_phase_end_changes(mo_broad_phase *bp, bool take_back);
/// Empties `work`, and the lists in it. Private.
void mo_broad_phase_empty_work(mo_broad_phase *bp);

void mo_broad_phase_free(mo_broad_phase *bp);

/// Updates the trees after all moves. Queries and searches do this themselves; it serves queries
/// from several threads, which must not write.
void mo_broad_phase_update_trees(mo_broad_phase *bp);

/// Called with a proxy; false ends the query.
typedef bool mo_box_query_function(void *user, uint32_t proxy);
/// Calls `function` with every proxy of the kinds (MO_TREES_...) whose fat box overlaps `box`. It
/// must not add, remove or move proxies.
void mo_broad_phase_query(mo_broad_phase *bp, uint32_t kinds, const mo_aabb *box,
                          mo_box_query_function *function, void *user);

/// The bounds of the fat boxes of all proxies of the kinds, which overlap nothing if there are
/// none.
mo_bounds mo_broad_phase_bounds(mo_broad_phase *bp, uint32_t kinds);

/// m: the smallest reach of a ray's search. With a reach of 0 the search would end at the first
/// proxy, but several may begin at the ray's origin.
#define MO_LEAST_REACH 0x1p-1000
/// Called with a proxy whose fat box the ray may meet within max_distance metres. Returns the
/// distance up to which the search continues: max_distance if there was no hit, 0 to end the query.
typedef double mo_ray_query_function(void *user, uint32_t proxy, double max_distance);
/// Calls `function` with every proxy of the kinds whose fat box the ray meets, and perhaps with
/// some that it just misses, kind by kind, roughly in the order along the ray; unbounded ones come
/// first. It must not add, remove or move proxies.
/// @param direction unit vector; max_distance m, may be infinite
void mo_broad_phase_cast_ray(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin, mo_vec3 direction,
                             double max_distance, mo_ray_query_function *function, void *user);
/// The same for a box that moves along the ray without rotation.
/// @param half_extents m, of the box about its centre, which starts at `origin`
void mo_broad_phase_cast_box(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin,
                             mo_vec3 half_extents, mo_vec3 direction, double max_distance,
                             mo_ray_query_function *function, void *user);

/// Called with a proxy whose fat box may be within max_distance metres of the point. Returns the
/// distance up to which the search continues, negative to end the query.
typedef double mo_point_query_function(void *user, uint32_t proxy, double max_distance);
/// Calls `function` with every proxy of the kinds whose fat box is that close to a point, and
/// perhaps with some that are just further away, kind by kind, roughly the nearest first; unbounded
/// ones come first. It must not add, remove or move proxies.
/// @param max_distance m, may be infinite
void mo_broad_phase_query_near(mo_broad_phase *bp, uint32_t kinds, mo_vec3 point,
                               double max_distance, mo_point_query_function *function, void *user);
