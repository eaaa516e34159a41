/// Searches of a packed tree: along a ray, and for what overlaps a box.
#pragma once

#include "geometry/bvh_ray.h"
#include "geometry/packed_bvh.h"

/// More than the errors of a distance to a side, relative to those to the corner of the node and
/// across it: of the difference, the inverse, their product, that with a number of steps and the
/// sum, 2^-24 each.
#define MO_PACKED_RELATIVE_ERROR 0x1p-21f

/// Along an axis the sides of all children, m; the others of lanes without a child are any numbers.
/// `steps` are those of the node.
static inline void mo_packed_sides(const mo_packed_node *node, int axis,
                                   const uint8_t steps[MO_PACKED_LANES], mo_f32x4 *first,
                                   mo_f32x4 *last) {
  mo_f32x4 origin = mo_f32x4_splat(node->origin[axis]);
  mo_f32x4 step = mo_f32x4_splat(mo_packed_step(node, axis));
  mo_f32x4_load_bytes(steps, first, last);
  *first = origin + *first * step;
  *last = origin + *last * step;
}

/// The bits of both vectors, those of the first first.
static inline int mo_packed_bits(mo_i32x4 first, mo_i32x4 last) {
  return mo_i32x4_bits(first) | mo_i32x4_bits(last) << 4;
}

// --- boxes -----------------------------------------------------------------------------------

/// A box, with a lane per axis; lane 3 is not looked at. It may be infinite.
typedef struct mo_packed_box {
  mo_f32x4 lower, upper; ///< m
} mo_packed_box;

static_assert(offsetof(mo_packed_node, upper) == offsetof(mo_packed_node, lower) + 24,
              "the sides of a node are three vectors");

/// The children that reach into intervals along all axes, in steps of 0 to 255, as bits.
static inline int mo_packed_reach(const mo_packed_node *node, mo_i32x4 low, mo_i32x4 high) {
  const uint8_t *sides = (const uint8_t *)node + offsetof(mo_packed_node, lower);
  // x and y of the lower sides; z of them, and x of the upper ones; y and z of those.
  mo_u8x16 bounds[3];
  mo_u8x16_spread(low, high, bounds);
  // Bytes compare the other way round where all of their bits are turned.
  const mo_u8x16 turn = (mo_u8x16)(mo_i64x2){0, -1};
  mo_u8x16 hits = (mo_u8x16)(mo_u8x16_load(sides) <= bounds[0]) &
                  (mo_u8x16)((mo_u8x16_load(sides + 16) ^ turn) <= (bounds[1] ^ turn)) &
                  (mo_u8x16)(mo_u8x16_load(sides + 32) >= bounds[2]);
  int bits = mo_u8x16_bits(hits);
  return bits & bits >> MO_PACKED_LANES;
}

/// The children whose boxes overlap a box, as bits, and perhaps some just outside: its sides are
/// taken in steps of the node.
static inline int mo_packed_overlaps(const mo_packed_box *box, const mo_packed_node *node) {
  mo_f32x4 origin = mo_f32x4_load(node->origin);
  mo_f32x4 per_metre = mo_packed_steps_per_metre(node);
  mo_f32x4 relative = mo_f32x4_splat(MO_PACKED_RELATIVE_ERROR), most = mo_f32x4_splat(255.0f);
  mo_f32x4 low = (box->lower - origin) * per_metre, high = (box->upper - origin) * per_metre;
  low = low - mo_f32x4_abs(low) * relative;
  high = high + mo_f32x4_abs(high) * relative;
  if ((mo_i32x4_bits((low > most) | (high < mo_f32x4_zero())) & 7) != 0) {
    return 0;
  }
  // The last digit of a float from 2^23 on is 1: the sum ends in the bits of the nearest whole
  // number. Rounded either way it passes no child by. What is not a number counts as no end.
  mo_f32x4 wholes = mo_f32x4_splat(0x1p23f);
  mo_i32x4 from = (mo_i32x4)(mo_f32x4_max(low, mo_f32x4_zero()) + wholes);
  mo_i32x4 to = (mo_i32x4)(mo_f32x4_min(high, most) + wholes);
  return mo_packed_reach(node, from, to) & mo_packed_lanes(node);
}

typedef struct mo_packed_search {
  const mo_packed_bvh *bvh;
  mo_packed_box box;
  uint32_t depth;
  uint32_t stack[MO_PACKED_STACK];
} mo_packed_search;

/// Starts a search with a box.
static inline void mo_packed_search_begin(mo_packed_search *search, const mo_packed_bvh *bvh,
                                          const mo_aabb *box) {
  search->bvh = bvh;
  search->box = (mo_packed_box){mo_f32x4_load(box->lower), mo_f32x4_load(box->upper)};
  search->depth = bvh->node_count > 0;
  search->stack[0] = bvh->node_count - 1;
}

/// The next children of a lowest node that may overlap the box, as bits; `first` is the place of
/// the first of the node. 0 at the end. Nodes come in the order of their places, the last first.
static inline int mo_packed_search_next(mo_packed_search *search, uint32_t *first) {
  while (search->depth > 0) {
    uint32_t index = search->stack[--search->depth];
    int hits = mo_packed_overlaps(&search->box, &search->bvh->nodes[index]);
    uint32_t child = mo_packed_first_child(search->bvh, index);
    if ((child & MO_BVH_ITEM) == 0) {
      for (; hits != 0; hits &= hits - 1) {
        search->stack[search->depth++] = child + (uint32_t)__builtin_ctz((unsigned)hits);
      }
    } else if (hits != 0) {
      *first = child & ~MO_BVH_ITEM;
      return hits;
    }
  }
  return 0;
}

// --- rays ------------------------------------------------------------------------------------

/// Vectors have a lane per axis.
typedef struct mo_packed_ray {
  const mo_packed_bvh *bvh;
  mo_f32x4 front, back;     ///< m: the origin, rounded against and along the ray
  mo_f32x4 inverse;         ///< of the direction; NaN along a parallel axis, which so says nothing
  uint32_t near[3], far[3]; ///< which sides of a node's boxes, as bytes from its beginning
  mo_packed_box beside;     ///< where it goes along parallel axes, without an end along the others
  bool has_parallel_axis;
  uint32_t depth;
  mo_bvh_entry stack[MO_PACKED_STACK];
} mo_packed_ray;

static inline void mo_packed_take_sides(mo_packed_ray *ray, const mo_ray_axis *along,
                                        uint32_t axis) {
  uint32_t lower = (uint32_t)offsetof(mo_packed_node, lower) + axis * MO_PACKED_LANES;
  uint32_t upper = (uint32_t)offsetof(mo_packed_node, upper) + axis * MO_PACKED_LANES;
  bool is_downward = along->near_side > along->far_side;
  ray->near[axis] = is_downward ? upper : lower;
  ray->far[axis] = is_downward ? lower : upper;
}

/// Starts a search along a ray with a direction of unit length.
static inline void mo_packed_ray_begin(mo_packed_ray *ray, const mo_packed_bvh *bvh, mo_vec3 origin,
                                       mo_vec3 direction, double max_distance) {
  const mo_ray_axis x = mo_ray_axis_make(0, origin.x, 0.0, direction.x, max_distance),
                    y = mo_ray_axis_make(1, origin.y, 0.0, direction.y, max_distance),
                    z = mo_ray_axis_make(2, origin.z, 0.0, direction.z, max_distance);
  ray->front = mo_f32x4_set(x.front[0], y.front[0], z.front[0], 0.0f);
  ray->back = mo_f32x4_set(x.back[0], y.back[0], z.back[0], 0.0f);
  ray->inverse = mo_f32x4_set(x.inverse[0], y.inverse[0], z.inverse[0], 0.0f);
  mo_packed_take_sides(ray, &x, 0);
  mo_packed_take_sides(ray, &y, 1);
  mo_packed_take_sides(ray, &z, 2);
  ray->has_parallel_axis = x.is_parallel | y.is_parallel | z.is_parallel;
  if (ray->has_parallel_axis) {
    mo_f32x4 are = mo_f32x4_set(x.is_parallel, y.is_parallel, z.is_parallel, 0.0f);
    mo_i32x4 parallel = are > mo_f32x4_zero();
    ray->inverse = mo_f32x4_select(parallel, mo_f32x4_splat(NAN), ray->inverse);
    ray->beside = (mo_packed_box){mo_f32x4_select(parallel, ray->back, mo_f32x4_splat(-INFINITY)),
                                  mo_f32x4_select(parallel, ray->front, mo_f32x4_splat(INFINITY))};
  }
  ray->bvh = bvh;
  ray->depth = bvh->node_count > 0;
  ray->stack[0] = (mo_bvh_entry){0.0f, bvh->node_count - 1};
}

/// Where a ray is among the steps of a node, with a lane per axis: it meets a side after as many
/// times `step` as the side has steps, and `near` or `far` more, metres.
typedef struct mo_packed_slabs {
  mo_f32x4 step, near, far;
} mo_packed_slabs;

static inline mo_packed_slabs mo_packed_slabs_make(const mo_packed_ray *ray,
                                                   const mo_packed_node *node) {
  mo_f32x4 origin = mo_f32x4_load(node->origin); // lane 3 is anything, and not looked at
  mo_f32x4 step = mo_packed_steps(node) * ray->inverse;
  mo_f32x4 near = (origin - ray->front) * ray->inverse, far = (origin - ray->back) * ray->inverse;
  mo_f32x4 across = mo_f32x4_splat(255.0f) * mo_f32x4_abs(step);
  mo_f32x4 relative = mo_f32x4_splat(MO_PACKED_RELATIVE_ERROR);
  mo_f32x4 least = mo_f32x4_splat(MO_RAY_ABSOLUTE_ERROR);
  return (mo_packed_slabs){.step = step,
                           .near = near - ((mo_f32x4_abs(near) + across) * relative + least),
                           .far = far + ((mo_f32x4_abs(far) + across) * relative + least)};
}

/// The stretches of a ray in the boxes of eight children, m.
typedef struct mo_packed_stretches {
  mo_f32x4 enter_first, enter_last, leave_first, leave_last;
} mo_packed_stretches;

/// Cuts them to what lies between the sides across an axis. What is not a number cuts nothing.
static inline void mo_packed_cut(mo_packed_stretches *s, const mo_packed_ray *ray,
                                 const mo_packed_node *node, const mo_packed_slabs *slabs,
                                 int axis) {
  const uint8_t *bytes = (const uint8_t *)node;
  mo_f32x4 step = mo_f32x4_splat(slabs->step[axis]), near = mo_f32x4_splat(slabs->near[axis]),
           far = mo_f32x4_splat(slabs->far[axis]), first, last;
  mo_f32x4_load_bytes(bytes + ray->near[axis], &first, &last);
  s->enter_first = mo_f32x4_max(first * step + near, s->enter_first);
  s->enter_last = mo_f32x4_max(last * step + near, s->enter_last);
  mo_f32x4_load_bytes(bytes + ray->far[axis], &first, &last);
  s->leave_first = mo_f32x4_min(first * step + far, s->leave_first);
  s->leave_last = mo_f32x4_min(last * step + far, s->leave_last);
}

/// The children whose boxes the ray may meet within `reach`, as bits, with lower bounds of the
/// distances at which it enters them.
static inline int mo_packed_ray_test(const mo_packed_ray *ray, const mo_packed_node *node,
                                     float reach, float entry[MO_PACKED_LANES]) {
  mo_packed_slabs slabs = mo_packed_slabs_make(ray, node);
  mo_packed_stretches s = {mo_f32x4_zero(), mo_f32x4_zero(), mo_f32x4_splat(reach),
                           mo_f32x4_splat(reach)};
  mo_packed_cut(&s, ray, node, &slabs, 0);
  mo_packed_cut(&s, ray, node, &slabs, 1);
  mo_packed_cut(&s, ray, node, &slabs, 2);
  mo_f32x4_store(entry, s.enter_first);
  mo_f32x4_store(entry + 4, s.enter_last);
  int hits = mo_packed_bits(s.enter_first <= s.leave_first, s.enter_last <= s.leave_last) &
             mo_packed_lanes(node);
  return ray->has_parallel_axis ? hits & mo_packed_overlaps(&ray->beside, node) : hits;
}

/// As mo_bvh_ray_descend, for children that follow `first`.
static inline uint32_t mo_packed_ray_descend(mo_packed_ray *ray, uint32_t first, int hits,
                                             const float entry[MO_PACKED_LANES]) {
  uint32_t bottom = ray->depth;
  uint32_t lane = (uint32_t)__builtin_ctz((unsigned)hits);
  mo_bvh_entry nearest = {entry[lane], first + lane};
  while ((hits &= hits - 1) != 0) {
    lane = (uint32_t)__builtin_ctz((unsigned)hits);
    mo_bvh_entry other = {entry[lane], first + lane};
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
static inline uint32_t mo_packed_ray_pop(mo_packed_ray *ray, float reach) {
  while (ray->depth > 0) {
    mo_bvh_entry next = ray->stack[--ray->depth];
    if (next.distance <= reach) {
      return next.child;
    }
  }
  return MO_BVH_EMPTY;
}

/// The place of the next item whose box the ray may meet within `reach` metres, or MO_BVH_EMPTY at
/// the end.
static inline uint32_t mo_packed_ray_next(mo_packed_ray *ray, float reach) {
  uint32_t child = mo_packed_ray_pop(ray, reach);
  while ((child & MO_BVH_ITEM) == 0) {
    float entry[MO_PACKED_LANES];
    int hits = mo_packed_ray_test(ray, &ray->bvh->nodes[child], reach, entry);
    child = hits != 0
                ? mo_packed_ray_descend(ray, mo_packed_first_child(ray->bvh, child), hits, entry)
                : mo_packed_ray_pop(ray, reach);
  }
  return child == MO_BVH_EMPTY ? child : child & ~MO_BVH_ITEM;
}
