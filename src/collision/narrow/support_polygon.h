/// The flat side of a convex core that faces another shape, found by its support mapping alone.
#pragma once

#include "geometry/convex.h"

#define MO_SUPPORT_POINTS 8

typedef struct mo_support_polygon {
  mo_vec3 deepest;                   ///< the support point in the direction itself
  int count;                         ///< 1: a round side or a corner; 2: an edge; more: a polygon
  mo_vec3 points[MO_SUPPORT_POINTS]; ///< counter-clockwise seen against the direction
  uint32_t names[MO_SUPPORT_POINTS]; ///< numbers of the directions in which the points are furthest
} mo_support_polygon;

/// Finds the support points in directions that are slightly inclined to `direction` all around.
/// Those of a flat side are far apart, those of a round one are close together (perturbation: van
/// den Bergen, Collision Detection in Interactive 3D Environments, 2003).
/// @param direction unit, in the frame of the core, like the points
mo_support_polygon mo_find_support_polygon(const mo_convex *core, mo_vec3 direction);
