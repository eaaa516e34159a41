/// The contact manifold of two shapes: what the narrow phase says and the solvers build on.
#pragma once

#include "geometry/shape.h"

typedef struct mo_manifold_point {
  mo_vec3 point_a;     ///< on the surface of A, world
  mo_vec3 point_b;     ///< on the surface of B, world
  double separation;   ///< (point_b - point_a) . normal, below zero where they overlap
  uint32_t feature_id; ///< names the pair of features (feature.h); equal in two steps: the same
                       ///< contact
} mo_manifold_point;
// Behind the feature id is room for the index of a child or triangle.
_Static_assert(sizeof(mo_manifold_point) == 64, "56 bytes of places, 4 of a name, 4 to spare");

typedef struct mo_manifold {
  mo_vec3 normal; ///< unit, from A to B
  int point_count;
  mo_manifold_point points[MO_MANIFOLD_POINTS];
} mo_manifold;

/// Contacts of two placed shapes that are closer than `margin` metres. point_count 0 where there
/// are none. Order matters in sign only: (B, A) gives the same points with the normal turned round
/// and the features of A and B in each other's places.
/// @param margin the speculative distance, m: how far the two may approach in the step. It adds
///   contacts with a separation above zero and changes neither surface: separations are real gaps
void mo_collide_shapes(const mo_shape *a, mo_transform placement_a, const mo_shape *b,
                       mo_transform placement_b, double margin, mo_manifold *out);

/// What the narrow phase remembers of a pair from step to step: where its search begins. Zeros:
/// nothing is known. It never changes what is found beyond round-off, only how fast.
typedef struct mo_collision_cache {
  uint8_t kind;                  ///< what the values are (mo_axis_kind); 0: nothing is known
  uint8_t is_swapped;            ///< they are of a search that had the shapes in the other order
  uint16_t feature_a, feature_b; ///< face or half-edge of A and of B; or x and y of a direction
  uint16_t direction_z;
} mo_collision_cache;

/// As mo_collide_shapes, beginning from the cache and leaving it for the next step.
/// @param[in,out] cache of this pair in this order
/// @param[out] gap m: where there are no points, a lower bound of the distance of the two, at least
///   `margin`: how far they may approach before they need be looked at again; infinite for two that
///   never touch. Where there are points, the least separation
void mo_collide_pair(const mo_shape *a, const mo_transform *placement_a, const mo_shape *b,
                     const mo_transform *placement_b, double margin, mo_collision_cache *cache,
                     double *gap, mo_manifold *out);
