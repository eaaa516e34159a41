/// Names of the pairs of features that touch. The same name in two steps means the same contact
/// point. Only this file makes names and takes them apart.
///
/// A name has 32 bits, because solvers keep it with each point:
///
///   31..30  29..15          14..0
///   00      vertex of A             with any feature of B
///   01      vertex of B             with any feature of A
///   10      edge of A       edge of B, each named by the lower of its half-edges
///   11      0                       two surfaces that can have one contact only
///
/// Names of edges repeat for hulls with more than 32768 half-edges (16384 edges). A name is unique
/// within a manifold of two convex pieces. The child of a compound or triangle of a mesh is not
/// part of the name: a pair of shapes has a manifold for each pair of pieces, identified by their
/// two indices of 32 bits. A manifold point has 32 spare bits, for manifolds that are assembled
/// from several pieces (mo_manifold_point).
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

/// The name of the same pair of features after A and B are exchanged.
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
