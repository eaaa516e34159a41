/// A triangle of a mesh as a convex shape without thickness, for searches that take convex shapes.
#pragma once

#include "geometry/shape.h"

/// The convex core of a triangle in the frame of its centroid, which is returned.
/// @param[out] at the corners relative to the centroid, to which the core points
mo_vec3 mo_triangle_core(const mo_triangle *triangle, mo_triangle *at, mo_convex *core);

/// Not to be copied: the core points to the corners.
typedef struct mo_triangle_shape {
  mo_shape shape; ///< with the centroid as its origin
  mo_triangle at; ///< relative to the centroid
  mo_vec3 centroid;
} mo_triangle_shape;

/// @param inner_radius m: how thick the triangle counts where cores are reduced (time_of_impact.h)
void mo_triangle_shape_make(const mo_triangle *triangle, double inner_radius,
                            mo_triangle_shape *out);
