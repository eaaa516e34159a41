/// The search for new pairs.
///
/// Proxies of one leaf node lie close together and mostly move together. So the tree is searched
/// once for all of them, with the box around them, and each item found is tested against the four
/// boxes at once. A pair of two moved proxies is found by the one that searches first: nodes record
/// which of their lanes have searched, and later searches skip those. Where nearly all have moved
/// and few are partners, trees are searched together instead (broad_phase_together.c).
#include "collision/broad/broad_phase_search.h"
#include "collision/broad/pair_limit.h"
#include "geometry/bvh_search.h"
#include "memory/array.h"
#include "memory/radix_sort.h"

// Fraction 1/n of the proxies in trees: if so many have not moved, the trees are not searched
// together, because nobody asks for most of what that finds.
#define STILL_FRACTION 4

// `known` of a proxy holds the number of a search and four bits for the searchers that have it as a
// partner. `searched` of a node holds the number of the first search and four bits for the lanes
// that have searched.
#define SEARCH_BITS 28

// Up to four proxies of one kind and node, in lanes.
typedef struct searchers {
  mo_vec3x4 lower, upper;
  mo_aabb reach; // around the searching proxies
  uint32_t proxies[4];
  int lanes;     // the searching ones, as bits
  int beside[4]; // per lane of their node: those that may find what is in it
  bool is_alone; // only one searches
  uint32_t kind;
  uint32_t node;
} searchers;

// --- candidates ------------------------------------------------------------------------------

static bool add_found(const mo_pair_search *search, uint32_t a, uint32_t b) {
  mo_broad_phase *bp = search->bp;
  bp->found_in_all++;
  if (mo_pair_limit_refuses(bp, a, b)) {
    return true;
  }
  if (bp->found_count == bp->found_capacity &&
      (!mo_pair_limit_make_room(search) || bp->found_count == UINT32_MAX ||
       !MO_ARENA_RESERVE(&bp->work, bp, found, bp->found_count + 1))) {
    return false;
  }
  bp->found[bp->found_count++] = (uint64_t)a << 32 | b;
  return true;
}

bool mo_pair_search_consider(const mo_pair_search *search, uint32_t one, uint32_t other) {
  mo_broad_phase *bp = search->bp;
  uint32_t a = one < other ? one : other, b = one < other ? other : one;
  const mo_proxy *proxy_a = &bp->proxies[a], *proxy_b = &bp->proxies[b];
  if (proxy_a->slot == proxy_b->slot || // which includes the proxy itself
      !mo_filters_meet(proxy_a->filter, proxy_b->filter) ||
      (search->rules.may_pair && !search->rules.may_pair(search->rules.user, proxy_a, proxy_b))) {
    return true;
  }
  return add_found(search, a, b);
}

// Considers a candidate whose box overlaps those of `lanes`, which do not have it as a partner.
static bool consider(const mo_pair_search *search, const searchers *group, int lanes,
                     uint32_t other) {
  for (; lanes != 0; lanes &= lanes - 1) {
    uint32_t own = group->proxies[__builtin_ctz((unsigned)lanes)];
    if (!mo_pair_search_consider(search, own, other)) {
      return false;
    }
  }
  return true;
}

// The lanes among `lanes` that do not have the proxy as a partner.
static int without_known(const mo_broad_phase *bp, int lanes, uint32_t other) {
  uint32_t known = bp->known[other];
  return known >> 4 == bp->search ? lanes & ~(int)(known & 15u) : lanes;
}

static bool test_candidate(const mo_pair_search *search, const searchers *group, int searching,
                           uint32_t other, mo_vec3x4 lower, mo_vec3x4 upper) {
  mo_i32x4 overlap = (group->lower.x <= upper.x) & (lower.x <= group->upper.x) &
                     (group->lower.y <= upper.y) & (lower.y <= group->upper.y) &
                     (group->lower.z <= upper.z) & (lower.z <= group->upper.z);
  int lanes = without_known(search->bp, mo_i32x4_bits(overlap) & searching, other);
  return lanes == 0 || consider(search, group, lanes, other);
}

// --- a search --------------------------------------------------------------------------------

// Tests an item whose box overlaps the reach of some of the searchers.
static inline bool test_place(const mo_pair_search *search, const searchers *group, int searching,
                              const mo_bvh_node *node, uint32_t lane) {
  uint32_t other = node->child[lane] & ~MO_BVH_ITEM;
  if (searching == 0) {
    return true;
  }
  if (group->is_alone) { // then the reach is its box
    int lanes = without_known(search->bp, searching, other);
    return lanes == 0 || consider(search, group, lanes, other);
  }
  mo_vec3x4 lower = {mo_f32x4_splat(node->lower[0][lane]), mo_f32x4_splat(node->lower[1][lane]),
                     mo_f32x4_splat(node->lower[2][lane])};
  mo_vec3x4 upper = {mo_f32x4_splat(node->upper[0][lane]), mo_f32x4_splat(node->upper[1][lane]),
                     mo_f32x4_splat(node->upper[2][lane])};
  return test_candidate(search, group, searching, other, lower, upper);
}

static bool search_tree(const mo_pair_search *search, const searchers *group, const mo_bvh *bvh) {
  bool is_own = bvh == &search->bp->trees[group->kind].bvh;
  uint32_t own = is_own ? group->node : MO_BVH_NOWHERE;
  mo_bvh_search walk;
  uint32_t places[MO_BVH_BATCH], count;
  mo_bvh_search_begin(&walk, bvh, &group->reach, search->first);
  while ((count = mo_bvh_search_next(&walk, places)) > 0) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t node = places[i] / 4, lane = places[i] % 4;
      int searching = node == own ? group->beside[lane] : group->lanes;
      if (!test_place(search, group, searching, &bvh->nodes[node], lane)) {
        return false;
      }
    }
  }
  return true;
}

// Records which proxies are partners of the searching ones.
static void mark_known(mo_broad_phase *bp, const searchers *group) {
  uint32_t number = ++bp->search;
  for (int lane = 0; lane < 4; lane++) {
    if ((group->lanes >> lane & 1) == 0) {
      continue;
    }
    uint32_t count;
    const mo_partner *partners = mo_pair_set_partners(&bp->pairs, group->proxies[lane], &count);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t *known = &bp->known[partners[i].proxy];
      *known = (*known >> 4 == number ? *known : number << 4) | 1u << lane;
    }
  }
}

static bool search_group(const mo_pair_search *search, const searchers *group) {
  mo_broad_phase *bp = search->bp;
  mark_known(bp, group);
  if (group->kind != MO_TREE_DYNAMIC) {
    return search_tree(search, group, &bp->trees[MO_TREE_DYNAMIC].bvh);
  }
  bool found = true;
  for (int kind = 0; found && kind < MO_TREE_SENSOR; kind++) {
    const mo_bvh *bvh = &bp->trees[kind].bvh;
    found = bvh->item_count == 0 || search_tree(search, group, bvh);
  }
  return found;
}

// --- the searching proxies -------------------------------------------------------------------

// Records that lanes of a node have searched, and that the node has if all of its lanes have.
static void mark_done(const mo_pair_search *search, mo_bvh *bvh, uint32_t index, int lanes) {
  for (;;) {
    mo_bvh_node *node = &bvh->nodes[index];
    int done = mo_bvh_done_lanes(node, search->first) | lanes;
    node->searched = search->first << 4 | (uint32_t)done;
    for (int lane = 0; lane < 4; lane++) {
      done |= node->child[lane] == MO_BVH_EMPTY ? 1 << lane : 0;
    }
    if (done != 15 || node->parent == MO_BVH_NOWHERE) {
      return;
    }
    index = node->parent / 4;
    lanes = 1 << node->parent % 4;
  }
}

// Sets which of the searching proxies of a node may find each of its items: none itself, and two
// of them each other only once.
static void set_beside(searchers *group, const mo_bvh_node *node) {
  mo_i32x4 own = mo_i32x4_load(group->proxies);
  for (int lane = 0; lane < 4; lane++) {
    mo_i32x4 item = mo_i32x4_splat((int32_t)(node->child[lane] & ~MO_BVH_ITEM));
    bool searches = group->lanes >> lane & 1;
    group->beside[lane] = group->lanes & (searches ? mo_i32x4_bits(own < item) : 15);
  }
}

// Searches for the proxies of a node that moved.
static bool search_node(const mo_pair_search *search, uint32_t kind, uint32_t index) {
  mo_broad_phase *bp = search->bp;
  const mo_bvh_node *node = &bp->trees[kind].bvh.nodes[index];
  searchers group = {.lower = {mo_f32x4_load(node->lower[0]), mo_f32x4_load(node->lower[1]),
                               mo_f32x4_load(node->lower[2])},
                     .upper = {mo_f32x4_load(node->upper[0]), mo_f32x4_load(node->upper[1]),
                               mo_f32x4_load(node->upper[2])},
                     .kind = kind,
                     .node = index};
  for (int lane = 0; lane < 4; lane++) {
    uint32_t child = node->child[lane], proxy = child & ~MO_BVH_ITEM;
    if (child == MO_BVH_EMPTY || child == proxy || bp->places[proxy].moved == 0) {
      continue;
    }
    group.reach =
        group.lanes == 0 ? bp->boxes[proxy] : mo_aabb_union(&group.reach, &bp->boxes[proxy]);
    group.proxies[lane] = proxy;
    group.lanes |= 1 << lane;
  }
  group.is_alone = (group.lanes & (group.lanes - 1)) == 0;
  set_beside(&group, node);
  bool found = search_group(search, &group);
  mark_done(search, &bp->trees[kind].bvh, index, group.lanes);
  return found;
}

// Searches for the proxies in the move buffer that are in trees.
static bool search_by_nodes(const mo_pair_search *search) {
  mo_broad_phase *bp = search->bp;
  for (uint32_t i = 0; i < bp->moved_count; i++) {
    uint32_t proxy = bp->moved[i], kind = bp->proxies[proxy].kind, place = bp->leaves[proxy];
    if (kind == MO_TREE_SENSOR || mo_proxy_is_unbounded(bp, proxy)) {
      continue;
    }
    const mo_bvh_node *node = &bp->trees[kind].bvh.nodes[place / 4];
    if ((mo_bvh_done_lanes(node, search->first) >> place % 4 & 1) == 0 &&
        !search_node(search, kind, place / 4)) {
      return false;
    }
  }
  return true;
}

// Whether nearly all that can move has moved, and few of it are partners, each of which would be
// looked up.
static bool moves_as_a_whole(const mo_broad_phase *bp) {
  uint64_t count = (uint64_t)bp->trees[MO_TREE_DYNAMIC].members_count +
                   bp->trees[MO_TREE_KINEMATIC].members_count;
  return STILL_FRACTION * (count - bp->moved_count) <= count && bp->moved_count <= count &&
         bp->pairs.count <= bp->moved_count;
}

// Searches for all proxies in the move buffer. Returns false without memory.
static bool search_all(const mo_pair_search *search) {
  search->bp->found_count = 0;
  search->bp->found_in_all = 0;
  return mo_pair_search_unbounded(search) &&
         (moves_as_a_whole(search->bp) ? mo_pair_search_together(search)
                                       : search_by_nodes(search)) &&
         mo_pair_limit_apply(search);
}

// Makes sure that the numbers of the coming searches fit.
static void renumber(mo_broad_phase *bp) {
  if ((uint64_t)bp->search + bp->moved_count < (uint64_t)1 << SEARCH_BITS) {
    return;
  }
  bp->search = 0;
  for (uint32_t i = 0; i < bp->proxies_count; i++) {
    bp->known[i] = 0;
  }
  for (int kind = 0; kind < MO_TREE_COUNT; kind++) {
    for (uint32_t i = 0; i < bp->trees[kind].bvh.nodes_count; i++) {
      bp->trees[kind].bvh.nodes[i].searched = 0;
    }
  }
}

// --- interface -------------------------------------------------------------------------------

// Makes room for recording the pairs that enter the set and the proxies that leave the move buffer.
static bool reserve_changes(mo_broad_phase *bp) {
  uint64_t count = (uint64_t)bp->found_count + bp->moved_count;
  return !bp->keeps_changes ||
         (count <= UINT32_MAX && mo_broad_phase_reserve_changes(bp, (uint32_t)count));
}

static void write_down(mo_broad_phase *bp, int kind, uint32_t a, uint32_t b) {
  if (bp->keeps_changes) {
    mo_broad_phase_change *change = &bp->changes[bp->changes_count++]; // which needs no box
    change->kind = kind;
    change->a = a;
    change->b = b;
  }
}

// Proxies of pairs that were refused stay: the next search may have room for them.
static void empty_move_buffer(mo_broad_phase *bp) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < bp->moved_count; i++) {
    uint32_t proxy = bp->moved[i];
    if (mo_pair_limit_is_crowded(bp, proxy)) {
      bp->moved[kept++] = proxy;
      bp->places[proxy].moved = kept;
    } else {
      bp->places[proxy].moved = 0;
      write_down(bp, MO_MOVE_DONE, proxy, proxy);
    }
  }
  bp->moved_count = kept;
}

// Sorts the candidates by (a, b). Returns null without memory.
static const uint64_t *sort_found(mo_broad_phase *bp) {
  uint64_t *sorted = MO_ARENA_TAKE_RAW(&bp->work, uint64_t, bp->found_count);
  if (!sorted) {
    return NULL;
  }
  int bits = 1;
  while (bp->proxies_count >> bits > 0) {
    bits++;
  }
  uint64_t *by_b = mo_radix_sort(bp->found, sorted, bp->found_count, 0, bits);
  uint64_t *spare = by_b == bp->found ? sorted : bp->found;
  return mo_radix_sort(by_b, spare, bp->found_count, 32, bits);
}

static bool enter_pairs(mo_broad_phase *bp, const uint64_t *pairs) {
  if (!MO_ARENA_RESERVE(&bp->work, bp, new_pairs, bp->found_count)) {
    return false;
  }
  for (uint32_t i = 0; i < bp->found_count; i++) {
    mo_proxy_pair pair = {(uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]};
    if (!mo_pair_set_add(&bp->pairs, pair.a, pair.b)) {
      while (i-- > 0) {
        mo_pair_set_remove(&bp->pairs, bp->new_pairs[i].a, bp->new_pairs[i].b);
      }
      return false;
    }
    bp->new_pairs[i] = pair;
  }
  return true;
}

bool mo_broad_phase_find_new_pairs(mo_broad_phase *bp, const mo_pair_rules *rules) {
  if (!bp->keeps_changes) {
    mo_broad_phase_empty_work(bp); // changes would be lost
  }
  bp->new_pairs_count = bp->refused_count = 0;
  bp->spent = NULL;
  bp->refused_from = NULL;
  if (bp->moved_count == 0) {
    return true;
  }
  mo_broad_phase_update_trees(bp);
  renumber(bp);
  mo_pair_search search = {
      .bp = bp, .first = bp->search + 1, .rules = rules ? *rules : (mo_pair_rules){0}};
  if (!search_all(&search) || !reserve_changes(bp)) {
    return false;
  }
  if (bp->found_count > 0) {
    const uint64_t *pairs = sort_found(bp);
    if (!pairs || !enter_pairs(bp, pairs)) {
      return false;
    }
  }
  bp->new_pairs_count = bp->found_count;
  for (uint32_t i = 0; i < bp->new_pairs_count; i++) {
    write_down(bp, MO_PAIR_ENTERED, bp->new_pairs[i].a, bp->new_pairs[i].b);
  }
  empty_move_buffer(bp);
  return true;
}
