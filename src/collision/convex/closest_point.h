/// The point of a shape's surface that is closest to a point.
#pragma once

#include "geometry/shape.h"

typedef struct mo_surface_point {
  double distance;  ///< m from the surface, negative inside the shape
  mo_vec3 position; ///< world, on the surface
  mo_vec3 normal;   ///< unit, world, out of the shape
} mo_surface_point;

/// The point of a placed shape's surface that is closest to `point`, and the signed distance.
/// Outside of the core it is GJK's (Gilbert, Johnson and Keerthi 1988), inside of a polyhedron the
/// nearest face, and inside of a curved core EPA's (van den Bergen 2001). Where several points are
/// equally close one of them is given, always the same.
/// @param point world, m
/// @param max_distance m: the search may end at shapes that are further away
/// @param[out] out written if the shape is not further away
/// @return whether it is not
bool mo_shape_closest_point(const mo_shape *shape, mo_transform placement, mo_vec3 point,
                            double max_distance, mo_surface_point *out);
