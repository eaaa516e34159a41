/// A tree of boxes, four to a node (bounding volume hierarchy).
///
/// It is built bottom-up from an order of the boxes' centres given by a kd-tree. That takes two to
/// three times as long as an order along a Morton curve, but searches then take only two thirds of
/// the time. Between builds, boxes move in place and the nodes above them are fitted, and items are
/// inserted and removed one by one. The owner rebuilds the tree when such changes have made it much
/// worse.
///
/// Items are numbers of the owner, who keeps their boxes (finite ones). In an array that several
/// trees may share, the owner also keeps the position of each item, its leaf.
#pragma once

#include "geometry/aabb.h"

/// No child in this lane of a node. Its box is inverted, so no finite box overlaps it.
#define MO_BVH_EMPTY UINT32_MAX
/// Set in a child that is an item, not a node.
#define MO_BVH_ITEM 0x80000000u
/// The leaf of an item that is in no tree, the parent of a root.
#define MO_BVH_NOWHERE UINT32_MAX
/// The most levels of a tree.
#define MO_BVH_MAX_DEPTH 32
/// The most entries of the stack of a search, which gets all children of a node at once.
#define MO_BVH_STACK (3 * MO_BVH_MAX_DEPTH + 4)

/// The boxes of four children, side by side.
typedef struct mo_bvh_node {
  float lower[3][4], upper[3][4];
  uint32_t child[4]; ///< index of a node, MO_BVH_ITEM | item, or MO_BVH_EMPTY
  uint32_t parent;   ///< 4 * node + lane; MO_BVH_NOWHERE at the root
  float built_area;  ///< m^2: half the surface of the box around all of them when it was made
  uint32_t searched; ///< see bvh_search.h; 0 in a new node
  uint32_t unused;
} mo_bvh_node;

/// Begins as zeros.
typedef struct mo_bvh {
  mo_bvh_node *nodes;
  uint32_t nodes_count, nodes_capacity;
  uint32_t free_node;  ///< 1 + first of the freed nodes, linked by `parent`
  uint32_t root;       ///< valid if item_count > 0
  uint32_t item_count; ///< items in it
  uint32_t changes;    ///< items inserted, removed or moved since it was built or fitted
  uint32_t insertions; ///< items inserted since it was built
} mo_bvh;

/// Makes room for a tree of `item_count` items, with some more for changes. False without memory.
bool mo_bvh_reserve(mo_bvh *bvh, uint32_t item_count);
void mo_bvh_free(mo_bvh *bvh);

/// An item while its tree is built.
typedef struct mo_bvh_point {
  float half_centre[3]; ///< half the centre of its box, m
  uint32_t item;
} mo_bvh_point;

/// The memory for a build.
typedef struct mo_bvh_workspace {
  mo_bvh_point *points, *spare; ///< `count` each
  mo_aabb *level;               ///< (count + 3) / 4
} mo_bvh_workspace;

/// Sorts the first `count` of workspace->points by the boxes of their items, so that runs of 4, 16,
/// 64 ... from the first on are compact.
void mo_bvh_sort(const mo_bvh_workspace *workspace, uint32_t count, const mo_aabb *boxes);
/// Builds the tree of the items of the first `count` of workspace->points, for which mo_bvh_reserve
/// made room. The former contents are discarded; the leaves of the items are set.
void mo_bvh_build(mo_bvh *bvh, const mo_bvh_workspace *workspace, uint32_t count,
                  const mo_aabb *boxes, uint32_t *leaves);
/// Fits all nodes of a tree with items to the present boxes. Returns the factor by which they are
/// larger than when they were made: the mean over all nodes, so that a few bodies that fly off do
/// not dominate.
float mo_bvh_fit(mo_bvh *bvh, const mo_aabb *boxes);
/// Inserts an item that is not in the tree. Returns false if the tree has no room or is too deep:
/// it must be rebuilt.
bool mo_bvh_insert(mo_bvh *bvh, uint32_t item, const mo_aabb *boxes, uint32_t *leaves);
/// Removes an item that is in the tree.
void mo_bvh_remove(mo_bvh *bvh, uint32_t item, uint32_t *leaves);
/// Updates the box of an item in the tree. Returns false like mo_bvh_insert; the item has then left
/// the tree.
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

/// Half the surface of a box, m^2, which is about proportional to the probability that a search
/// meets it.
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
