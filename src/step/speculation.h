/// Speculative contacts that look ahead.
#pragma once

#include "world/world.h"

/// A placed shape and how its body moves in the step.
typedef struct mo_moving_shape {
  const mo_body *body;
  const mo_motion *motion;
  uint32_t shape;
  mo_velocity free_velocity; ///< with this step's forces
} mo_moving_shape;

/// World transform of the shape at the start of the step.
mo_transform mo_moving_shape_placement(const mo_moving_shape *moving);

/// Replaces the manifold of two shapes that are still apart where another feature will meet.
///
/// The normal of an open gap is that of the closest features at the start of the step. A body that
/// slides along a floor of tiles would bump into the side of the next one, a ball into its edge,
/// although it only passes. So where the bodies' velocities would close the gap, both shapes are
/// collided where they will be at the end of the step without contact. If they do not overlap
/// there, nor on the way, they pass each other and have no contact; if they only graze each other
/// there, along another normal, that manifold is taken, moved back to the start of the step along
/// the motion.
void mo_speculate(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                  mo_manifold *manifold);
