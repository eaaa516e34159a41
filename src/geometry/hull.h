/// Convex polyhedra: the immutable result of the hull builder, with the arrays that collision and
/// read-outs need.
///
/// They are convex to a tolerance (hull_builder.c). An edge may be concave where almost flat faces
/// were merged: by the precision of the points, at most 4e-6 of the hull's size for points in
/// single precision. Where points lie so close together that Qhull could do no better, it may be
/// concave by 1e-7 of the size.
#pragma once

#include "geometry/hull_features.h"
#include "math/mat3.h"
#include "memory/hash_tree.h"
#include "moreau.h"

/// A directed edge. Its twin has the opposite direction along the neighbouring face.
typedef struct mo_half_edge {
  uint32_t origin; ///< vertex it starts at
  uint32_t twin;
  uint32_t next; ///< along the same face, counter-clockwise seen from outside
  uint32_t face;
} mo_half_edge;

struct mo_hull {
  uint32_t reference_count;
  uint32_t vertex_count;
  uint32_t facet_count; ///< number of triangles
  uint32_t face_count;  ///< number of polygons: merged coplanar facets
  uint32_t half_edge_count;
  mo_vec3 *vertices; ///< in the order of their first occurrence in the input
  mo_facet *facets;  ///< fans of the faces
  mo_face *faces;    ///< face f owns the half-edges [first_vertex, first_vertex + vertex_count) in
                     ///< loop order
  uint32_t *face_loops;     ///< origin of each half-edge, face by face
  mo_half_edge *half_edges; ///< parallel to face_loops
  double volume;
  double surface_area;
  mo_vec3 centroid;
  mo_vec3 lower, upper;     ///< bounds
  mo_mat3 inertia_per_mass; ///< about the centroid, m^2
  double radius;            ///< largest distance of a vertex from the origin of the frame
  double half_diagonal;     ///< of the bounds, m
  bool is_box;              ///< about the origin of its frame, made by mo_hull_create_box
  mo_hull_features features;
  mo_hash_node node;         ///< of the pool (hull_pool.h)
  bool is_pooled;            ///< it is in the pool: it is complete
  bool is_built_of_vertices; ///< the builder makes it of its vertices, bit for bit
};

/// Adds a reference.
void mo_hull_retain(mo_hull *hull);
/// The box with these half extents: 8 vertices, 6 faces, 12 facets, analytic mass properties. Equal
/// ones are one hull. Null without memory.
mo_hull *mo_hull_create_box(mo_vec3 half_extents);

/// The face whose plane a point is furthest above; for a point inside, the nearest face.
/// @param[out] height metres above that plane, negative inside
uint32_t mo_hull_nearest_face(const mo_hull *hull, mo_vec3 point, double *height);

/// The vertex of the hull that is furthest in `direction` (any length), and of several the one with
/// the lowest index. Compares all vertices.
uint32_t mo_hull_support_vertex(const mo_hull *hull, mo_vec3 direction);

/// A half-edge that starts at the vertex of the hull furthest in `direction`, found by moving
/// uphill from half-edge `start`. On a slightly concave hull it is a local maximum.
uint32_t mo_hull_climb(const mo_hull *hull, uint32_t start, mo_vec3 direction);

/// The face around a vertex whose normal is most aligned with `direction`.
uint32_t mo_hull_face_at_vertex(const mo_hull *hull, uint32_t vertex, mo_vec3 direction);
