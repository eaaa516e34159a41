/// Joints of soft-step: Jacobians, errors and effective masses at the poses of a substep.
///
/// A body has turned by the rotation vector t since the start of the step. The change of an arm is
///   R(t) r - r = sin|t|/|t| (t x r) + (1 - cos|t|)/|t|^2 (t x (t x r)).
/// The change is computed rather than R(t) r, so that offsets of points keep their digits far from
/// the origin.
#include "math/trig.h"
#include "solvers/substep/joint_lanes.h"

// Fraction of the mobility of the free bodies that is added to that of a hinge's limit: for bodies
// that are small relative to their arms the latter is a difference of large floats.
#define LEAST_LIMIT_MOBILITY 1e-4f
// m: larger errors of a joint are corrected no faster, because its bodies would get speeds that no
// joint can hold.
#define MOST_ERROR 0.25f
// rad: the same for angular errors.
#define MOST_ANGLE 0.2f
// Lower bound of 1 + cos between the axes of a hinge, so that opposite axes do not turn at infinite
// speed.
#define LEAST_HINGE_COSINE 0.01f

static inline mo_f32x4 splat(float x) { return mo_f32x4_splat(x); }

// --- rotations -------------------------------------------------------------------------------

// rad^2: the largest squared rotation per step for the series. They are accurate to 3e-6 at one
// radian and diverge from two on; faster wheels are rare and use trigonometry.
#define SERIES_LIMIT_SQUARED 3.0f // rad^2

// sin|t|/|t| and (1 - cos|t|)/|t|^2
typedef struct turn_lanes {
  mo_vec3x4 vector;
  mo_f32x4 sine, cosine;
} turn_lanes;

static inline bool is_long_turn(mo_f32x4 square) {
  return mo_i32x4_bits(square > splat(SERIES_LIMIT_SQUARED)) != 0;
}

static void set_long_turns(mo_f32x4 square, turn_lanes *turn) {
  for (int i = 0; i < 4; i++) {
    if (square[i] > SERIES_LIMIT_SQUARED) {
      double angle = sqrt((double)square[i]);
      mo_sin_cos of = mo_sine_cosine(angle);
      turn->sine[i] = (float)(of.sin / angle);
      turn->cosine[i] = (float)((1.0 - of.cos) / (angle * angle));
    }
  }
}

static inline turn_lanes turn_of(mo_vec3x4 t) {
  mo_f32x4 one = splat(1.0f), square = mo_vec3x4_dot(t, t);
  mo_f32x4 sine = one - square * splat(1.0f / 42.0f);
  sine = one - square * splat(1.0f / 20.0f) * sine;
  sine = one - square * splat(1.0f / 6.0f) * sine;
  mo_f32x4 cosine = one - square * splat(1.0f / 56.0f);
  cosine = one - square * splat(1.0f / 30.0f) * cosine;
  cosine = splat(0.5f) * (one - square * splat(1.0f / 12.0f) * cosine);
  turn_lanes turn = {t, sine, cosine};
  if (is_long_turn(square)) {
    set_long_turns(square, &turn);
  }
  return turn;
}

// R r - r.
static inline mo_vec3x4 change_of(const turn_lanes *t, mo_vec3x4 r) {
  mo_vec3x4 across = mo_vec3x4_cross(t->vector, r);
  mo_vec3x4 inward = mo_vec3x4_cross(t->vector, across);
  return mo_vec3x4_add_scaled(mo_vec3x4_scale(t->sine, across), t->cosine, inward);
}

static inline mo_vec3x4 turned(const turn_lanes *t, mo_vec3x4 r) {
  return mo_vec3x4_add(r, change_of(t, r));
}

typedef struct quat_lanes {
  mo_vec3x4 v;
  mo_f32x4 w;
} quat_lanes;

static void set_long_quats(mo_f32x4 square, mo_vec3x4 t, quat_lanes *quat) {
  for (int i = 0; i < 4; i++) {
    if (square[i] > SERIES_LIMIT_SQUARED) {
      double angle = sqrt((double)square[i]);
      mo_sin_cos half = mo_sine_cosine(0.5 * angle);
      float scale = (float)(half.sin / angle);
      quat->v.x[i] = scale * t.x[i];
      quat->v.y[i] = scale * t.y[i];
      quat->v.z[i] = scale * t.z[i];
      quat->w[i] = (float)half.cos;
    }
  }
}

MO_APART quat_lanes quat_of(mo_vec3x4 t) {
  mo_f32x4 one = splat(1.0f), square = mo_vec3x4_dot(t, t);
  mo_f32x4 cosine = one - square * splat(1.0f / 120.0f);
  cosine = one - square * splat(1.0f / 48.0f) * cosine;
  cosine = one - square * splat(1.0f / 8.0f) * cosine;
  mo_f32x4 sine = one - square * splat(1.0f / 168.0f);
  sine = one - square * splat(1.0f / 80.0f) * sine;
  sine = splat(0.5f) * (one - square * splat(1.0f / 24.0f) * sine);
  quat_lanes quat = {mo_vec3x4_scale(sine, t), cosine};
  if (is_long_turn(square)) {
    set_long_quats(square, t, &quat);
  }
  return quat;
}

MO_APART quat_lanes quat_mul(quat_lanes a, quat_lanes b) {
  mo_vec3x4 v = mo_vec3x4_add(mo_vec3x4_scale(a.w, b.v), mo_vec3x4_scale(b.w, a.v));
  return (quat_lanes){mo_vec3x4_add(v, mo_vec3x4_cross(a.v, b.v)),
                      a.w * b.w - mo_vec3x4_dot(a.v, b.v)};
}

// --- mobilities -----------------------------------------------------------------------------

static inline mo_f32x4 inverse_or_zero(mo_f32x4 x) {
  return mo_f32x4_keep(x > mo_f32x4_zero(), splat(1.0f) / x);
}

// The factor of the rows x and y.
static mo_factor_lanes factor_2x2(mo_f32x4 xx, mo_f32x4 yy, mo_f32x4 xy) {
  mo_f32x4 zero = mo_f32x4_zero(), x = mo_inverse_pivot(xx, xx), yx = x * xy;
  return (mo_factor_lanes){x, mo_inverse_pivot(yy - yx * xy, yy), zero, yx, zero, zero};
}

// The angular velocities by impulses along the axes at an arm.
typedef struct turns {
  mo_vec3x4 x, y, z;
} turns;

// Adds -[r]x I^-1 [r]x: the velocity of the point at the arm r by the rotation that an impulse
// there gives.
static inline turns add_turning(mo_symmetric_lanes *k, const mo_mass_lanes *m, mo_vec3x4 r) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_vec3x4 across_x = {zero, r.z, -r.y}, across_y = {-r.z, zero, r.x},
            across_z = {r.y, -r.x, zero};
  mo_vec3x4 x = mo_mass_lanes_turn(m, across_x), y = mo_mass_lanes_turn(m, across_y);
  mo_vec3x4 z = mo_mass_lanes_turn(m, across_z);
  k->xx += r.z * x.y - r.y * x.z;
  k->yy += r.x * y.z - r.z * y.x;
  k->zz += r.y * z.x - r.x * z.y;
  k->xy += r.x * x.z - r.z * x.x;
  k->xz += r.y * x.x - r.x * x.y;
  k->yz += r.y * y.x - r.x * y.y;
  return (turns){x, y, z};
}

static inline mo_symmetric_lanes angular_sum(const mo_joint_lanes *l) {
  const mo_mass_lanes *a = &l->mass_a, *b = &l->mass_b;
  return (mo_symmetric_lanes){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz,
                              a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

// The angular impulse that gives the locked components of a relative angular velocity.
MO_APART mo_vec3x4 angular_impulse(const mo_joint_lanes *l, mo_vec3x4 w) {
  const mo_joint_frame_lanes *f = l->frame;
  return mo_joint_angle_vector(l, mo_factor_solve(&f->mobility, mo_joint_angle_rows(l, w)));
}

// The mobility of points is that of bodies whose locked angles hold: K_pp - K_pa K_aa^-1 K_ap.
// Solving point and angle in turn with independent masses would need many rounds where arms are
// long.
//
// This is the subtracted part for a pair of directions, from the relative angular velocities by
// impulses along them.
static inline mo_f32x4 held_back(const mo_joint_lanes *l, mo_vec3x4 turn_d, mo_vec3x4 turn_e) {
  return mo_vec3x4_dot(turn_d, angular_impulse(l, turn_e));
}

// The part of an error that is removed at once.
static inline mo_vec3x4 limited(mo_vec3x4 error, float limit) {
  mo_f32x4 square = mo_vec3x4_dot(error, error), most = splat(limit);
  mo_i32x4 is_large = square > most * most;
  if (mo_i32x4_bits(is_large) == 0) {
    return error;
  }
  mo_f32x4 scale = mo_f32x4_select(is_large, most / mo_f32x4_sqrt(square), splat(1.0f));
  return mo_vec3x4_scale(scale, error);
}

// What is solved in an assembly needs masses of its own only for drives.
static bool needs_masses(const mo_joint_lanes *l) {
  bool is_needed = !l->in_assembly;
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    is_needed = is_needed || l->coordinates[i].drives;
  }
  return is_needed;
}

// --- kinds of joints -------------------------------------------------------------------------

static inline void refresh_ball(mo_joint_lanes *l, mo_vec3x4 offset, bool with_masses) {
  l->error = limited(offset, MOST_ERROR);
  if (!with_masses) {
    return;
  }
  mo_f32x4 zero = mo_f32x4_zero(), mass = l->mass_a.inverse_mass + l->mass_b.inverse_mass;
  mo_symmetric_lanes k = {mass, mass, mass, zero, zero, zero};
  turns a = add_turning(&k, &l->mass_a, l->arm_a);
  turns b = add_turning(&k, &l->mass_b, l->arm_b);
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    mo_vec3x4 x = mo_vec3x4_add(a.x, b.x), y = mo_vec3x4_add(a.y, b.y);
    mo_vec3x4 z = mo_vec3x4_add(a.z, b.z);
    mo_vec3x4 by_x = angular_impulse(l, x), by_y = angular_impulse(l, y);
    k.xx -= mo_vec3x4_dot(x, by_x);
    k.yy -= mo_vec3x4_dot(y, by_y);
    k.zz -= held_back(l, z, z);
    k.xy -= mo_vec3x4_dot(y, by_x);
    k.xz -= mo_vec3x4_dot(z, by_x);
    k.yz -= mo_vec3x4_dot(z, by_y);
  }
  l->mobility = mo_factor(k);
}

// Sets the distances of a coordinate to its limits, and its errors from the rests of its drives.
static void set_gaps(mo_joint_coordinate_lanes *c, mo_f32x4 value, mo_f32x4 change,
                     float most_error) {
  c->lower_gap = mo_f32x4_max(value - c->lower, splat(-most_error));
  c->upper_gap = mo_f32x4_max(c->upper - value, splat(-most_error));
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    c->drives[i].error = c->drives[i].start_error + change;
  }
}

// An impulse along a direction, with the relative rotation that it gives the bodies.
typedef struct point_row {
  mo_vec3x4 direction, across_a, across_b, turn_a, turn_b;
} point_row;

MO_APART point_row point_row_of(const mo_joint_lanes *l, mo_vec3x4 d) {
  mo_vec3x4 a = mo_vec3x4_cross(l->arm_a, d), b = mo_vec3x4_cross(l->arm_b, d);
  return (point_row){d, a, b, mo_mass_lanes_turn(&l->mass_a, a), mo_mass_lanes_turn(&l->mass_b, b)};
}

// d . K e for impulses along e and velocities along d at the points of the joint.
MO_APART mo_f32x4 point_coupling(const mo_joint_lanes *l, const point_row *d, const point_row *e) {
  mo_f32x4 k = (l->mass_a.inverse_mass + l->mass_b.inverse_mass) *
                   mo_vec3x4_dot(d->direction, e->direction) +
               mo_vec3x4_dot(d->across_a, e->turn_a) + mo_vec3x4_dot(d->across_b, e->turn_b);
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    k -= held_back(l, mo_vec3x4_add(d->turn_a, d->turn_b), mo_vec3x4_add(e->turn_a, e->turn_b));
  }
  return k;
}

static void refresh_line(mo_joint_lanes *l, mo_vec3x4 offset, bool with_masses) {
  mo_joint_frame_lanes *f = l->frame;
  l->arm_a = mo_vec3x4_add(l->arm_a, offset);
  l->error = limited(
      (mo_vec3x4){mo_vec3x4_dot(offset, f->y), mo_vec3x4_dot(offset, f->z), mo_f32x4_zero()},
      MOST_ERROR);
  if (!with_masses) {
    return;
  }
  point_row y = point_row_of(l, f->y), z = point_row_of(l, f->z);
  l->mobility =
      factor_2x2(point_coupling(l, &y, &y), point_coupling(l, &z, &z), point_coupling(l, &y, &z));
}

static void refresh_distance(mo_joint_lanes *l, mo_vec3x4 offset) {
  mo_joint_frame_lanes *f = l->frame;
  mo_f32x4 zero = mo_f32x4_zero(), length = mo_f32x4_sqrt(mo_vec3x4_dot(offset, offset));
  mo_i32x4 has_length = length > zero; // coincident points may separate in any direction
  mo_vec3x4 d = mo_vec3x4_scale(inverse_or_zero(length), offset);
  f->axis = (mo_vec3x4){mo_f32x4_select(has_length, d.x, splat(1.0f)), d.y, d.z};
  point_row row = point_row_of(l, f->axis);
  mo_f32x4 mobility = point_coupling(l, &row, &row);
  if (l->coordinate_count > 0) {
    set_gaps(l->coordinates, length, length - l->coordinates->start, MOST_ERROR);
    l->coordinates->mass = inverse_or_zero(mobility);
    return;
  }
  l->error = limited((mo_vec3x4){length - f->length, zero, zero}, MOST_ERROR);
  l->mobility = (mo_factor_lanes){inverse_or_zero(mobility), zero, zero, zero, zero, zero};
}

static void refresh_hinge(mo_joint_lanes *l, const turn_lanes *turn_b, bool with_masses) {
  mo_joint_frame_lanes *f = l->frame;
  // The rotation from A's axis to B's: 2 tan(angle / 2).
  mo_vec3x4 axis_b = turned(turn_b, f->start_axis_b);
  mo_f32x4 cosine = splat(1.0f) + mo_vec3x4_dot(f->axis, axis_b);
  mo_f32x4 scale = splat(2.0f) / mo_f32x4_max(cosine, splat(LEAST_HINGE_COSINE));
  mo_vec3x4 error = mo_vec3x4_scale(scale, mo_vec3x4_cross(f->axis, axis_b));
  f->error =
      limited((mo_vec3x4){mo_vec3x4_dot(error, f->y), mo_vec3x4_dot(error, f->z), mo_f32x4_zero()},
              MOST_ANGLE);
  if (!with_masses) {
    return;
  }
  mo_symmetric_lanes k = angular_sum(l);
  mo_vec3x4 turn_y = mo_symmetric_mul(&k, f->y), turn_z = mo_symmetric_mul(&k, f->z);
  f->mobility = factor_2x2(mo_vec3x4_dot(f->y, turn_y), mo_vec3x4_dot(f->z, turn_z),
                           mo_vec3x4_dot(f->y, turn_z));
}

// The mass of a coordinate is that of bodies whose locks hold, so it is set after them.

static void refresh_travel(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c, mo_vec3x4 offset,
                           bool with_masses) {
  const mo_joint_frame_lanes *f = l->frame;
  mo_f32x4 value = mo_vec3x4_dot(offset, f->axis);
  set_gaps(c, value, value - c->start, MOST_ERROR);
  if (!with_masses) {
    return;
  }
  // An impulse along the line turns nothing while the orientations hold.
  point_row x = point_row_of(l, f->axis);
  c->mass = inverse_or_zero(point_coupling(l, &x, &x));
}

static void refresh_turn(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c,
                         const mo_displacement_lanes *a, const mo_displacement_lanes *b,
                         bool with_masses) {
  const mo_joint_frame_lanes *f = l->frame;
  // B's rotation relative to A, to second order (Baker, Campbell and Hausdorff).
  mo_vec3x4 twist = mo_vec3x4_add_scaled(mo_vec3x4_sub(b->rotation, a->rotation), splat(-0.5f),
                                         mo_vec3x4_cross(a->rotation, b->rotation));
  mo_f32x4 change = mo_vec3x4_dot(f->start_axis, twist);
  set_gaps(c, c->start + change, change, MOST_ANGLE);
  if (!with_masses) {
    return;
  }
  // The torque about the axis, together with the torques that hold the other angles; the motion
  // that it gives the point is subtracted too.
  mo_symmetric_lanes k = angular_sum(l);
  mo_vec3x4 free = mo_symmetric_mul(&k, f->axis);
  mo_vec3x4 torque = mo_vec3x4_sub(f->axis, angular_impulse(l, free));
  mo_vec3x4 turn_a = mo_mass_lanes_turn(&l->mass_a, torque);
  mo_vec3x4 turn_b = mo_mass_lanes_turn(&l->mass_b, torque);
  mo_f32x4 mobility = mo_vec3x4_dot(free, torque);
  mo_f32x4 least = splat(LEAST_LIMIT_MOBILITY) * mobility;
  if (l->point != MO_SUBSTEP_POINT_FREE) {
    mo_vec3x4 moved =
        mo_vec3x4_add(mo_vec3x4_cross(turn_a, l->arm_a), mo_vec3x4_cross(turn_b, l->arm_b));
    mobility -= mo_vec3x4_dot(moved, mo_joint_point_impulse(l, moved));
  }
  c->mass = inverse_or_zero(mo_f32x4_max(mobility, mo_f32x4_zero()) + least);
}

static void refresh_fixed(mo_joint_lanes *l, const mo_displacement_lanes *a,
                          const mo_displacement_lanes *b, bool with_masses) {
  mo_joint_frame_lanes *f = l->frame;
  quat_lanes back = quat_of((mo_vec3x4){-a->rotation.x, -a->rotation.y, -a->rotation.z});
  quat_lanes turn = quat_mul((quat_lanes){f->start_turn, f->start_turn_w}, back);
  turn = quat_mul(quat_of(b->rotation), turn);
  // 4 tan(angle / 4), for the shorter rotation.
  mo_i32x4 is_long = turn.w < mo_f32x4_zero();
  mo_f32x4 scale = splat(4.0f) / (splat(1.0f) + mo_f32x4_abs(turn.w));
  f->error = limited(mo_vec3x4_scale(mo_f32x4_select(is_long, -scale, scale), turn.v), MOST_ANGLE);
  if (with_masses) {
    f->mobility = mo_factor(angular_sum(l));
  }
}

void mo_joint_lanes_refresh(mo_joint_lanes *l, const mo_solver_body *bodies) {
  mo_displacement_lanes a = mo_gather_displacements(bodies, l->body_a),
                        b = mo_gather_displacements(bodies, l->body_b);
  turn_lanes turn_a = turn_of(a.rotation), turn_b = turn_of(b.rotation);
  mo_vec3x4 change_a = change_of(&turn_a, l->start_arm_a);
  mo_vec3x4 change_b = change_of(&turn_b, l->start_arm_b);
  l->arm_a = mo_vec3x4_add(l->start_arm_a, change_a);
  l->arm_b = mo_vec3x4_add(l->start_arm_b, change_b);
  mo_vec3x4 displacement_a = mo_vec3x4_add(a.displacement, change_a);
  mo_vec3x4 displacement_b = mo_vec3x4_add(b.displacement, change_b);
  mo_vec3x4 offset = mo_vec3x4_add(l->start_offset, mo_vec3x4_sub(displacement_b, displacement_a));
  if (mo_joint_has_frame(l) && l->point != MO_SUBSTEP_POINT_DISTANCE) {
    l->frame->y = turned(&turn_a, l->frame->start_y);
    l->frame->z = turned(&turn_a, l->frame->start_z);
    l->frame->axis = mo_vec3x4_cross(l->frame->y, l->frame->z);
  }
  bool with_masses = needs_masses(l);
  if (l->angle == MO_SUBSTEP_ANGLE_HINGE) {
    refresh_hinge(l, &turn_b, with_masses);
  } else if (l->angle == MO_SUBSTEP_ANGLE_FIXED) {
    refresh_fixed(l, &a, &b, with_masses);
  }
  switch (l->point) {
  case MO_SUBSTEP_POINT_FREE:
    break;
  case MO_SUBSTEP_POINT_BALL:
    refresh_ball(l, offset, with_masses);
    break;
  case MO_SUBSTEP_POINT_LINE:
    refresh_line(l, offset, with_masses);
    break;
  case MO_SUBSTEP_POINT_DISTANCE:
    refresh_distance(l, offset);
    break;
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    mo_joint_coordinate_lanes *c = &l->coordinates[i];
    switch (c->kind) {
    case MO_SUBSTEP_TURN:
      refresh_turn(l, c, &a, &b, with_masses);
      break;
    case MO_SUBSTEP_TRAVEL:
      refresh_travel(l, c, offset, with_masses);
      break;
    case MO_SUBSTEP_LENGTH: // refresh_distance has set it
      break;
    }
  }
}
