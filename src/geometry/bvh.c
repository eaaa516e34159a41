#include "geometry/bvh.h"

#include "memory/allocator.h"
#include "memory/array.h"

// An item is inserted again if its move makes its node this many times as large as when it was
// made.
#define MISPLACED_GROWTH 2.0f

// --- nodes -----------------------------------------------------------------------------------

bool mo_bvh_reserve(mo_bvh *bvh, uint32_t item_count) {
  // A tree of full nodes has a third of item_count plus one per level, and no tree that was just
  // built has more nodes than items. The rest is for items that are inserted later.
  uint32_t levels = item_count < MO_BVH_MAX_DEPTH ? item_count : MO_BVH_MAX_DEPTH;
  uint64_t needed = (uint64_t)item_count / 2 + item_count / 8 + levels;
  return needed < MO_BVH_ITEM / 4 && MO_RESERVE(bvh, nodes, (uint32_t)needed);
}

void mo_bvh_free(mo_bvh *bvh) {
  mo_release(bvh->nodes);
  *bvh = (mo_bvh){0};
}

// A node with four empty lanes, or MO_BVH_NOWHERE without room.
static uint32_t take_node(mo_bvh *bvh) {
  uint32_t node = bvh->nodes_count;
  if (bvh->free_node > 0) {
    node = bvh->free_node - 1;
    bvh->free_node = bvh->nodes[node].parent;
  } else if (node == bvh->nodes_capacity) {
    return MO_BVH_NOWHERE;
  } else {
    bvh->nodes_count++;
  }
  mo_bvh_clear_node(&bvh->nodes[node]);
  return node;
}

static void give_back_node(mo_bvh *bvh, uint32_t node) {
  mo_bvh_clear_node(&bvh->nodes[node]);
  bvh->nodes[node].parent = bvh->free_node;
  bvh->free_node = node + 1;
}

static void set_box(mo_bvh *bvh, uint32_t place, const mo_aabb *box) {
  mo_bvh_set_box(&bvh->nodes[place / 4], (int)(place % 4), box);
}

static mo_aabb get_box(const mo_bvh *bvh, uint32_t place) {
  const mo_bvh_node *node = &bvh->nodes[place / 4];
  uint32_t lane = place % 4;
  return (mo_aabb){.lower = {node->lower[0][lane], node->lower[1][lane], node->lower[2][lane]},
                   .upper = {node->upper[0][lane], node->upper[1][lane], node->upper[2][lane]}};
}

static void set_item(mo_bvh *bvh, uint32_t place, uint32_t item, const mo_aabb *boxes,
                     uint32_t *leaves) {
  bvh->nodes[place / 4].child[place % 4] = MO_BVH_ITEM | item;
  set_box(bvh, place, &boxes[item]);
  leaves[item] = place;
}

// Fits the boxes of all nodes above `node`, as far as they change.
static void fit_above(mo_bvh *bvh, uint32_t node) {
  for (uint32_t place; (place = bvh->nodes[node].parent) != MO_BVH_NOWHERE; node = place / 4) {
    mo_aabb box = mo_bvh_node_box(&bvh->nodes[node]), old = get_box(bvh, place);
    if (mo_aabb_contains(&box, &old) && mo_aabb_contains(&old, &box)) {
      return;
    }
    set_box(bvh, place, &box);
  }
}

// --- insertion -------------------------------------------------------------------------------

// The growth of each child's half area when it takes in a box.
static mo_f32x4 growths(const mo_bvh_node *node, const mo_aabb *box) {
  mo_f32x4 old[3], grown[3];
  for (int axis = 0; axis < 3; axis++) {
    mo_f32x4 lower = mo_f32x4_load(node->lower[axis]), upper = mo_f32x4_load(node->upper[axis]);
    old[axis] = upper - lower;
    grown[axis] = mo_f32x4_max(upper, mo_f32x4_splat(box->upper[axis])) -
                  mo_f32x4_min(lower, mo_f32x4_splat(box->lower[axis]));
  }
  return (grown[0] * grown[1] + grown[1] * grown[2] + grown[2] * grown[0]) -
         (old[0] * old[1] + old[1] * old[2] + old[2] * old[0]);
}

// Finds the child that grows least, and a free lane; -1 for none.
static void choose_lane(const mo_bvh_node *node, const mo_aabb *box, int *best, int *free,
                        float *best_growth) {
  float growth[4];
  mo_f32x4_store(growth, growths(node, box));
  *best = *free = -1;
  *best_growth = 0.0f;
  for (int lane = 3; lane >= 0; lane--) {
    if (node->child[lane] == MO_BVH_EMPTY) {
      *free = lane;
    } else if (*best < 0 || growth[lane] < *best_growth) {
      *best = lane;
      *best_growth = growth[lane];
    }
  }
}

// Moves the item of a lane and a new one into a new node. Returns false without room.
static bool split_leaf(mo_bvh *bvh, uint32_t place, uint32_t item, const mo_aabb *boxes,
                       uint32_t *leaves) {
  uint32_t node = take_node(bvh);
  if (node == MO_BVH_NOWHERE) {
    return false;
  }
  uint32_t other = bvh->nodes[place / 4].child[place % 4] & ~MO_BVH_ITEM;
  bvh->nodes[place / 4].child[place % 4] = node;
  bvh->nodes[node].parent = place;
  // The other item may have a newer box than the tree: its lane has the one in the tree.
  mo_aabb other_box = get_box(bvh, place);
  set_item(bvh, 4 * node, other, boxes, leaves);
  set_box(bvh, 4 * node, &other_box);
  set_item(bvh, 4 * node + 1, item, boxes, leaves);
  mo_aabb box = mo_bvh_node_box(&bvh->nodes[node]);
  bvh->nodes[node].built_area = mo_bvh_half_area(&box);
  fit_above(bvh, node);
  return true;
}

bool mo_bvh_insert(mo_bvh *bvh, uint32_t item, const mo_aabb *boxes, uint32_t *leaves) {
  bvh->changes++;
  bvh->insertions++;
  if (bvh->item_count == 0 && (bvh->root = take_node(bvh)) == MO_BVH_NOWHERE) {
    return false;
  }
  const mo_aabb *box = &boxes[item];
  uint32_t node = bvh->root;
  for (int depth = 2; depth <= MO_BVH_MAX_DEPTH; depth++) {
    int best, free;
    float growth;
    choose_lane(&bvh->nodes[node], box, &best, &free, &growth);
    uint32_t child = best >= 0 ? bvh->nodes[node].child[best] : MO_BVH_EMPTY;
    if (free >= 0 && ((child & MO_BVH_ITEM) != 0 || growth > mo_bvh_half_area(box))) {
      set_item(bvh, 4 * node + (uint32_t)free, item, boxes, leaves);
      mo_aabb grown = mo_bvh_node_box(&bvh->nodes[node]);
      bvh->nodes[node].built_area = mo_bvh_half_area(&grown);
      fit_above(bvh, node);
      bvh->item_count++;
      return true;
    }
    if ((child & MO_BVH_ITEM) != 0) {
      bool is_in = split_leaf(bvh, 4 * node + (uint32_t)best, item, boxes, leaves);
      bvh->item_count += is_in;
      return is_in;
    }
    node = child;
  }
  return false;
}

// --- removal and moves -----------------------------------------------------------------------

void mo_bvh_remove(mo_bvh *bvh, uint32_t item, uint32_t *leaves) {
  uint32_t place = leaves[item];
  leaves[item] = MO_BVH_NOWHERE;
  bvh->changes++;
  bvh->item_count--;
  const mo_aabb nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (;;) {
    mo_bvh_node *node = &bvh->nodes[place / 4];
    node->child[place % 4] = MO_BVH_EMPTY;
    set_box(bvh, place, &nothing);
    bool is_empty =
        (node->child[0] & node->child[1] & node->child[2] & node->child[3]) == MO_BVH_EMPTY;
    if (!is_empty) {
      fit_above(bvh, place / 4);
      return;
    }
    uint32_t above = node->parent;
    give_back_node(bvh, place / 4);
    if (above == MO_BVH_NOWHERE) {
      return;
    }
    place = above;
  }
}

bool mo_bvh_move(mo_bvh *bvh, uint32_t item, const mo_aabb *boxes, uint32_t *leaves) {
  uint32_t place = leaves[item];
  const mo_bvh_node *node = &bvh->nodes[place / 4];
  mo_aabb grown = mo_bvh_node_box(node);
  grown = mo_aabb_union(&grown, &boxes[item]);
  if (node->parent != MO_BVH_NOWHERE &&
      mo_bvh_half_area(&grown) > MISPLACED_GROWTH * node->built_area) {
    mo_bvh_remove(bvh, item, leaves);
    return mo_bvh_insert(bvh, item, boxes, leaves);
  }
  bvh->changes++;
  set_box(bvh, place, &boxes[item]);
  fit_above(bvh, place / 4);
  return true;
}
