/// Manifolds of the pairs of shapes that are not both hulls. All as mo_collide_cached; `out` has no
/// points yet and `gap` is the margin.
#pragma once

#include "collision/narrow/manifold.h"

// --- plane_pairs.c ---------------------------------------------------------------------------

/// A plane in the frame of another shape: normal . x <= offset is solid.
typedef struct mo_placed_plane {
  mo_vec3 normal;
  double offset;
} mo_placed_plane;

mo_placed_plane mo_plane_in_frame(const mo_transform *frame, const mo_shape *plane,
                                  const mo_transform *placement);

/// A is a sphere, a capsule, or a box or hull; B is a plane.
void mo_collide_sphere_plane(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                             const mo_transform *placement_b, double margin, double *gap,
                             mo_manifold *out);
void mo_collide_capsule_plane(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                              const mo_transform *placement_b, double margin, double *gap,
                              mo_manifold *out);
void mo_collide_hull_plane(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                           const mo_transform *placement_b, double margin, double *gap,
                           mo_manifold *out);

// --- round_pairs.c ---------------------------------------------------------------------------

/// The one contact of two balls about points of the axes of A and B.
/// @param between from the point of A to that of B, world
/// @param fallback the unit normal where the two points are one
void mo_set_round_contact(mo_vec3 centre_a, double radius_a, mo_vec3 between, double radius_b,
                          mo_vec3 fallback, double margin, double *gap, mo_manifold *out);

void mo_collide_spheres(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                        const mo_transform *placement_b, double margin, double *gap,
                        mo_manifold *out);
/// A is the capsule.
void mo_collide_capsule_sphere(const mo_shape *a, const mo_transform *placement_a,
                               const mo_shape *b, const mo_transform *placement_b, double margin,
                               double *gap, mo_manifold *out);
/// Two points where the axes are nearly parallel and lie beside each other.
void mo_collide_capsules(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                         const mo_transform *placement_b, double margin, double *gap,
                         mo_manifold *out);

// --- round_hull.c ----------------------------------------------------------------------------

/// A is a box or hull, B a sphere or a capsule. A capsule that lies on a face has two points.
void mo_collide_hull_round(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                           const mo_transform *placement_b, double margin,
                           mo_collision_cache *cache, double *gap, mo_manifold *out);
