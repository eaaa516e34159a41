/// The flat side or edge of a convex core that faces another shape.
#pragma once

#include "collision/narrow/manifold_reduction.h"
#include "geometry/convex.h"

/// The most corners of a side. Of a hull's face with more every second (or third, ...) counts.
#define MO_SUPPORT_POINTS 16
/// Points around the disc at an end of a solid of revolution.
#define MO_RIM_POINTS 8

typedef struct mo_support_polygon {
  mo_vec3 deepest;                   ///< the support point in the direction itself
  bool is_point;                     ///< that is the only point as far in the direction
  bool is_flat;                      ///< the side or edge is inclined by less than 2.6 degrees
  bool is_disc;                      ///< the points are on the rim of a disc
  int count;                         ///< 1: a round side or a corner; 2: an edge; more: a polygon
  mo_vec3 points[MO_SUPPORT_POINTS]; ///< on the surface, counter-clockwise against the direction
  uint32_t names[MO_SUPPORT_POINTS]; ///< the same for the same corner in two steps
} mo_support_polygon;

/// Finds the side whose normal is within 2.6 degrees of `direction`, else an edge that is as
/// perpendicular to it, else a side or an edge that is inclined by less than 30 degrees, else the
/// support point. A core that is known by its support function alone
/// is asked in directions that are slightly inclined all around: its points on a flat side are far
/// apart, those on a round one close together (perturbation: van den Bergen, Collision Detection in
/// Interactive 3D Environments, 2003).
/// @param direction unit, in the frame of the core, like the points
mo_support_polygon mo_find_support_polygon(const mo_convex *core, mo_vec3 direction);

/// Drops the other rim points of a disc whose quarters, counted from its lowest point, are all
/// candidates. A disc that lies on a surface as a whole has more points than a manifold; its
/// quarters turn it no way, whatever the surface is made of.
/// @param is_b whether the disc belongs to B
/// @returns how many candidates are left
int mo_keep_quarters(const mo_convex *core, bool is_b, mo_contact_candidate *candidates, int count);
