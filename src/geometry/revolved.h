/// Convex solids of revolution about the y axis: the hull of a disc and a ball at each of two
/// heights. Cylinders, cones and truncated cones are the hull of two discs (a tip is a disc without
/// radius); rounded ones add the same ball to both; a tapered capsule is the hull of two balls.
///
/// All follow from the profile in the half-plane of (distance from the axis, y): at each end a cap,
/// then an arc about the rim of the disc, and between the arcs the straight side.
#pragma once

#include "geometry/convex.h"
#include "geometry/mass_properties.h"

/// A core between the heights -half_height and half_height.
/// @param bottom, top the ends; their balls include `radius`
/// @param radius the part of the balls that is the radius of the core, at most the smaller ball
/// @return false if one end is inside the other, so that there is no side
bool mo_convex_revolved(mo_revolved_end bottom, mo_revolved_end top, double half_height,
                        double radius, mo_convex *core);

/// Distance of a point from the surface of a core with its radius, negative inside, m.
/// @param[out] normal unit, of the surface point that is nearest, outwards
double mo_revolved_distance(const mo_convex *core, mo_vec3 point, mo_vec3 *normal);

/// Mass properties of a core with its radius, and its surface. Closed forms: integrals over the
/// pieces of the profile, as solids of revolution.
/// @param[out] surface_area m^2
mo_mass_properties mo_revolved_mass_properties(const mo_convex *core, double *surface_area);

/// Radii of the smallest ball about a point of the axis around a core with its radius, and of the
/// largest such ball inside.
double mo_revolved_outer_radius(const mo_convex *core, double y);
double mo_revolved_inner_radius(const mo_convex *core, double y);
