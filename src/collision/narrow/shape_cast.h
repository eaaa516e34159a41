/// Where a moving shape first meets another one.
#pragma once

#include "geometry/shape.h"

/// Where a moving shape meets the surface of another one.
typedef struct mo_shape_hit {
  double distance;          ///< m, along the direction
  double penetration_depth; ///< m: if they overlap at the start, how far apart `normal` moves them
  mo_vec3 position;         ///< world, on the surface of the target
  mo_vec3 normal;           ///< unit, world, out of the target
} mo_shape_hit;

/// Casts a bounded shape at a placed one. Shapes that overlap at the start meet at distance 0, with
/// the shortest way out as normal. Shapes that touch at the start meet there if they approach, and
/// otherwise not.
/// @param pose of the moving shape at the start, world
/// @param unit_direction world, of unit length
/// @param max_distance m, 0 or more, may be infinite: hits further away do not count
/// @param metre in the unit of all lengths here, as for mo_collide_shapes
/// @param[out] out written if there is a hit
/// @return whether there is one
bool mo_cast_shape(const mo_shape *target, mo_transform placement, const mo_shape *moving,
                   mo_transform pose, mo_vec3 unit_direction, double max_distance, double metre,
                   mo_shape_hit *out);
