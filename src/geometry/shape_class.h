/// The kinds of shapes, each as one table of functions.
///
/// The constructor of a kind fills in what never changes (volume, centroid, inertia, radii, convex
/// core). The class answers what depends on the placement of the shape. Collisions, sweeps and ray
/// casts of a convex shape need only its core, unless its class has something faster.
#pragma once

#include "geometry/bounds.h"
#include "geometry/convex.h"
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

/// A piece of the profile of a solid of revolution about the y axis: its radius over a part of the
/// axis.
typedef struct mo_profile_piece {
  double lower, upper;               ///< m, on the axis
  bool is_arc;                       ///< a part of a circle; else a straight line
  double lower_radius, upper_radius; ///< m, of a line at its ends
  double centre, radius;             ///< m, of an arc: its centre on the axis, its radius
  double disc; ///< m, of an arc: how far its centre is from the axis, 0 or more
} mo_profile_piece;

/// The most pieces of a profile.
#define MO_PROFILE_PIECES 5

typedef struct mo_shape_class {
  mo_shape_type type;
  mo_collider collider;
  mo_core_kind core;            ///< of its shapes; a shape without a convex core: what it is
  mo_support_function *support; ///< of MO_CORE_CURVED, without a context; else null
  bool ignores_orientation;     ///< a ball: it looks the same in every orientation
  mo_bounds (*bounds)(const mo_shape *shape, const mo_transform *placement);
  /// The entry of a ray into the shape. Null: by its support mapping.
  mo_local_hit (*cast_ray)(const mo_shape *shape, const mo_local_ray *ray);
  /// The profile of a solid of revolution about the y axis; returns how many pieces it has. Null:
  /// it is none, or a ball.
  uint32_t (*profile)(const mo_shape *shape, mo_profile_piece pieces[MO_PROFILE_PIECES]);
} mo_shape_class;
