/// The kinds of shapes, each as one table of functions.
///
/// The constructor of a kind fills in what never changes (volume, centroid, inertia, radii, convex
/// core). The class answers what depends on the placement of the shape. Collisions, sweeps and ray
/// casts of a convex shape need only its core, unless its class has something faster.
#pragma once

#include "geometry/bounds.h"
#include "geometry/local_ray.h"
#include "math/quat.h"

/// How the narrow phase collides a shape, in the order of the two shapes of a pair.
typedef enum mo_collider {
  MO_COLLIDER_HULL, ///< by the faces of its hull
  MO_COLLIDER_CAPSULE,
  MO_COLLIDER_SPHERE,
  MO_COLLIDER_CONVEX, ///< by its support mapping alone
  MO_COLLIDER_PLANE,
  MO_COLLIDER_MESH,     ///< triangle by triangle
  MO_COLLIDER_COMPOUND, ///< part by part
  MO_COLLIDERS
} mo_collider;

typedef struct mo_shape_class {
  mo_shape_type type;
  mo_collider collider;
  bool ignores_orientation; ///< a ball: it looks the same in every orientation
  mo_bounds (*bounds)(const mo_shape *shape, const mo_transform *placement);
  /// The entry of a ray into the shape. Null: by its support mapping.
  mo_local_hit (*cast_ray)(const mo_shape *shape, const mo_local_ray *ray);
} mo_shape_class;
