/// Four joints of one kind, no two of which share a moving body. Private to soft-step's joints.
///
/// Unused lanes are joints of index 0 with itself; their effective masses are zero.
#pragma once

#include "constraints/substep_joint.h"
#include "solvers/soft_step/body_lanes.h"
#include "solvers/soft_step/factor_lanes.h"
#include "solvers/soft_step/joints/joint_data.h"
#include "solvers/soft_step/joints/joint_softness.h"

/// m: larger errors of a joint are corrected no faster, because its bodies would get speeds that no
/// joint can hold.
#define MO_JOINT_MOST_ERROR 0.25f

/// A drive of a coordinate as a row: rate - speed + bias_rate error + softening impulse = 0, with
/// impulses of a substep of at most `limit`. A lane without the drive has the limit 0.
typedef struct mo_joint_drive_lanes {
  bool is_solved;   // some lane has it
  mo_f32x4 is_soft; // 1 in lanes of springs, whose impulses belong to the start of a substep
  mo_f32x4 kept;    // of the impulse of the last step: 0 of motors that arrive, else 1
  mo_f32x4 speed, bias_rate, softening, limit;
  mo_f32x4 start_error, error; // from the rest, at the start of the step and at the present poses
  mo_f32x4 impulse, total;     // of this substep, and the sum over the step
} mo_joint_drive_lanes;

/// A coordinate with limits or drives.
typedef struct mo_joint_coordinate_lanes {
  mo_substep_coordinate_kind kind;
  mo_joint_drive_lanes *drives; // MO_SUBSTEP_DRIVES; null: no lane has a drive
  mo_f32x4 start;               // at the start of the step; of a turn, rad
  mo_vec3x4 direction;          // at the present poses: its rate is the velocity along it, of the
                                // points or, of an angle, of the orientations
  mo_f32x4 lower, upper;        // rad or m
  mo_f32x4 upper_sine, upper_cosine; // of a swing's limit
  mo_f32x4 lower_gap, upper_gap;     // the present distances to the limits
  mo_f32x4 mass;                     // effective, with all locks held
  // Impulses of this substep and sums over the step.
  mo_f32x4 lower_impulse, upper_impulse, lower_total, upper_total;
  mo_f32x4 lower_steady, upper_steady; // like `steady` of the lanes
} mo_joint_coordinate_lanes;

/// The axes and angles of all joints that are more than a ball.
typedef struct mo_joint_frame_lanes {
  // At the start of the step, in the world.
  mo_vec3x4 start_axis, start_y, start_z; // of A's joint frame
  mo_vec3x4 start_axis_b;                 // of a hinge, and of a ball with limits: B's axis
  mo_vec3x4 start_turn;                   // of fixed frames: quaternion from A's to B's,
  mo_f32x4 start_turn_w;                  // and its real part
  mo_f32x4 length;                        // m, of a distance
  // At the present poses.
  mo_vec3x4 axis, y, z;     // of A's joint frame; of a distance `axis` is its direction
  mo_vec3x4 axis_b;         // of a ball with limits
  mo_vec3x4 error;          // rad: fixed: in the world; hinge: about y and z
  mo_factor_lanes mobility; // of the rows of `error`
  // Impulses of this substep and sums over the step.
  mo_vec3x4 impulse, total;
  mo_vec3x4 steady; // like that of the lanes
} mo_joint_frame_lanes;

#define MO_NO_JOINT UINT32_MAX

/// The most coordinates of a joint: a turn and a displacement along the axis, or a swing and a
/// twist.
#define MO_JOINT_COORDINATES 2

typedef struct mo_joint_lanes {
  uint32_t body_a[4], body_b[4];
  uint32_t joints[4]; // of the step's joints, or MO_NO_JOINT
  bool in_assembly;   ///< locks are solved with those of others (joint_assemblies.h)
  bool is_quiet;      ///< balls whose impulses nobody looks at after every step
  bool are_round;     ///< inertias of the bodies are multiples of the identity, as those of balls
  mo_substep_point_lock point;
  mo_substep_angle_lock angle;
  uint32_t coordinate_count;
  mo_joint_coordinate_lanes *coordinates; // in the order of the kind
  mo_joint_frame_lanes *frame;            // null for a ball without coordinates
  mo_mass_lanes mass_a, mass_b;
  // At the start of the step, m, world.
  mo_vec3x4 start_arm_a, start_arm_b;
  mo_vec3x4 start_offset; // from A's point to B's
  // At the present poses. Of a line, arm_a goes to B's point.
  mo_vec3x4 arm_a, arm_b;
  float most_error;         // m: by how much of it goes into a substep at most
  mo_vec3x4 error;          // m: ball: the offset; line: along y and z; rod: x
  mo_factor_lanes mobility; // of the rows of `error`
  mo_vec3x4 impulse, total;
  mo_vec3x4 steady;      // of a substep: the part of the impulse that softness does not take back
  mo_f32x4 learns_loads; // 1: its steady impulses follow the loads that rest on it; else 0
  mo_f32x4 keeps_loads;  // 1: they are the loads it began with, while these rest on it; else 0
  // Of quiet ones: what the last step ended with, since this one began.
  mo_vec3x4 last_impulse, last_total, last_steady;
} mo_joint_lanes;

/// Impulses of the rows of the point lock as a vector.
static inline mo_vec3x4 mo_joint_point_vector(const mo_joint_lanes *l, mo_vec3x4 rows) {
  const mo_joint_frame_lanes *f = l->frame;
  switch (l->point) {
  case MO_SUBSTEP_POINT_LINE:
    return mo_vec3x4_add_scaled(mo_vec3x4_scale(rows.x, f->y), rows.y, f->z);
  case MO_SUBSTEP_POINT_DISTANCE:
    return mo_vec3x4_scale(rows.x, f->axis);
  case MO_SUBSTEP_POINT_BALL:
  case MO_SUBSTEP_POINT_FREE:
    break;
  }
  return rows;
}

/// The reverse: the components of a relative velocity of the points that the rows see.
static inline mo_vec3x4 mo_joint_point_rows(const mo_joint_lanes *l, mo_vec3x4 v) {
  const mo_joint_frame_lanes *f = l->frame;
  mo_f32x4 zero = mo_f32x4_zero();
  switch (l->point) {
  case MO_SUBSTEP_POINT_LINE:
    return (mo_vec3x4){mo_vec3x4_dot(v, f->y), mo_vec3x4_dot(v, f->z), zero};
  case MO_SUBSTEP_POINT_DISTANCE:
    return (mo_vec3x4){mo_vec3x4_dot(v, f->axis), zero, zero};
  case MO_SUBSTEP_POINT_BALL:
  case MO_SUBSTEP_POINT_FREE:
    break;
  }
  return v;
}

/// The impulse, a vector, that gives the locked components of a relative velocity of the points.
static inline mo_vec3x4 mo_joint_point_impulse(const mo_joint_lanes *l, mo_vec3x4 v) {
  return mo_joint_point_vector(l, mo_factor_solve(&l->mobility, mo_joint_point_rows(l, v)));
}

/// Impulses of the rows of the angle lock as a vector; then the reverse.
static inline mo_vec3x4 mo_joint_angle_vector(const mo_joint_lanes *l, mo_vec3x4 rows) {
  const mo_joint_frame_lanes *f = l->frame;
  return l->angle == MO_SUBSTEP_ANGLE_FIXED
             ? rows
             : mo_vec3x4_add_scaled(mo_vec3x4_scale(rows.x, f->y), rows.y, f->z);
}

static inline mo_vec3x4 mo_joint_angle_rows(const mo_joint_lanes *l, mo_vec3x4 w) {
  const mo_joint_frame_lanes *f = l->frame;
  return l->angle == MO_SUBSTEP_ANGLE_FIXED
             ? w
             : (mo_vec3x4){mo_vec3x4_dot(w, f->y), mo_vec3x4_dot(w, f->z), mo_f32x4_zero()};
}

/// Whether its joints have a frame: all but balls without coordinates.
static inline bool mo_joint_has_frame(const mo_joint_lanes *l) {
  return l->point != MO_SUBSTEP_POINT_BALL || l->angle != MO_SUBSTEP_ANGLE_FREE ||
         l->coordinate_count > 0;
}

/// Whether its joints are balls with limits of swing or twist.
static inline bool mo_joint_is_limited_ball(const mo_joint_lanes *l) {
  return l->point == MO_SUBSTEP_POINT_BALL && l->angle == MO_SUBSTEP_ANGLE_FREE &&
         l->coordinate_count > 0;
}

/// Whether rows lock the point. A distance that is a coordinate has only the rows of that.
static inline bool mo_joint_has_point_rows(const mo_joint_lanes *l) {
  return l->point != MO_SUBSTEP_POINT_FREE &&
         !(l->point == MO_SUBSTEP_POINT_DISTANCE && l->coordinate_count > 0);
}

/// The joint's coordinate that the lanes hold; it has one.
static inline mo_substep_coordinate *
mo_joint_coordinate_of(const mo_substep_joints *joints, const mo_substep_joint *joint,
                       const mo_joint_coordinate_lanes *lanes) {
  mo_substep_coordinate *coordinate = &joints->coordinates[joint->first_coordinate];
  while (coordinate->kind != lanes->kind) {
    coordinate++;
  }
  return coordinate;
}

/// Updates Jacobians, errors and effective masses to the present poses.
void mo_joint_lanes_refresh(mo_joint_lanes *lanes, const mo_solver_body *bodies);
/// The same at the start of a step, where no body has moved yet.
void mo_joint_lanes_refresh_start(mo_joint_lanes *lanes);
/// By how much more, m, the points of balls part than their velocities say, while the bodies turn
/// by rotation vectors.
mo_vec3x4 mo_joint_lanes_bend(const mo_joint_lanes *lanes, const mo_substep_solver *step,
                              mo_vec3x4 turn_a, mo_vec3x4 turn_b);
/// Applies the impulses of the last substep to the velocities.
void mo_joint_lanes_warm_start(mo_joint_lanes *lanes, mo_solver_body *bodies);
void mo_joint_lanes_solve(mo_joint_lanes *lanes, mo_solver_body *bodies,
                          const mo_joint_softness *softness);
/// Solves those joints whose points part at more than a speed, m/s, and takes all of their error
/// away.
/// @param due a bit for each lane that may be solved
/// @return a bit for each lane with such a joint
int mo_joint_lanes_close(mo_joint_lanes *lanes, const mo_substep_solver *step,
                         const mo_joint_softness *softness, float speed, uint32_t due);
/// The last solve of a substep, without bias, after which its impulses are added to the sums.
/// @param rigid of mo_joint_softness_rigid
void mo_joint_lanes_relax(mo_joint_lanes *lanes, mo_solver_body *bodies,
                          const mo_joint_softness *rigid);
/// Lets the steady impulses follow those of the step, after its last substep, and bounds those that
/// the next step starts with by the largest that a joint keeps.
void mo_joint_lanes_end(mo_joint_lanes *lanes, const mo_substep_solver *step);

/// Puts a joint into a lane that is zero, with what stays from step to step. The value of a turn is
/// updated, counting on from its last one.
/// @param impulse_share the fraction of its impulses that a substep starts from
void mo_joint_lanes_put(mo_joint_lanes *lanes, int lane, const mo_substep_joints *joints,
                        const mo_substep_solver *step, double impulse_share);
/// Starts a step from the poses at its start.
void mo_joint_lanes_begin(mo_joint_lanes *lanes, const mo_substep_joints *joints,
                          const mo_substep_solver *step);
/// The part of it that takes the masses of the bodies over, and makes what depends on them.
void mo_joint_lanes_weigh(mo_joint_lanes *lanes, const mo_substep_solver *step);
/// Writes a lane's sums over the step, and the impulses for the next step, to its joint.
void mo_joint_lanes_take(const mo_joint_lanes *lanes, int lane, double substeps,
                         const mo_substep_joints *joints);
/// The same for all of four quiet ones.
/// @param is_begun whether the next step has begun since, so that it is what that keeps of them
void mo_joint_lanes_take_quiet(const mo_joint_lanes *lanes, bool is_begun, double substeps,
                               const mo_substep_joints *joints);
