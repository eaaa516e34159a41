/// Choice between things that are equal: by their place along one fixed direction.
#pragma once

#include "math/vec3.h"

/// How far a point is along the direction of ties. What matters is that no usual side, diagonal or
/// pair of centres (axes, their halves and 45 degrees) is at right angles to it, so that the choice
/// is the same in the next step; it is about a unit vector.
static inline double mo_tie_break(mo_vec3 point) {
  return 0.31 * point.x + 0.89 * point.y + 0.33 * point.z;
}
