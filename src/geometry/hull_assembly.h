/// The last stage of making a hull: from vertices and face loops to the arrays of mo_hull. The
/// loops are not checked for convexity here; mo_polygons_verify has done that, to the tolerance
/// given in hull.h.
#pragma once

#include "geometry/hull.h"

/// A hull with one reference and memory for its arrays, all in one block. The counts are set and
/// the contents are zero. The number of triangles follows from the fans: half-edges - 2 faces. Null
/// without memory.
mo_hull *mo_hull_allocate(uint32_t vertex_count, uint32_t face_count, uint32_t half_edge_count);

/// Fills the half-edges of a hull that has its loops and faces (without planes). The results are
/// those of mo_polygons_pair_edges for oriented polygons.
mo_result mo_hull_link(mo_hull *hull);

/// Fills the features of a hull that is complete otherwise.
void mo_hull_fill_features(mo_hull *hull);

/// Fills the facets and the features, and computes bounds and radius, of a hull that is complete
/// otherwise.
void mo_hull_finish(mo_hull *hull);
