/// What the kinds of shapes have in common: each answers one table of functions.
///
/// The constructor of a kind fills in what never changes (volume, centroid, inertia, radii, convex
/// core); the class answers what depends on where the shape is. A convex shape whose class has
/// nothing special collides, is swept and is hit by rays by its core alone.
#pragma once

#include "geometry/bounds.h"
#include "geometry/local_ray.h"
#include "math/quat.h"

/// How the narrow phase collides a shape, in the order in which the two of a pair are taken.
typedef enum mo_collider {
  MO_COLLIDER_HULL, ///< by the faces of its hull
  MO_COLLIDER_CAPSULE,
  MO_COLLIDER_SPHERE,
  MO_COLLIDER_CONVEX, ///< by its support mapping: nothing else is known of it
  MO_COLLIDER_PLANE,
  MO_COLLIDERS
} mo_collider;

typedef struct mo_shape_class {
  mo_shape_type type;
  mo_collider collider;
  bool looks_unturned; ///< a ball: turned, it looks as before
  mo_bounds (*bounds)(const mo_shape *shape, const mo_transform *placement);
  /// Where a ray enters it. Null: by its support mapping.
  mo_local_hit (*cast_ray)(const mo_shape *shape, const mo_local_ray *ray);
} mo_shape_class;
