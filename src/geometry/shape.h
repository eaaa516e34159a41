/// Collision shapes as the engine sees them.
#pragma once

#include "geometry/bounds.h"
#include "geometry/hull.h"
#include "math/quat.h"

struct mo_shape {
  uint32_t reference_count;
  mo_shape_type type;
  double radius;            ///< sphere and capsule, else 0
  double half_height;       ///< capsule: half of the straight part
  mo_hull *core;            ///< capsule: the segment on its axis, for GJK and EPA
  mo_hull *hull;            ///< box and hull
  mo_vec3 normal;           ///< plane, unit
  double offset;            ///< plane
  double volume;            ///< m^3, 0 for a plane
  mo_vec3 centroid;         ///< shape frame
  mo_mat3 inertia_per_mass; ///< about the centroid, m^2
  double bounding_radius;   ///< about the centroid; infinite for a plane
  uint64_t content;         ///< mo_shape_content_hash
};

/// Axis-aligned bounds of a placed shape, tight over the vertices of a hull. A plane has infinite
/// bounds, except that an axis-aligned one is bounded on its solid side.
mo_bounds mo_shape_bounds(const mo_shape *shape, mo_transform placement);
/// The radius of a ball about the centroid that fits into a shape, m; infinite for a plane.
double mo_shape_inner_radius(const mo_shape *shape);
