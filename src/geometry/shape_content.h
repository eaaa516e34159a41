/// A hash of the contents of a shape.
#pragma once

#include "geometry/shape.h"

/// 64-bit hash of the kind, sizes, vertices and faces of a shape. Shapes that are equal in all of
/// these have the same hash.
uint64_t mo_shape_content_hash(const mo_shape *shape);
