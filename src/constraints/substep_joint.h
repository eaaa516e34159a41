/// A joint in a form that knows no type: what a point and an orientation may not do, and limits.
/// Between constraints, which write and read it, and the solver soft-step, which solves it.
#pragma once

#include "math/quat.h"

/// What a joint fixes about a point of A and a point of B.
typedef enum mo_substep_point_lock {
  MO_SUBSTEP_POINT_FREE,
  MO_SUBSTEP_POINT_BALL,     ///< the two points are one: 3 rows
  MO_SUBSTEP_POINT_LINE,     ///< B's point lies on the axis of A: 2 rows
  MO_SUBSTEP_POINT_DISTANCE, ///< the distance is within limits (equal ones: a rod): 1 row
} mo_substep_point_lock;

/// What it fixes about the orientations.
typedef enum mo_substep_angle_lock {
  MO_SUBSTEP_ANGLE_FREE,
  MO_SUBSTEP_ANGLE_HINGE, ///< the axes are parallel: 2 rows
  MO_SUBSTEP_ANGLE_FIXED, ///< the frames are parallel: 3 rows
} mo_substep_angle_lock;

/// Places among the impulses of a joint.
enum {
  /// Of the point: N s on B. Ball: along the world's axes; line: along y and z of A's joint frame;
  /// rod: away from A's point.
  MO_SUBSTEP_POINT_IMPULSE = 0,
  /// Of the angle: N m s on B. Fixed: about the world's axes; hinge: about y and z of A's frame.
  MO_SUBSTEP_ANGLE_IMPULSE = 3,
  /// Of the limits, 0 or more: the lower one pushes the coordinate up, the upper one down.
  MO_SUBSTEP_LOWER_IMPULSE = 6,
  MO_SUBSTEP_UPPER_IMPULSE = 7,
  MO_SUBSTEP_JOINT_IMPULSES = 8,
};

typedef struct mo_substep_joint {
  uint32_t slot_a, slot_b; ///< UINT32_MAX: the world
  mo_substep_point_lock point;
  mo_substep_angle_lock angle;
  mo_vec3 arm_a, arm_b;     ///< m, from the centres of mass in the bodies' axes (of the world:
                            ///< world position)
  mo_quat frame_a, frame_b; ///< joint frames in the bodies; x is the axis
  double lower, upper;      ///< limits of the coordinate: angle about or way along the axis, or
                            ///< the distance; infinite where there is none
  double coordinate;        ///< of the last step: counts the turns of a hinge
  /// Where the step starts from and, afterwards, the next one: as a whole step would have them at
  /// the pace of the last substep.
  double start_impulses[MO_SUBSTEP_JOINT_IMPULSES];
  double impulses[MO_SUBSTEP_JOINT_IMPULSES]; ///< out: of this step
} mo_substep_joint;
