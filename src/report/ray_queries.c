/// Queries about the positions of bodies: ray casts.
#include "collision/convex/ray_cast.h"
#include "report/nearby.h"
#include "report/union_hits.h"
#include "step/union_contacts.h"
#include "world/checks.h"

mo_ray mo_ray_default(void) {
  return (mo_ray){.max_distance = INFINITY, .filter = mo_query_filter_default()};
}

// Gives the ray a direction of unit length.
static mo_result check_ray(mo_world *world, const char *function, mo_ray *ray) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "origin", ray->origin));
  MO_RETURN_IF_REFUSED(mo_query_check_line(world, function, &ray->direction, ray->max_distance));
  return mo_query_check_filter(world, function, &ray->filter);
}

// Shapes that meet where a ray hits one of them. More than meet at a corner are seldom there.
#define MOST_NEAR 8

typedef struct ray_search {
  mo_query query;
  const mo_ray *ray; // its direction of unit length
  double radius;     // m: of what looks for the surface along it; 0: nothing
  // Of a search for the best hit: what else is where the ray meets something, how near that is, and
  // whether the triangles of a mesh may meet there.
  mo_query_hit *near; // room for MOST_NEAR
  uint32_t near_count;
  double nearest, look;
  bool is_at_seams;
} ray_search;

// Whether the predicate takes a hit, and has taken it if it is the best one.
static bool is_taken(const mo_query *query, const mo_proxy *proxy, const mo_query_hit *hit) {
  const mo_query_hit *best = query->best;
  bool is_best = mo_body_id_equals(best->body, hit->body) && best->shape == hit->shape;
  return is_best || mo_query_accepts(query, proxy);
}

// Keeps a hit as one of those at the place of the nearest one.
static void keep_near(ray_search *search, const mo_query_hit *hit, const mo_shape *shape) {
  double look = mo_union_ray_look(shape, search->radius);
  bool is_first = search->near_count == 0;
  if (is_first || hit->distance < search->nearest) {
    bool is_elsewhere = is_first || search->nearest > hit->distance + look;
    search->near_count = is_elsewhere ? 0 : search->near_count;
    search->nearest = hit->distance;
    search->look = look;
    search->is_at_seams = !mo_union_is_settled(shape);
  }
  if (search->near_count < MOST_NEAR) {
    search->near[search->near_count++] = *hit;
  }
}

// Casts the ray at the shape of a proxy. Returns how far the search goes on.
static double cast_at(void *user, uint32_t proxy_id, double max_distance) {
  ray_search *search = user;
  mo_query *query = &search->query;
  const mo_ray *ray = search->ray;
  const mo_proxy *proxy = &query->world->broad_phase.proxies[proxy_id];
  if (!mo_query_looks_at(query, proxy)) {
    return max_distance;
  }
  mo_transform placement;
  const mo_shape *shape = mo_query_shape_of(query, proxy, &placement);
  double slack = mo_union_ray_slack(ray, shape, &placement, search->radius);
  mo_surface_hit surface;
  if (!mo_shape_cast_ray_near(shape, placement, ray->origin, ray->direction,
                              mo_min(max_distance, ray->max_distance), slack, &surface)) {
    return max_distance;
  }
  mo_query_hit hit = {.position = surface.position,
                      .normal = surface.normal,
                      .distance = surface.distance,
                      .triangle = surface.triangle};
  if (!mo_query_keep(query, proxy, &hit)) {
    return 0.0;
  }
  if (!query->best) {
    return max_distance;
  }
  bool is_near = search->near_count == 0 || hit.distance <= search->nearest + search->look;
  if (is_near && is_taken(query, proxy, &hit)) {
    keep_near(search, &hit, shape);
  }
  return mo_min(max_distance, mo_query_reach(query, max_distance) + search->look);
}

static void search_along(ray_search *search) {
  const mo_ray *ray = search->ray;
  mo_broad_phase_cast_ray(&search->query.world->broad_phase, mo_query_trees(&search->query),
                          ray->origin, ray->direction, mo_max(ray->max_distance, MO_LEAST_REACH),
                          cast_at, search);
}

static void turn_best(ray_search *search) {
  if (search->near_count > 1 || search->is_at_seams) {
    mo_union_ray_turn(search->query.world, search->ray, search->near, search->near_count,
                      search->radius, search->query.best);
  }
}

mo_result mo_world_cast_ray(mo_world *world, const mo_ray *ray, mo_query_hit *hit) {
  mo_ray checked = *ray;
  MO_RETURN_IF_REFUSED(check_ray(world, "mo_world_cast_ray", &checked));
  mo_query_hit best, near[MOST_NEAR];
  ray_search search = {
      .query = mo_query_for_best(world, &checked.filter, &best), .ray = &checked, .near = near};
  search_along(&search);
  turn_best(&search);
  *hit = best;
  return MO_OK;
}

// Of a list along the ray, each hit with those that are at the same place.
static void turn_all(mo_world *world, const mo_ray *ray, uint32_t count) {
  mo_query_hit *hits = &world->query_hits[world->query_hits_count];
  for (uint32_t i = 0; i < count; i++) {
    const mo_body *body = &world->bodies[mo_body_id_slot(hits[i].body)];
    double look = mo_union_ray_look(body->shapes[hits[i].shape].shape, 0.0);
    uint32_t first = i, end = i + 1;
    while (first > 0 && hits[i].distance - hits[first - 1].distance <= look) {
      first--;
    }
    while (end < count && hits[end].distance - hits[i].distance <= look) {
      end++;
    }
    mo_union_ray_turn(world, ray, &hits[first], end - first, 0.0, &hits[i]);
  }
}

mo_result mo_world_cast_ray_all(mo_world *world, const mo_ray *ray, const mo_query_hit **hits,
                                uint32_t *count) {
  static const char *const function = "mo_world_cast_ray_all";
  mo_ray checked = *ray;
  MO_RETURN_IF_REFUSED(check_ray(world, function, &checked));
  ray_search search = {.query = mo_query_for_all(world, &checked.filter), .ray = &checked};
  search_along(&search);
  MO_RETURN_IF_REFUSED(mo_query_end_list(&search.query, function, hits, count));
  turn_all(world, &checked, *count);
  return MO_OK;
}

static mo_aabb swept_box(const mo_ray *ray) {
  mo_vec3 end = mo_add_scaled(ray->origin, ray->max_distance, ray->direction);
  return mo_aabb_from_bounds((mo_bounds){mo_v3_min(ray->origin, end), mo_v3_max(ray->origin, end)});
}

bool mo_nearby_cast_ray(const mo_nearby *nearby, mo_world *world, const mo_ray *ray, double radius,
                        mo_query_hit *hit) {
  mo_query_hit near[MOST_NEAR];
  ray_search search = {.query = mo_query_for_best(world, &ray->filter, hit),
                       .ray = ray,
                       .radius = radius,
                       .near = near};
  mo_aabb swept = swept_box(ray);
  if (mo_nearby_covers(nearby, &swept)) {
    mo_nearby_cast(nearby, world, &swept, ray->max_distance, cast_at, &search);
  } else {
    search_along(&search);
  }
  turn_best(&search);
  return !mo_body_id_is_null(hit->body);
}
