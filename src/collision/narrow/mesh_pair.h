/// A convex shape over the triangles of a mesh. Private to mesh_*.c.
///
/// All is relative to the origin of the convex shape, along the axes of the mesh, so that a mesh
/// far from its own origin loses no digits.
#pragma once

#include "collision/narrow/manifold_reduction.h"
#include "collision/narrow/mesh_manifolds.h"

/// Corners of a face of the convex shape.
#define MO_MESH_POLYGON 32
/// Points of a cluster before the best are chosen.
#define MO_MESH_CANDIDATES 32

/// The face, edge or corner of a convex core that looks in a direction.
typedef struct mo_mesh_side {
  int count;
  bool is_face; ///< flat, with `normal` out of the core
  mo_vec3 normal;
  mo_vec3 points[MO_MESH_POLYGON]; ///< counter-clockwise seen from outside
  uint32_t vertices[MO_MESH_POLYGON], edges[MO_MESH_POLYGON]; ///< names of points, and of edges to
                                                              ///< the next
} mo_mesh_side;

/// A triangle, with the side on which the convex shape is as its front.
typedef struct mo_mesh_facet {
  uint32_t index;
  mo_triangle at;
  mo_vec3 normal;
  uint32_t vertices[3];
  bool is_active[3]; ///< the surface falls away beyond the edge, or ends there
  bool is_border[3]; ///< it ends there
  bool is_flat[3];   ///< the neighbour continues the triangle
  bool is_smooth;    ///< no edge at any of its corners is active
  double height;     ///< m, of the centroid over its plane
} mo_mesh_facet;

/// Contacts with nearly the same normal.
typedef struct mo_mesh_cluster {
  mo_vec3 normal; ///< from the mesh to the convex shape
  double least;   ///< m: the smallest separation
  bool is_deep;   ///< the centroid is behind the surface
  int count;
  mo_contact_candidate candidates[MO_MESH_CANDIDATES]; ///< positions on the mesh
} mo_mesh_cluster;

/// A contact to be added.
typedef struct mo_mesh_touch {
  mo_vec3 normal, position;
  double separation;
  uint32_t feature_id;
  bool is_deep;
} mo_mesh_touch;

typedef struct mo_mesh_pair {
  const mo_shape *convex;
  const mo_mesh *mesh;
  mo_vec3 origin;   ///< of the convex shape, in the frame of the mesh
  mo_mat3 turn;     ///< from the frame of the convex shape to the axes of the mesh
  mo_vec3 centroid; ///< of the convex shape
  bool has_fronts;  ///< whether the next is known
  bool fronts_only; ///< the shape can touch the fronts of triangles only
  double margin;
  double metre; ///< in the unit of all lengths here
  double gap;
  double same_place; ///< m: closer points count as one
  int count;
  mo_mesh_cluster clusters[MO_MESH_MANIFOLDS];
  bool has_way_out;
  mo_mesh_touch way_out; ///< the least deep of triangles that the core cuts, while `count` is 0
} mo_mesh_pair;

/// Adds a contact to the cluster of its normal, unless there is one at its place already.
void mo_mesh_add(mo_mesh_pair *pair, const mo_mesh_touch *touch);

/// The support point of the core in a direction of the mesh's axes.
mo_vec3 mo_mesh_core_support(const mo_mesh_pair *pair, mo_vec3 direction);
/// The side of the core that looks in a direction.
void mo_mesh_find_side(const mo_mesh_pair *pair, mo_vec3 direction, mo_mesh_side *side);
/// Adds the part of the core that is over a facet. Points of the core that are lower than `lowest`
/// metres over it do not count.
void mo_mesh_touch_face(mo_mesh_pair *pair, const mo_mesh_facet *facet, double lowest);
/// Adds contacts with edges and corners of a facet, or with its face where the core is over it.
void mo_mesh_touch_rim(mo_mesh_pair *pair, const mo_mesh_facet *facet);
/// Whether a shape is behind a triangle whose centroid is. It may still reach further to the front,
/// as a cone does whose base is below the ground; then the way out to the front is the shorter one.
/// A shape that is outside of a closed mesh is in front of what it touches.
bool mo_mesh_is_behind(const mo_mesh_pair *pair, const mo_mesh_facet *facet);
/// A core may cut triangles and have neither a face of its own over one of them nor a minimum on
/// their edges, as a cone does that is over the top of a small hill: its lowest point is always
/// over the far slope. Its way out is then along the normal of the triangle that it has to rise
/// over least.
void mo_mesh_note_way_out(mo_mesh_pair *pair, const mo_mesh_facet *facet);
/// A name of the edge between two vertices of a mesh, in as many bits as a feature id has.
static inline uint32_t mo_mesh_edge_name(uint32_t a, uint32_t b) {
  return (a < b ? a * 31u + b : b * 31u + a) * 2654435761u >> 17;
}
