/// When two moving shapes meet: continuous collision of fast bodies.
#pragma once

#include "geometry/shape.h"

/// A shape and how its body moves in a step: the centre of mass along a line, the orientation with
/// a constant angular velocity.
typedef struct mo_sweep {
  const mo_shape *shape;
  mo_pose shape_pose;     ///< shape frame in body frame
  mo_vec3 center_of_mass; ///< body frame
  mo_vec3 center_start;   ///< of the centre of mass, world, m
  mo_vec3 center_end;
  mo_quat orientation_start; ///< world from body, unit
  mo_vec3 rotation; ///< axis times angle in rad of the whole step, world: angular velocity times dt
} mo_sweep;

/// The sweep between two poses of a body (of its origin). The turn is the shorter one, at most half
/// a revolution.
mo_sweep mo_sweep_between(const mo_shape *shape, mo_pose shape_pose, mo_vec3 center_of_mass,
                          mo_pose start, mo_pose end);
/// Adds the whole turns that are missing: the rotation nearest to `rotation`, which is known from
/// elsewhere, of those that lead to the same orientation.
void mo_sweep_unwind(mo_sweep *sweep, mo_vec3 rotation);
/// The sweep of a body that stays where it is.
mo_sweep mo_sweep_at_rest(const mo_shape *shape, mo_pose shape_pose, mo_pose body);
/// The pose of the body's origin at a fraction of the step, 0 to 1. At 0 it is the start to
/// round-off.
mo_pose mo_sweep_pose(const mo_sweep *sweep, double fraction);

typedef enum mo_toi_status {
  MO_TOI_SEPARATED,  ///< further apart than the target for the whole step
  MO_TOI_HIT,        ///< they come as near as the target
  MO_TOI_OVERLAPPED, ///< they overlap or touch at the start: nothing is known
} mo_toi_status;

typedef struct mo_toi {
  mo_toi_status status;
  double fraction; ///< part of the step for which they are proven to be apart: 1 if separated
  /// They begin as near as the target, so their contact is there already: a hit is that they come
  /// nearer than that.
  bool began_near;
  double separation; ///< m, at that fraction (0 to target + tolerance, unless iterations ran out)
  mo_vec3 normal;    ///< unit, from A to B, world, of the closest features there
  int iterations;    ///< distances computed
} mo_toi;

/// The time at which two moving shapes come as near as `target` metres, by conservative advancement
/// (Mirtich 1996; van den Bergen 2004; Catto 2013).
///
/// At each fraction the closest features give an axis along which the two are apart. How far they
/// can approach along that axis is bounded from above, so the step that is taken never passes
/// through a contact, however thin the shapes and fast the turn. The bound is the lesser of two:
/// with the velocities of all vertices now and a bound of their accelerations (second order, so
/// that the advance converges quickly near the contact), and with the greatest speed that the turn
/// gives to any point (for long turns). Where the iterations are used up the last fraction is
/// returned as a hit: safe, too early.
/// @param target m, above 0: the separation to stop at, about the linear slop
/// @param tolerance m, above 0, below target: a separation up to target + tolerance is a hit
mo_toi mo_time_of_impact(const mo_sweep *a, const mo_sweep *b, double target, double tolerance);
/// The same for the core of A in its place: A without a skin half as thick as the radius of a ball
/// that fits into each of the two. What the core meets no part of A can have passed by: a shape
/// that slides over the seams of a floor or grazes a corner meets them all the same, its core does
/// not. A must not be a plane.
mo_toi mo_time_of_core_impact(const mo_sweep *a, const mo_sweep *b, double target,
                              double tolerance);
/// The same for a ball in the middle of A, half as large as one that fits into it: what no end of A
/// can get through in the step.
mo_toi mo_time_of_middle_impact(const mo_sweep *a, const mo_sweep *b, double target,
                                double tolerance);
