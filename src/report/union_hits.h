/// Hits of casts that are none of the union of what they meet (step/union_contacts.h): the cast
/// meets the side of a shape that another one covers, or the rim from which the surface goes on.
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
