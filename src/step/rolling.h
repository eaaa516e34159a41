/// Which shapes may roll on each other. Private to src/step.
#pragma once

#include "geometry/shape.h"

static inline bool mo_shape_is_round(const mo_shape *shape) {
  const mo_convex *core = &shape->core;
  return core->radius > 0.0 || core->kind == MO_CORE_REVOLVED || core->kind == MO_CORE_CURVED;
}

/// Whether shapes that touch in so many points may roll on each other.
static inline bool mo_shapes_roll(const mo_shape *a, const mo_shape *b, uint32_t point_count) {
  return (point_count == 1 || point_count == 2) && (mo_shape_is_round(a) || mo_shape_is_round(b));
}
