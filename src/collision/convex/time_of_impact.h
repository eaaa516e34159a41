/// Time of impact of two moving shapes, for continuous collision of fast bodies.
#pragma once

#include "geometry/shape.h"

/// A shape and the motion of its body in a step: the centre of mass moves along a line, and the
/// body rotates with a constant angular velocity.
typedef struct mo_sweep {
  const mo_shape *shape;
  mo_pose shape_pose;     ///< shape frame in body frame
  mo_vec3 center_of_mass; ///< body frame
  mo_vec3 center_start;   ///< of the centre of mass, world, m
  mo_vec3 center_end;
  mo_quat orientation_start; ///< world from body, unit
  mo_vec3 rotation; ///< rotation vector of the whole step in rad, world: angular velocity times dt
} mo_sweep;

/// The sweep between two poses of a body (of its origin). The rotation is the shorter one, at most
/// half a turn.
mo_sweep mo_sweep_between(const mo_shape *shape, mo_pose shape_pose, mo_vec3 center_of_mass,
                          mo_pose start, mo_pose end);
/// Adds missing full turns: of all rotations to the same orientation, the one nearest to
/// `rotation`, which the caller knows from elsewhere.
void mo_sweep_unwind(mo_sweep *sweep, mo_vec3 rotation);
/// The sweep of a body at rest.
mo_sweep mo_sweep_at_rest(const mo_shape *shape, mo_pose shape_pose, mo_pose body);
/// The pose of the body's origin at a fraction of the step, 0 to 1. At 0 it is the start, to
/// round-off.
mo_pose mo_sweep_pose(const mo_sweep *sweep, double fraction);

typedef enum mo_toi_status {
  MO_TOI_SEPARATED,  ///< further apart than the target for the whole step
  MO_TOI_HIT,        ///< they come as close as the target
  MO_TOI_OVERLAPPED, ///< they overlap or touch at the start; nothing else is set
} mo_toi_status;

typedef struct mo_toi {
  mo_toi_status status;
  double fraction; ///< of the step, for which they are proven to be separate; 1 if separated
  /// They start closer than the target, so they have a contact already. A hit then means that they
  /// come closer.
  bool began_near;
  double separation; ///< m, at that fraction (0 to target + tolerance, unless iterations ran out)
  mo_vec3 normal;    ///< unit, from A to B, world, of the closest features there
  int iterations;    ///< number of distances computed
} mo_toi;

/// The time at which two moving shapes come as close as `target` metres, by conservative
/// advancement (Mirtich 1996; van den Bergen 2004; Catto 2013).
///
/// At each fraction the closest features give an axis along which the two are separate. Their
/// approach along that axis is bounded from above, so a step never passes through a contact,
/// however thin the shapes and fast the rotation. The bound is the smaller of two. One uses the
/// velocities of all vertices and a bound of their accelerations (second order, so the advance
/// converges quickly near the contact). The other uses the largest speed that the rotation gives
/// any point (for long rotations). If the iterations run out, the last fraction is returned as a
/// hit, which is safe but too early.
/// @param target m, above 0: the separation to stop at, about the linear slop
/// @param tolerance m, above 0, below target: a separation up to target + tolerance is a hit
mo_toi mo_time_of_impact(const mo_sweep *a, const mo_sweep *b, double target, double tolerance);
/// The tolerance of a step, m: what is stopped stays within a quarter of its separation, and an
/// iteration or two are enough for that.
static inline double mo_toi_tolerance(double target) { return 0.25 * target; }
/// The same for the core of A: A reduced on all sides by half of the smaller inner radius of the
/// two. What the core does not meet, A does not pass through. A shape that slides over the seams of
/// a floor or grazes a corner hits them, but its core does not. A must not be a plane.
mo_toi mo_time_of_core_impact(const mo_sweep *a, const mo_sweep *b, double target,
                              double tolerance);
/// The radius of the ball in the middle of a shape that mo_time_of_middle_impact moves, m.
double mo_middle_radius(const mo_shape *shape);
/// The same for a ball in the middle of A, half as large as the largest ball inside it. What that
/// ball does not meet, the ends of A cannot pass through within the step.
mo_toi mo_time_of_middle_impact(const mo_sweep *a, const mo_sweep *b, double target,
                                double tolerance);
