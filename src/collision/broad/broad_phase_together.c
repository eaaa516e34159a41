/// The search for new pairs of two whole trees, or of one with itself.
///
/// They are gone through together from their roots: two nodes lead to those of their children whose
/// boxes overlap. So proxies that lie close together share the way down to them.
#include "collision/broad/broad_phase_search.h"

// The boxes of a node.
typedef struct boxes {
  mo_vec3x4 lower, upper;
} boxes;

static inline boxes boxes_of(const mo_bvh_node *node) {
  return (boxes){
      {mo_f32x4_load(node->lower[0]), mo_f32x4_load(node->lower[1]), mo_f32x4_load(node->lower[2])},
      {mo_f32x4_load(node->upper[0]), mo_f32x4_load(node->upper[1]),
       mo_f32x4_load(node->upper[2])}};
}

// The lanes whose boxes overlap the box of a lane of a node. Those of empty lanes overlap nothing.
static inline int overlapping(const mo_bvh_node *node, int lane, const boxes *of) {
  mo_i32x4 overlap = (mo_f32x4_splat(node->lower[0][lane]) <= of->upper.x) &
                     (of->lower.x <= mo_f32x4_splat(node->upper[0][lane])) &
                     (mo_f32x4_splat(node->lower[1][lane]) <= of->upper.y) &
                     (of->lower.y <= mo_f32x4_splat(node->upper[1][lane])) &
                     (mo_f32x4_splat(node->lower[2][lane]) <= of->upper.z) &
                     (of->lower.z <= mo_f32x4_splat(node->upper[2][lane]));
  return mo_i32x4_bits(overlap);
}

static inline bool is_item(uint32_t child) { return (child & MO_BVH_ITEM) != 0; }

// Two nodes, of one tree or of two, and the nodes of their trees.
typedef struct meeting {
  const mo_bvh_node *tree, *node, *other_tree, *other;
} meeting;

static bool meet(const mo_pair_search *search, const meeting *m, int lanes);

static bool meet_items(const mo_pair_search *search, uint32_t one, uint32_t other) {
  const mo_broad_phase *bp = search->bp;
  return (bp->places[one].moved == 0 && bp->places[other].moved == 0) ||
         mo_pair_set_has(&bp->pairs, one, other) || mo_pair_search_consider(search, one, other);
}

// Goes on below two nodes, which may be far apart for some of the children of the first.
static bool meet_below(const mo_pair_search *search, const meeting *m, int other_lane,
                       const meeting *below) {
  boxes of = boxes_of(below->node);
  int lanes = overlapping(m->other, other_lane, &of);
  return lanes == 0 || meet(search, below, lanes);
}

// Goes on below lanes of two nodes whose boxes overlap.
static inline bool meet_lane(const mo_pair_search *search, const meeting *m, int lane,
                             int other_lane) {
  uint32_t child = m->node->child[lane], other = m->other->child[other_lane];
  if (is_item(child) && is_item(other)) {
    return meet_items(search, child & ~MO_BVH_ITEM, other & ~MO_BVH_ITEM);
  }
  if (is_item(child)) {
    meeting below = {m->tree, m->node, m->other_tree, &m->other_tree[other]};
    return meet(search, &below, 1 << lane);
  }
  if (is_item(other)) {
    meeting below = {m->other_tree, m->other, m->tree, &m->tree[child]};
    return meet(search, &below, 1 << other_lane);
  }
  meeting below = {m->tree, &m->tree[child], m->other_tree, &m->other_tree[other]};
  return meet_below(search, m, other_lane, &below);
}

static inline bool meet_lanes(const mo_pair_search *search, const meeting *m, int lane,
                              int others) {
  for (; others != 0; others &= others - 1) {
    if (!meet_lane(search, m, lane, __builtin_ctz((unsigned)others))) {
      return false;
    }
  }
  return true;
}

// Looks for pairs between lanes of a node and all of the other one.
static bool meet(const mo_pair_search *search, const meeting *m, int lanes) {
  boxes others = boxes_of(m->other);
  for (; lanes != 0; lanes &= lanes - 1) {
    int lane = __builtin_ctz((unsigned)lanes);
    if (!meet_lanes(search, m, lane, overlapping(m->node, lane, &others))) {
      return false;
    }
  }
  return true;
}

// Looks for pairs among all that is below a node.
static bool meet_itself(const mo_pair_search *search, const mo_bvh_node *tree,
                        const mo_bvh_node *node) {
  meeting m = {tree, node, tree, node};
  boxes all = boxes_of(node);
  for (int lane = 0; lane < 4; lane++) {
    uint32_t child = node->child[lane];
    int later = overlapping(node, lane, &all) & 14 << lane;
    if (!meet_lanes(search, &m, lane, later) ||
        (!is_item(child) && !meet_itself(search, tree, &tree[child]))) {
      return false;
    }
  }
  return true;
}

static bool meet_tree(const mo_pair_search *search, const mo_bvh *a, const mo_bvh *b) {
  if (a->item_count == 0 || b->item_count == 0) {
    return true;
  }
  meeting m = {a->nodes, &a->nodes[a->root], b->nodes, &b->nodes[b->root]};
  return meet(search, &m, 15);
}

bool mo_pair_search_together(const mo_pair_search *search) {
  const mo_proxy_tree *trees = search->bp->trees;
  const mo_bvh *dynamic = &trees[MO_TREE_DYNAMIC].bvh;
  return meet_tree(search, &trees[MO_TREE_STATIC].bvh, dynamic) &&
         meet_tree(search, &trees[MO_TREE_KINEMATIC].bvh, dynamic) &&
         (dynamic->item_count == 0 ||
          meet_itself(search, dynamic->nodes, &dynamic->nodes[dynamic->root]));
}
