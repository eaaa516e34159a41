/// The contact manifold of two shapes, which the narrow phase makes and the solvers use.
#pragma once

#include "geometry/shape.h"

typedef struct mo_manifold_point {
  mo_vec3 point_a;     ///< on the surface of A, world
  mo_vec3 point_b;     ///< on the surface of B, world
  double separation;   ///< (point_b - point_a) . normal, negative for an overlap
  uint32_t feature_id; ///< name of the pair of features (feature.h), equal in two steps for the
                       ///< same contact
} mo_manifold_point;
// The spare bytes behind the feature id have room for the index of a child or triangle.
_Static_assert(sizeof(mo_manifold_point) == 64, "56 bytes of places, 4 of a name, 4 to spare");

typedef struct mo_manifold {
  mo_vec3 normal; ///< unit, from A to B
  int point_count;
  mo_manifold_point points[MO_MANIFOLD_POINTS];
} mo_manifold;

/// Contacts of two placed shapes that are closer than `margin` metres; point_count is 0 for none.
/// (B, A) gives the same points as (A, B), with the normal reversed and the features of A and B
/// exchanged.
/// @param margin the speculative distance, m: how far the two may approach in the step. It adds
/// contacts with a positive separation and changes neither surface: separations are real gaps
/// @param metre in the unit of all lengths here (mo_world_def.length_unit), for the tolerances of
/// depths: 1, or 100 in a world in centimetres
void mo_collide_shapes(const mo_shape *a, mo_transform placement_a, const mo_shape *b,
                       mo_transform placement_b, double margin, double metre, mo_manifold *out);

/// The cache of the narrow phase for a pair, from which its search starts in the next step. Zeros
/// mean that nothing is known. It changes only the speed of the search; results differ by round-off
/// only.
typedef struct mo_collision_cache {
  uint8_t kind;                  ///< the kind of the values (mo_axis_kind); 0: nothing is known
  uint8_t is_swapped;            ///< the search had the shapes in the other order
  uint16_t feature_a, feature_b; ///< face or half-edge of A and of B; or x and y of a direction
  uint16_t direction_z;
} mo_collision_cache;

/// Like mo_collide_shapes, starting from the cache and updating it for the next step.
/// @param[in,out] cache of this pair in this order
/// @param[out] gap m: without points, a lower bound of the distance, at least `margin`: how far the
/// two may approach before the next narrow-phase update; infinite for shapes that never touch.
/// With points, the smallest separation
void mo_collide_pair(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                     const mo_transform *placement_b, double margin, double metre,
                     mo_collision_cache *cache, double *gap, mo_manifold *out);
