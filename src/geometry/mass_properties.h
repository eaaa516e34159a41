/// Volume, centre and inertia of a homogeneous polyhedron.
#pragma once

#include "math/mat3.h"
#include "moreau.h"

typedef struct mo_mass_properties {
  double volume;
  mo_vec3 centroid;
  mo_mat3 inertia_per_mass; ///< about the centroid
} mo_mass_properties;

/// Mass properties of a closed polyhedron (Mirtich, Fast and Accurate Computation of Polyhedral
/// Mass Properties, Journal of Graphics Tools 1(2), 1996). All integrals are relative to a vertex,
/// because about a distant origin the parallel-axis terms would cancel all digits. A face whose
/// corners are not in one plane counts as the fan of triangles about its first corner.
/// @param faces with unit normals outward; the offsets are not used
/// @param loops vertex indices of the faces, counter-clockwise seen from outside
mo_mass_properties mo_polyhedron_mass_properties(const mo_vec3 *vertices, const mo_face *faces,
                                                 uint32_t face_count, const uint32_t *loops);
