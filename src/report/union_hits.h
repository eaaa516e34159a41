/// Hits of casts and rays that are none of the union of what they meet (step/union_contacts.h):
/// they meet the side of a shape that another one covers, or the rim from which the surface goes
/// on.
#pragma once

#include "report/query.h"

/// A hit of a moving shape with a shape of the world.
typedef struct mo_union_hit {
  const mo_shape *moving;
  mo_transform pose; ///< of the moving shape where it hits
  uint32_t proxy;    ///< of what is hit
  mo_vec3 position;  ///< world, on what is hit
  mo_vec3 normal;    ///< unit, world, out of it
} mo_union_hit;

/// Whether the hit is none, because of others that the moving shape touches there. Those that the
/// query does not look at cover nothing.
bool mo_union_hit_is_void(mo_query *query, const mo_union_hit *hit);
/// m: how far behind a void hit the surface is looked at again.
double mo_union_hit_beyond(const mo_shape *moving);

/// m: how near to the hit of a ray others are at the same place.
/// @param radius m: of what looks for the surface along the ray, as a wheel; 0: nothing
double mo_union_ray_look(const mo_shape *shape, double radius);
/// m: by how much of a crack a ray that comes so far misses nothing.
double mo_union_ray_slack(const mo_ray *ray, const mo_shape *shape, const mo_transform *at,
                          double radius);
/// Gives the hit of a ray the normal of the surface, if its own is that of a side that others
/// cover.
/// @param near hits at the same place, of which it may be one
void mo_union_ray_turn(mo_world *world, const mo_ray *ray, const mo_query_hit *near, uint32_t count,
                       double radius, mo_query_hit *hit);
