/// A joint in a form that knows no type: what a point and an orientation may not do, and what
/// limits and drives the coordinates that are left. Between constraints, which write and read it,
/// and the solver soft-step, which solves it.
#pragma once

#include "math/quat.h"

/// What a joint fixes about a point of A and a point of B.
typedef enum mo_substep_point_lock {
  MO_SUBSTEP_POINT_FREE,
  MO_SUBSTEP_POINT_BALL,     ///< the two points are one: 3 rows
  MO_SUBSTEP_POINT_LINE,     ///< B's point lies on the axis of A: 2 rows
  MO_SUBSTEP_POINT_DISTANCE, ///< the distance of the points is `length`: 1 row; or a coordinate of
                             ///< the joint: no row but those of the coordinate
} mo_substep_point_lock;

/// What it fixes about the orientations.
typedef enum mo_substep_angle_lock {
  MO_SUBSTEP_ANGLE_FREE,
  MO_SUBSTEP_ANGLE_HINGE, ///< the axes are parallel: 2 rows
  MO_SUBSTEP_ANGLE_FIXED, ///< the frames are parallel: 3 rows
} mo_substep_angle_lock;

/// What a coordinate of a joint measures.
typedef enum mo_substep_coordinate_kind {
  MO_SUBSTEP_TURN,   ///< rad: the angle of B's frame about the axis, counted over full turns
  MO_SUBSTEP_TRAVEL, ///< m: how far B's point is along the axis on which the point lock holds it
  MO_SUBSTEP_LENGTH, ///< m: the distance of the points, with MO_SUBSTEP_POINT_DISTANCE
} mo_substep_coordinate_kind;

/// Places among the impulses of a coordinate: N s, or N m s of a turn, on B.
enum {
  /// Of the limits, 0 or more: the lower one pushes the coordinate up, the upper one down.
  MO_SUBSTEP_LOWER_IMPULSE = 0,
  MO_SUBSTEP_UPPER_IMPULSE = 1,
  /// Of the drives: they push the coordinate up.
  MO_SUBSTEP_MOTOR_IMPULSE = 2,
  MO_SUBSTEP_SPRING_IMPULSE = 3,
  MO_SUBSTEP_COORDINATE_IMPULSES = 4,
};

/// A coordinate of a joint that has limits or a drive. A joint has at most one of each kind.
typedef struct mo_substep_coordinate {
  mo_substep_coordinate_kind kind;
  double lower, upper; ///< limits; infinite where there is none
  double value;        ///< of a turn, in the last step: counts full turns
  /// A motor brings the rate of the coordinate to a speed. m/s or rad/s; N or N m, 0: no motor.
  double motor_speed, motor_max_force;
  /// A spring and damper pulls the coordinate to `spring_rest`, as a body of the joint's effective
  /// mass would oscillate on it. Hz, 0: no spring; damping ratio; m or rad.
  double spring_hertz, spring_damping, spring_rest;
  /// As those of mo_substep_joint.
  double start_impulses[MO_SUBSTEP_COORDINATE_IMPULSES];
  double impulses[MO_SUBSTEP_COORDINATE_IMPULSES];
} mo_substep_coordinate;

/// Whether a motor or a spring moves it.
static inline bool mo_substep_is_driven(const mo_substep_coordinate *coordinate) {
  return coordinate->motor_max_force > 0.0 || coordinate->spring_hertz > 0.0;
}

/// Places among the impulses of a joint's locks.
enum {
  /// Of the point: N s on B. Ball: along the world's axes; line: along y and z of A's joint frame;
  /// rod: away from A's point.
  MO_SUBSTEP_POINT_IMPULSE = 0,
  /// Of the angle: N m s on B. Fixed: about the world's axes; hinge: about y and z of A's frame.
  MO_SUBSTEP_ANGLE_IMPULSE = 3,
  MO_SUBSTEP_LOCK_IMPULSES = 6,
};

typedef struct mo_substep_joint {
  uint32_t slot_a, slot_b; ///< UINT32_MAX: the world
  mo_substep_point_lock point;
  mo_substep_angle_lock angle;
  mo_vec3 arm_a, arm_b;     ///< m, from the centres of mass in the bodies' axes (of the world:
                            ///< world position)
  mo_quat frame_a, frame_b; ///< joint frames in the bodies; x is the axis
  double length;            ///< m, of a distance without a coordinate
  uint32_t first_coordinate, coordinate_count; ///< among those of all joints
  /// Where the step starts from and, afterwards, the next one: as a whole step would have them at
  /// the pace of the last substep.
  double start_impulses[MO_SUBSTEP_LOCK_IMPULSES];
  double impulses[MO_SUBSTEP_LOCK_IMPULSES]; ///< out: of this step
} mo_substep_joint;
