/// The topology of a convex hull by Qhull (Barber, Dobkin and Huhdanpaa 1996). Only this and
/// qhull_user.c use Qhull.
#pragma once

#include "geometry/polygons.h"

/// The error number if Qhull succeeded but its facets are no closed surface of polygons. It is in
/// the range of Qhull's errors, but not one of them.
#define MO_QHULL_NO_SURFACE 6999

/// Runs Qhull on `count` distinct points that span a volume, of size about 1 around the origin.
/// @param points must not change during the call; Qhull only reads them
/// @param[out] facets in any order, orientation and phase, because these depend on addresses in
/// Qhull; the caller must remove that dependence. Not all are triangles: Qhull merges facets that
/// are not clearly convex. Empty on error
/// @param[out] error for MO_ERROR_HULL_QHULL the number of Qhull's message
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY or MO_ERROR_HULL_QHULL
mo_result mo_qhull_run(const mo_vec3 *points, uint32_t count, mo_polygons *facets, int *error);
