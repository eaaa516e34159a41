/// The time at which soft-step takes the geometry of a contact that rolls. Private to
/// src/step/soft_step.
///
/// Normal and lever arms are frozen for the step, while n substeps of h move the bodies: on the
/// average they start (n - 1) h / 2 later than the comparison. With the geometry
/// of the comparison what rolls would go along a tangent of its path. With that of the mean start
/// an oscillation q'' = -w^2 q that contacts guide has the map
///
///     q1 = q0 + H v0 - (n + 1) / (2 n) H^2 w^2 q(t),  v1 = v0 - H w^2 q(t),  q(t) = q0 + t v0
///
/// with H = n h, whose determinant is 1 for t = (n - 1) h / 2 alone: it neither gains nor loses
/// energy, as symplectic maps do (Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006,
/// section VI.3). For the same reason arms of that time keep the angular momentum of two bodies.
///
/// It is so for round shapes that touch in one or two points. What lies on more of them does not
/// roll, and what has no round side falls from edge to edge.
#pragma once

#include "step/rolling.h"
#include "step/soft_step/soft_contacts.h"

/// rad: shapes are compared again before a body turns by more. A corner that is missing sinks in by
/// the turn times its distance, and what lifts it out gives the body this height: a fraction of its
/// size, so that small bodies that rock gain no more than large ones. What turns by more in a step
/// does not go round as its last steps tell (moving_arms.h).
#define MO_MOST_TURN 0.025

/// m: how far the bodies of a pair may move before its shapes are compared again; until then its
/// normal is out of date and new features are missing. A flat contact may move by as much as the
/// gap is up to which there is one, and shapes that roll by a slop: they do so sooner than a face
/// tilts.
/// @param rolls mo_shapes_roll
double mo_soft_contact_allowance(const mo_world *world, const mo_contact_reach *reach,
                                 const mo_pair *pair, bool rolls);

/// s: for shapes that may roll on each other, the time from now to the mean start of the substeps.
/// 0 where joints move them too far for their velocities to tell.
double mo_soft_contact_lead(const mo_world *world, const mo_contact_reach *reach,
                            const mo_pair *pair);
/// Whether shapes land or part in that time, judged where they touch then: a manifold that was
/// brought back. What does so does not roll.
bool mo_soft_contact_lands(const mo_world *world, const mo_contact_reach *reach,
                           const mo_pair *pair, double time, const mo_manifold *manifold);

/// Moves a body for a time by its velocities, through a small turn.
void mo_soft_move_ahead(const mo_body *body, double time, mo_motion *motion);
