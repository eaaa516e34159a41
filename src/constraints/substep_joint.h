/// A joint as soft-step solves it, whatever its type: the locked directions of a point and of the
/// orientation, and limits and drives of the coordinates that are free. Constraints write it and
/// read it back.
#pragma once

#include "math/quat.h"

/// What a joint locks between a point of A and a point of B.
typedef enum mo_substep_point_lock {
  MO_SUBSTEP_POINT_FREE,
  MO_SUBSTEP_POINT_BALL,     ///< the two points coincide: 3 rows
  MO_SUBSTEP_POINT_LINE,     ///< B's point lies on the axis of A: 2 rows
  MO_SUBSTEP_POINT_DISTANCE, ///< the distance of the points is `length`: 1 row; or it is a
                             ///< coordinate of the joint, whose rows are the only ones
} mo_substep_point_lock;

/// What a joint locks between the orientations.
typedef enum mo_substep_angle_lock {
  MO_SUBSTEP_ANGLE_FREE,
  MO_SUBSTEP_ANGLE_HINGE, ///< the axes are parallel: 2 rows
  MO_SUBSTEP_ANGLE_FIXED, ///< the frames are parallel: 3 rows
} mo_substep_angle_lock;

/// What a coordinate of a joint measures.
typedef enum mo_substep_coordinate_kind {
  MO_SUBSTEP_TURN,   ///< rad: the angle of B's frame about the axis, counted over full turns
  MO_SUBSTEP_TRAVEL, ///< m: the position of B's point on the axis to which the point lock holds it
  MO_SUBSTEP_LENGTH, ///< m: the distance of the points, with MO_SUBSTEP_POINT_DISTANCE
  MO_SUBSTEP_SWING,  ///< rad, 0 to pi: the angle between the axes of A's and B's frames; its upper
                     ///< limit is a cone, it has no lower one and no drives
  MO_SUBSTEP_TWIST,  ///< rad: the angle of B's frame about A's axis before its axis is swung
                     ///< apart the short way
} mo_substep_coordinate_kind;

/// Positions in the impulses of a coordinate: N s, or N m s for a turn, on B.
enum {
  /// Of the limits, 0 or more: the lower one pushes the coordinate up, the upper one down.
  MO_SUBSTEP_LOWER_IMPULSE = 0,
  MO_SUBSTEP_UPPER_IMPULSE = 1,
  /// Of the drives: they push the coordinate up.
  MO_SUBSTEP_DRIVE_IMPULSE = 2,
  MO_SUBSTEP_COORDINATE_IMPULSES = 5,
  /// Those of the limits, which come first, may be steady.
  MO_SUBSTEP_STEADY_LIMITS = 2,
};

/// The drives of a coordinate, in the order in which they are solved.
typedef enum mo_substep_drive_kind {
  MO_SUBSTEP_SPRING,
  MO_SUBSTEP_FRICTION,
  MO_SUBSTEP_MOTOR,
  MO_SUBSTEP_DRIVES,
} mo_substep_drive_kind;

/// A force that drives a coordinate: -stiffness (value - rest) - damping (rate - speed), or what
/// gives it the rate `speed` if it is rigid, of at most max_force.
typedef struct mo_substep_drive {
  double max_force; ///< N or N m; may be infinite, 0: there is no drive
  bool is_rigid;
  bool arrives; ///< rigid: `speed` changes with what is left of the way to a position
  double speed; ///< m/s or rad/s
  double rest, stiffness, damping; ///< m or rad; N/m; N s/m: of a drive that is not rigid
} mo_substep_drive;

/// A coordinate of a joint that has limits or a drive. A joint has at most one of each kind.
typedef struct mo_substep_coordinate {
  mo_substep_coordinate_kind kind;
  double lower, upper; ///< limits; infinite for none
  double value;        ///< at the end of the last step; counts the full turns of a turn
  mo_substep_drive drives[MO_SUBSTEP_DRIVES];
  /// Like those of mo_substep_joint.
  double start_impulses[MO_SUBSTEP_COORDINATE_IMPULSES];
  double impulses[MO_SUBSTEP_COORDINATE_IMPULSES];
  double steady_impulses[MO_SUBSTEP_STEADY_LIMITS];
} mo_substep_coordinate;

/// Whether the coordinate is an angle.
static inline bool mo_substep_is_angle(mo_substep_coordinate_kind kind) {
  return kind != MO_SUBSTEP_TRAVEL && kind != MO_SUBSTEP_LENGTH;
}

/// Whether the coordinate has a drive.
static inline bool mo_substep_is_driven(const mo_substep_coordinate *coordinate) {
  bool is_driven = false;
  for (int i = 0; i < MO_SUBSTEP_DRIVES; i++) {
    is_driven = is_driven || coordinate->drives[i].max_force > 0.0;
  }
  return is_driven;
}

/// Positions in the impulses of a joint's locks.
enum {
  /// Of the point: N s on B. Ball: along the world's axes; line: along y and z of A's joint frame;
  /// rod: away from A's point.
  MO_SUBSTEP_POINT_IMPULSE = 0,
  /// Of the angle: N m s on B. Fixed: about the world's axes; hinge: about y and z of A's frame.
  MO_SUBSTEP_ANGLE_IMPULSE = 3,
  MO_SUBSTEP_LOCK_IMPULSES = 6,
};

typedef struct mo_substep_joint {
  uint32_t slot_a, slot_b; ///< UINT32_MAX for the world
  bool is_new;             ///< no step has had it yet, and so it knows no impulses
  mo_substep_point_lock point;
  mo_substep_angle_lock angle;
  mo_vec3 arm_a, arm_b;     ///< m, from the centres of mass in the bodies' axes (of the world:
                            ///< world position)
  mo_quat frame_a, frame_b; ///< joint frames in the bodies; x is the axis
  double length;            ///< m, for a distance without a coordinate
  uint32_t first_coordinate, coordinate_count; ///< among those of all joints
  /// The impulses from which the step starts, and afterwards those for the next step: the sum over
  /// a whole step if all substeps were like the last one.
  double start_impulses[MO_SUBSTEP_LOCK_IMPULSES];
  double impulses[MO_SUBSTEP_LOCK_IMPULSES]; ///< out: of this step
  /// The part of start_impulses that has lasted while the bodies were at rest: springs do not
  /// forget it. In, and out for the next step.
  double steady_impulses[MO_SUBSTEP_LOCK_IMPULSES];
} mo_substep_joint;

/// Whether it is a ball that has no more than its point: most joints of chains and sheets.
static inline bool mo_substep_joint_is_ball(const mo_substep_joint *joint) {
  return joint->point == MO_SUBSTEP_POINT_BALL && joint->angle == MO_SUBSTEP_ANGLE_FREE &&
         joint->coordinate_count == 0;
}
