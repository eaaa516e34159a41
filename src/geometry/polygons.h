/// A closed surface of polygons from which a hull is made: loops of vertex indices, and operations
/// on them.
#pragma once

#include "math/vec3.h"
#include "moreau.h"

typedef struct mo_polygons {
  uint32_t *loops;  ///< vertex indices, one loop after the other
  uint32_t *starts; ///< count + 1 entries: polygon f is [starts[f], starts[f + 1]) of `loops`
  uint32_t count;
} mo_polygons;

/// Allocates `count` polygons with `entry_count` corners in all, zeroed. Returns false without
/// memory.
bool mo_polygons_allocate(mo_polygons *polygons, uint32_t count, uint32_t entry_count);
void mo_polygons_free(mo_polygons *polygons);

/// The entry of `loops` after entry h of a polygon, around its loop.
static inline uint32_t mo_polygons_next(const mo_polygons *polygons, uint32_t polygon, uint32_t h) {
  return h + 1 < polygons->starts[polygon + 1] ? h + 1 : polygons->starts[polygon];
}

/// The polygon of each entry of `loops`.
void mo_polygons_find_owners(const mo_polygons *polygons, uint32_t *owners);

/// Pairs the edges: entry h stands for the edge from loops[h] to the next vertex of the loop.
/// @param is_oriented all loops have one orientation, so both polygons at an edge have opposite
/// directions along it; otherwise their directions do not matter
/// @param[out] twins for each entry the one with the same ends
/// @return MO_OK; MO_ERROR_OUT_OF_MEMORY; MO_ERROR_INVALID_ARGUMENT if an edge does not have
/// exactly
/// two polygons, or if oriented polygons have the same direction along it
mo_result mo_polygons_pair_edges(const mo_polygons *polygons, bool is_oriented, uint32_t *twins);

/// Twice the area of a polygon along its normal, by fans from its first vertex (Newell's normal,
/// relative to a vertex so that it keeps its digits far from the origin).
mo_vec3 mo_polygon_area_vector(const mo_polygons *polygons, uint32_t polygon,
                               const mo_vec3 *vertices);

/// The width of a polygon with this area vector: its area over its longest edge. The error of its
/// normal is that of the coordinates over this width.
double mo_polygon_width(const mo_polygons *polygons, uint32_t polygon, const mo_vec3 *vertices,
                        mo_vec3 area_vector);

/// Reverses loops until all are counter-clockwise seen from outside, whatever their directions
/// were. It goes along edges, because the normal of a sliver is unreliable.
/// @return MO_OK; MO_ERROR_OUT_OF_MEMORY; MO_ERROR_INVALID_ARGUMENT if this is no connected,
/// closed,
/// orientable surface
mo_result mo_polygons_orient(mo_polygons *polygons, const mo_vec3 *vertices);

/// Rotates each loop to start at its smallest vertex and sorts the polygons by their loops, so that
/// equal surfaces have equal arrays.
mo_result mo_polygons_sort(mo_polygons *polygons);

/// Merges neighbours that are flat to `tolerance` (in the unit of the vertices), and drops vertices
/// that keep at most two edges.
/// @param vertex_count more than the largest index in a loop
/// @param[out] merged a new surface; empty on error
/// @return as mo_polygons_orient; MO_ERROR_INVALID_ARGUMENT if a merged region is no polygon
mo_result mo_polygons_merge(const mo_polygons *polygons, const mo_vec3 *vertices,
                            uint32_t vertex_count, double tolerance, mo_polygons *merged);

/// Triangulates the surface by fans.
mo_result mo_polygons_triangulate(const mo_polygons *polygons, mo_polygons *triangles);

/// Checks that the surface is a closed 2-manifold with the topology of a sphere (each half-edge has
/// one twin, V - E + F = 2) and, within `tolerance`, convex at each corner and over each edge.
mo_result mo_polygons_verify(const mo_polygons *polygons, const mo_vec3 *vertices,
                             uint32_t vertex_count, double tolerance);
