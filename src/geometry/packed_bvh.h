/// A tree of boxes that never changes, eight to a node, for a million items: in a large tree a
/// search waits for memory more than it computes, so that a node is one line of the cache.
///
/// The boxes of a node's children are in steps from its lower corner, 255 of them along each axis,
/// rounded outwards (Ylitie, Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through
/// Compressed Wide BVHs, 2017). Children are not listed: they follow each other, as the items
/// follow each other in the order of mo_bvh_sort. The tree knows the items by their places in that
/// order, and searches find a few whose boxes are just outside of what is sought.
#pragma once

#include "geometry/bvh.h"

#include <assert.h>

/// Children of a node.
#define MO_PACKED_LANES 8
/// The most levels of a tree: 8^10 items are more than there are numbers for.
#define MO_PACKED_LEVELS 10
/// The most entries of the stack of a search, which gets all children of a node at once.
#define MO_PACKED_STACK ((MO_PACKED_LANES - 1) * MO_PACKED_LEVELS + 1)

typedef struct mo_packed_node {
  float origin[3];         ///< m: the lower corner of the box around all children
  uint8_t exponents[3];    ///< of the steps along each axis, as the bits of a float have them
  uint8_t level_and_lanes; ///< 8 * the level, 0 for the lowest, + the number of children - 1
  uint8_t lower[3][MO_PACKED_LANES], upper[3][MO_PACKED_LANES]; ///< steps
} mo_packed_node;

static_assert(sizeof(mo_packed_node) == 64, "a node is a line of the cache");

/// Begins as zeros.
typedef struct mo_packed_bvh {
  mo_packed_node *nodes; ///< the lowest level first; the root is the last
  uint32_t node_count;   ///< 0: there are no items
  /// Per level: the first child of node n is 8 n minus this, a node, or MO_BVH_ITEM | a place.
  uint32_t offsets[MO_PACKED_LEVELS];
} mo_packed_bvh;

/// Builds the tree of `count` boxes, at least one, those of the items of `order` one after the
/// other, and all finite.
/// @param level room for (count + 7) / 8 boxes
/// @return false without memory
bool mo_packed_bvh_build(mo_packed_bvh *bvh, const mo_bvh_point *order, uint32_t count,
                         const mo_aabb *boxes, mo_aabb *level);
void mo_packed_bvh_free(mo_packed_bvh *bvh);

/// m: the length of a step along an axis.
static inline float mo_packed_step(const mo_packed_node *node, int axis) {
  uint32_t bits = (uint32_t)node->exponents[axis] << 23;
  float step;
  memcpy(&step, &bits, sizeof step);
  return step;
}
/// The same along all axes, with a lane per axis; lane 3 is any finite number.
static inline mo_f32x4 mo_packed_steps(const mo_packed_node *node) {
  return (mo_f32x4)(mo_i32x4_load_bytes(node->exponents) << 23);
}
/// Their inverses. The exponents of both are those of normal floats.
static inline mo_f32x4 mo_packed_steps_per_metre(const mo_packed_node *node) {
  return (mo_f32x4)((mo_i32x4_splat(254) - mo_i32x4_load_bytes(node->exponents)) << 23);
}
/// The children of a node, as bits.
static inline int mo_packed_lanes(const mo_packed_node *node) {
  return (2 << (node->level_and_lanes & 7)) - 1;
}
/// The first child of a node; the others are the numbers after it.
static inline uint32_t mo_packed_first_child(const mo_packed_bvh *bvh, uint32_t node) {
  uint32_t level = bvh->nodes[node].level_and_lanes >> 3;
  return MO_PACKED_LANES * node - bvh->offsets[level];
}
