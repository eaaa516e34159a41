/// Where a ray enters a shape.
#pragma once

#include "geometry/shape.h"

/// The point where a ray meets the surface of a shape.
typedef struct mo_surface_hit {
  double distance;   ///< m, along the ray
  mo_vec3 position;  ///< world
  mo_vec3 normal;    ///< unit, world, out of the shape; of a mesh, against the ray
  uint32_t triangle; ///< of a mesh; MO_NO_TRIANGLE: it is none
} mo_surface_hit;

/// Casts a ray at a placed shape. Polyhedra are cut by their faces (Cyrus and Beck 1978). For
/// spheres and capsules quadratics about the point of closest approach are solved (Haines et al.
/// 2019). Shapes that are known only by their support mapping use conservative advancement (van den
/// Bergen 2004). Shapes are solid: a ray that starts inside hits at its origin, with the normal
/// against its direction. A ray that starts on the surface hits there if it goes inwards, and
/// otherwise not; for shapes known by their support mapping the surface counts as inside, to 1e-10
/// of their size.
/// @param origin m, world. All is computed relative to the placement, so that a shape far from the
/// world's origin loses no digits beyond those of its position and of `origin`
/// @param unit_direction world, of unit length
/// @param max_distance m, 0 or more, may be infinite: hits further away do not count
/// @param[out] out written if there is a hit
/// @return whether there is one
bool mo_shape_cast_ray(const mo_shape *shape, mo_transform placement, mo_vec3 origin,
                       mo_vec3 unit_direction, double max_distance, mo_surface_hit *out);
/// The same, but boxes and hulls that the ray passes by no more than `slack` metres are met too,
/// and meshes at their borders, by as much and what rounding to single precision takes from them:
/// so the ray finds no way between shapes that touch.
bool mo_shape_cast_ray_near(const mo_shape *shape, mo_transform placement, mo_vec3 origin,
                            mo_vec3 unit_direction, double max_distance, double slack,
                            mo_surface_hit *out);
