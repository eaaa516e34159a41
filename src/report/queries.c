/// Queries about the positions of bodies: ray casts.
#include "collision/convex/ray_cast.h"
#include "memory/array.h"
#include "world/checks.h"

// Squares of numbers between this and its inverse neither overflow nor vanish.
#define SQUARABLE 1e100

mo_ray mo_ray_default(void) {
  return (mo_ray){
      .max_distance = INFINITY,
      .filter = {.category = 0xFFFFFFFFu, .mask = 0xFFFFFFFFu, .exclude = MO_NULL_BODY_ID}};
}

// --- checks ----------------------------------------------------------------------------------

static mo_result check_filter(mo_world *world, const char *function,
                              const mo_query_filter *filter) {
  return mo_body_id_is_null(filter->exclude)
             ? MO_OK
             : mo_check_body_id(world, function, "exclude", filter->exclude);
}

// Gives the ray a direction of unit length.
static mo_result check_ray(mo_world *world, const char *function, mo_ray *ray) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, "origin", ray->origin));
  mo_vec3 d = ray->direction;
  double size = mo_v3_max_component(mo_v3_abs(d));
  if (!mo_v3_is_finite(d) || !(size > 0.0)) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, "direction",
                                "must be finite and not zero", d);
  }
  if (!(size > 1.0 / SQUARABLE && size < SQUARABLE)) {
    d = mo_v3(d.x / size, d.y / size, d.z / size);
  }
  ray->direction = mo_normalize(d);
  if (!(ray->max_distance >= 0.0)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "max_distance",
                           "must be 0 or more metres", ray->max_distance);
  }
  return check_filter(world, function, &ray->filter);
}

// --- the shapes along a ray ------------------------------------------------------------------

typedef struct ray_search {
  mo_world *world;
  mo_ray ray;       // its direction of unit length
  mo_ray_hit *best; // of a search for the first hit; a null body: none yet
  bool is_out_of_memory;
} ray_search;

static bool is_looked_at(const ray_search *search, const mo_proxy *proxy) {
  const mo_query_filter *filter = &search->ray.filter;
  bool is_excluded = mo_body_id_slot(filter->exclude) == proxy->slot; // null: of no proxy
  return !is_excluded && (proxy->filter.category & filter->mask) != 0 &&
         (filter->category & proxy->filter.mask) != 0;
}

// Casts the ray at the shape of a proxy. Returns false for a miss, or a hit beyond max_distance.
static bool cast_at(const ray_search *search, uint32_t proxy_id, double max_distance,
                    mo_ray_hit *hit) {
  const mo_world *world = search->world;
  const mo_proxy *proxy = &world->broad_phase.proxies[proxy_id];
  if (!is_looked_at(search, proxy)) {
    return false;
  }
  const mo_body *body = &world->bodies[proxy->slot];
  const mo_shape *shape = body->shapes[proxy->shape].shape;
  mo_transform placement =
      mo_body_visible_transform(body, proxy->shape, &world->motions[proxy->slot]);
  mo_surface_hit surface;
  if (!mo_shape_cast_ray(shape, placement, search->ray.origin, search->ray.direction,
                         mo_min(max_distance, search->ray.max_distance), &surface)) {
    return false;
  }
  *hit = (mo_ray_hit){.body = mo_world_body_in_slot(search->world, proxy->slot),
                      .shape = proxy->shape,
                      .position = surface.position,
                      .normal = surface.normal,
                      .distance = surface.distance};
  return true;
}

// Orders by distance, then by slot and shape: no two hits of a ray are equal.
static bool comes_before(const mo_ray_hit *a, const mo_ray_hit *b) {
  if (a->distance != b->distance) {
    return a->distance < b->distance;
  }
  uint32_t slot_a = mo_body_id_slot(a->body), slot_b = mo_body_id_slot(b->body);
  return slot_a != slot_b ? slot_a < slot_b : a->shape < b->shape;
}

static double keep_first(void *user, uint32_t proxy, double max_distance) {
  ray_search *search = user;
  mo_ray_hit hit;
  if (!cast_at(search, proxy, max_distance, &hit)) {
    return max_distance;
  }
  if (mo_body_id_is_null(search->best->body) || comes_before(&hit, search->best)) {
    *search->best = hit;
  }
  return mo_max(search->best->distance, MO_LEAST_REACH);
}

static double keep_all(void *user, uint32_t proxy, double max_distance) {
  ray_search *search = user;
  mo_world *world = search->world;
  mo_ray_hit hit;
  if (!cast_at(search, proxy, max_distance, &hit)) {
    return max_distance;
  }
  if (!MO_RESERVE(world, ray_hits, world->ray_hits_count + 1)) {
    search->is_out_of_memory = true;
    return 0.0;
  }
  world->ray_hits[world->ray_hits_count++] = hit;
  return max_distance;
}

static void search_along(ray_search *search, mo_ray_query_function *function) {
  const mo_ray *ray = &search->ray;
  mo_broad_phase_cast_ray(&search->world->broad_phase, MO_TREES_ALL, ray->origin, ray->direction,
                          mo_max(ray->max_distance, MO_LEAST_REACH), function, search);
}

// Sorts in place (Shell 1959, with the gaps of Knuth 1973).
static void sort_hits(mo_ray_hit *hits, uint32_t count) {
  uint32_t gap = 1;
  while (gap < count / 3) {
    gap = 3 * gap + 1;
  }
  for (; gap > 0; gap /= 3) {
    for (uint32_t i = gap; i < count; i++) {
      mo_ray_hit hit = hits[i];
      uint32_t place = i;
      for (; place >= gap && comes_before(&hit, &hits[place - gap]); place -= gap) {
        hits[place] = hits[place - gap];
      }
      hits[place] = hit;
    }
  }
}

// --- the public functions --------------------------------------------------------------------

mo_result mo_world_cast_ray(mo_world *world, const mo_ray *ray, mo_ray_hit *hit) {
  ray_search search = {.world = world, .ray = *ray, .best = hit};
  MO_RETURN_IF_REFUSED(check_ray(world, "mo_world_cast_ray", &search.ray));
  hit->body = MO_NULL_BODY_ID;
  search_along(&search, keep_first);
  return MO_OK;
}

mo_result mo_world_cast_ray_all(mo_world *world, const mo_ray *ray, const mo_ray_hit **hits,
                                uint32_t *count) {
  static const char *const function = "mo_world_cast_ray_all";
  ray_search search = {.world = world, .ray = *ray};
  MO_RETURN_IF_REFUSED(check_ray(world, function, &search.ray));
  world->ray_hits_count = 0;
  search_along(&search, keep_all);
  if (search.is_out_of_memory) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function,
                                "no memory for so many hits");
  }
  sort_hits(world->ray_hits, world->ray_hits_count);
  *hits = world->ray_hits;
  *count = world->ray_hits_count;
  return MO_OK;
}
