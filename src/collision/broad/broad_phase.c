#include "collision/broad/broad_phase.h"

#include "memory/allocator.h"
#include "memory/array.h"

// In place of a leaf: the proxy is in the list of unbounded ones.
#define IN_UNBOUNDED (MO_BVH_NOWHERE - 1)
// Fraction 1/n of a tree's items: if so many changed, the whole tree is checked.
#define CHECK_FRACTION 4
// It is rebuilt then if its nodes grew by this factor, which lengthens a search by about as much.
#define BUILD_GROWTH 1.2f
// It is also rebuilt if the fraction 1/n of its items was inserted since, because insertion only
// guesses the best place.
#define INSERTED_FRACTION 4

// --- lists -----------------------------------------------------------------------------------

// Lists of proxies that know their positions: `place` is 1 + index of the proxy, or 0 if it is not
// in the list.
static void push(uint32_t *list, uint32_t *count, uint32_t proxy, uint32_t *place) {
  list[(*count)++] = proxy;
  *place = *count;
}

static void push_moved(mo_broad_phase *bp, uint32_t proxy) {
  if (bp->places[proxy].moved == 0) {
    push(bp->moved, &bp->moved_count, proxy, &bp->places[proxy].moved);
  }
}

static void push_stale(mo_broad_phase *bp, uint32_t proxy) {
  mo_proxy_tree *tree = &bp->trees[bp->proxies[proxy].kind];
  if (bp->places[proxy].stale == 0) {
    push(tree->stale, &tree->stale_count, proxy, &bp->places[proxy].stale);
  }
}

// Removes the proxy at 1 + index `place`. The last one replaces it, and is returned.
static uint32_t pull(uint32_t *list, uint32_t *count, uint32_t place) {
  uint32_t last = list[--*count];
  list[place - 1] = last;
  return last;
}

static void pull_moved(mo_broad_phase *bp, uint32_t proxy) {
  uint32_t place = bp->places[proxy].moved;
  if (place > 0) {
    bp->places[pull(bp->moved, &bp->moved_count, place)].moved = place;
    bp->places[proxy].moved = 0;
  }
}

static void pull_stale(mo_broad_phase *bp, uint32_t proxy) {
  mo_proxy_tree *tree = &bp->trees[bp->proxies[proxy].kind];
  uint32_t place = bp->places[proxy].stale;
  if (place > 0) {
    bp->places[pull(tree->stale, &tree->stale_count, place)].stale = place;
    bp->places[proxy].stale = 0;
  }
}

static void remove_unbounded(mo_proxy_tree *tree, uint32_t proxy) {
  uint32_t i = 0;
  while (tree->unbounded[i] != proxy) {
    i++;
  }
  pull(tree->unbounded, &tree->unbounded_count, i + 1);
}

// --- proxies of a kind -----------------------------------------------------------------------

// Makes room for more proxies in the lists and the tree of a kind.
static bool reserve_in_tree(mo_proxy_tree *tree, uint32_t count) {
  uint32_t needed = tree->members_count + count;
  return MO_RESERVE(tree, members, needed) && MO_RESERVE(tree, unbounded, needed) &&
         MO_RESERVE(tree, stale, needed) && mo_bvh_reserve(&tree->bvh, needed);
}

static void join_tree(mo_broad_phase *bp, uint32_t proxy) {
  mo_proxy_tree *tree = &bp->trees[bp->proxies[proxy].kind];
  push(tree->members, &tree->members_count, proxy, &bp->places[proxy].member);
  bp->leaves[proxy] = MO_BVH_NOWHERE;
  push_stale(bp, proxy);
}

// Removes a proxy from its tree or from the list of unbounded ones.
static void detach(mo_broad_phase *bp, uint32_t proxy) {
  mo_proxy_tree *tree = &bp->trees[bp->proxies[proxy].kind];
  if (bp->leaves[proxy] == IN_UNBOUNDED) {
    remove_unbounded(tree, proxy);
  } else if (bp->leaves[proxy] != MO_BVH_NOWHERE) {
    mo_bvh_remove(&tree->bvh, proxy, bp->leaves);
  }
  bp->leaves[proxy] = MO_BVH_NOWHERE;
}

static void leave_tree(mo_broad_phase *bp, uint32_t proxy) {
  mo_proxy_tree *tree = &bp->trees[bp->proxies[proxy].kind];
  detach(bp, proxy);
  pull_stale(bp, proxy);
  uint32_t place = bp->places[proxy].member;
  bp->places[pull(tree->members, &tree->members_count, place)].member = place;
  bp->places[proxy].member = 0;
}

// --- adding and removing ---------------------------------------------------------------------

// Makes room for `count` more proxies in all arrays per proxy.
static bool reserve_proxies(mo_broad_phase *bp, uint32_t count) {
  return MO_RESERVE(bp, proxies, count) && MO_RESERVE(bp, boxes, count) &&
         MO_RESERVE(bp, places, count) && MO_RESERVE(bp, leaves, count) &&
         MO_RESERVE(bp, free_ids, count) && MO_RESERVE(bp, moved, count) &&
         MO_RESERVE(bp, known, count) && MO_RESERVE(bp, build_points, count) &&
         MO_RESERVE(bp, build_spare, count) && MO_RESERVE(bp, build_level, count / 4 + 1) &&
         mo_pair_set_reserve_proxies(&bp->pairs, count);
}

static mo_aabb fat_box(mo_bounds tight, double margin) {
  return mo_aabb_from_bounds(mo_bounds_expand(tight, margin));
}

bool mo_broad_phase_reserve(mo_broad_phase *bp, mo_tree_kind kind, uint32_t count) {
  uint32_t free = bp->free_ids_count, needed = count > free ? count - free : 0;
  return needed <= MO_BVH_ITEM / 4 - bp->proxies_count &&
         reserve_proxies(bp, bp->proxies_count + needed) &&
         reserve_in_tree(&bp->trees[kind], count);
}

// Makes a proxy alive in its place, which keeps its generation.
static void fill_place(mo_broad_phase *bp, uint32_t proxy, mo_tree_kind kind, uint32_t slot,
                       uint32_t shape, mo_filter filter) {
  uint16_t generation = bp->proxies[proxy].generation;
  bp->proxies[proxy] = (mo_proxy){.slot = slot,
                                  .shape = shape,
                                  .filter = filter,
                                  .kind = (uint8_t)kind,
                                  .is_alive = true,
                                  .generation = generation};
}

uint32_t mo_broad_phase_add(mo_broad_phase *bp, mo_tree_kind kind, mo_bounds tight, double margin,
                            uint32_t slot, uint32_t shape, mo_filter filter) {
  bool is_new = bp->free_ids_count == 0;
  if (!mo_broad_phase_reserve(bp, kind, 1)) {
    return MO_NO_PROXY;
  }
  uint32_t proxy = is_new ? bp->proxies_count++ : bp->free_ids[--bp->free_ids_count];
  fill_place(bp, proxy, kind, slot, shape, filter);
  bp->boxes[proxy] = fat_box(tight, margin);
  bp->places[proxy] = (mo_proxy_place){0};
  bp->known[proxy] = 0;
  join_tree(bp, proxy);
  push_moved(bp, proxy);
  return proxy;
}

bool mo_broad_phase_restore(mo_broad_phase *bp, const uint16_t *generations, uint32_t count) {
  if (count > MO_BVH_ITEM / 4 || !reserve_proxies(bp, count)) {
    return false;
  }
  bp->proxies_count = count;
  for (uint32_t i = 0; i < count; i++) {
    bp->proxies[i].generation = generations[i];
  }
  return true;
}

bool mo_broad_phase_restore_proxy(mo_broad_phase *bp, uint32_t proxy, mo_tree_kind kind,
                                  const mo_aabb *fat, bool is_moved, uint32_t slot, uint32_t shape,
                                  mo_filter filter) {
  if (!reserve_in_tree(&bp->trees[kind], 1)) {
    return false;
  }
  fill_place(bp, proxy, kind, slot, shape, filter);
  bp->boxes[proxy] = *fat;
  join_tree(bp, proxy);
  if (is_moved) {
    push_moved(bp, proxy);
  }
  return true;
}

bool mo_broad_phase_restore_pair(mo_broad_phase *bp, uint32_t a, uint32_t b) {
  return mo_pair_set_add(&bp->pairs, a, b);
}

void mo_broad_phase_remove(mo_broad_phase *bp, uint32_t proxy) {
  leave_tree(bp, proxy);
  pull_moved(bp, proxy);
  mo_pair_set_remove_all(&bp->pairs, proxy);
  bp->proxies[proxy].is_alive = false;
  bp->proxies[proxy].generation++;
  bp->free_ids[bp->free_ids_count++] = proxy;
}

bool mo_broad_phase_set_kind(mo_broad_phase *bp, uint32_t proxy, mo_tree_kind kind) {
  if (bp->proxies[proxy].kind != kind) {
    if (!reserve_in_tree(&bp->trees[kind], 1)) {
      return false;
    }
    leave_tree(bp, proxy);
    bp->proxies[proxy].kind = (uint8_t)kind;
    join_tree(bp, proxy);
  }
  push_moved(bp, proxy);
  return true;
}

// --- moving ----------------------------------------------------------------------------------

static void write_down(mo_broad_phase *bp, mo_broad_phase_change change) {
  if (bp->keeps_changes) {
    bp->changes[bp->changes_count++] = change;
  }
}

void mo_broad_phase_set_box(mo_broad_phase *bp, uint32_t proxy, const mo_aabb *fat) {
  write_down(bp, (mo_broad_phase_change){.kind = MO_BOX_CHANGED,
                                         .a = proxy,
                                         .was_moved = bp->places[proxy].moved != 0,
                                         .box = bp->boxes[proxy]});
  bp->boxes[proxy] = *fat;
  push_stale(bp, proxy);
  push_moved(bp, proxy);
}

bool mo_broad_phase_move(mo_broad_phase *bp, uint32_t proxy, mo_bounds tight, double margin) {
  mo_aabb box = mo_aabb_from_bounds(tight);
  if (mo_aabb_contains(&bp->boxes[proxy], &box)) {
    return false;
  }
  box = fat_box(tight, margin);
  mo_broad_phase_set_box(bp, proxy, &box);
  return true;
}

void mo_broad_phase_touch(mo_broad_phase *bp, uint32_t proxy) { push_moved(bp, proxy); }

void mo_broad_phase_forget_pair(mo_broad_phase *bp, uint32_t a, uint32_t b) {
  if (mo_pair_set_remove(&bp->pairs, a, b)) {
    write_down(bp, (mo_broad_phase_change){.kind = MO_PAIR_FORGOTTEN, .a = a, .b = b});
  }
}

// --- changes that can be undone --------------------------------------------------------------

void mo_broad_phase_begin_changes(mo_broad_phase *bp) {
  bp->keeps_changes = true;
  mo_broad_phase_empty_work(bp);
}

static void take_back(mo_broad_phase *bp, const mo_broad_phase_change *change) {
  switch (change->kind) {
  case MO_PAIR_ENTERED:
    mo_pair_set_remove(&bp->pairs, change->a, change->b);
    break;
  case MO_PAIR_FORGOTTEN: // a list of partners never shrinks
    mo_pair_set_add(&bp->pairs, change->a, change->b);
    break;
  case MO_BOX_CHANGED:
    mo_broad_phase_set_box(bp, change->a, &change->box);
    if (!change->was_moved) {
      pull_moved(bp, change->a);
    }
    break;
  case MO_MOVE_DONE:
    push_moved(bp, change->a);
    break;
  }
}

void mo_broad_phase_end_changes(mo_broad_phase *bp, bool is_taken_back) {
  bp->keeps_changes = false;
  for (uint32_t i = bp->changes_count; is_taken_back && i-- > 0;) {
    take_back(bp, &bp->changes[i]);
  }
  mo_broad_phase_empty_work(bp);
}

void mo_broad_phase_empty_work(mo_broad_phase *bp) {
  mo_arena_reset(&bp->work);
  bp->new_pairs = NULL;
  bp->found = NULL;
  bp->changes = NULL;
  bp->ranks = NULL;
  bp->spent = NULL;
  bp->refused_from = NULL;
  bp->new_pairs_count = bp->new_pairs_capacity = 0;
  bp->found_count = bp->found_capacity = 0;
  bp->changes_count = bp->changes_capacity = 0;
  bp->ranks_capacity = 0;
}

// --- trees -----------------------------------------------------------------------------------

static void build_tree(mo_broad_phase *bp, mo_proxy_tree *tree) {
  uint32_t count = 0;
  tree->unbounded_count = 0;
  for (uint32_t i = 0; i < tree->members_count; i++) {
    uint32_t proxy = tree->members[i];
    if (mo_aabb_is_finite(&bp->boxes[proxy])) {
      bp->build_points[count++].item = proxy;
    } else {
      tree->unbounded[tree->unbounded_count++] = proxy;
      bp->leaves[proxy] = IN_UNBOUNDED;
    }
  }
  mo_bvh_workspace workspace = {
      .points = bp->build_points, .spare = bp->build_spare, .level = bp->build_level};
  mo_bvh_build(&tree->bvh, &workspace, count, bp->boxes, bp->leaves);
}

// Updates the place of one proxy. Returns false if the tree must be rebuilt.
static bool update_place(mo_broad_phase *bp, mo_proxy_tree *tree, uint32_t proxy) {
  bool in_tree = bp->leaves[proxy] < IN_UNBOUNDED;
  bool is_finite = mo_aabb_is_finite(&bp->boxes[proxy]);
  if (in_tree && is_finite) {
    return mo_bvh_move(&tree->bvh, proxy, bp->boxes, bp->leaves);
  }
  detach(bp, proxy);
  if (is_finite) {
    return mo_bvh_insert(&tree->bvh, proxy, bp->boxes, bp->leaves);
  }
  tree->unbounded[tree->unbounded_count++] = proxy;
  bp->leaves[proxy] = IN_UNBOUNDED;
  return true;
}

// Updates all places, at once if they are many. Returns false if the tree must be rebuilt.
static bool update_places(mo_broad_phase *bp, mo_proxy_tree *tree) {
  uint64_t changes = (uint64_t)tree->bvh.changes + tree->stale_count;
  bool is_check = CHECK_FRACTION * changes >= tree->members_count;
  for (uint32_t i = 0; i < tree->stale_count; i++) {
    uint32_t proxy = tree->stale[i];
    bool is_fitted =
        is_check && bp->leaves[proxy] < IN_UNBOUNDED && mo_aabb_is_finite(&bp->boxes[proxy]);
    if (!is_fitted && !update_place(bp, tree, proxy)) {
      return false;
    }
  }
  const mo_bvh *bvh = &tree->bvh;
  if (!is_check || bvh->item_count == 0) {
    return true;
  }
  return (uint64_t)INSERTED_FRACTION * bvh->insertions < bvh->item_count &&
         mo_bvh_fit(&tree->bvh, bp->boxes) < BUILD_GROWTH;
}

static void update_tree(mo_broad_phase *bp, mo_proxy_tree *tree) {
  if (tree->stale_count == 0) {
    return;
  }
  bool is_new = 2 * (tree->bvh.item_count + tree->unbounded_count) < tree->members_count;
  if (is_new || !update_places(bp, tree)) {
    build_tree(bp, tree);
  }
  for (uint32_t i = 0; i < tree->stale_count; i++) {
    bp->places[tree->stale[i]].stale = 0;
  }
  tree->stale_count = 0;
}

void mo_broad_phase_update_trees(mo_broad_phase *bp) {
  for (int kind = 0; kind < MO_TREE_COUNT; kind++) {
    update_tree(bp, &bp->trees[kind]);
  }
}

// --- the end ---------------------------------------------------------------------------------

void mo_broad_phase_free(mo_broad_phase *bp) {
  for (int kind = 0; kind < MO_TREE_COUNT; kind++) {
    mo_bvh_free(&bp->trees[kind].bvh);
    mo_release(bp->trees[kind].members);
    mo_release(bp->trees[kind].unbounded);
    mo_release(bp->trees[kind].stale);
  }
  mo_pair_set_free(&bp->pairs);
  mo_release(bp->proxies);
  mo_release(bp->boxes);
  mo_release(bp->places);
  mo_release(bp->leaves);
  mo_release(bp->free_ids);
  mo_release(bp->moved);
  mo_release(bp->known);
  mo_release(bp->build_points);
  mo_release(bp->build_spare);
  mo_release(bp->build_level);
  mo_arena_free(&bp->work);
  *bp = (mo_broad_phase){0};
}
