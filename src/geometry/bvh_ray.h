/// Searches of a tree for the nearest items first: those whose boxes a ray or a box that moves
/// along it meets.
///
/// They are in single precision: the boxes are tested a little too large.
#pragma once

#include "geometry/bvh.h"
#include "math/scalar.h"

#include <stddef.h>

/// Smaller components of a ray's direction count as parallel to the box's sides. The inverse of a
/// larger one fits a float.
#define MO_RAY_PARALLEL 1e-30
/// More than the relative errors of a distance to a side: of the difference, the inverse and their
/// product, 2^-24 each.
#define MO_RAY_RELATIVE_ERROR 0x1p-21f
/// The same for products below the normal floats.
#define MO_RAY_ABSOLUTE_ERROR 1e-37f

// --- the nearest first -----------------------------------------------------------------------

typedef struct mo_bvh_entry {
  float distance; ///< m: a lower bound of that of the item, or of all items below the node
  uint32_t child;
} mo_bvh_entry;

/// Pushes the children of a node that are in `hits` onto the stack, the nearest last. Returns the
/// new depth.
static inline uint32_t mo_bvh_push_nearest(const mo_bvh_node *node, int hits,
                                           const float distances[4], mo_bvh_entry *stack,
                                           uint32_t depth) {
  uint32_t bottom = depth;
  for (; hits != 0; hits &= hits - 1) {
    int lane = __builtin_ctz((unsigned)hits);
    uint32_t i = depth++;
    for (; i > bottom && stack[i - 1].distance < distances[lane]; i--) {
      stack[i] = stack[i - 1];
    }
    stack[i] = (mo_bvh_entry){distances[lane], node->child[lane]};
  }
  return depth;
}

// --- rays ------------------------------------------------------------------------------------

/// The motion of a ray along one axis. A box that moves along the ray is represented by the
/// interval that it spans about the origin, rounded outwards.
typedef struct mo_ray_axis {
  mo_f32x4 front, back;         ///< m: the ends of the interval, front in the ray's direction
  mo_f32x4 inverse;             ///< of the direction
  uint32_t near_side, far_side; ///< of the boxes: where the four are in a node, in bytes
  bool is_parallel;
} mo_ray_axis;

/// The end of an interval on the side of `sign`, as a float, rounded outwards by a few of the last
/// digits. Boxes in a tree are finite, so an end beyond all of them may be the largest float; an
/// infinite one would meet the boxes of empty lanes.
static inline float mo_ray_end_outward(double end, double sign) {
  float nearest = (float)mo_clamp(end, -FLT_MAX, FLT_MAX);
  float outward = nearest + (float)sign * (fabsf(nearest) * 0x1p-22f + FLT_MIN);
  return outward < -FLT_MAX ? -FLT_MAX : outward > FLT_MAX ? FLT_MAX : outward;
}

/// It has no branches on numbers that differ from ray to ray, because no processor can predict
/// them.
static inline mo_ray_axis mo_ray_axis_make(int axis, double origin, double half_extent,
                                           double direction, double max_distance) {
  // NaN, from a displacement that overflowed, counts as parallel.
  bool is_parallel = !(fabs(direction) >= MO_RAY_PARALLEL);
  double reach = half_extent;
  if (is_parallel && direction != 0.0) {
    reach += fabs(direction) * max_distance; // the whole extent of the ray
  }
  uint32_t is_downward = direction < 0.0 && !is_parallel;
  double sign = 1.0 - 2.0 * is_downward;
  uint32_t lower = (uint32_t)offsetof(mo_bvh_node, lower), step = (uint32_t)sizeof(mo_f32x4);
  uint32_t between = (uint32_t)offsetof(mo_bvh_node, upper) - lower;
  lower += (uint32_t)axis * step;
  return (mo_ray_axis){.front = mo_f32x4_splat(mo_ray_end_outward(origin + sign * reach, sign)),
                       .back = mo_f32x4_splat(mo_ray_end_outward(origin - sign * reach, -sign)),
                       .inverse = mo_f32x4_splat(is_parallel ? 0.0f : (float)(1.0 / direction)),
                       .near_side = lower + is_downward * between,
                       .far_side = lower + (1 - is_downward) * between,
                       .is_parallel = is_parallel};
}

static inline mo_f32x4 mo_bvh_load_side(const mo_bvh_node *node, uint32_t offset) {
  return mo_f32x4_load((const float *)((const char *)node + offset));
}

typedef struct mo_bvh_ray {
  const mo_bvh_node *nodes;
  mo_ray_axis axes[3];
  uint32_t depth;
  mo_bvh_entry stack[MO_BVH_STACK];
} mo_bvh_ray;

/// The children whose boxes the ray may meet within `reach`, as bits, with lower bounds of the
/// distances at which it enters them (slab test, Kay and Kajiya 1986). Empty lanes are entered at
/// infinity and left at minus infinity.
static inline int mo_bvh_ray_test(const mo_bvh_ray *ray, const mo_bvh_node *node, float reach,
                                  float entry[4]) {
  mo_f32x4 enter = mo_f32x4_zero(), leave = mo_f32x4_splat(reach);
  mo_i32x4 hits = mo_i32x4_splat(-1);
  for (int i = 0; i < 3; i++) {
    const mo_ray_axis *axis = &ray->axes[i];
    mo_f32x4 near = mo_bvh_load_side(node, axis->near_side),
             far = mo_bvh_load_side(node, axis->far_side);
    if (axis->is_parallel) {
      hits &= (near <= axis->front) & (axis->back <= far);
    } else {
      enter = mo_f32x4_max((near - axis->front) * axis->inverse, enter);
      leave = mo_f32x4_min((far - axis->back) * axis->inverse, leave);
    }
  }
  enter = enter * mo_f32x4_splat(1.0f - MO_RAY_RELATIVE_ERROR);
  leave =
      leave * mo_f32x4_splat(1.0f + MO_RAY_RELATIVE_ERROR) + mo_f32x4_splat(MO_RAY_ABSOLUTE_ERROR);
  mo_f32x4_store(entry, enter);
  return mo_i32x4_bits(hits & (enter <= leave));
}

/// Starts searches along a ray with a direction of unit length.
/// @param half_extents m: of the box that moves along it
/// @param max_distance m: how far the searches may reach
static inline void mo_bvh_ray_begin(mo_bvh_ray *ray, mo_vec3 origin, mo_vec3 half_extents,
                                    mo_vec3 direction, double max_distance) {
  ray->axes[0] = mo_ray_axis_make(0, origin.x, half_extents.x, direction.x, max_distance);
  ray->axes[1] = mo_ray_axis_make(1, origin.y, half_extents.y, direction.y, max_distance);
  ray->axes[2] = mo_ray_axis_make(2, origin.z, half_extents.z, direction.z, max_distance);
}

/// Starts the search of a tree.
static inline void mo_bvh_ray_enter(mo_bvh_ray *ray, const mo_bvh *bvh) {
  ray->nodes = bvh->nodes;
  ray->depth = bvh->item_count > 0;
  ray->stack[0] = (mo_bvh_entry){0.0f, bvh->root};
}

/// Takes the nearest of some children, at least one, and pushes the others onto the stack, the
/// nearest last. Most nodes have one or two, which then need no sorting.
static inline uint32_t mo_bvh_ray_descend(mo_bvh_ray *ray, const mo_bvh_node *node, int hits,
                                          const float entry[4]) {
  uint32_t bottom = ray->depth;
  int lane = __builtin_ctz((unsigned)hits);
  mo_bvh_entry nearest = {entry[lane], node->child[lane]};
  while ((hits &= hits - 1) != 0) {
    lane = __builtin_ctz((unsigned)hits);
    mo_bvh_entry other = {entry[lane], node->child[lane]};
    if (other.distance <= nearest.distance) {
      mo_bvh_entry former = nearest;
      nearest = other;
      other = former;
    }
    uint32_t i = ray->depth++;
    for (; i > bottom && ray->stack[i - 1].distance < other.distance; i--) {
      ray->stack[i] = ray->stack[i - 1];
    }
    ray->stack[i] = other;
  }
  return nearest.child;
}

/// Pops the nearest child within reach that is left, or MO_BVH_EMPTY at the end.
static inline uint32_t mo_bvh_ray_pop(mo_bvh_ray *ray, float reach) {
  while (ray->depth > 0) {
    mo_bvh_entry next = ray->stack[--ray->depth];
    if (next.distance <= reach) {
      return next.child;
    }
  }
  return MO_BVH_EMPTY;
}

/// The next item whose box the ray may meet within `reach` metres, or MO_BVH_EMPTY at the end.
static inline uint32_t mo_bvh_ray_next(mo_bvh_ray *ray, float reach) {
  uint32_t child = mo_bvh_ray_pop(ray, reach);
  while ((child & MO_BVH_ITEM) == 0) {
    const mo_bvh_node *node = &ray->nodes[child];
    float entry[4];
    int hits = mo_bvh_ray_test(ray, node, reach, entry);
    child = hits != 0 ? mo_bvh_ray_descend(ray, node, hits, entry) : mo_bvh_ray_pop(ray, reach);
  }
  return child == MO_BVH_EMPTY ? child : child & ~MO_BVH_ITEM;
}
