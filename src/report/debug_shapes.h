/// Outlines of shapes, for debug renderers. Private to src/report.
#pragma once

#include "geometry/shape.h"
#include "report/line_list.h"

/// Adds the outline of a placed shape: the edges of polyhedra (of rounded ones those of their flat
/// faces), the profiles and rims of round shapes, and a grid for a plane, which is infinite.
/// @param metre in the unit of lengths here: how far the lines of the grid are apart
void mo_line_list_add_shape(mo_line_list *list, const mo_shape *shape,
                            const mo_transform *placement, double metre);

/// Adds the edges of an axis-aligned box.
void mo_line_list_add_bounds(mo_line_list *list, mo_vec3 lower, mo_vec3 upper);
