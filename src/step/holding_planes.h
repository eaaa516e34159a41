/// Planes that hold back the middle of a body in joints. Private to src/step.
///
/// To stop a limb in the middle of a step tears it off its joints, because what hangs on them goes
/// on. So it only loses what leads into what is in its way: it is moved back along the normals
/// there, and slides and turns as it would have. The plane through the closest point of a convex
/// shape has all of that shape behind it, so what stays in front of the plane does not enter.
#pragma once

#include "math/vec3.h"

#include <stdbool.h>
#include <stdint.h>

#define MO_HOLDING_PLANES 4u

typedef struct mo_holding_plane {
  mo_vec3 normal; ///< unit, into the other shape
  double excess;  ///< m: how far the path ends behind the plane
} mo_holding_plane;

/// Sorted, so that no bit depends on the order in which they were found.
typedef struct mo_holding_planes {
  mo_holding_plane planes[MO_HOLDING_PLANES];
  uint32_t count; ///< of all that were added, of which there may be more than room is for
} mo_holding_planes;

void mo_holding_planes_add(mo_holding_planes *all, mo_vec3 normal, double excess);
/// Finds a displacement, m, that takes the end of the path in front of all planes, to a tolerance.
/// @return false where none is found, as in a wedge, or with too many planes
bool mo_holding_planes_find(const mo_holding_planes *all, double tolerance, mo_vec3 *displacement);
