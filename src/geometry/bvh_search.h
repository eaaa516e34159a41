/// The search of a tree for the items whose boxes overlap a box.
///
/// Items come in batches, so that neither the traversal nor the work on the items has branches that
/// a processor cannot predict.
#pragma once

#include "geometry/bvh.h"

/// The most items of a batch.
#define MO_BVH_BATCH 64
/// For mo_bvh_search_begin: nothing is skipped.
#define MO_BVH_ALL UINT32_MAX

typedef struct mo_bvh_search {
  const mo_bvh_node *nodes;
  mo_vec3x4 lower, upper; ///< the box, in all lanes
  uint32_t done_number;
  uint32_t depth;
  uint32_t stack[MO_BVH_STACK];
} mo_bvh_search;

/// Lanes of a node that are marked under a number: mo_bvh_node.searched holds the number times 16
/// and the lanes as bits.
static inline int mo_bvh_done_lanes(const mo_bvh_node *node, uint32_t number) {
  return node->searched >> 4 == number ? (int)(node->searched & 15u) : 0;
}

/// Starts a search with a box, which may be infinite. Lanes that are marked under `done_number` are
/// skipped.
static inline void mo_bvh_search_begin(mo_bvh_search *search, const mo_bvh *bvh, const mo_aabb *box,
                                       uint32_t done_number) {
  // Boxes in a tree are finite, and those of empty lanes are not.
  mo_f32x4 limit = mo_f32x4_splat(FLT_MAX);
  mo_f32x4 lower = mo_f32x4_clamp(mo_f32x4_load(box->lower), -limit, limit);
  mo_f32x4 upper = mo_f32x4_clamp(mo_f32x4_load(box->upper), -limit, limit);
  search->nodes = bvh->nodes;
  search->lower =
      (mo_vec3x4){mo_f32x4_splat(lower[0]), mo_f32x4_splat(lower[1]), mo_f32x4_splat(lower[2])};
  search->upper =
      (mo_vec3x4){mo_f32x4_splat(upper[0]), mo_f32x4_splat(upper[1]), mo_f32x4_splat(upper[2])};
  search->done_number = done_number;
  search->depth = bvh->item_count > 0;
  search->stack[0] = bvh->root;
}

/// The positions of the next items, 4 * node + lane. Returns their number, 0 at the end.
static inline uint32_t mo_bvh_search_next(mo_bvh_search *search, uint32_t places[MO_BVH_BATCH]) {
  const mo_vec3x4 lower = search->lower, upper = search->upper;
  const mo_bvh_node *nodes = search->nodes;
  uint32_t *stack = search->stack;
  uint32_t depth = search->depth, count = 0;
  while (depth > 0 && count <= MO_BVH_BATCH - 4) {
    uint32_t index = stack[--depth];
    const mo_bvh_node *node = &nodes[index];
    mo_i32x4 overlap =
        (mo_f32x4_load(node->lower[0]) <= upper.x) & (lower.x <= mo_f32x4_load(node->upper[0])) &
        (mo_f32x4_load(node->lower[1]) <= upper.y) & (lower.y <= mo_f32x4_load(node->upper[1])) &
        (mo_f32x4_load(node->lower[2]) <= upper.z) & (lower.z <= mo_f32x4_load(node->upper[2]));
    uint32_t hits =
        (uint32_t)(mo_i32x4_bits(overlap) & ~mo_bvh_done_lanes(node, search->done_number));
    uint32_t items = (uint32_t)mo_i32x4_bits(mo_i32x4_load(node->child));
    uint32_t below = hits & ~items, here = hits & items;
    if (below != 0) {
      for (uint32_t lane = 0; lane < 4; lane++) {
        stack[depth] = node->child[lane];
        depth += below >> lane & 1;
      }
    }
    if (here != 0) {
      for (uint32_t lane = 0; lane < 4; lane++) {
        places[count] = 4 * index + lane;
        count += here >> lane & 1;
      }
    }
  }
  search->depth = depth;
  return count;
}
