/// Shapes with a hull: boxes and convex polyhedra, with sharp edges or rounded by a radius.
#pragma once

#include "geometry/shape.h"

/// The classes of shapes with sharp and with rounded edges.
extern const mo_shape_class mo_hull_class, mo_box_class;
extern const mo_shape_class mo_rounded_hull_class, mo_rounded_box_class;

/// The contents of a shape that is a hull with sharp edges. The hull is neither retained nor freed.
mo_shape mo_shape_of_hull(const mo_shape_class *class, mo_hull *hull);
