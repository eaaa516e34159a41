/// What a shape is, as one number.
#pragma once

#include "geometry/shape.h"

/// 64-bit hash of what the shape is made of: kind, sizes, vertices and faces. Shapes that are equal
/// in all of these have the same, wherever they were made.
uint64_t mo_shape_content_hash(const mo_shape *shape);
