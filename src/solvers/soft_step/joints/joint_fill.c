/// Joints of soft-step: writes them into lanes at the start of a step.
#include "constraints/joint_rotation.h"
#include "math/trig.h"
#include "solvers/soft_step/joints/joint_lanes.h"

// N s and N m s: smaller impulses are below the round-off of all others.
#define LEAST_IMPULSE 1e-20f

static void put(mo_vec3x4 *to, int lane, mo_vec3 v) {
  to->x[lane] = (float)v.x;
  to->y[lane] = (float)v.y;
  to->z[lane] = (float)v.z;
}

static void round_all(mo_vec3x4 *v, float least) {
  *v = (mo_vec3x4){mo_without_round_off(v->x, least), mo_without_round_off(v->y, least),
                   mo_without_round_off(v->z, least)};
}

// A joint's frame in a body, in world axes.
static mo_quat frame_of(const mo_substep_solver *step, uint32_t slot, mo_quat local) {
  return slot == UINT32_MAX ? local : mo_quat_mul(step->motions[slot].orientation, local);
}

// --- what stays from step to step ------------------------------------------------------------

// The angle nearest to that of the last step, so that full turns are counted.
static double turn_of(const mo_substep_joint *joint, const mo_substep_solver *step, double last) {
  mo_quat a = frame_of(step, joint->slot_a, joint->frame_a);
  mo_quat b = frame_of(step, joint->slot_b, joint->frame_b);
  mo_vec3 rate;
  return mo_hinge_angle(mo_quat_mul(mo_quat_conjugate(a), b), last, &rate);
}

static mo_vec3 share_of(const double *impulse, double share) {
  return mo_scale(share, mo_v3(impulse[0], impulse[1], impulse[2]));
}

// The limit of a swing, of which a half turn or more is none.
static void put_cone(mo_joint_coordinate_lanes *c, int lane, double upper) {
  bool is_limited = upper < MO_PI;
  mo_sin_cos cone = mo_sine_cosine(is_limited ? upper : MO_PI);
  c->upper[lane] = is_limited ? (float)upper : INFINITY;
  c->upper_sine[lane] = (float)cone.sin;
  c->upper_cosine[lane] = (float)cone.cos;
}

static void put_coordinate(mo_joint_coordinate_lanes *c, int lane, const mo_substep_joint *joint,
                           mo_substep_coordinate *from, const mo_substep_solver *step,
                           double impulse_share) {
  const double *impulses = from->start_impulses;
  if (c->kind == MO_SUBSTEP_TURN || c->kind == MO_SUBSTEP_TWIST) {
    from->value = turn_of(joint, step, from->value);
  }
  c->lower[lane] = (float)from->lower;
  c->upper[lane] = (float)from->upper;
  if (c->kind == MO_SUBSTEP_SWING) {
    put_cone(c, lane, from->upper);
  }
  c->lower_impulse[lane] = (float)(impulse_share * impulses[MO_SUBSTEP_LOWER_IMPULSE]);
  c->upper_impulse[lane] = (float)(impulse_share * impulses[MO_SUBSTEP_UPPER_IMPULSE]);
  const double *steady = from->steady_impulses;
  c->lower_steady[lane] = (float)(impulse_share * steady[MO_SUBSTEP_LOWER_IMPULSE]);
  c->upper_steady[lane] = (float)(impulse_share * steady[MO_SUBSTEP_UPPER_IMPULSE]);
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    c->drives[i].impulse[lane] = (float)(impulse_share * impulses[MO_SUBSTEP_DRIVE_IMPULSE + i]);
  }
}

void mo_joint_lanes_put(mo_joint_lanes *l, int lane, const mo_substep_joints *joints,
                        const mo_substep_solver *step, double impulse_share) {
  const mo_substep_joint *joint = &joints->joints[l->joints[lane]];
  const double *impulses = joint->start_impulses, *steady = joint->steady_impulses;
  put(&l->impulse, lane, share_of(&impulses[MO_SUBSTEP_POINT_IMPULSE], impulse_share));
  put(&l->steady, lane, share_of(&steady[MO_SUBSTEP_POINT_IMPULSE], impulse_share));
  if (l->frame) {
    l->frame->length[lane] = (float)joint->length;
    put(&l->frame->impulse, lane, share_of(&impulses[MO_SUBSTEP_ANGLE_IMPULSE], impulse_share));
    put(&l->frame->steady, lane, share_of(&steady[MO_SUBSTEP_ANGLE_IMPULSE], impulse_share));
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    mo_joint_coordinate_lanes *c = &l->coordinates[i];
    put_coordinate(c, lane, joint, mo_joint_coordinate_of(joints, joint, c), step, impulse_share);
  }
}

// --- the start of a step ---------------------------------------------------------------------

// A body as one side of a joint, in double precision: only differences of positions become floats.
typedef struct side {
  mo_vec3 origin; // m, world: the centre of mass, or the point itself for the world
  mo_vec3 arm;    // from the origin to the point
  uint32_t index;
} side;

static inline side side_of(const mo_substep_solver *step, uint32_t slot, mo_vec3 arm) {
  if (slot == UINT32_MAX) {
    return (side){.origin = arm};
  }
  const mo_motion *motion = &step->motions[slot];
  return (side){motion->center_of_mass, mo_quat_rotate(motion->orientation, arm),
                step->indices[slot]};
}

// The points of four joints, a row each: m, world.
typedef struct point_rows {
  mo_f32x4 offset[4], arm_a[4], arm_b[4];
} point_rows;

static void put_points(mo_joint_lanes *l, int lane, const mo_substep_joint *joint,
                       const mo_substep_solver *step, point_rows *rows) {
  side a = side_of(step, joint->slot_a, joint->arm_a),
       b = side_of(step, joint->slot_b, joint->arm_b);
  rows->offset[lane] = mo_row_of(mo_add(mo_sub(b.origin, a.origin), mo_sub(b.arm, a.arm)));
  l->body_a[lane] = a.index;
  l->body_b[lane] = b.index;
  // The arm of something that does not move is not used.
  rows->arm_a[lane] = mo_row_of(a.index ? a.arm : mo_v3_zero());
  rows->arm_b[lane] = mo_row_of(b.index ? b.arm : mo_v3_zero());
}

static mo_vec3x4 lanes_of(const mo_f32x4 rows[4], float least) {
  mo_vec3x4 lanes = mo_lanes_of_rows(rows[0], rows[1], rows[2], rows[3]);
  round_all(&lanes, least);
  return lanes;
}

// Sets the points of all joints from rows, a joint each: a processor waits for single floats that
// are loaded as vectors next.
static void begin_points(mo_joint_lanes *l, const mo_substep_joints *joints,
                         const mo_substep_solver *step) {
  float least = MO_LEAST_COMPONENT * (float)step->settings.metre;
  point_rows rows = {0};
  for (int lane = 0; lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    put_points(l, lane, &joints->joints[l->joints[lane]], step, &rows);
  }
  l->start_arm_a = lanes_of(rows.arm_a, least);
  l->start_arm_b = lanes_of(rows.arm_b, least);
  l->start_offset = lanes_of(rows.offset, least);
}

static void put_frame(mo_joint_frame_lanes *f, int lane, const mo_substep_joint *joint,
                      const mo_substep_solver *step) {
  mo_quat frame_a = frame_of(step, joint->slot_a, joint->frame_a);
  mo_quat frame_b = frame_of(step, joint->slot_b, joint->frame_b);
  mo_mat3 axes = mo_quat_to_mat3(frame_a);
  put(&f->start_axis, lane, axes.cx);
  put(&f->start_y, lane, axes.cy);
  put(&f->start_z, lane, axes.cz);
  if (joint->angle == MO_SUBSTEP_ANGLE_HINGE ||
      (joint->angle == MO_SUBSTEP_ANGLE_FREE && joint->point == MO_SUBSTEP_POINT_BALL)) {
    put(&f->start_axis_b, lane, mo_quat_to_mat3(frame_b).cx);
  } else if (joint->angle == MO_SUBSTEP_ANGLE_FIXED) {
    mo_quat turn = mo_quat_mul(frame_b, mo_quat_conjugate(frame_a));
    put(&f->start_turn, lane, mo_v3(turn.x, turn.y, turn.z));
    f->start_turn_w[lane] = (float)turn.w;
  }
}

static void scale_impulse(mo_vec3x4 *impulse, mo_f32x4 scale) {
  *impulse = mo_vec3x4_scale(scale, *impulse);
  round_all(impulse, LEAST_IMPULSE);
}

static void begin_frame(mo_joint_lanes *l, mo_f32x4 impulse_scale) {
  mo_joint_frame_lanes *f = l->frame;
  round_all(&f->start_axis, MO_LEAST_COMPONENT);
  round_all(&f->start_y, MO_LEAST_COMPONENT);
  round_all(&f->start_z, MO_LEAST_COMPONENT);
  round_all(&f->start_axis_b, MO_LEAST_COMPONENT);
  round_all(&f->start_turn, MO_LEAST_COMPONENT);
  scale_impulse(&f->impulse, impulse_scale);
  scale_impulse(&f->steady, impulse_scale);
  f->total = mo_vec3x4_zero();
}

// Writes a drive of a coordinate for the substeps of this step. Of a spring and damper by implicit
// Euler, softening = 1 / (h (damping + h stiffness)).
static void put_drive(mo_joint_drive_lanes *to, int lane, const mo_substep_drive *from,
                      double value, double h) {
  double firmness = from->damping + h * from->stiffness;
  bool is_soft = !from->is_rigid && firmness > 0.0;
  double most = from->is_rigid || is_soft ? from->max_force : 0.0;
  to->is_solved = to->is_solved || most > 0.0;
  to->is_soft[lane] = is_soft ? 1.0f : 0.0f;
  to->kept[lane] = from->arrives ? 0.0f : 1.0f; // as of rows: see substep_rows.c
  to->limit[lane] = (float)mo_min(h * most, (double)MO_LARGEST_IMPULSE);
  to->start_error[lane] = is_soft ? (float)(value - from->rest) : 0.0f;
  to->speed[lane] = (float)(is_soft ? from->speed * from->damping / firmness : from->speed);
  to->bias_rate[lane] = is_soft ? (float)(from->stiffness / firmness) : 0.0f;
  to->softening[lane] = is_soft ? (float)(1.0 / (h * firmness)) : 0.0f;
}

static void begin_drives(mo_joint_drive_lanes *drives, mo_f32x4 impulse_scale) {
  for (int i = 0; i < MO_SUBSTEP_DRIVES; i++) {
    mo_f32x4 most = drives[i].limit, scaled = impulse_scale * drives[i].kept * drives[i].impulse;
    drives[i].impulse =
        mo_without_round_off(mo_f32x4_max(mo_f32x4_min(scaled, most), -most), LEAST_IMPULSE);
    drives[i].total = mo_f32x4_zero();
  }
}

static void begin_coordinate(mo_joint_coordinate_lanes *c, const mo_joint_lanes *l,
                             const mo_substep_joints *joints, const mo_substep_solver *step,
                             mo_f32x4 impulse_scale) {
  for (int lane = 0; lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    const mo_substep_coordinate *from =
        mo_joint_coordinate_of(joints, &joints->joints[l->joints[lane]], c);
    c->start[lane] = (float)from->value;
    for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
      put_drive(&c->drives[i], lane, &from->drives[i], from->value,
                step->settings.dt / step->settings.substeps);
    }
  }
  c->lower_impulse = mo_without_round_off(impulse_scale * c->lower_impulse, LEAST_IMPULSE);
  c->upper_impulse = mo_without_round_off(impulse_scale * c->upper_impulse, LEAST_IMPULSE);
  c->lower_steady = mo_without_round_off(impulse_scale * c->lower_steady, LEAST_IMPULSE);
  c->upper_steady = mo_without_round_off(impulse_scale * c->upper_steady, LEAST_IMPULSE);
  c->lower_total = c->upper_total = mo_f32x4_zero();
  c->direction =
      mo_vec3x4_zero(); // so that none of the last step is compared with (joint_refresh.c)
  if (c->drives) {
    begin_drives(c->drives, impulse_scale);
  }
}

static mo_i32x4 is_round(const mo_mass_lanes *m) {
  mo_f32x4 zero = mo_f32x4_zero();
  return (m->xx == m->yy) & (m->yy == m->zz) & (m->xy == zero) & (m->xz == zero) & (m->yz == zero);
}

void mo_joint_lanes_weigh(mo_joint_lanes *l, const mo_substep_solver *step) {
  l->mass_a = mo_gather_masses(step->masses, l->body_a);
  l->mass_b = mo_gather_masses(step->masses, l->body_b);
  l->are_round = mo_i32x4_bits(is_round(&l->mass_a) & is_round(&l->mass_b)) == 15;
  mo_joint_lanes_refresh_start(l);
}

void mo_joint_lanes_begin(mo_joint_lanes *l, const mo_substep_joints *joints,
                          const mo_substep_solver *step) {
  bool has_frame = l->frame && l->point != MO_SUBSTEP_POINT_DISTANCE;
  if (l->is_quiet) {
    l->last_impulse = l->impulse;
    l->last_total = l->total;
    l->last_steady = l->steady;
  }
  l->most_error = MO_JOINT_MOST_ERROR * (float)step->settings.metre;
  begin_points(l, joints, step);
  for (int lane = 0; has_frame && lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    put_frame(l->frame, lane, &joints->joints[l->joints[lane]], step);
  }
  mo_f32x4 impulse_scale = mo_f32x4_splat((float)step->settings.impulse_scale);
  scale_impulse(&l->impulse, impulse_scale);
  scale_impulse(&l->steady, impulse_scale);
  l->total = mo_vec3x4_zero();
  if (l->frame) {
    begin_frame(l, impulse_scale);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    begin_coordinate(&l->coordinates[i], l, joints, step, impulse_scale);
  }
  mo_joint_lanes_weigh(l, step);
}
