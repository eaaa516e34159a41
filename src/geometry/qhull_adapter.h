/// The topology of a convex hull by Qhull (Barber, Dobkin and Huhdanpaa 1996). This and
/// qhull_user.c are the only files that know Qhull.
#pragma once

#include "geometry/polygons.h"

/// The error number where Qhull was content but its facets are no closed surface of polygons. In
/// the range of Qhull's errors, but not one of them.
#define MO_QHULL_NO_SURFACE 6999

/// Runs Qhull on `count` distinct points that span a volume, of size about 1 around the origin.
/// @param points must stay as they are during the call; Qhull only reads them
/// @param[out] facets in no particular order, orientation or phase: what depends on addresses in
/// Qhull has to be taken out by the reader. Not all are triangles: Qhull merges facets that are not
/// clearly convex. Empty on error
/// @param[out] error on MO_ERROR_HULL_QHULL the number of Qhull's message
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_HULL_QHULL
mo_result mo_qhull_run(const mo_vec3 *points, uint32_t count, mo_polygons *facets, int *error);
