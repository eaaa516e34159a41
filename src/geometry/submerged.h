/// The part of a shape on one side of a plane, for buoyancy.
#pragma once

#include "geometry/shape.h"

/// A part of a solid.
typedef struct mo_submerged {
  double volume;    ///< m^3
  mo_vec3 centroid; ///< m, frame of the shape; zero without volume
} mo_submerged;

/// The part of a shape with normal . x <= offset.
///
/// Polyhedra (boxes and hulls with sharp edges): exact, by the divergence theorem over their
/// clipped triangles (Mirtich 1996). Balls: exact. Solids of revolution (MO_PROFILE_PIECES of
/// shape_class.h): the sections across the axis are segments of a circle, exact, and their sum
/// along the axis is a Gauss-Legendre quadrature with an error below 1e-9 of the volume. Other
/// convex shapes: a polyhedron of 1026 points of their surface, scaled to the exact volume; its
/// error is below 1 % of the volume of the shape. A shape without volume has no part.
/// @param normal unit, frame of the shape
mo_submerged mo_shape_submerged(const mo_shape *shape, mo_vec3 normal, double offset);
