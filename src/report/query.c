#include "report/query.h"

#include "memory/array.h"
#include "world/checks.h"

// Squares of numbers between this and its inverse neither overflow nor vanish.
#define SQUARABLE 1e100

mo_query_filter mo_query_filter_default(void) {
  return (mo_query_filter){.category = 0xFFFFFFFFu, .mask = 0xFFFFFFFFu};
}

mo_query mo_query_for_best(mo_world *world, const mo_query_filter *filter, mo_query_hit *best) {
  *best = (mo_query_hit){0};
  return (mo_query){.world = world, .filter = *filter, .best = best};
}

mo_query mo_query_for_all(mo_world *world, const mo_query_filter *filter) {
  return (mo_query){.world = world, .filter = *filter, .first = world->query_hits_count};
}

// --- checks ----------------------------------------------------------------------------------

mo_result mo_query_check_filter(mo_world *world, const char *function,
                                const mo_query_filter *filter) {
  return mo_body_id_is_null(filter->exclude)
             ? MO_OK
             : mo_check_body_id(world, function, "exclude", filter->exclude);
}

mo_result mo_query_check_line(mo_world *world, const char *function, mo_vec3 *direction,
                              double max_distance) {
  mo_vec3 d = *direction;
  double size = mo_v3_max_component(mo_v3_abs(d));
  if (!mo_v3_is_finite(d) || !(size > 0.0)) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, "direction",
                                "must be finite and not zero", d);
  }
  if (!(size > 1.0 / SQUARABLE && size < SQUARABLE)) {
    d = mo_v3(d.x / size, d.y / size, d.z / size);
  }
  *direction = mo_normalize(d);
  if (!(max_distance >= 0.0)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "max_distance",
                           "must be 0 or more metres", max_distance);
  }
  return MO_OK;
}

static bool has_surface(const mo_shape *shape) {
  for (uint32_t i = 0; i < shape->part_count; i++) {
    if (mo_shape_is_surface(shape->parts[i].shape)) {
      return true;
    }
  }
  return mo_shape_is_surface(shape);
}

mo_result mo_query_check_shape(mo_world *world, const char *function, const mo_shape *shape,
                               mo_pose *pose) {
  if (!shape || mo_shape_is_unbounded(shape)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "shape must be there, and not a plane");
  }
  if (has_surface(shape)) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "shape must have an inside: it cannot be a mesh or heightfield");
  }
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "position", pose->position));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, function, pose->orientation));
  pose->orientation = mo_quat_normalize(pose->orientation);
  return MO_OK;
}

// --- hits ------------------------------------------------------------------------------------

// Orders by distance, then by depth, slot and shape: no two hits of a query are equal.
static bool comes_before(const mo_query_hit *a, const mo_query_hit *b) {
  if (a->distance != b->distance) {
    return a->distance < b->distance;
  }
  if (a->penetration_depth != b->penetration_depth) {
    return a->penetration_depth > b->penetration_depth;
  }
  uint32_t slot_a = mo_body_id_slot(a->body), slot_b = mo_body_id_slot(b->body);
  return slot_a != slot_b ? slot_a < slot_b : a->shape < b->shape;
}

bool mo_query_accepts(const mo_query *query, const mo_proxy *proxy) {
  const mo_query_filter *filter = &query->filter;
  if (!filter->predicate) {
    return true;
  }
  bool was_locked = query->world->is_locked;
  query->world->is_locked = true;
  bool is_taken = filter->predicate(mo_world_body_in_slot(query->world, proxy->slot), proxy->shape,
                                    filter->user);
  query->world->is_locked = was_locked;
  return is_taken;
}

static bool append(mo_query *query, const mo_query_hit *hit) {
  mo_world *world = query->world;
  if (!MO_RESERVE(world, query_hits, world->query_hits_count + 1)) {
    query->is_out_of_memory = true;
    return false;
  }
  world->query_hits[world->query_hits_count++] = *hit;
  return true;
}

bool mo_query_keep(mo_query *query, const mo_proxy *proxy, mo_query_hit *hit) {
  hit->body = mo_world_body_in_slot(query->world, proxy->slot);
  hit->shape = proxy->shape;
  mo_query_hit *best = query->best;
  bool is_worse = best && !mo_body_id_is_null(best->body) && !comes_before(hit, best);
  if (is_worse || !mo_query_accepts(query, proxy)) {
    return true;
  }
  if (!best) {
    return append(query, hit);
  }
  *best = *hit;
  return true;
}

// --- lists -----------------------------------------------------------------------------------

// Sorts in place (Shell 1959, with the gaps of Knuth 1973).
static void sort_hits(mo_query_hit *hits, uint32_t count) {
  uint32_t gap = 1;
  while (gap < count / 3) {
    gap = 3 * gap + 1;
  }
  for (; gap > 0; gap /= 3) {
    for (uint32_t i = gap; i < count; i++) {
      mo_query_hit hit = hits[i];
      uint32_t place = i;
      for (; place >= gap && comes_before(&hit, &hits[place - gap]); place -= gap) {
        hits[place] = hits[place - gap];
      }
      hits[place] = hit;
    }
  }
}

mo_result mo_query_end_list(mo_query *query, const char *function, const mo_query_hit **hits,
                            uint32_t *count) {
  mo_world *world = query->world;
  uint32_t kept = world->query_hits_count - query->first;
  // A query within a predicate gives its place back to the one that asked the predicate.
  world->query_hits_count = query->first;
  if (query->is_out_of_memory) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function,
                                "no memory for so many hits");
  }
  *hits = NULL; // there is no array before the first hit
  *count = kept;
  if (kept > 0) {
    sort_hits(&world->query_hits[query->first], kept);
    *hits = &world->query_hits[query->first];
  }
  return MO_OK;
}
