/// The flat side that a convex core turns towards another shape, by its support mapping alone.
#pragma once

#include "geometry/convex.h"

#define MO_SUPPORT_POINTS 8

typedef struct mo_support_polygon {
  mo_vec3 deepest;                   ///< the support point in the direction itself
  int count;                         ///< 1: it is round or a corner; 2: an edge; else a polygon
  mo_vec3 points[MO_SUPPORT_POINTS]; ///< counter-clockwise seen against the direction
  uint32_t names[MO_SUPPORT_POINTS]; ///< of the directions that the points are furthest in
} mo_support_polygon;

/// Finds the support points in directions that are a little inclined against `direction` all
/// around: those of a flat side are far from each other, those of a round one are together
/// (perturbation: van den Bergen, Collision Detection in Interactive 3D Environments, 2003).
/// @param direction unit, in the frame of the core, as are the points
mo_support_polygon mo_find_support_polygon(const mo_convex *core, mo_vec3 direction);
