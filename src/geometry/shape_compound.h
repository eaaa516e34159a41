/// Several placed shapes as one.
#pragma once

#include "geometry/shape.h"

/// Writes the parts of a placed shape, in the frame in which it is placed, or the shape itself if
/// it has none: mo_shape_part_count of them. What is open in a part is taken from `placed`. No
/// reference is taken.
void mo_shape_write_parts(const mo_placed_shape *placed, mo_placed_shape *parts);
