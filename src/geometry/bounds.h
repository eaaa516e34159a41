/// Axis-aligned bounds. They may be infinite (planes).
#pragma once

#include "math/vec3.h"

typedef struct mo_bounds {
  mo_vec3 lower, upper;
} mo_bounds;

/// Moves every side outwards by `margin` metres.
static inline mo_bounds mo_bounds_expand(mo_bounds bounds, double margin) {
  mo_vec3 m = mo_v3(margin, margin, margin);
  return (mo_bounds){mo_sub(bounds.lower, m), mo_add(bounds.upper, m)};
}

/// Touching counts as overlap.
static inline bool mo_bounds_overlap(const mo_bounds *a, const mo_bounds *b) {
  return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
         b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}
