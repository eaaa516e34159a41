/// Shapes with a hull: boxes and convex polyhedra, with sharp edges or rounded by a radius.
#pragma once

#include "geometry/shape.h"

/// The classes of shapes with sharp and with rounded edges.
extern const mo_shape_class mo_hull_class, mo_box_class;
extern const mo_shape_class mo_rounded_hull_class, mo_rounded_box_class;

/// The box or the hull with this radius, 0 or more, if there is one: with one more reference, and
/// `result`, which may be null, is MO_OK.
mo_shape *mo_shape_find_box(mo_vec3 half_extents, double radius, mo_result *result);
mo_shape *mo_shape_find_hull(const mo_hull *hull, double radius, mo_result *result);
/// The contents of a shape that is a hull with sharp edges. The hull is neither retained nor freed.
mo_shape mo_shape_of_hull(const mo_shape_class *class, mo_hull *hull);
