/// Searches within a block of cells of a height field, for those of the tree of blocks
/// (mesh_search.c).
#pragma once

#include "geometry/mesh.h"

/// Calls `function` with every triangle of a block whose box overlaps `box`. Returns false if that
/// ended the search.
bool mo_height_search_block(const mo_mesh *mesh, uint32_t block, const mo_bounds *box,
                            mo_triangle_function *function, void *user);
/// The same for every triangle that a ray may meet within `reach` metres, and some more.
bool mo_height_search_along(const mo_mesh *mesh, uint32_t block, const mo_local_ray *ray,
                            double reach, mo_triangle_function *function, void *user);
/// As mo_mesh_search_near, in no order. Returns the distance up to which the search continues.
double mo_height_search_near(const mo_mesh *mesh, uint32_t block, const mo_bounds *box,
                             double reach, mo_near_triangle_function *function, void *user);
