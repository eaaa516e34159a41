/// What all queries share: the shapes that they look at, and the hits that they keep.
#pragma once

#include "world/world.h"

/// A running query.
typedef struct mo_query {
  mo_world *world;
  mo_query_filter filter;
  mo_query_hit *best;    ///< of a query for one hit; a null body: none yet. Null: all are kept
  uint32_t first;        ///< where its hits begin in the world's list
  bool is_out_of_memory; ///< the list could not grow
} mo_query;

/// Begins a query for the best hit.
mo_query mo_query_for_best(mo_world *world, const mo_query_filter *filter, mo_query_hit *best);
/// Begins a query for all hits. mo_query_end_list must follow.
mo_query mo_query_for_all(mo_world *world, const mo_query_filter *filter);

mo_result mo_query_check_filter(mo_world *world, const char *function,
                                const mo_query_filter *filter);
/// Checks and normalises what a ray and a cast have in common.
mo_result mo_query_check_line(mo_world *world, const char *function, mo_vec3 *direction,
                              double max_distance);
/// A bounded shape and a pose, whose orientation is normalised.
mo_result mo_query_check_shape(mo_world *world, const char *function, const mo_shape *shape,
                               mo_pose *pose);

/// The trees of the broad phase that the query looks into.
static inline uint32_t mo_query_trees(const mo_query *query) {
  return query->filter.include_sensors ? MO_TREES_ALL | MO_TREES_SENSOR : MO_TREES_ALL;
}
/// Whether filter and excluded body let the query look at a proxy.
static inline bool mo_query_looks_at(const mo_query *query, const mo_proxy *proxy) {
  const mo_query_filter *filter = &query->filter;
  bool is_excluded = mo_body_id_slot(filter->exclude) == proxy->slot; // null: of no proxy
  return !is_excluded && (proxy->filter.category & filter->mask) != 0 &&
         (filter->category & proxy->filter.mask) != 0;
}
/// The shape of a proxy, and where it is.
static inline const mo_shape *mo_query_shape_of(const mo_query *query, const mo_proxy *proxy,
                                                mo_transform *placement) {
  const mo_body *body = &query->world->bodies[proxy->slot];
  *placement = mo_body_visible_transform(body, proxy->shape, &query->world->motions[proxy->slot]);
  return body->shapes[proxy->shape].shape;
}

/// Whether the predicate of the filter, if there is one, takes a proxy's shape.
bool mo_query_accepts(const mo_query *query, const mo_proxy *proxy);
/// Keeps a hit of the proxy's shape, whose body and shape it writes, unless there is a better one
/// or the predicate refuses it. Returns false if the query must end, for want of memory.
bool mo_query_keep(mo_query *query, const mo_proxy *proxy, mo_query_hit *hit);

/// How far a search along a line goes on: for the best hit, to that.
static inline double mo_query_reach(const mo_query *query, double max_distance) {
  bool has_best = query->best && !mo_body_id_is_null(query->best->body);
  return has_best ? mo_max(query->best->distance, MO_LEAST_REACH) : max_distance;
}

/// Sorts the hits of a query for all, and gives them to the caller.
mo_result mo_query_end_list(mo_query *query, const char *function, const mo_query_hit **hits,
                            uint32_t *count);
