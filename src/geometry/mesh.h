/// Triangle meshes: surfaces without an inside, immutable and owned by their shape.
///
/// The front of a triangle is the side from which its corners are counter-clockwise. Edges are
/// matched by the positions of their ends, so triangles with vertices of their own are neighbours
/// too. Each edge of a triangle is classified once: contacts are not felt where neighbours are
/// flat or concave. Triangles without an area stay in the count, but nothing touches them.
///
/// A height field is a mesh whose vertices and triangles are not listed but follow from its
/// samples.
#pragma once

#include "geometry/height_grid.h"
#include "geometry/local_ray.h"
#include "geometry/mass_properties.h"
#include "geometry/packed_bvh.h"

/// Stands for no triangle.
#define MO_NO_TRIANGLE UINT32_MAX
/// m: the largest coordinate of a mesh, so that squares of boxes in single precision are finite.
#define MO_MESH_LARGEST 1e18
/// Sine: neighbours that are inclined by less are flat. Vertices in single precision 100 edges away
/// from the origin make a plane as uneven as this.
#define MO_MESH_FLAT 1e-4
/// Of the largest coordinate: corners that were rounded to single precision are apart by less. Half
/// a unit in the last place is 6e-8 of a number; two corners may be off by that on either side, and
/// what joins them as much again.
#define MO_MESH_ROUNDING 2.5e-7

/// What is on the other side of an edge of a triangle, seen from its front.
typedef enum mo_edge_kind {
  MO_EDGE_FLAT = 0,
  MO_EDGE_CONCAVE = 1, ///< the neighbour rises towards the front
  MO_EDGE_CONVEX = 2,  ///< the neighbour falls away
  MO_EDGE_BORDER = 3,  ///< there is none, or not exactly one
} mo_edge_kind;

/// Why a mesh encloses no volume.
typedef struct mo_mesh_defect {
  mo_result result; ///< MO_OK, MO_ERROR_MESH_OPEN, MO_ERROR_MESH_ORIENTATION or
                    ///< MO_ERROR_MESH_INSIDE_OUT
  uint32_t edge[2]; ///< vertices of an edge where it is open or turned
} mo_mesh_defect;

typedef struct mo_mesh {
  uint32_t vertex_count, triangle_count;
  mo_vec3 *vertices;   ///< as they were given; null for a height field
  uint32_t *indices;   ///< three per triangle; null for a height field
  mo_height_grid grid; ///< its heights are null where vertices and triangles are listed
  uint8_t *edges; ///< per triangle: the mo_edge_kind of edge k in bits 2 k and 2 k + 1; bits 6 and
                  ///< 7: smooth from the front and from the back
  mo_packed_bvh bvh;     ///< of the triangles with an area, or of the blocks of a height field
  uint8_t *leaves;       ///< of the tree of triangles, see mesh_leaves.h; null for a height field
  uint32_t *leaf_starts; ///< per leaf, in lines of the cache
  bool has_float_leaves; ///< all vertices are floats
  uint32_t *blocks;      ///< of a height field: the blocks in the order of the tree
  mo_bounds bounds;      ///< of the vertices of triangles
  bool is_one_sided;     ///< only the fronts are touched and hit
  bool has_seams; ///< triangles meet that are no neighbours: more than two at an edge, or others at
                  ///< its middle
  double surface_area; ///< m^2
  mo_mesh_defect defect;
  mo_mass_properties solid; ///< of the enclosed volume, if there is no defect
} mo_mesh;

/// Copies vertices and triangles, classifies the edges and builds the tree.
/// @param indices three per triangle
/// @return null and MO_ERROR_INVALID_ARGUMENT (no triangle with an area, an index that is too
/// large), MO_ERROR_NOT_FINITE or MO_ERROR_OUT_OF_MEMORY
mo_mesh *mo_mesh_create(const mo_vec3 *vertices, uint32_t vertex_count, const uint32_t *indices,
                        uint32_t triangle_count, bool is_one_sided, mo_result *result);
/// The same for a height field.
mo_mesh *mo_mesh_create_field(const mo_heightfield_def *def, mo_result *result);
void mo_mesh_destroy(mo_mesh *mesh);
/// Whether two meshes are made of the same: vertices and triangles, or samples, and sides.
bool mo_mesh_equal(const mo_mesh *a, const mo_mesh *b);

/// Part of the creation (mesh_edges.c): sets the kinds of edges and the defect. Returns false
/// without memory.
bool mo_mesh_classify_edges(mo_mesh *mesh);
/// The same for surface area and mass properties (mesh_mass.c).
void mo_mesh_measure(mo_mesh *mesh);

// --- triangles -------------------------------------------------------------------------------

typedef struct mo_triangle {
  mo_vec3 corners[3];
} mo_triangle;

/// m: how far corners at a point of a mesh, in its frame, may be apart by rounding.
static inline double mo_mesh_rounding(mo_vec3 point) {
  return MO_MESH_ROUNDING * mo_v3_max_component(mo_v3_abs(point));
}

static inline mo_vec3 mo_mesh_vertex(const mo_mesh *mesh, uint32_t vertex) {
  return mesh->grid.heights ? mo_height_vertex(&mesh->grid, vertex) : mesh->vertices[vertex];
}
/// The vertices of a triangle.
static inline void mo_mesh_corners(const mo_mesh *mesh, uint32_t triangle, uint32_t corners[3]) {
  if (mesh->grid.heights) {
    mo_height_corners(&mesh->grid, triangle, corners);
  } else {
    memcpy(corners, &mesh->indices[3 * (size_t)triangle], 3 * sizeof *corners);
  }
}
static inline mo_triangle mo_mesh_triangle(const mo_mesh *mesh, uint32_t triangle) {
  mo_triangle t;
  if (mesh->grid.heights) {
    mo_height_triangle(&mesh->grid, triangle, t.corners);
    return t;
  }
  const uint32_t *corner = &mesh->indices[3 * (size_t)triangle];
  return (mo_triangle){
      {mesh->vertices[corner[0]], mesh->vertices[corner[1]], mesh->vertices[corner[2]]}};
}
static inline mo_edge_kind mo_mesh_edge_kind(const mo_mesh *mesh, uint32_t triangle, int edge) {
  return (mo_edge_kind)(mesh->edges[triangle] >> (2 * edge) & 3);
}
/// Whether the surface falls away beyond no edge at a corner of a triangle, seen from its front or
/// back.
static inline bool mo_mesh_is_smooth(const mo_mesh *mesh, uint32_t triangle, bool from_back) {
  return mesh->edges[triangle] >> (from_back ? 7 : 6) & 1;
}
/// Twice the area, along the normal of the front.
static inline mo_vec3 mo_triangle_area_vector(const mo_triangle *t) {
  return mo_cross(mo_sub(t->corners[1], t->corners[0]), mo_sub(t->corners[2], t->corners[0]));
}
/// The unit normal of the front, zero for a triangle without an area.
mo_vec3 mo_triangle_normal(const mo_triangle *t);
/// The point of a triangle that is closest to a point (Ericson, Real-Time Collision Detection,
/// 2005, section 5.1.5).
mo_vec3 mo_triangle_closest_point(const mo_triangle *t, mo_vec3 point);

// --- searches (mesh_search.c) ----------------------------------------------------------------

/// Called with a triangle; false ends the search.
typedef bool mo_triangle_function(void *user, uint32_t triangle);
/// Calls `function` with every triangle whose box overlaps `box`, in an order that depends on the
/// mesh alone. All in the frame of the mesh.
void mo_mesh_search(const mo_mesh *mesh, mo_bounds box, mo_triangle_function *function, void *user);

typedef struct mo_mesh_hit {
  double distance;   ///< m along the ray
  mo_vec3 normal;    ///< unit, against the ray
  uint32_t triangle; ///< MO_NO_TRIANGLE: none is met
} mo_mesh_hit;
/// The first triangle that a ray meets; of several at one distance the one with the lowest index. A
/// ray that meets an edge or a vertex meets one of its triangles: none slips through (Woop, Benthin
/// and Wald, Watertight Ray/Triangle Intersection, 2013).
mo_mesh_hit mo_mesh_cast_ray(const mo_mesh *mesh, const mo_local_ray *ray, double max_distance);

/// Called with a triangle whose box may be within `reach` metres. Returns the distance up to which
/// the search continues; negative to end it.
typedef double mo_near_triangle_function(void *user, uint32_t triangle, double reach);
/// Calls `function` with every triangle whose box is within `reach` metres of a box, and perhaps
/// with some that are just further away, roughly the nearest first.
void mo_mesh_search_near(const mo_mesh *mesh, mo_bounds box, double reach,
                         mo_near_triangle_function *function, void *user);

typedef struct mo_mesh_point {
  double distance; ///< m
  mo_vec3 position;
  uint32_t triangle; ///< MO_NO_TRIANGLE: none is that near
} mo_mesh_point;
/// The point of the surface that is closest to a point, if it is not further than max_distance
/// metres; of several the one on the triangle with the lowest index.
mo_mesh_point mo_mesh_closest_point(const mo_mesh *mesh, mo_vec3 point, double max_distance);
