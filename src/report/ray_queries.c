/// Queries about the positions of bodies: ray casts.
#include "collision/convex/ray_cast.h"
#include "report/nearby.h"
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

typedef struct ray_search {
  mo_query query;
  const mo_ray *ray; // its direction of unit length
} ray_search;

// Casts the ray at the shape of a proxy. Returns how far the search goes on.
static double cast_at(void *user, uint32_t proxy_id, double max_distance) {
  ray_search *search = user;
  mo_query *query = &search->query;
  const mo_proxy *proxy = &query->world->broad_phase.proxies[proxy_id];
  if (!mo_query_looks_at(query, proxy)) {
    return max_distance;
  }
  mo_transform placement;
  const mo_shape *shape = mo_query_shape_of(query, proxy, &placement);
  mo_surface_hit surface;
  if (!mo_shape_cast_ray(shape, placement, search->ray->origin, search->ray->direction,
                         mo_min(max_distance, search->ray->max_distance), &surface)) {
    return max_distance;
  }
  if (!mo_query_keep(query, proxy,
                     &(mo_query_hit){.position = surface.position,
                                     .normal = surface.normal,
                                     .distance = surface.distance,
                                     .triangle = surface.triangle})) {
    return 0.0;
  }
  return mo_query_reach(query, max_distance);
}

static void search_along(ray_search *search) {
  const mo_ray *ray = search->ray;
  mo_broad_phase_cast_ray(&search->query.world->broad_phase, mo_query_trees(&search->query),
                          ray->origin, ray->direction, mo_max(ray->max_distance, MO_LEAST_REACH),
                          cast_at, search);
}

mo_result mo_world_cast_ray(mo_world *world, const mo_ray *ray, mo_query_hit *hit) {
  mo_ray checked = *ray;
  MO_RETURN_IF_REFUSED(check_ray(world, "mo_world_cast_ray", &checked));
  mo_query_hit best;
  ray_search search = {.query = mo_query_for_best(world, &checked.filter, &best), .ray = &checked};
  search_along(&search);
  *hit = best;
  return MO_OK;
}

mo_result mo_world_cast_ray_all(mo_world *world, const mo_ray *ray, const mo_query_hit **hits,
                                uint32_t *count) {
  static const char *const function = "mo_world_cast_ray_all";
  mo_ray checked = *ray;
  MO_RETURN_IF_REFUSED(check_ray(world, function, &checked));
  ray_search search = {.query = mo_query_for_all(world, &checked.filter), .ray = &checked};
  search_along(&search);
  return mo_query_end_list(&search.query, function, hits, count);
}

static mo_aabb swept_box(const mo_ray *ray) {
  mo_vec3 end = mo_add_scaled(ray->origin, ray->max_distance, ray->direction);
  return mo_aabb_from_bounds((mo_bounds){mo_v3_min(ray->origin, end), mo_v3_max(ray->origin, end)});
}

bool mo_nearby_cast_ray(const mo_nearby *nearby, mo_world *world, const mo_ray *ray,
                        mo_query_hit *hit) {
  ray_search search = {.query = mo_query_for_best(world, &ray->filter, hit), .ray = ray};
  mo_aabb swept = swept_box(ray);
  if (mo_nearby_covers(nearby, &swept)) {
    mo_nearby_cast(nearby, world, &swept, ray->max_distance, cast_at, &search);
  } else {
    search_along(&search);
  }
  return !mo_body_id_is_null(hit->body);
}
