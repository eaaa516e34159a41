/// Where a moving convex core first meets another one.
#pragma once

#include "geometry/convex.h"
#include "geometry/local_ray.h"
#include "math/quat.h"

/// How a cast of one core at another begins or ends.
typedef enum mo_cast_status {
  MO_CAST_MISSES,
  MO_CAST_HITS,
  MO_CAST_STARTS_TOUCHING, ///< they touch or overlap at the start; nothing else is set
} mo_cast_status;

/// Casts a rounded core at another one without rotation. Newton's method runs on the gap as a
/// function of the distance moved. The function is convex, so no round passes the surface
/// (conservative advancement, Mirtich 1996; ray casts by GJK, van den Bergen 2004). The plane
/// through the nearest points separates the two, and the next position is where the moving core
/// reaches that plane.
/// @param start frame of the moving core in that of the target
/// @param direction frame of the target, of unit length
/// @param max_distance m, may be infinite: further hits may count as misses
/// @param touching m, above 0: a smaller gap counts as touching
/// @param[out] hit frame of the target, written for MO_CAST_HITS: its position is on the target
mo_cast_status mo_cast_core(const mo_convex *target, const mo_convex *moving, mo_transform start,
                            mo_vec3 direction, double max_distance, double touching,
                            mo_local_hit *hit);
/// m: the gap of the accuracy of GJK for two cores, the origins of whose frames are `distance`
/// metres apart.
double mo_cast_touching(const mo_convex *a, const mo_convex *b, double distance);
