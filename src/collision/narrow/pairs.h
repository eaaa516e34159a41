/// How the shapes of a pair collide, by what the narrow phase knows of each (mo_collider): a table
/// of functions, in collide.c. A pair without a function of its own goes by the support mappings.
#pragma once

#include "collision/narrow/manifold.h"

/// Two placed shapes in the order of their colliders.
typedef struct mo_shape_pair {
  const mo_shape *a, *b;
  const mo_transform *placement_a, *placement_b;
  double margin; ///< m: contacts of a smaller separation are asked for
  mo_collision_cache *cache;
} mo_shape_pair;

/// Collides a pair. `out` has no points yet and `gap` is the margin; both are left as
/// mo_collide_pair says.
typedef void mo_collide_function(const mo_shape_pair *pair, double *gap, mo_manifold *out);

/// Lays the radii of rounded cores about what was found of the cores: moves the points of each side
/// outwards and takes the radii off the separations.
static inline void mo_round_manifold(double radius_a, double radius_b, double *gap,
                                     mo_manifold *out) {
  double both = radius_a + radius_b;
  if (both > 0.0) {
    *gap -= both;
    for (int i = 0; i < out->point_count; i++) {
      mo_manifold_point *p = &out->points[i];
      p->point_a = mo_add_scaled(p->point_a, radius_a, out->normal);
      p->point_b = mo_add_scaled(p->point_b, -radius_b, out->normal);
      p->separation -= both;
    }
  }
}

// --- plane_pairs.c ---------------------------------------------------------------------------

/// B is the plane.
mo_collide_function mo_collide_sphere_plane, mo_collide_capsule_plane, mo_collide_hull_plane;
/// The same of a convex shape of any kind, by its support mapping.
mo_collide_function mo_collide_convex_plane;

// --- round_pairs.c ---------------------------------------------------------------------------

/// The one contact of two balls about points of the axes of A and B.
/// @param between from the point of A to that of B, world
/// @param fallback the unit normal where the two points are one
void mo_set_round_contact(mo_vec3 centre_a, double radius_a, mo_vec3 between, double radius_b,
                          mo_vec3 fallback, double margin, double *gap, mo_manifold *out);

mo_collide_function mo_collide_spheres, mo_collide_capsule_sphere;
/// Two points where the axes are nearly parallel and lie beside each other.
mo_collide_function mo_collide_capsules;

// --- round_hull.c ----------------------------------------------------------------------------

/// A is a box or hull, B a sphere or a capsule. A capsule that lies on a face has two points.
mo_collide_function mo_collide_hull_round;

// --- convex_pairs.c --------------------------------------------------------------------------

/// Two convex shapes of any kind, by their support mappings.
mo_collide_function mo_collide_convex;
