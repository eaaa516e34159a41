/// The search of a tree for the items whose boxes a ray meets, the nearest first.
///
/// It is in single precision: the boxes are tested a little too large.
#pragma once

#include "geometry/bvh.h"

/// Smaller components of a ray's direction count as parallel to the box's sides. The inverse of a
/// larger one fits a float.
#define MO_RAY_PARALLEL 1e-30
/// More than the relative errors of a distance to a side: of the difference, the inverse and their
/// product, 2^-24 each.
#define MO_RAY_RELATIVE_ERROR 0x1p-21f
/// The same for products below the normal floats.
#define MO_RAY_ABSOLUTE_ERROR 1e-37f

typedef struct mo_bvh_entry {
  float distance; ///< m: the ray enters the box no earlier
  uint32_t child;
} mo_bvh_entry;

typedef struct mo_bvh_ray {
  const mo_bvh_node *nodes;
  mo_f32x4 front[3], back[3]; ///< m: the origin, rounded to both sides
  mo_f32x4 inverse[3];        ///< of the direction; 0 where it is parallel
  bool is_downward[3], is_parallel[3];
  uint32_t depth;
  mo_bvh_entry stack[MO_BVH_STACK];
} mo_bvh_ray;

/// Starts a search along a ray with an origin and a direction of unit length, both finite.
static inline void mo_bvh_ray_begin(mo_bvh_ray *ray, const mo_bvh *bvh, mo_vec3 origin,
                                    mo_vec3 direction) {
  const double from[3] = {origin.x, origin.y, origin.z};
  const double along[3] = {direction.x, direction.y, direction.z};
  ray->nodes = bvh->nodes;
  for (int i = 0; i < 3; i++) {
    double at = mo_clamp(from[i], -FLT_MAX, FLT_MAX);
    ray->is_parallel[i] = !(fabs(along[i]) >= MO_RAY_PARALLEL);
    ray->is_downward[i] = along[i] < 0.0;
    double sign = ray->is_downward[i] ? -1.0 : 1.0;
    double error = fabs(at) * 0x1p-22 + FLT_MIN;
    ray->front[i] = mo_f32x4_splat((float)mo_clamp(at + sign * error, -FLT_MAX, FLT_MAX));
    ray->back[i] = mo_f32x4_splat((float)mo_clamp(at - sign * error, -FLT_MAX, FLT_MAX));
    ray->inverse[i] = mo_f32x4_splat(ray->is_parallel[i] ? 0.0f : (float)(1.0 / along[i]));
  }
  ray->depth = bvh->item_count > 0;
  ray->stack[0] = (mo_bvh_entry){0.0f, bvh->root};
}

/// The children whose boxes the ray may meet within `reach`, as bits, with lower bounds of the
/// distances at which it enters them (slab test, Kay and Kajiya 1986).
static inline int mo_bvh_ray_test(const mo_bvh_ray *ray, const mo_bvh_node *node, float reach,
                                  float entry[4]) {
  mo_f32x4 enter = mo_f32x4_zero(), leave = mo_f32x4_splat(reach);
  mo_i32x4 hits = mo_i32x4_splat(-1);
  for (int i = 0; i < 3; i++) {
    mo_f32x4 lower = mo_f32x4_load(node->lower[i]), upper = mo_f32x4_load(node->upper[i]);
    mo_f32x4 near = ray->is_downward[i] ? upper : lower, far = ray->is_downward[i] ? lower : upper;
    if (ray->is_parallel[i]) {
      hits &= (lower <= mo_f32x4_max(ray->front[i], ray->back[i])) &
              (mo_f32x4_min(ray->front[i], ray->back[i]) <= upper);
    } else {
      enter = mo_f32x4_max((near - ray->front[i]) * ray->inverse[i], enter);
      leave = mo_f32x4_min((far - ray->back[i]) * ray->inverse[i], leave);
    }
  }
  enter = enter * mo_f32x4_splat(1.0f - MO_RAY_RELATIVE_ERROR);
  leave =
      leave * mo_f32x4_splat(1.0f + MO_RAY_RELATIVE_ERROR) + mo_f32x4_splat(MO_RAY_ABSOLUTE_ERROR);
  mo_f32x4_store(entry, enter);
  return mo_i32x4_bits(hits & (enter <= leave));
}

/// The next item whose box the ray may meet within `reach` metres, or MO_BVH_EMPTY at the end.
static inline uint32_t mo_bvh_ray_next(mo_bvh_ray *ray, float reach) {
  while (ray->depth > 0) {
    mo_bvh_entry next = ray->stack[--ray->depth];
    if (next.distance > reach) {
      continue;
    }
    if ((next.child & MO_BVH_ITEM) != 0) {
      return next.child & ~MO_BVH_ITEM;
    }
    const mo_bvh_node *node = &ray->nodes[next.child];
    float entry[4];
    int hits = mo_bvh_ray_test(ray, node, reach, entry);
    uint32_t bottom = ray->depth;
    for (; hits != 0; hits &= hits - 1) {
      int lane = __builtin_ctz((unsigned)hits);
      uint32_t i = ray->depth++;
      for (; i > bottom && ray->stack[i - 1].distance < entry[lane]; i--) {
        ray->stack[i] = ray->stack[i - 1];
      }
      ray->stack[i] = (mo_bvh_entry){entry[lane], node->child[lane]};
    }
  }
  return MO_BVH_EMPTY;
}
