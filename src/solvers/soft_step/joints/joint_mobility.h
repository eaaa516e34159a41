/// Mobilities of joints: the relative velocities by impulses at their points and about their axes,
/// four joints at a time. Private to soft-step's joints.
#pragma once

#include "math/scalar.h"
#include "solvers/soft_step/joints/joint_lanes.h"

/// The factor of the rows x and y.
static mo_factor_lanes mo_factor_2x2(mo_f32x4 xx, mo_f32x4 yy, mo_f32x4 xy) {
  mo_f32x4 zero = mo_f32x4_zero(), x = mo_inverse_pivot(xx, xx), yx = x * xy;
  return (mo_factor_lanes){x, mo_inverse_pivot(yy - yx * xy, yy), zero, yx, zero, zero};
}

/// The angular velocities by impulses along the axes at an arm.
typedef struct mo_axis_turns {
  mo_vec3x4 x, y, z;
} mo_axis_turns;

/// Adds -[r]x I^-1 [r]x: the velocity of the point at the arm r by the rotation that an impulse
/// there gives. The torques of impulses along the axes have a zero each, which is not multiplied.
static inline mo_axis_turns mo_add_turning(mo_symmetric_lanes *k, const mo_mass_lanes *m,
                                           mo_vec3x4 r) {
  mo_vec3x4 x = {m->xy * r.z - m->xz * r.y, m->yy * r.z - m->yz * r.y, m->yz * r.z - m->zz * r.y};
  mo_vec3x4 y = {m->xz * r.x - m->xx * r.z, m->yz * r.x - m->xy * r.z, m->zz * r.x - m->xz * r.z};
  mo_vec3x4 z = {m->xx * r.y - m->xy * r.x, m->xy * r.y - m->yy * r.x, m->xz * r.y - m->yz * r.x};
  k->xx += r.z * x.y - r.y * x.z;
  k->yy += r.x * y.z - r.z * y.x;
  k->zz += r.y * z.x - r.x * z.y;
  k->xy += r.x * x.z - r.z * x.x;
  k->xz += r.y * x.x - r.x * x.y;
  k->yz += r.y * y.x - r.x * y.y;
  return (mo_axis_turns){x, y, z};
}

static inline mo_symmetric_lanes mo_angular_mobility(const mo_joint_lanes *l) {
  const mo_mass_lanes *a = &l->mass_a, *b = &l->mass_b;
  return (mo_symmetric_lanes){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz,
                              a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

/// The angular impulse that gives the locked components of a relative angular velocity.
MO_APART mo_vec3x4 mo_angular_impulse(const mo_joint_lanes *l, mo_vec3x4 w) {
  const mo_joint_frame_lanes *f = l->frame;
  return mo_joint_angle_vector(l, mo_factor_solve(&f->mobility, mo_joint_angle_rows(l, w)));
}

/// The mobility of points is that of bodies whose locked angles hold: K_pp - K_pa K_aa^-1 K_ap.
/// Solving point and angle in turn with independent masses would need many rounds where arms are
/// long.
///
/// This is the subtracted part for a pair of directions, from the relative angular velocities by
/// impulses along them.
static inline mo_f32x4 mo_held_back(const mo_joint_lanes *l, mo_vec3x4 turn_d, mo_vec3x4 turn_e) {
  return mo_vec3x4_dot(turn_d, mo_angular_impulse(l, turn_e));
}

/// The mobility of the points of bodies that turn freely.
static inline mo_symmetric_lanes mo_point_mobility(const mo_joint_lanes *l, mo_axis_turns *a,
                                                   mo_axis_turns *b) {
  mo_f32x4 zero = mo_f32x4_zero(), mass = l->mass_a.inverse_mass + l->mass_b.inverse_mass;
  mo_symmetric_lanes k = {mass, mass, mass, zero, zero, zero};
  *a = mo_add_turning(&k, &l->mass_a, l->arm_a);
  *b = mo_add_turning(&k, &l->mass_b, l->arm_b);
  return k;
}

/// mo_add_turning for a body with the same inertia about all axes: the same numbers without the
/// products with zero.
static inline void mo_add_round_turning(mo_symmetric_lanes *k, mo_f32x4 inverse, mo_vec3x4 r) {
  mo_vec3x4 turn = mo_vec3x4_scale(inverse, r);
  mo_f32x4 xx = r.x * turn.x, yy = r.y * turn.y, zz = r.z * turn.z;
  k->xx += zz + yy;
  k->yy += xx + zz;
  k->zz += yy + xx;
  k->xy -= r.x * turn.y;
  k->xz -= r.x * turn.z;
  k->yz -= r.y * turn.z;
}

/// mo_point_mobility for bodies that have.
static inline mo_symmetric_lanes mo_round_point_mobility(const mo_joint_lanes *l) {
  mo_f32x4 zero = mo_f32x4_zero(), mass = l->mass_a.inverse_mass + l->mass_b.inverse_mass;
  mo_symmetric_lanes k = {mass, mass, mass, zero, zero, zero};
  mo_add_round_turning(&k, l->mass_a.xx, l->arm_a);
  mo_add_round_turning(&k, l->mass_b.xx, l->arm_b);
  return k;
}

/// An impulse along a direction, with the relative rotation that it gives the bodies.
typedef struct mo_point_row {
  mo_vec3x4 direction, across_a, across_b, turn_a, turn_b;
} mo_point_row;

MO_APART mo_point_row mo_point_row_of(const mo_joint_lanes *l, mo_vec3x4 d) {
  mo_vec3x4 a = mo_vec3x4_cross(l->arm_a, d), b = mo_vec3x4_cross(l->arm_b, d);
  return (mo_point_row){d, a, b, mo_mass_lanes_turn(&l->mass_a, a),
                        mo_mass_lanes_turn(&l->mass_b, b)};
}

/// d . K e for impulses along e and velocities along d at the points of the joint.
MO_APART mo_f32x4 mo_point_coupling(const mo_joint_lanes *l, const mo_point_row *d,
                                    const mo_point_row *e) {
  mo_f32x4 k = (l->mass_a.inverse_mass + l->mass_b.inverse_mass) *
                   mo_vec3x4_dot(d->direction, e->direction) +
               mo_vec3x4_dot(d->across_a, e->turn_a) + mo_vec3x4_dot(d->across_b, e->turn_b);
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    k -= mo_held_back(l, mo_vec3x4_add(d->turn_a, d->turn_b), mo_vec3x4_add(e->turn_a, e->turn_b));
  }
  return k;
}
