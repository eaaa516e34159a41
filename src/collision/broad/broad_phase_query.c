/// Queries: the boxes that overlap a box, and those that a ray or a moving box meets, or that are
/// near a point.
#include "collision/broad/broad_phase.h"
#include "geometry/bvh_search.h"

// --- boxes -----------------------------------------------------------------------------------

typedef struct box_query {
  const mo_broad_phase *bp;
  mo_box_query_function *function;
  void *user;
} box_query;

static bool query_unbounded(const box_query *query, const mo_proxy_tree *tree, const mo_aabb *box) {
  for (uint32_t i = 0; i < tree->unbounded_count; i++) {
    if (mo_aabb_overlap(&query->bp->boxes[tree->unbounded[i]], box) &&
        !query->function(query->user, tree->unbounded[i])) {
      return false;
    }
  }
  return true;
}

static bool query_bvh(const box_query *query, const mo_bvh *bvh, const mo_aabb *box) {
  mo_bvh_search search;
  uint32_t places[MO_BVH_BATCH], count;
  mo_bvh_search_begin(&search, bvh, box, MO_BVH_ALL);
  while ((count = mo_bvh_search_next(&search, places)) > 0) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t child = bvh->nodes[places[i] / 4].child[places[i] % 4];
      if (!query->function(query->user, child & ~MO_BVH_ITEM)) {
        return false;
      }
    }
  }
  return true;
}

void mo_broad_phase_query(mo_broad_phase *bp, uint32_t kinds, const mo_aabb *box,
                          mo_box_query_function *function, void *user) {
  mo_broad_phase_update_trees(bp);
  box_query query = {.bp = bp, .function = function, .user = user};
  bool goes_on = true;
  for (int kind = 0; kind < MO_TREE_COUNT && goes_on; kind++) {
    const mo_proxy_tree *tree = &bp->trees[kind];
    if ((kinds >> kind & 1u) != 0) {
      goes_on = query_unbounded(&query, tree, box) && query_bvh(&query, &tree->bvh, box);
    }
  }
}

// --- rays ------------------------------------------------------------------------------------

// Smaller components of a ray's direction count as parallel to the box's sides. The inverse of a
// larger one fits a float.
#define PARALLEL 1e-30
// More than the relative errors of a distance to a side: of the difference, the inverse and their
// product, 2^-24 each.
#define RELATIVE_ERROR 0x1p-21f
// The same for products below the normal floats.
#define ABSOLUTE_ERROR 1e-37f

// The motion of a ray along one axis. A box that moves along the ray is represented by the interval
// that it spans about the origin, rounded outwards.
typedef struct ray_axis {
  mo_f32x4 front, back;         // m: the ends of the interval, front in the ray's direction
  mo_f32x4 inverse;             // of the direction
  uint32_t near_side, far_side; // of the boxes: where the four are in a node, in bytes
  bool is_parallel;
} ray_axis;

typedef struct ray_query {
  ray_axis axes[3];
  double max_distance; // m
  float reach;         // the same, rounded up
  mo_ray_query_function *function;
  void *user;
} ray_query;

// The end of an interval on the side of `sign`, as a float, rounded outwards by a few of the last
// digits. Boxes in a tree are finite, so an end beyond all of them may be the largest float; an
// infinite one would meet the boxes of empty lanes.
static inline float end_outward(double end, double sign) {
  float nearest = (float)mo_clamp(end, -FLT_MAX, FLT_MAX);
  float outward = nearest + (float)sign * (fabsf(nearest) * 0x1p-22f + FLT_MIN);
  return outward < -FLT_MAX ? -FLT_MAX : outward > FLT_MAX ? FLT_MAX : outward;
}

// It has no branches on numbers that differ from ray to ray, because no processor can predict them.
static inline ray_axis make_axis(int axis, double origin, double half_extent, double direction,
                                 double max_distance) {
  // NaN, from a displacement that overflowed, counts as parallel.
  bool is_parallel = !(fabs(direction) >= PARALLEL);
  double reach = half_extent;
  if (is_parallel && direction != 0.0) {
    reach += fabs(direction) * max_distance; // the whole extent of the ray
  }
  uint32_t is_downward = direction < 0.0 && !is_parallel;
  double sign = 1.0 - 2.0 * is_downward;
  uint32_t lower = (uint32_t)offsetof(mo_bvh_node, lower), step = (uint32_t)sizeof(mo_f32x4);
  uint32_t between = (uint32_t)offsetof(mo_bvh_node, upper) - lower;
  lower += (uint32_t)axis * step;
  return (ray_axis){.front = mo_f32x4_splat(end_outward(origin + sign * reach, sign)),
                    .back = mo_f32x4_splat(end_outward(origin - sign * reach, -sign)),
                    .inverse = mo_f32x4_splat(is_parallel ? 0.0f : (float)(1.0 / direction)),
                    .near_side = lower + is_downward * between,
                    .far_side = lower + (1 - is_downward) * between,
                    .is_parallel = is_parallel};
}

static inline mo_f32x4 load_side(const mo_bvh_node *node, uint32_t offset) {
  return mo_f32x4_load((const float *)((const char *)node + offset));
}

// The children whose boxes the ray may meet, as bits, with lower bounds of the distances at which
// it enters them (slab test, Kay and Kajiya 1986). Empty lanes are entered at infinity and left at
// minus infinity.
static inline int test_node(const ray_query *query, const mo_bvh_node *node, float entry[4]) {
  mo_f32x4 enter = mo_f32x4_zero(), leave = mo_f32x4_splat(query->reach);
  mo_i32x4 hits = mo_i32x4_splat(-1);
  for (int i = 0; i < 3; i++) {
    const ray_axis *axis = &query->axes[i];
    mo_f32x4 near = load_side(node, axis->near_side), far = load_side(node, axis->far_side);
    if (axis->is_parallel) {
      hits &= (near <= axis->front) & (axis->back <= far);
    } else {
      enter = mo_f32x4_max((near - axis->front) * axis->inverse, enter);
      leave = mo_f32x4_min((far - axis->back) * axis->inverse, leave);
    }
  }
  enter = enter * mo_f32x4_splat(1.0f - RELATIVE_ERROR);
  leave = leave * mo_f32x4_splat(1.0f + RELATIVE_ERROR) + mo_f32x4_splat(ABSOLUTE_ERROR);
  mo_f32x4_store(entry, enter);
  return mo_i32x4_bits(hits & (enter <= leave));
}

typedef struct search_entry {
  float distance;
  uint32_t child;
} search_entry;

// Pushes the children of a node that are in `hits` onto the stack, the nearest last.
static inline uint32_t push_children(const mo_bvh_node *node, int hits, const float entry[4],
                                     search_entry *stack, uint32_t depth) {
  uint32_t bottom = depth;
  for (; hits != 0; hits &= hits - 1) {
    int lane = __builtin_ctz((unsigned)hits);
    uint32_t i = depth++;
    for (; i > bottom && stack[i - 1].distance < entry[lane]; i--) {
      stack[i] = stack[i - 1];
    }
    stack[i] = (search_entry){entry[lane], node->child[lane]};
  }
  return depth;
}

// Reports a proxy to the caller. Returns false at the end of the query.
static bool report(ray_query *query, uint32_t proxy) {
  double distance = query->function(query->user, proxy, query->max_distance);
  if (distance < query->max_distance) {
    query->max_distance = distance;
    query->reach = mo_round_up(distance);
  }
  return query->max_distance > 0.0;
}

static bool cast_in_tree(ray_query *query, const mo_proxy_tree *tree) {
  for (uint32_t i = 0; i < tree->unbounded_count; i++) {
    if (!report(query, tree->unbounded[i])) {
      return false;
    }
  }
  if (tree->bvh.item_count == 0) {
    return true;
  }
  search_entry stack[MO_BVH_STACK];
  uint32_t depth = 0;
  stack[depth++] = (search_entry){0.0f, tree->bvh.root};
  while (depth > 0) {
    search_entry next = stack[--depth];
    if (next.distance > query->reach) {
      continue;
    }
    if ((next.child & MO_BVH_ITEM) == 0) {
      const mo_bvh_node *node = &tree->bvh.nodes[next.child];
      float entry[4];
      int hits = test_node(query, node, entry);
      depth = push_children(node, hits, entry, stack, depth);
    } else if (!report(query, next.child & ~MO_BVH_ITEM)) {
      return false;
    }
  }
  return true;
}

void mo_broad_phase_cast_box(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin,
                             mo_vec3 half_extents, mo_vec3 direction, double max_distance,
                             mo_ray_query_function *function, void *user) {
  mo_broad_phase_update_trees(bp);
  ray_query query = {
      .axes = {make_axis(0, origin.x, half_extents.x, direction.x, max_distance),
               make_axis(1, origin.y, half_extents.y, direction.y, max_distance),
               make_axis(2, origin.z, half_extents.z, direction.z, max_distance)},
      .max_distance = max_distance,
      .reach = mo_round_up(max_distance),
      .function = function,
      .user = user,
  };
  bool goes_on = true;
  for (int kind = 0; kind < MO_TREE_COUNT && goes_on; kind++) {
    if ((kinds >> kind & 1u) != 0) {
      goes_on = cast_in_tree(&query, &bp->trees[kind]);
    }
  }
}

void mo_broad_phase_cast_ray(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin, mo_vec3 direction,
                             double max_distance, mo_ray_query_function *function, void *user) {
  mo_broad_phase_cast_box(bp, kinds, origin, mo_v3_zero(), direction, max_distance, function, user);
}

// --- points ----------------------------------------------------------------------------------

typedef struct point_query {
  mo_vec3 point;
  double max_distance; // m
  mo_point_query_function *function;
  void *user;
} point_query;

// The distance of a number from an interval.
static inline double distance_outside(double x, float lower, float upper) {
  return x < (double)lower ? (double)lower - x : x > (double)upper ? x - (double)upper : 0.0;
}

// The children whose boxes are close enough, as bits, with lower bounds of their distances. Empty
// lanes are infinitely far.
static inline int test_nearness(const point_query *query, const mo_bvh_node *node,
                                float distances[4]) {
  int hits = 0;
  for (int i = 0; i < 4; i++) {
    double x = distance_outside(query->point.x, node->lower[0][i], node->upper[0][i]);
    double y = distance_outside(query->point.y, node->lower[1][i], node->upper[1][i]);
    double z = distance_outside(query->point.z, node->lower[2][i], node->upper[2][i]);
    double distance = sqrt(x * x + y * y + z * z) * (1.0 - (double)RELATIVE_ERROR);
    distances[i] = (float)mo_min(distance, FLT_MAX) * (1.0f - RELATIVE_ERROR);
    bool is_near = distance <= query->max_distance && node->child[i] != MO_BVH_EMPTY;
    hits |= (int)is_near << i;
  }
  return hits;
}

static bool report_near(point_query *query, uint32_t proxy) {
  double distance = query->function(query->user, proxy, query->max_distance);
  query->max_distance = mo_min(distance, query->max_distance);
  return query->max_distance >= 0.0;
}

static bool search_near(point_query *query, const mo_proxy_tree *tree) {
  for (uint32_t i = 0; i < tree->unbounded_count; i++) {
    if (!report_near(query, tree->unbounded[i])) {
      return false;
    }
  }
  if (tree->bvh.item_count == 0) {
    return true;
  }
  search_entry stack[MO_BVH_STACK];
  uint32_t depth = 0;
  stack[depth++] = (search_entry){0.0f, tree->bvh.root};
  while (depth > 0) {
    search_entry next = stack[--depth];
    if ((double)next.distance > query->max_distance) {
      continue;
    }
    if ((next.child & MO_BVH_ITEM) == 0) {
      const mo_bvh_node *node = &tree->bvh.nodes[next.child];
      float distances[4];
      int hits = test_nearness(query, node, distances);
      depth = push_children(node, hits, distances, stack, depth);
    } else if (!report_near(query, next.child & ~MO_BVH_ITEM)) {
      return false;
    }
  }
  return true;
}

void mo_broad_phase_query_near(mo_broad_phase *bp, uint32_t kinds, mo_vec3 point,
                               double max_distance, mo_point_query_function *function, void *user) {
  mo_broad_phase_update_trees(bp);
  point_query query = {
      .point = point, .max_distance = max_distance, .function = function, .user = user};
  bool goes_on = true;
  for (int kind = 0; kind < MO_TREE_COUNT && goes_on; kind++) {
    if ((kinds >> kind & 1u) != 0) {
      goes_on = search_near(&query, &bp->trees[kind]);
    }
  }
}
