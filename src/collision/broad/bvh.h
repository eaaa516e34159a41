/// A tree of boxes, four to a node (bounding volume hierarchy).
///
/// It is built bottom-up from an order of the boxes' centres that a kd-tree gives: that takes two
/// to three times as long as one along a Morton curve, and searches then take two thirds. Between
/// builds boxes move in place, with the nodes above them made to fit again, and are put in and
/// taken out one by one; the owner builds anew when that has spoilt much of it.
///
/// Items are numbers of the owner, who keeps their boxes (finite ones) and, in an array that
/// several trees may share, where each item is: its leaf.
#pragma once

#include "collision/broad/aabb.h"

/// No child in this lane of a node. Its box is the wrong way round, so no finite box overlaps it.
#define MO_BVH_EMPTY UINT32_MAX
/// Set in a child that is an item, not a node.
#define MO_BVH_ITEM 0x80000000u
/// The leaf of an item that is in no tree, the parent of a root.
#define MO_BVH_NOWHERE UINT32_MAX
/// Levels of a tree at most.
#define MO_BVH_MAX_DEPTH 32
/// What a stack of children holds at most while a tree is searched, all children of a node being
/// put on it at once.
#define MO_BVH_STACK (3 * MO_BVH_MAX_DEPTH + 4)

/// The boxes of four children, side by side.
typedef struct mo_bvh_node {
  float lower[3][4], upper[3][4];
  uint32_t child[4]; ///< index of a node, MO_BVH_ITEM | item, or MO_BVH_EMPTY
  uint32_t parent;   ///< 4 * node + lane; MO_BVH_NOWHERE at the root
  float built_area;  ///< m^2: half the surface of the box around all when it was made
  uint32_t searched; ///< see bvh_search.h; 0 in a new node
  uint32_t unused;
} mo_bvh_node;

/// Begins as zeros.
typedef struct mo_bvh {
  mo_bvh_node *nodes;
  uint32_t nodes_count, nodes_capacity;
  uint32_t free_node;  ///< 1 + first of the nodes given back, linked by `parent`
  uint32_t root;       ///< if item_count > 0
  uint32_t item_count; ///< items in it
  uint32_t changes;    ///< items put in, taken out or moved since it was built or fitted
  uint32_t insertions; ///< items put in since it was built
} mo_bvh;

/// Makes room for a tree of `item_count` items, with some more for changes. False without memory.
bool mo_bvh_reserve(mo_bvh *bvh, uint32_t item_count);
void mo_bvh_free(mo_bvh *bvh);

/// An item while its tree is built.
typedef struct mo_bvh_point {
  float half_centre[3]; ///< half the centre of its box, m
  uint32_t item;
} mo_bvh_point;

/// What a build needs room for.
typedef struct mo_bvh_workspace {
  mo_bvh_point *points, *spare; ///< `count` each
  mo_aabb *level;               ///< (count + 3) / 4
} mo_bvh_workspace;

/// Builds the tree of the items of the first `count` of workspace->points, for which mo_bvh_reserve
/// made room. What was in the tree before is forgotten; the leaves of the items are set.
void mo_bvh_build(mo_bvh *bvh, const mo_bvh_workspace *workspace, uint32_t count,
                  const mo_aabb *boxes, uint32_t *leaves);
/// Gives all nodes of a tree with items the boxes that these have now. How much larger
/// they are than when they were made, as a factor: the mean over all nodes, so that a few bodies
/// that fly off do not hide what happens to the others.
float mo_bvh_fit(mo_bvh *bvh, const mo_aabb *boxes);
/// Puts in an item that is not in the tree. False if the tree has no room or is too deep: it has to
/// be built anew.
bool mo_bvh_insert(mo_bvh *bvh, uint32_t item, const mo_aabb *boxes, uint32_t *leaves);
/// Takes out an item that is in the tree.
void mo_bvh_remove(mo_bvh *bvh, uint32_t item, uint32_t *leaves);
/// The box of an item in the tree changed. False as with mo_bvh_insert; the item is in the tree no
/// more then.
bool mo_bvh_move(mo_bvh *bvh, uint32_t item, const mo_aabb *boxes, uint32_t *leaves);

// --- for bvh.c and bvh_build.c ---------------------------------------------------------------

/// The box around all children.
static inline mo_aabb mo_bvh_node_box(const mo_bvh_node *node) {
  mo_f32x4 a = mo_f32x4_load(node->lower[0]), b = mo_f32x4_load(node->lower[1]),
           c = mo_f32x4_load(node->lower[2]), d = mo_f32x4_zero();
  mo_f32x4_transpose(&a, &b, &c, &d);
  mo_aabb box;
  mo_f32x4_store(box.lower, mo_f32x4_min(mo_f32x4_min(a, b), mo_f32x4_min(c, d)));
  a = mo_f32x4_load(node->upper[0]), b = mo_f32x4_load(node->upper[1]);
  c = mo_f32x4_load(node->upper[2]), d = mo_f32x4_zero();
  mo_f32x4_transpose(&a, &b, &c, &d);
  mo_f32x4_store(box.upper, mo_f32x4_max(mo_f32x4_max(a, b), mo_f32x4_max(c, d)));
  return box;
}

static inline void mo_bvh_set_box(mo_bvh_node *node, int lane, const mo_aabb *box) {
  for (int axis = 0; axis < 3; axis++) {
    node->lower[axis][lane] = box->lower[axis];
    node->upper[axis][lane] = box->upper[axis];
  }
}

/// Half the surface of a box, m^2: about how likely a search meets it.
static inline float mo_bvh_half_area(const mo_aabb *box) {
  float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1],
        z = box->upper[2] - box->lower[2];
  return x * y + y * z + z * x;
}

/// A node with four empty lanes.
static inline void mo_bvh_clear_node(mo_bvh_node *node) {
  for (int axis = 0; axis < 3; axis++) {
    mo_f32x4_store(node->lower[axis], mo_f32x4_splat(INFINITY));
    mo_f32x4_store(node->upper[axis], mo_f32x4_splat(-INFINITY));
  }
  memset(node->child, 0xFF, sizeof node->child);
  node->parent = MO_BVH_NOWHERE;
  node->built_area = 0.0f;
  node->searched = 0;
  node->unused = 0;
}
