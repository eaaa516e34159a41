/// Shapes with a hull: boxes and convex polyhedra, with sharp edges or rounded by a radius.
#pragma once

#include "geometry/shape.h"

/// The same as mo_shape_create_hull and mo_shape_create_box, of all points within `radius` metres
/// of the hull or box. A radius of 0 leaves the edges sharp. Not public yet.
mo_shape *mo_shape_create_rounded_hull(mo_hull *hull, double radius, mo_result *result);
mo_shape *mo_shape_create_rounded_box(mo_vec3 half_extents, double radius, mo_result *result);

/// The classes of shapes with sharp and with rounded edges.
extern const mo_shape_class mo_hull_class, mo_box_class;
extern const mo_shape_class mo_rounded_hull_class, mo_rounded_box_class;

/// The contents of a shape that is a hull with sharp edges. The hull is neither retained nor freed.
mo_shape mo_shape_of_hull(const mo_shape_class *class, mo_hull *hull);
