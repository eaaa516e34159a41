/// Queries about the positions of bodies: ray casts.
#include "collision/convex/ray_cast.h"
#include "report/query.h"
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
  mo_ray ray; // its direction of unit length
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
  if (!mo_shape_cast_ray(shape, placement, search->ray.origin, search->ray.direction,
                         mo_min(max_distance, search->ray.max_distance), &surface)) {
    return max_distance;
  }
  if (!mo_query_keep(query, proxy,
                     (mo_query_hit){.position = surface.position,
                                    .normal = surface.normal,
                                    .distance = surface.distance,
                                    .triangle = surface.triangle})) {
    return 0.0;
  }
  return mo_query_reach(query, max_distance);
}

static void search_along(ray_search *search) {
  const mo_ray *ray = &search->ray;
  mo_broad_phase_cast_ray(&search->query.world->broad_phase, mo_query_trees(&search->query),
                          ray->origin, ray->direction, mo_max(ray->max_distance, MO_LEAST_REACH),
                          cast_at, search);
}

mo_result mo_world_cast_ray(mo_world *world, const mo_ray *ray, mo_query_hit *hit) {
  ray_search search = {.ray = *ray};
  MO_RETURN_IF_REFUSED(check_ray(world, "mo_world_cast_ray", &search.ray));
  mo_query_hit best;
  search.query = mo_query_for_best(world, &search.ray.filter, &best);
  search_along(&search);
  *hit = best;
  return MO_OK;
}

mo_result mo_world_cast_ray_all(mo_world *world, const mo_ray *ray, const mo_query_hit **hits,
                                uint32_t *count) {
  static const char *const function = "mo_world_cast_ray_all";
  ray_search search = {.ray = *ray};
  MO_RETURN_IF_REFUSED(check_ray(world, function, &search.ray));
  search.query = mo_query_for_all(world, &search.ray.filter);
  search_along(&search);
  return mo_query_end_list(&search.query, function, hits, count);
}
