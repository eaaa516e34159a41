#include "report/nearby.h"

static bool add(void *user, uint32_t proxy) {
  mo_nearby *nearby = user;
  if (nearby->count < MO_NEARBY_MOST) {
    nearby->proxies[nearby->count] = proxy;
  }
  return ++nearby->count <= MO_NEARBY_MOST;
}

void mo_nearby_find(mo_nearby *nearby, mo_world *world, const mo_query_filter *filter,
                    const mo_aabb *region) {
  nearby->is_known = true;
  nearby->region = *region;
  nearby->count = 0;
  mo_query query = {.filter = *filter};
  mo_broad_phase_query(&world->broad_phase, mo_query_trees(&query), region, add, nearby);
}

void mo_nearby_cast(const mo_nearby *nearby, const mo_world *world, const mo_aabb *swept,
                    double max_distance, mo_ray_query_function *function, void *user) {
  double reach = mo_max(max_distance, MO_LEAST_REACH);
  for (uint32_t i = 0; i < nearby->count && reach > 0.0; i++) {
    uint32_t proxy = nearby->proxies[i];
    if (mo_aabb_overlap(&world->broad_phase.boxes[proxy], swept)) {
      reach = mo_min(reach, function(user, proxy, reach));
    }
  }
}
