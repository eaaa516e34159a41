/// The features of a hull in single precision, four to a group, for searches. A search ends with a
/// vertex, face or edge, which is then measured on the hull itself, in double precision.
#pragma once

#include "math/simd.h"
#include "math/vec3.h"

/// Relative to the size: the error of vertex heights in single precision (three products and two
/// sums of rounded numbers, each to 6e-8).
#define MO_HEIGHT_ROUND_OFF 1e-6

/// Four planes, normal . x <= offset inside.
typedef struct mo_plane_group {
  mo_vec3x4 normal;
  mo_f32x4 offset;
} mo_plane_group;

/// Four edges: the start, the unit direction, the normals of the faces on the left and right seen
/// from outside, so that left x right points along the edge, and the end.
typedef struct mo_edge_group {
  mo_vec3x4 start, direction, left, right, end;
} mo_edge_group;

/// A plane in double, normal . x <= offset inside.
typedef struct mo_plane {
  mo_vec3 normal;
  double offset;
} mo_plane;

/// Incomplete groups repeat their last entry. Coordinates are relative to `centre`.
typedef struct mo_hull_features {
  mo_vec3 centre;      ///< of the bounds
  double size;         ///< m, largest distance of a vertex from the centre
  double inner_radius; ///< m, distance of the centroid from the nearest face
  bool is_usable;      ///< single precision can hold these sizes and their squares
  uint32_t edge_count;
  uint32_t vertex_groups, face_groups, edge_groups;
  mo_vec3x4 *vertices;
  mo_plane_group *faces;
  mo_edge_group *edges;
  mo_plane *sides; ///< of each half-edge: the plane through it perpendicular to its face, with the
                   ///< face inside; in the frame of the hull, in double
  uint32_t *edge_half_edges;   ///< the lower half-edge of each edge
  uint32_t *vertex_half_edges; ///< the lowest half-edge that starts at each vertex
} mo_hull_features;

static inline uint32_t mo_groups_of_four(uint32_t count) { return (count + 3u) / 4u; }
