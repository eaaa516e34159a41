/// Breaks ties between equal things by their positions along one fixed direction.
#pragma once

#include "math/vec3.h"

/// The position of a point along the direction of ties, which is about a unit vector. No usual
/// side, diagonal or pair of centres (axes, their halves and 45 degrees) is perpendicular to it, so
/// the choice is the same in the next step.
static inline double mo_tie_break(mo_vec3 point) {
  return 0.31 * point.x + 0.89 * point.y + 0.33 * point.z;
}

/// The direction of ties.
static inline mo_vec3 mo_tie_direction(void) { return mo_v3(0.31, 0.89, 0.33); }
