/// Contacts of a moving shape with a moving mesh, those ahead included.
#pragma once

#include "collision/narrow/mesh_manifolds.h"
#include "step/speculation.h"

/// Whether a pair has a mesh.
static inline bool mo_is_surface_pair(const mo_moving_shape *a, const mo_moving_shape *b) {
  return mo_shape_is_surface(mo_moving_shape_of(a)) || mo_shape_is_surface(mo_moving_shape_of(b));
}

/// Finds the manifolds that are closer than `near` metres at the start of the step. If the shapes
/// may come nearer by more than that in the step, those of their first impact follow, moved back to
/// the start: the normal at the impact is that of what is hit, wherever it is at the start.
/// @param ahead m: how far the shapes may come nearer in the step
/// @param joins whether the triangles on which a face lies share a manifold (joined_facets.h)
/// @param[out] out normals from A to B
void mo_find_surface_contacts(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                              double near, double ahead, bool joins, mo_mesh_manifolds *out);
