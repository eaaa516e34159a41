/// Joints of soft-step: from the poses at the start of the step to lanes, and impulses back.
#include "constraints/joint_rotation.h"
#include "solvers/soft_step/joint_lanes.h"

// m, and of unit vectors: smaller numbers are round-off.
#define LEAST_LENGTH 1e-12
// N s and N m s: far below the round-off of any other.
#define LEAST_IMPULSE 1e-20

// A body as one side of a joint, in double: only differences of places become float.
typedef struct side {
  mo_vec3 origin; // m, world: the centre of mass, or the point itself where it is the world's
  mo_vec3 arm;    // from there to the point
  mo_quat orientation;
  uint32_t index;
} side;

static side side_of(const mo_soft_step *step, uint32_t slot, mo_vec3 arm) {
  if (slot == UINT32_MAX) {
    return (side){.origin = arm, .orientation = mo_quat_identity()};
  }
  const mo_motion *motion = &step->motions[slot];
  return (side){.origin = motion->center_of_mass,
                .arm = mo_quat_rotate(motion->orientation, arm),
                .orientation = motion->orientation,
                .index = step->indices[slot]};
}

// Where bodies are aligned with axes, the round-off of their orientations leaves components of
// 1e-17 whose products are subnormal floats: a hundred times as slow to compute with.
static float rounded(double x, double least) { return fabs(x) < least ? 0.0f : (float)x; }

// Lengths, directions and quaternions.
static void put(mo_vec3x4 *to, int lane, mo_vec3 v) {
  to->x[lane] = rounded(v.x, LEAST_LENGTH);
  to->y[lane] = rounded(v.y, LEAST_LENGTH);
  to->z[lane] = rounded(v.z, LEAST_LENGTH);
}

static void put_impulse(mo_vec3x4 *to, int lane, double share, const double impulse[3]) {
  to->x[lane] = rounded(share * impulse[0], LEAST_IMPULSE);
  to->y[lane] = rounded(share * impulse[1], LEAST_IMPULSE);
  to->z[lane] = rounded(share * impulse[2], LEAST_IMPULSE);
}

// The angle of a hinge next to the one of the last step, so that turns are counted.
static double hinge_angle(mo_quat relative, double last) {
  mo_vec3 rate;
  double turn = mo_twist_angle(relative, &rate) - last;
  return last + (turn - 2.0 * MO_PI * floor(turn / (2.0 * MO_PI) + 0.5));
}

static void put_frame(mo_joint_frame_lanes *f, int lane, const mo_soft_joint *joint,
                      mo_quat frame_a, mo_quat frame_b) {
  mo_mat3 axes = mo_quat_to_mat3(frame_a);
  put(&f->start_axis, lane, axes.cx);
  put(&f->start_y, lane, axes.cy);
  put(&f->start_z, lane, axes.cz);
  if (joint->angle == MO_SOFT_ANGLE_HINGE) {
    put(&f->start_axis_b, lane, mo_quat_rotate(frame_b, mo_v3(1.0, 0.0, 0.0)));
    bool is_limited = joint->lower > -INFINITY || joint->upper < INFINITY;
    mo_quat relative = mo_quat_mul(mo_quat_conjugate(frame_a), frame_b);
    f->start_coordinate[lane] = is_limited ? (float)hinge_angle(relative, joint->coordinate) : 0.0f;
  } else if (joint->angle == MO_SOFT_ANGLE_FIXED) {
    mo_quat turn = mo_quat_mul(frame_b, mo_quat_conjugate(frame_a));
    put(&f->start_turn, lane, mo_v3(turn.x, turn.y, turn.z));
    f->start_turn_w[lane] = (float)turn.w;
  }
}

void mo_joint_lanes_put(mo_joint_lanes *l, int lane, const mo_soft_joint *joint,
                        const mo_soft_step *step, double impulse_share) {
  side a = side_of(step, joint->slot_a, joint->arm_a),
       b = side_of(step, joint->slot_b, joint->arm_b);
  mo_vec3 offset = mo_add(mo_sub(b.origin, a.origin), mo_sub(b.arm, a.arm));
  l->body_a[lane] = a.index;
  l->body_b[lane] = b.index;
  // What does not move has no use for its arm.
  put(&l->start_arm_a, lane, a.index ? a.arm : mo_v3_zero());
  put(&l->start_arm_b, lane, b.index ? b.arm : mo_v3_zero());
  put(&l->start_offset, lane, offset);
  put_impulse(&l->impulse, lane, impulse_share, joint->start_impulses + MO_SOFT_POINT_IMPULSE);
  mo_joint_frame_lanes *f = l->frame;
  if (!f) {
    return;
  }
  if (joint->point != MO_SOFT_POINT_DISTANCE) {
    put_frame(f, lane, joint, mo_quat_mul(a.orientation, joint->frame_a),
              mo_quat_mul(b.orientation, joint->frame_b));
  }
  f->lower[lane] = (float)joint->lower;
  f->upper[lane] = (float)joint->upper;
  put_impulse(&f->impulse, lane, impulse_share, joint->start_impulses + MO_SOFT_ANGLE_IMPULSE);
  f->lower_impulse[lane] = (float)(impulse_share * joint->start_impulses[MO_SOFT_LOWER_IMPULSE]);
  f->upper_impulse[lane] = (float)(impulse_share * joint->start_impulses[MO_SOFT_UPPER_IMPULSE]);
}

static void take(const mo_vec3x4 *from, int lane, double scale, double out[3]) {
  out[0] = scale * (double)from->x[lane];
  out[1] = scale * (double)from->y[lane];
  out[2] = scale * (double)from->z[lane];
}

void mo_joint_lanes_take(const mo_joint_lanes *l, int lane, double substeps, mo_soft_joint *joint) {
  take(&l->total, lane, 1.0, joint->impulses + MO_SOFT_POINT_IMPULSE);
  take(&l->impulse, lane, substeps, joint->start_impulses + MO_SOFT_POINT_IMPULSE);
  const mo_joint_frame_lanes *f = l->frame;
  if (!f) {
    return;
  }
  take(&f->total, lane, 1.0, joint->impulses + MO_SOFT_ANGLE_IMPULSE);
  take(&f->impulse, lane, substeps, joint->start_impulses + MO_SOFT_ANGLE_IMPULSE);
  joint->impulses[MO_SOFT_LOWER_IMPULSE] = (double)f->lower_total[lane];
  joint->impulses[MO_SOFT_UPPER_IMPULSE] = (double)f->upper_total[lane];
  joint->start_impulses[MO_SOFT_LOWER_IMPULSE] = substeps * (double)f->lower_impulse[lane];
  joint->start_impulses[MO_SOFT_UPPER_IMPULSE] = substeps * (double)f->upper_impulse[lane];
}
