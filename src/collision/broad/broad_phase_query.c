/// Queries: the boxes that overlap a box, and those that a ray or a moving box meets, or that are
/// near a point.
#include "collision/broad/broad_phase.h"
#include "geometry/bvh_ray.h"
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

static mo_aabb box_around_tree(const mo_broad_phase *bp, const mo_proxy_tree *tree, mo_aabb box) {
  for (uint32_t i = 0; i < tree->unbounded_count; i++) {
    box = mo_aabb_union(&box, &bp->boxes[tree->unbounded[i]]);
  }
  if (tree->bvh.item_count > 0) {
    mo_aabb of_items = mo_bvh_node_box(&tree->bvh.nodes[tree->bvh.root]);
    box = mo_aabb_union(&box, &of_items);
  }
  return box;
}

mo_bounds mo_broad_phase_bounds(mo_broad_phase *bp, uint32_t kinds) {
  mo_broad_phase_update_trees(bp);
  mo_aabb box = {{INFINITY, INFINITY, INFINITY, 0.0f}, {-INFINITY, -INFINITY, -INFINITY, 0.0f}};
  for (int kind = 0; kind < MO_TREE_COUNT; kind++) {
    box = (kinds >> kind & 1u) != 0 ? box_around_tree(bp, &bp->trees[kind], box) : box;
  }
  return (mo_bounds){mo_v3_from_floats(box.lower), mo_v3_from_floats(box.upper)};
}

// --- rays ------------------------------------------------------------------------------------

typedef struct ray_query {
  mo_bvh_ray ray;
  double max_distance; // m
  float reach;         // the same, rounded up
  mo_ray_query_function *function;
  void *user;
} ray_query;

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
  mo_bvh_ray_enter(&query->ray, &tree->bvh);
  uint32_t proxy;
  while ((proxy = mo_bvh_ray_next(&query->ray, query->reach)) != MO_BVH_EMPTY) {
    if (!report(query, proxy)) {
      return false;
    }
  }
  return true;
}

void mo_broad_phase_cast_box(mo_broad_phase *bp, uint32_t kinds, mo_vec3 origin,
                             mo_vec3 half_extents, mo_vec3 direction, double max_distance,
                             mo_ray_query_function *function, void *user) {
  mo_broad_phase_update_trees(bp);
  ray_query query;
  query.max_distance = max_distance;
  query.reach = mo_round_up(max_distance);
  query.function = function;
  query.user = user;
  mo_bvh_ray_begin(&query.ray, origin, half_extents, direction, max_distance);
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
    double distance = sqrt(x * x + y * y + z * z) * (1.0 - (double)MO_RAY_RELATIVE_ERROR);
    distances[i] = (float)mo_min(distance, FLT_MAX) * (1.0f - MO_RAY_RELATIVE_ERROR);
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
  mo_bvh_entry stack[MO_BVH_STACK];
  uint32_t depth = 0;
  stack[depth++] = (mo_bvh_entry){0.0f, tree->bvh.root};
  while (depth > 0) {
    mo_bvh_entry next = stack[--depth];
    if ((double)next.distance > query->max_distance) {
      continue;
    }
    if ((next.child & MO_BVH_ITEM) == 0) {
      const mo_bvh_node *node = &tree->bvh.nodes[next.child];
      float distances[4];
      int hits = test_nearness(query, node, distances);
      depth = mo_bvh_push_nearest(node, hits, distances, stack, depth);
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
