/// Contact manifold of two convex polyhedra.
#pragma once

#include "collision/manifold.h"

/// Names of pairs of features, the same in every step and whichever face was the reference: a
/// vertex of A or B, or an edge of each. Edges are named by the lower of their half-edges; names of
/// hulls with more than 16 thousand edges may repeat.
static inline uint32_t mo_feature_vertex_a(uint32_t vertex) { return vertex & 0x3FFFFFFFu; }
static inline uint32_t mo_feature_vertex_b(uint32_t vertex) {
  return 0x40000000u | (vertex & 0x3FFFFFFFu);
}
static inline uint32_t mo_feature_edges(uint32_t edge_a, uint32_t edge_b) {
  return 0x80000000u | ((edge_a & 0x7FFFu) << 15) | (edge_b & 0x7FFFu);
}

/// As mo_collide_shapes, for two hulls. On ties A makes the reference face.
void mo_collide_hulls(const mo_hull *a, mo_transform placement_a, const mo_hull *b,
                      mo_transform placement_b, double margin, mo_manifold *out);
