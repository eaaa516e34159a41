/// What mo_shape_submerged is made of. Private to src/geometry.
#pragma once

#include "geometry/submerged.h"

/// A solid from the triangles of its surface, as a sum over tetrahedra with their tip at `tip`. A
/// tip in a plane leaves out the face that this plane cuts.
typedef struct mo_solid_sum {
  mo_vec3 tip;
  double volume;  ///< six times it
  mo_vec3 moment; ///< 24 times the first moment about the tip
} mo_solid_sum;

/// Adds a triangle, counter-clockwise seen from outside.
void mo_solid_sum_add(mo_solid_sum *sum, mo_vec3 a, mo_vec3 b, mo_vec3 c);
/// Adds the part of a triangle that is not above the plane of `heights` of its corners, m.
void mo_solid_sum_add_clipped(mo_solid_sum *sum, const mo_vec3 corners[3], const double heights[3]);
mo_submerged mo_solid_sum_part(const mo_solid_sum *sum);

/// The part of a solid of revolution about the y axis.
mo_submerged mo_submerged_revolution(const mo_profile_piece *pieces, uint32_t count, mo_vec3 normal,
                                     double offset);
/// The part of a convex shape with a volume, by its support mapping.
mo_submerged mo_submerged_support(const mo_shape *shape, mo_vec3 normal, double offset);
