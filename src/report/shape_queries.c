/// Queries with a shape: casts along a line, and overlaps.
#include "collision/convex/distance.h"
#include "collision/narrow/shape_cast.h"
#include "report/nearby.h"
#include "report/union_hits.h"
#include "world/checks.h"

// --- casts -----------------------------------------------------------------------------------

mo_shape_cast mo_shape_cast_default(void) {
  return (mo_shape_cast){.pose = mo_pose_identity(),
                         .max_distance = INFINITY,
                         .stop_at_penetration = true,
                         .filter = mo_query_filter_default()};
}

// Gives the cast a direction and an orientation of unit length.
static mo_result check_cast(mo_world *world, const char *function, mo_shape_cast *cast) {
  MO_RETURN_IF_REFUSED(mo_query_check_shape(world, function, cast->shape, &cast->pose));
  MO_RETURN_IF_REFUSED(mo_query_check_line(world, function, &cast->direction, cast->max_distance));
  return mo_query_check_filter(world, function, &cast->filter);
}

typedef struct cast_search {
  mo_query query;
  const mo_shape_cast *cast; // its direction and orientation of unit length
  mo_transform start;
} cast_search;

// Whether a hit counts that the two overlap at the start.
static bool counts(const mo_shape_cast *cast, const mo_shape_hit *hit) {
  return cast->stop_at_penetration || hit->penetration_depth == 0.0 ||
         mo_dot(hit->normal, cast->direction) < 0.0;
}

// Void hits of one shape behind which it is looked for another one: sides of a mesh that its
// neighbours cover, one after the other.
#define MOST_VOID 8

static bool is_void(cast_search *search, uint32_t proxy, const mo_shape_hit *hit) {
  const mo_shape_cast *cast = search->cast;
  mo_transform pose = search->start;
  pose.translation = mo_add_scaled(pose.translation, hit->distance, cast->direction);
  return mo_union_hit_is_void(
      &search->query, &(mo_union_hit){cast->shape, pose, proxy, hit->position, hit->normal});
}

// Casts from further on, where the moving shape has passed what is no part of the surface. What it
// overlaps there it only meets if it approaches.
static bool cast_beyond(const cast_search *search, const mo_shape *target, mo_transform placement,
                        double from, double max_distance, mo_shape_hit *hit) {
  const mo_shape_cast *cast = search->cast;
  mo_transform start = search->start;
  start.translation = mo_add_scaled(start.translation, from, cast->direction);
  if (!(from < max_distance) ||
      !mo_cast_shape(target, placement, cast->shape, start, cast->direction, max_distance - from,
                     mo_world_metre(search->query.world), hit)) {
    return false;
  }
  hit->distance += from;
  hit->penetration_depth = 0.0;
  return mo_dot(hit->normal, cast->direction) < 0.0;
}

// Casts at a shape, of which only what is surface of the union is met.
static bool cast_at_surface(cast_search *search, uint32_t proxy, double max_distance,
                            mo_shape_hit *hit) {
  mo_query *query = &search->query;
  const mo_shape_cast *cast = search->cast;
  mo_transform placement;
  const mo_shape *target =
      mo_query_shape_of(query, &query->world->broad_phase.proxies[proxy], &placement);
  bool is_met = mo_cast_shape(target, placement, cast->shape, search->start, cast->direction,
                              max_distance, mo_world_metre(query->world), hit) &&
                counts(cast, hit);
  // A compound is judged by no one point of it.
  for (int i = 0; is_met && !cast->shape->parts && is_void(search, proxy, hit); i++) {
    double from = hit->distance + mo_union_hit_beyond(cast->shape);
    is_met = i < MOST_VOID && cast_beyond(search, target, placement, from, max_distance, hit);
  }
  return is_met;
}

// Casts at the shape of a proxy. Returns how far the search goes on.
static double cast_at(void *user, uint32_t proxy_id, double max_distance) {
  cast_search *search = user;
  mo_query *query = &search->query;
  const mo_proxy *proxy = &query->world->broad_phase.proxies[proxy_id];
  if (!mo_query_looks_at(query, proxy)) {
    return max_distance;
  }
  mo_shape_hit hit;
  if (!cast_at_surface(search, proxy_id, mo_min(max_distance, search->cast->max_distance), &hit)) {
    return max_distance;
  }
  if (!mo_query_keep(query, proxy,
                     &(mo_query_hit){.position = hit.position,
                                     .normal = hit.normal,
                                     .distance = hit.distance,
                                     .penetration_depth = hit.penetration_depth,
                                     .triangle = MO_NO_INDEX})) {
    return 0.0;
  }
  return mo_query_reach(query, max_distance);
}

// The broad phase moves the box around the shape along the line.
static void search_along(cast_search *search) {
  const mo_shape_cast *cast = search->cast;
  search->start = mo_transform_from_pose(cast->pose);
  mo_bounds bounds = mo_shape_bounds(cast->shape, &search->start);
  mo_vec3 middle = mo_lerp(bounds.lower, bounds.upper, 0.5);
  mo_vec3 half_extents = mo_scale(0.5, mo_sub(bounds.upper, bounds.lower));
  mo_broad_phase_cast_box(&search->query.world->broad_phase, mo_query_trees(&search->query), middle,
                          half_extents, cast->direction, mo_max(cast->max_distance, MO_LEAST_REACH),
                          cast_at, search);
}

mo_result mo_world_cast_shape(mo_world *world, const mo_shape_cast *cast, mo_query_hit *hit) {
  mo_shape_cast checked = *cast;
  MO_RETURN_IF_REFUSED(check_cast(world, "mo_world_cast_shape", &checked));
  mo_query_hit best;
  cast_search search = {.query = mo_query_for_best(world, &checked.filter, &best),
                        .cast = &checked};
  search_along(&search);
  *hit = best;
  return MO_OK;
}

mo_result mo_world_cast_shape_all(mo_world *world, const mo_shape_cast *cast,
                                  const mo_query_hit **hits, uint32_t *count) {
  static const char *const function = "mo_world_cast_shape_all";
  mo_shape_cast checked = *cast;
  MO_RETURN_IF_REFUSED(check_cast(world, function, &checked));
  cast_search search = {.query = mo_query_for_all(world, &checked.filter), .cast = &checked};
  search_along(&search);
  return mo_query_end_list(&search.query, function, hits, count);
}

// --- casts in one place ----------------------------------------------------------------------

static mo_aabb swept_box(const cast_search *search) {
  const mo_shape_cast *cast = search->cast;
  mo_bounds start = mo_shape_bounds(cast->shape, &search->start);
  mo_vec3 way = mo_scale(cast->max_distance, cast->direction);
  return mo_aabb_from_bounds((mo_bounds){mo_v3_min(start.lower, mo_add(start.lower, way)),
                                         mo_v3_max(start.upper, mo_add(start.upper, way))});
}

bool mo_nearby_cast_shape(mo_nearby *nearby, double margin, mo_world *world,
                          const mo_shape_cast *cast, mo_query_hit *hit) {
  cast_search search = {.query = mo_query_for_best(world, &cast->filter, hit),
                        .cast = cast,
                        .start = mo_transform_from_pose(cast->pose)};
  mo_aabb swept = swept_box(&search);
  if (!nearby->is_known || !mo_aabb_contains(&nearby->region, &swept)) {
    mo_aabb region = mo_aabb_expand(&swept, mo_round_up(margin));
    mo_nearby_find(nearby, world, &cast->filter, &region);
  }
  if (mo_nearby_covers(nearby, &swept)) {
    mo_nearby_cast(nearby, world, &swept, cast->max_distance, cast_at, &search);
  } else {
    search_along(&search);
  }
  return !mo_body_id_is_null(hit->body);
}

// --- overlaps --------------------------------------------------------------------------------

typedef struct overlap_search {
  mo_query query;
  const mo_shape *shape;
  mo_transform placement;
} overlap_search;

static bool overlap_at(void *user, uint32_t proxy_id) {
  overlap_search *search = user;
  mo_query *query = &search->query;
  const mo_proxy *proxy = &query->world->broad_phase.proxies[proxy_id];
  if (!mo_query_looks_at(query, proxy)) {
    return true;
  }
  mo_transform placement;
  const mo_shape *other = mo_query_shape_of(query, proxy, &placement);
  mo_distance_result apart = mo_distance_placed(search->shape, search->placement, other, placement);
  return apart.distance > 0.0 ||
         mo_query_keep(query, proxy, &(mo_query_hit){.triangle = MO_NO_INDEX});
}

mo_result mo_world_overlap(mo_world *world, const mo_shape *shape, mo_pose pose,
                           const mo_query_filter *filter, const mo_query_hit **hits,
                           uint32_t *count) {
  static const char *const function = "mo_world_overlap";
  mo_query_filter used = filter ? *filter : mo_query_filter_default();
  MO_RETURN_IF_REFUSED(mo_query_check_shape(world, function, shape, &pose));
  MO_RETURN_IF_REFUSED(mo_query_check_filter(world, function, &used));
  overlap_search search = {.query = mo_query_for_all(world, &used),
                           .shape = shape,
                           .placement = mo_transform_from_pose(pose)};
  mo_aabb box = mo_aabb_from_bounds(mo_shape_bounds(shape, &search.placement));
  mo_broad_phase_query(&world->broad_phase, mo_query_trees(&search.query), &box, overlap_at,
                       &search);
  return mo_query_end_list(&search.query, function, hits, count);
}
