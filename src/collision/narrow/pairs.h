/// Functions for pairs of shapes, in a table by what the narrow phase knows of each (mo_collider),
/// in collide.c. A pair without a function of its own uses the support mappings.
#pragma once

#include "collision/narrow/manifold.h"

/// Two placed shapes in the order of their colliders.
typedef struct mo_shape_pair {
  const mo_shape *a, *b;
  const mo_transform *placement_a, *placement_b;
  double margin; ///< m: contacts with a smaller separation are wanted
  double metre;  ///< in the unit of all lengths here
  mo_collision_cache *cache;
} mo_shape_pair;

/// Collides a pair. At the start `out` has no points and `gap` is the margin; the results are those
/// of mo_collide_pair.
typedef void mo_collide_function(const mo_shape_pair *pair, double *gap, mo_manifold *out);

/// Adds the radii of rounded cores to the manifold of the cores: moves the points of both sides
/// outwards and reduces the separations.
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
/// The same for any convex shape, by its support mapping.
mo_collide_function mo_collide_convex_plane;

// --- round_pairs.c ---------------------------------------------------------------------------

/// The single contact of two balls about points of the axes of A and B.
/// @param between from the point of A to that of B, world
/// @param fallback the unit normal if the two points coincide
void mo_set_round_contact(mo_vec3 centre_a, double radius_a, mo_vec3 between, double radius_b,
                          mo_vec3 fallback, double margin, double *gap, mo_manifold *out);

mo_collide_function mo_collide_spheres, mo_collide_capsule_sphere;
/// Two points if the axes are nearly parallel and side by side.
mo_collide_function mo_collide_capsules;

// --- round_hull.c ----------------------------------------------------------------------------

/// A is a box or hull, B a sphere or a capsule. A capsule that lies on a face has two points.
mo_collide_function mo_collide_hull_round;

// --- convex_pairs.c --------------------------------------------------------------------------

/// Two convex shapes of any kind, by their support mappings.
mo_collide_function mo_collide_convex;
