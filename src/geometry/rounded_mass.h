/// Mass properties of a rounded polyhedron.
#pragma once

#include "geometry/hull.h"
#include "geometry/mass_properties.h"

/// Mass properties of all points within `radius` metres of a hull: the hull, a prism on each face,
/// a sector of a cylinder along each edge and a sector of a ball about each vertex (Steiner 1840,
/// for volume and surface; the moments likewise, part by part). Exact to round-off.
/// @param[out] surface_area m^2
mo_mass_properties mo_rounded_mass_properties(const mo_hull *hull, double radius,
                                              double *surface_area);
