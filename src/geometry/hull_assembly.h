/// The last stage of making a hull: from vertices and face loops to the arrays of mo_hull.
#pragma once

#include "geometry/hull.h"

/// A hull with one reference and room for its arrays, all in one block; counts are set, contents
/// are zero. The number of triangles follows from the fans: half-edges - 2 faces. Null without
/// memory.
mo_hull *mo_hull_allocate(uint32_t vertex_count, uint32_t face_count, uint32_t half_edge_count);

/// Pairs the half-edges of loops that lie one after the other: face f has the loop entries
/// [starts[f], starts[f + 1]), and entry h is the directed edge from loops[h] to its successor in
/// the loop.
/// @param[out] twins for each entry the one that runs the other way
/// @return MO_OK; MO_ERROR_OUT_OF_MEMORY; MO_ERROR_INVALID_ARGUMENT where an edge does not have
/// exactly two faces that run along it in opposite directions
mo_result mo_link_twins(const uint32_t *loops, const uint32_t *starts, uint32_t face_count,
                        uint32_t *twins);

/// Fills the half-edges of a hull whose loops and faces (without planes) are there. Results as
/// mo_link_twins.
mo_result mo_hull_link(mo_hull *hull);

/// Fills the facets and measures bounds and radius of a hull that has all else.
void mo_hull_finish(mo_hull *hull);
