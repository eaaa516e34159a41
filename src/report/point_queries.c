/// Queries with a point: the closest surface, and whether it is inside of a shape.
#include "collision/convex/closest_point.h"
#include "report/query.h"
#include "world/checks.h"

typedef struct point_search {
  mo_query query;
  mo_vec3 point;
  double max_distance; // m
} point_search;

// Measures the shape of a proxy. Returns how far the search goes on: a point that is inside of one
// shape may be deeper in another one.
static double measure_at(void *user, uint32_t proxy_id, double max_distance) {
  point_search *search = user;
  mo_query *query = &search->query;
  const mo_proxy *proxy = &query->world->broad_phase.proxies[proxy_id];
  if (!mo_query_looks_at(query, proxy)) {
    return max_distance;
  }
  mo_transform placement;
  const mo_shape *shape = mo_query_shape_of(query, proxy, &placement);
  mo_surface_point closest;
  if (!mo_shape_closest_point(shape, placement, search->point,
                              mo_min(max_distance, search->max_distance), &closest)) {
    return max_distance;
  }
  mo_query_keep(query, proxy,
                &(mo_query_hit){.position = closest.position,
                                .normal = closest.normal,
                                .distance = closest.distance,
                                .triangle = MO_NO_INDEX});
  bool has_best = !mo_body_id_is_null(query->best->body);
  return has_best ? mo_max(query->best->distance, 0.0) : max_distance;
}

static mo_result check_point(mo_world *world, const char *function, mo_vec3 point,
                             const mo_query_filter *filter) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "point", point));
  return mo_query_check_filter(world, function, filter);
}

static mo_query_hit search_near(mo_world *world, mo_vec3 point, double max_distance,
                                const mo_query_filter *filter) {
  mo_query_hit best;
  point_search search = {.query = mo_query_for_best(world, filter, &best),
                         .point = point,
                         .max_distance = max_distance};
  mo_broad_phase_query_near(&world->broad_phase, mo_query_trees(&search.query), point, max_distance,
                            measure_at, &search);
  return best;
}

mo_result mo_world_closest_point(mo_world *world, mo_vec3 point, double max_distance,
                                 const mo_query_filter *filter, mo_query_hit *hit) {
  static const char *const function = "mo_world_closest_point";
  mo_query_filter used = filter ? *filter : mo_query_filter_default();
  MO_RETURN_IF_REFUSED(check_point(world, function, point, &used));
  if (!(max_distance >= 0.0)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "max_distance",
                           "must be 0 or more metres", max_distance);
  }
  *hit = search_near(world, point, max_distance, &used);
  return MO_OK;
}

mo_result mo_world_contains(mo_world *world, mo_vec3 point, const mo_query_filter *filter,
                            bool *contains) {
  mo_query_filter used = filter ? *filter : mo_query_filter_default();
  MO_RETURN_IF_REFUSED(check_point(world, "mo_world_contains", point, &used));
  mo_query_hit hit = search_near(world, point, 0.0, &used);
  *contains = !mo_body_id_is_null(hit.body) && hit.distance < 0.0;
  return MO_OK;
}
