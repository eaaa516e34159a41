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
