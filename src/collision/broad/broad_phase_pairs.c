/// The search for new pairs.
///
/// Proxies of one leaf node lie close together and mostly move together. So the tree is searched
/// once for all of them, with the box around them, and each item found is tested against the four
/// boxes at once. A pair of two moved proxies is found by the one that searches first: nodes record
/// which of their lanes have searched, and later searches skip those.
#include "collision/broad/broad_phase.h"
#include "geometry/bvh_search.h"
#include "memory/array.h"
#include "memory/radix_sort.h"

// `known` of a proxy holds the number of a search and four bits for the searchers that have it as a
// partner. `searched` of a node holds the number of the first search and four bits for the lanes
// that have searched.
#define SEARCH_BITS 28

// Up to four proxies of one kind, in lanes.
typedef struct searchers {
  mo_vec3x4 lower, upper;
  mo_aabb reach; // around the searching proxies
  uint32_t proxies[4];
  int lanes;     // the searching ones, as bits
  int beside[4]; // per lane of their node: those that may find what is in it
  bool is_alone; // only one searches
  uint32_t kind;
  uint32_t node; // MO_BVH_NOWHERE for one with an infinite box
} searchers;

typedef struct pair_search {
  mo_broad_phase *bp;
  uint32_t first; // number of the first search of the present move buffer
  mo_may_pair_function *may_pair;
  void *user;
} pair_search;

// --- candidates ------------------------------------------------------------------------------

static bool add_found(mo_broad_phase *bp, uint32_t a, uint32_t b) {
  if (bp->found_count == bp->found_capacity &&
      (bp->found_count == UINT32_MAX ||
       !MO_ARENA_RESERVE(&bp->work, bp, found, bp->found_count + 1))) {
    return false;
  }
  bp->found[bp->found_count++] = (uint64_t)a << 32 | b;
  return true;
}

// Two that search at once would find each other twice. Those of one node know it (set_beside).
static bool is_found_by_other(const pair_search *search, const searchers *group, uint32_t own,
                              uint32_t other) {
  const mo_broad_phase *bp = search->bp;
  bool at_once = group->node == MO_BVH_NOWHERE && bp->leaves[other] >= MO_BVH_ITEM;
  return at_once && other < own && bp->places[other].moved > 0;
}

// Considers a candidate whose box overlaps those of `lanes`, which do not have it as a partner.
static bool consider(const pair_search *search, const searchers *group, int lanes, uint32_t other) {
  mo_broad_phase *bp = search->bp;
  const mo_proxy *other_proxy = &bp->proxies[other];
  for (; lanes != 0; lanes &= lanes - 1) {
    uint32_t own = group->proxies[__builtin_ctz((unsigned)lanes)];
    const mo_proxy *own_proxy = &bp->proxies[own];
    if (own_proxy->slot == other_proxy->slot || // which includes the proxy itself
        !mo_filters_meet(own_proxy->filter, other_proxy->filter) ||
        is_found_by_other(search, group, own, other)) {
      continue;
    }
    uint32_t a = own < other ? own : other, b = own < other ? other : own;
    if (search->may_pair && !search->may_pair(search->user, &bp->proxies[a], &bp->proxies[b])) {
      continue;
    }
    if (!add_found(bp, a, b)) {
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

static bool test_candidate(const pair_search *search, const searchers *group, int searching,
                           uint32_t other, mo_vec3x4 lower, mo_vec3x4 upper) {
  mo_i32x4 overlap = (group->lower.x <= upper.x) & (lower.x <= group->upper.x) &
                     (group->lower.y <= upper.y) & (lower.y <= group->upper.y) &
                     (group->lower.z <= upper.z) & (lower.z <= group->upper.z);
  int lanes = without_known(search->bp, mo_i32x4_bits(overlap) & searching, other);
  return lanes == 0 || consider(search, group, lanes, other);
}

// --- a search --------------------------------------------------------------------------------

static mo_vec3x4 splat(const float corner[4]) {
  return (mo_vec3x4){mo_f32x4_splat(corner[0]), mo_f32x4_splat(corner[1]),
                     mo_f32x4_splat(corner[2])};
}

// Tests an item whose box overlaps the reach of some of the searchers.
static inline bool test_place(const pair_search *search, const searchers *group, int searching,
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

static bool search_bvh(const pair_search *search, const searchers *group, const mo_bvh *bvh) {
  bool is_own = bvh == &search->bp->trees[group->kind].bvh;
  uint32_t own = is_own ? group->node : MO_BVH_NOWHERE;
  // The searches of the others skip those with infinite boxes.
  uint32_t done_number = group->node == MO_BVH_NOWHERE ? MO_BVH_ALL : search->first;
  mo_bvh_search walk;
  uint32_t places[MO_BVH_BATCH], count;
  mo_bvh_search_begin(&walk, bvh, &group->reach, done_number);
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

static bool search_tree(const pair_search *search, const searchers *group,
                        const mo_proxy_tree *tree) {
  const mo_broad_phase *bp = search->bp;
  for (uint32_t i = 0; i < tree->unbounded_count; i++) {
    uint32_t other = tree->unbounded[i];
    const mo_aabb *box = &bp->boxes[other];
    bool searches_itself = group->node != MO_BVH_NOWHERE && bp->places[other].moved > 0;
    if (!searches_itself &&
        !test_candidate(search, group, group->lanes, other, splat(box->lower), splat(box->upper))) {
      return false;
    }
  }
  return search_bvh(search, group, &tree->bvh);
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

static bool search_group(const pair_search *search, const searchers *group) {
  mo_broad_phase *bp = search->bp;
  mark_known(bp, group);
  if (group->kind != MO_TREE_DYNAMIC) {
    return search_tree(search, group, &bp->trees[MO_TREE_DYNAMIC]);
  }
  bool found = true;
  for (int kind = 0; found && kind < MO_TREE_SENSOR; kind++) {
    const mo_proxy_tree *tree = &bp->trees[kind];
    found = tree->members_count == 0 || search_tree(search, group, tree);
  }
  return found;
}

// --- the searching proxies -------------------------------------------------------------------

static bool search_unbounded(const pair_search *search, uint32_t proxy) {
  const mo_aabb *box = &search->bp->boxes[proxy];
  searchers group = {.lower = splat(box->lower),
                     .upper = splat(box->upper),
                     .reach = *box,
                     .proxies = {proxy},
                     .lanes = 1,
                     .is_alone = true,
                     .node = MO_BVH_NOWHERE,
                     .kind = search->bp->proxies[proxy].kind};
  return search_group(search, &group);
}

// Records that lanes of a node have searched, and that the node has if all of its lanes have.
static void mark_done(const pair_search *search, mo_bvh *bvh, uint32_t index, int lanes) {
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
static bool search_node(const pair_search *search, uint32_t kind, uint32_t index) {
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

// Searches for all proxies in the move buffer. Returns false without memory.
static bool search_all(const pair_search *search) {
  mo_broad_phase *bp = search->bp;
  bp->found_count = 0;
  for (uint32_t i = 0; i < bp->moved_count; i++) {
    uint32_t proxy = bp->moved[i], kind = bp->proxies[proxy].kind, place = bp->leaves[proxy];
    if (kind == MO_TREE_SENSOR) {
      continue;
    }
    if (place >= MO_BVH_ITEM) {
      if (!search_unbounded(search, proxy)) {
        return false;
      }
    } else if ((mo_bvh_done_lanes(&bp->trees[kind].bvh.nodes[place / 4], search->first) >>
                    place % 4 &
                1) == 0 &&
               !search_node(search, kind, place / 4)) {
      return false;
    }
  }
  return true;
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
    bp->changes[bp->changes_count++] = (mo_broad_phase_change){.kind = kind, .a = a, .b = b};
  }
}

static void empty_move_buffer(mo_broad_phase *bp) {
  for (uint32_t i = 0; i < bp->moved_count; i++) {
    bp->places[bp->moved[i]].moved = 0;
    write_down(bp, MO_MOVE_DONE, bp->moved[i], bp->moved[i]);
  }
  bp->moved_count = 0;
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

bool mo_broad_phase_find_new_pairs(mo_broad_phase *bp, mo_may_pair_function *may_pair, void *user) {
  if (!bp->keeps_changes) {
    mo_broad_phase_empty_work(bp); // changes would be lost
  }
  bp->new_pairs_count = 0;
  if (bp->moved_count == 0) {
    return true;
  }
  mo_broad_phase_update_trees(bp);
  renumber(bp);
  pair_search search = {.bp = bp, .first = bp->search + 1, .may_pair = may_pair, .user = user};
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
