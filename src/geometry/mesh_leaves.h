/// The triangles of a mesh once more, as searches read them: in the order of the tree, with their
/// vertices beside them, so that what a search needs of eight neighbours is in a few lines of the
/// cache that follow each other.
#pragma once

#include "geometry/mesh.h"
#include "memory/allocator.h"

/// What lies below a node of the lowest level. Its vertices follow, three floats or three doubles
/// each.
typedef struct mo_mesh_leaf {
  uint32_t triangles[MO_PACKED_LANES];
  uint8_t corners[MO_PACKED_LANES][3]; ///< of each triangle: which of the vertices
} mo_mesh_leaf;

/// Makes the leaves of the triangles of `order`. Returns false without memory.
bool mo_mesh_build_leaves(mo_mesh *mesh, const mo_bvh_point *order, uint32_t count);

/// The leaf of a place of the tree.
static inline const mo_mesh_leaf *mo_mesh_leaf_at(const mo_mesh *mesh, uint32_t place) {
  size_t line = mesh->leaf_starts[place / MO_PACKED_LANES];
  return (const mo_mesh_leaf *)(const void *)(mesh->leaves + line * MO_CACHE_LINE);
}

static inline mo_vec3 mo_mesh_leaf_vertex(const mo_mesh *mesh, const mo_mesh_leaf *leaf,
                                          uint32_t vertex) {
  const void *vertices = leaf + 1;
  if (mesh->has_float_leaves) {
    const float *v = (const float *)vertices + 3 * (size_t)vertex;
    return mo_v3(v[0], v[1], v[2]);
  }
  return ((const mo_vec3 *)vertices)[vertex];
}

/// The same corners, to the bit, as mo_mesh_triangle gives.
static inline mo_triangle mo_mesh_leaf_triangle(const mo_mesh *mesh, const mo_mesh_leaf *leaf,
                                                uint32_t lane) {
  const uint8_t *corners = leaf->corners[lane];
  return (mo_triangle){{mo_mesh_leaf_vertex(mesh, leaf, corners[0]),
                        mo_mesh_leaf_vertex(mesh, leaf, corners[1]),
                        mo_mesh_leaf_vertex(mesh, leaf, corners[2])}};
}
