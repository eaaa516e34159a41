/// Names of the pairs of features that touch: the same name in two steps, the same contact. This is
/// the one place where they are made and taken apart.
///
/// The two uppermost bits say what touches: a vertex of A (and whatever of B), a vertex of B, an
/// edge of each, or two surfaces that can have one contact only. The rest is the index of the
/// vertex, or the two edges, 15 bits each, named by the lower of their half-edges: names repeat for
/// edges of hulls with more than 32768 half-edges (16384 edges).
#pragma once

#include <stdint.h>

#define MO_FEATURE_KIND 0xC0000000u
#define MO_FEATURE_VERTEX_A 0x00000000u
#define MO_FEATURE_VERTEX_B 0x40000000u
#define MO_FEATURE_EDGES 0x80000000u
/// The contact of a sphere, which has no features.
#define MO_FEATURE_ROUND 0xC0000000u
#define MO_FEATURE_EDGE_BITS 15u
#define MO_FEATURE_EDGE_MASK 0x7FFFu

static inline uint32_t mo_feature_vertex_a(uint32_t vertex) {
  return MO_FEATURE_VERTEX_A | (vertex & ~MO_FEATURE_KIND);
}
static inline uint32_t mo_feature_vertex_b(uint32_t vertex) {
  return MO_FEATURE_VERTEX_B | (vertex & ~MO_FEATURE_KIND);
}
static inline uint32_t mo_feature_edges(uint32_t edge_a, uint32_t edge_b) {
  return MO_FEATURE_EDGES | (edge_a & MO_FEATURE_EDGE_MASK) << MO_FEATURE_EDGE_BITS |
         (edge_b & MO_FEATURE_EDGE_MASK);
}

/// The name of the same pair of features where A and B have changed places.
static inline uint32_t mo_feature_swap(uint32_t feature) {
  switch (feature & MO_FEATURE_KIND) {
  case MO_FEATURE_VERTEX_A:
    return mo_feature_vertex_b(feature);
  case MO_FEATURE_VERTEX_B:
    return mo_feature_vertex_a(feature);
  case MO_FEATURE_EDGES:
    return mo_feature_edges(feature, feature >> MO_FEATURE_EDGE_BITS);
  default:
    return feature;
  }
}
