/// Collision shapes as the engine sees them.
#pragma once

#include "geometry/bounds.h"
#include "geometry/convex.h"
#include "geometry/shape_class.h"
#include "math/quat.h"

struct mo_shape {
  uint32_t reference_count;
  const mo_shape_class *class;
  mo_convex core;           ///< of a plane only its kind is set
  mo_hull *hull;            ///< box and hull: that of the core, else null
  mo_vec3 normal;           ///< plane, unit
  double offset;            ///< plane
  double volume;            ///< m^3, 0 for a plane
  mo_vec3 centroid;         ///< shape frame
  mo_mat3 inertia_per_mass; ///< about the centroid, m^2
  double bounding_radius;   ///< about the centroid; infinite for a plane
  double inner_radius;      ///< m, of a ball about the centroid that fits in; infinite for a plane
  uint64_t content;         ///< mo_shape_content_hash
};

/// For balls that a search makes for itself.
extern const mo_shape_class mo_sphere_class;

/// Moves a shape whose contents are all set to the heap, with one reference. What is with it is
/// taken over, not retained. Null without memory; `result`, which may be null, says so.
mo_shape *mo_shape_allocate(const mo_shape *content, mo_result *result);
/// The same where volume and moments must be finite and not zero: a size that makes them over- or
/// underflow is refused, as one that is not finite is.
mo_shape *mo_shape_allocate_solid(const mo_shape *content, mo_result *result);
/// Bounds by the support mapping, for classes that know of nothing quicker.
mo_bounds mo_shape_support_bounds(const mo_shape *shape, const mo_transform *placement);
/// No shape, and why.
mo_shape *mo_shape_fail(mo_result why, mo_result *result);

/// Axis-aligned bounds of a placed shape, tight over the vertices of a hull. A plane has infinite
/// bounds, except that an axis-aligned one is bounded on its solid side.
static inline mo_bounds mo_shape_bounds(const mo_shape *shape, mo_transform placement) {
  return shape->class->bounds(shape, &placement);
}

/// Whether a shape has no end and no mass: only static bodies can have one.
static inline bool mo_shape_is_unbounded(const mo_shape *shape) {
  return shape->core.kind == MO_CORE_NONE;
}
