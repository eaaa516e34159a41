/// Convex polyhedra: the immutable result of the hull builder, laid out for collision and for
/// reading.
#pragma once

#include "math/mat3.h"
#include "moreau.h"

/// A directed edge. Its twin runs the other way along the neighbouring face.
typedef struct mo_half_edge {
  uint32_t origin; ///< vertex it starts at
  uint32_t twin;
  uint32_t next; ///< along the same face, counter-clockwise seen from outside
  uint32_t face;
} mo_half_edge;

struct mo_hull {
  uint32_t reference_count;
  uint32_t vertex_count;
  uint32_t facet_count; ///< triangles
  uint32_t face_count;  ///< polygons: coplanar facets merged
  uint32_t half_edge_count;
  mo_vec3 *vertices; ///< in the order in which they first appear in the input
  mo_facet *facets;  ///< fans of the faces
  mo_face *faces;    ///< face f owns the half-edges [first_vertex, first_vertex + vertex_count) in
                     ///< loop order
  uint32_t *face_loops;     ///< origin of each half-edge: face loops one after the other
  mo_half_edge *half_edges; ///< parallel to face_loops
  double volume;
  double surface_area;
  mo_vec3 centroid;
  mo_vec3 lower, upper;     ///< bounds
  mo_mat3 inertia_per_mass; ///< about the centroid, m^2
  double radius;            ///< largest distance of a vertex from the origin of the hull's frame
};

/// Adds a reference.
void mo_hull_retain(mo_hull *hull);
/// The box with these half extents: 8 vertices, 6 faces, 12 facets, analytic mass properties. Null
/// without memory.
mo_hull *mo_hull_create_box(mo_vec3 half_extents);
