/// Speculative contacts: the manifold of two shapes at the poses at which they will meet.
#pragma once

#include "world/world.h"

/// A placed shape and how its body moves in the step.
typedef struct mo_moving_shape {
  const mo_body *body;
  const mo_motion *motion;
  uint32_t shape;
  mo_velocity free_velocity; ///< with this step's forces
  double metre;              ///< mo_world_metre
} mo_moving_shape;

static inline const mo_shape *mo_moving_shape_of(const mo_moving_shape *moving) {
  return moving->body->shapes[moving->shape].shape;
}
/// World transform of the shape at the start of the step.
mo_transform mo_moving_shape_placement(const mo_moving_shape *moving);

/// Makes of a manifold at the poses after a time one of now. Its lever arms about the centres of
/// mass of now are the arms of that time: the point where a ball touches moves with its centre, and
/// does not turn with its surface. So the impulse of an impact ahead acts where it will, and has
/// the torque that it will have. Separations are those that the free velocities close until then.
void mo_manifold_bring_back(const mo_moving_shape *a, const mo_moving_shape *b, double time,
                            mo_manifold *manifold);

/// Replaces the manifold of two separate shapes if other features than the closest ones will meet.
///
/// The normal of an open gap is that of the closest features at the start of the step. With that
/// normal a body that slides along a floor of tiles bumps into the side of the next tile, although
/// it only passes it. So if the velocities would close the gap, both shapes are collided at the
/// poses that they reach at the end of the step without contact. If they overlap neither there nor
/// in between, they pass each other and have no contact. If they only graze each other there, with
/// another normal, that manifold is used, moved back to the start of the step along the motion.
void mo_speculate(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                  mo_collision_cache cache, mo_manifold *manifold);

/// Fraction of the reach of contacts at which shapes meet in a sweep.
#define MO_MEETING_PART 0.25

/// Replaces the manifold of shapes whose gap is wider than `near` metres by that of their impact in
/// the step, moved back to its start, with all points that follow until its end. The normal at the
/// impact is that of what is hit: along a path that is long and oblique, it is none of what is
/// nearest at the start. Without points if they do not meet.
/// @param ahead m: how far the shapes may come nearer in the step
void mo_speculate_far(const mo_moving_shape *a, const mo_moving_shape *b, double dt, double near,
                      double ahead, mo_collision_cache cache, mo_manifold *manifold);

/// Adds to a manifold what else of the shapes meets in the step if nothing stops them. A body that
/// turns fast and touches with an edge would fall on its face, within the step, through features
/// that the manifold of its edge does not have. Points are where they are now.
void mo_speculate_turn(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                       mo_collision_cache cache, mo_manifold *manifold);

/// Adds to a manifold of one or two points what the shapes meet with in the step after a plastic
/// impact there: it turns them, and behind an edge or a corner that is stopped a face falls. The
/// impact is one of both bodies alone, as if nothing else touched them. Points are where they are
/// now.
/// @param least m: what stops, and turns, the bodies by less in the step is no such impact
/// @returns whether there is such an impact
bool mo_speculate_impact(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                         double least, mo_collision_cache cache, mo_manifold *manifold);
