/// The last stage of making a hull: from vertices and face loops to the arrays of mo_hull. Nothing
/// here tests whether the loops are convex: mo_polygons_verify has done so, to the tolerance that
/// hull.h tells.
#pragma once

#include "geometry/hull.h"

/// A hull with one reference and room for its arrays, all in one block; counts are set, contents
/// are zero. The number of triangles follows from the fans: half-edges - 2 faces. Null without
/// memory.
mo_hull *mo_hull_allocate(uint32_t vertex_count, uint32_t face_count, uint32_t half_edge_count);

/// Fills the half-edges of a hull whose loops and faces (without planes) are there. Results as
/// mo_polygons_pair_edges for oriented polygons.
mo_result mo_hull_link(mo_hull *hull);

/// Fills the features of a hull that has all else.
void mo_hull_fill_features(mo_hull *hull);

/// Fills the facets and the features and measures bounds and radius of a hull that has all else.
void mo_hull_finish(mo_hull *hull);
