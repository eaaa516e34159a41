/// Volume, centre and inertia of convex bodies that are needles or leaves.
#pragma once

#include "geometry/mass_properties.h"

/// Mass properties of a convex polyhedron as sums over the tetrahedra between a point inside and
/// its faces (Tonon, Explicit Exact Formulas for the 3-D Tetrahedron Inertia Tensor in Terms of its
/// Vertex Coordinates, Journal of Mathematics and Statistics 1(1), 2005). All terms are positive,
/// so that nothing cancels: moments of inertia are those of some body however thin it is.
/// @return volume 0 if it is too thin to have one; the rest has no meaning then
mo_mass_properties mo_thin_mass_properties(const mo_vec3 *vertices, const mo_face *faces,
                                           uint32_t face_count, const uint32_t *loops);
