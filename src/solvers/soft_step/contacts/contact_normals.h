/// The normal impulses of four contacts in one sweep. Private to the solver.
///
/// The normals of a contact are solved together. Point by point, a face that lands or tilts would
/// need many sweeps until its impulses are even, and in a tall stack each of these sweeps is a
/// substep of leaning. Where all points of a contact press, the complementarity problem is a linear
/// system of three unknowns (mo_normal_block), and of the impulses that solve it those are taken
/// that change the old ones least. Other contacts take a round of projected Gauss-Seidel over their
/// points.
#pragma once

#include "solvers/soft_step/contacts/contact_frame.h"

/// What the normal rows of a sweep ask for.
typedef struct mo_normal_goals {
  /// m/s: a point may approach by the negative of it. Positive for a gap that may close within the
  /// substep, negative for an overlap that is to decrease.
  mo_f32x4 biases[4];
  bool has_bias;                   ///< some bias is not zero
  const mo_contact_spring *spring; ///< of points that touch
  mo_i32x4 is_rigid;               ///< lanes whose points have no springs, touching or not
  mo_i32x4 is_soft;                ///< lanes whose points are on springs, because they touch
  /// Lanes whose points all touch or are all open, so that their biases are linear in x and y.
  mo_i32x4 is_even;
} mo_normal_goals;

/// Motion along the normal at one of `n` points.
static inline mo_f32x4 mo_motion_at_point(const mo_group_point *point, const mo_frame_motion *m,
                                          int n) {
  mo_f32x4 motion = m->along_n;
  if (n > 1) {
    motion += point->y * m->about_1 - point->x * m->about_2;
  }
  return motion;
}

/// The separating speed that restitution gives to a point which approaches with the speed `w` at
/// the separation s, m, while forces add `gain` to w in every substep. Free flight in substeps of h
/// keeps (w + gain / 2)^2 / 2 + gain s / h; so the point meets the surface with the root of twice
/// that, and leaves it with gain / 2 more than restitution returns of it. Without forces that is
/// restitution w.
static inline mo_f32x4 mo_rebound(mo_f32x4 restitution, mo_f32x4 w, mo_f32x4 gain, mo_f32x4 s,
                                  float inverse_h) {
  mo_f32x4 zero = mo_f32x4_zero(), half = mo_f32x4_splat(0.5f) * gain;
  mo_f32x4 fall = gain * mo_f32x4_max(s, zero) * mo_f32x4_splat(inverse_h);
  mo_f32x4 speed = mo_f32x4_max(w + half, zero), square = speed * speed + fall + fall;
  // the root of a square is not always what was squared
  mo_f32x4 meets = mo_f32x4_select(fall == zero, speed, mo_f32x4_sqrt(mo_f32x4_max(square, zero)));
  return mo_f32x4_max(restitution * meets + half, zero);
}

/// Adds the change of the motion along the normal and about the tangents by a normal impulse at one
/// of several points.
static inline void mo_move_by_normal(const mo_symmetric_lanes *k, const mo_group_point *point,
                                     mo_f32x4 impulse, mo_frame_motion *m) {
  mo_f32x4 about_1 = point->y * impulse, about_2 = -point->x * impulse;
  m->along_n += k->xx * impulse + k->xy * about_1 + k->xz * about_2;
  m->about_1 += k->xy * impulse + k->yy * about_1 + k->yz * about_2;
  m->about_2 += k->xz * impulse + k->yz * about_1 + k->zz * about_2;
}

/// Lanes whose points all press, or approach faster than they may.
static inline mo_i32x4 mo_all_press(const mo_contact_group *group, const mo_f32x4 speeds[4],
                                    int n) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_i32x4 press = mo_i32x4_splat(-1);
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    press &= (point->impulse > zero) | (point->mass <= zero) | (speeds[i] < zero);
  }
  return press;
}

/// The impulses that stop rigid points, p_i = old p_i - m_i g_i . P^-1 K^-1 (w + P^-1 s) with the
/// motion w and s = sum of m_i b_i g_i: of all that do, those that change least.
static inline void mo_solve_rigid(const mo_contact_group *group, const mo_normal_block *normals,
                                  const mo_normal_goals *goals, mo_vec3x4 w, int n,
                                  mo_f32x4 impulses[4]) {
  if (goals->has_bias) {
    mo_f32x4 zero = mo_f32x4_zero();
    mo_vec3x4 s = {zero, zero, zero};
    for (int i = 0; i < n; i++) {
      const mo_group_point *point = &group->points[i];
      mo_f32x4 bias = point->mass * goals->biases[i];
      s = mo_vec3x4_add(s, (mo_vec3x4){bias, point->y * bias, -point->x * bias});
    }
    w = mo_vec3x4_add(w, mo_symmetric_mul(&normals->inverse_places, s));
  }
  mo_vec3x4 wrench = mo_symmetric_mul(&normals->inverse_k, w);
  mo_vec3x4 share = mo_symmetric_mul(&normals->inverse_places, wrench);
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 part = share.x + (point->y * share.y - point->x * share.z);
    impulses[i] = point->impulse - point->mass * part;
  }
}

/// The impulses of points on springs: p_i = -(m_i / c) (g_i . z + b_i), where z is the motion after
/// them, z = w + K sum of (p_i - old p_i) g_i. With s = sum of (m_i b_i + c old p_i) g_i that is
/// (P + c K^-1) z = c K^-1 w - s.
static inline void mo_solve_soft(const mo_contact_group *group, const mo_normal_block *normals,
                                 const mo_normal_goals *goals, mo_vec3x4 w, int n,
                                 mo_f32x4 impulses[4]) {
  mo_f32x4 c = mo_f32x4_splat(goals->spring->compliance);
  mo_vec3x4 right = mo_vec3x4_scale(c, mo_symmetric_mul(&normals->inverse_k, w));
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 part = point->mass * goals->biases[i] + c * point->impulse;
    right = mo_vec3x4_sub(right, (mo_vec3x4){part, point->y * part, -point->x * part});
  }
  mo_vec3x4 z = mo_symmetric_mul(&normals->inverse_soft, right);
  mo_f32x4 stiffness = mo_f32x4_splat(-goals->spring->stiffness);
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 speed = z.x + (point->y * z.y - point->x * z.z) + goals->biases[i];
    impulses[i] = stiffness * point->mass * speed;
  }
}

/// Solves the contacts whose points all press before and after, and sets the changes of their
/// impulses. Returns these lanes.
static inline mo_i32x4 mo_solve_together(const mo_contact_group *group,
                                         const mo_normal_block *normals,
                                         const mo_normal_goals *goals, const mo_frame_motion *m,
                                         const mo_f32x4 speeds[4], int n, mo_f32x4 changes[4]) {
  mo_f32x4 zero = mo_f32x4_zero(), impulses[4] = {zero, zero, zero, zero};
  mo_i32x4 solved =
      mo_all_press(group, speeds, n) & (normals->inverse_places.xx > zero) & goals->is_even;
  if (mo_i32x4_bits(solved) == 0) {
    return solved;
  }
  mo_vec3x4 w = {m->along_n, m->about_1, m->about_2};
  mo_i32x4 soft = solved & goals->is_soft, rigid = solved & ~goals->is_soft;
  if (mo_i32x4_bits(soft) != 0) {
    mo_solve_soft(group, normals, goals, w, n, impulses);
  }
  if (mo_i32x4_bits(rigid) != 0) {
    mo_f32x4 other[4] = {impulses[0], impulses[1], impulses[2], impulses[3]};
    mo_solve_rigid(group, normals, goals, w, n, impulses);
    for (int i = 0; i < n; i++) {
      impulses[i] = mo_f32x4_select(soft, other[i], impulses[i]);
    }
  }
  for (int i = 0; i < n; i++) {
    solved &= impulses[i] >= zero;
  }
  for (int i = 0; i < n; i++) {
    changes[i] = mo_f32x4_keep(solved, impulses[i] - group->points[i].impulse);
  }
  return solved;
}

/// Adds the change of the motion by a normal impulse at point `i` to the speeds of the later ones.
static inline void mo_push_later(const mo_contact_group *group, const mo_symmetric_lanes *k, int n,
                                 int i, mo_f32x4 impulse, mo_f32x4 speeds[4]) {
  mo_f32x4 x = group->points[i].x, y = group->points[i].y;
  mo_vec3x4 motion = {k->xx + (y * k->xy - x * k->xz), k->xy + (y * k->yy - x * k->yz),
                      k->xz + (y * k->yz - x * k->zz)};
  for (int j = i + 1; j < n; j++) {
    const mo_group_point *point = &group->points[j];
    speeds[j] += impulse * (motion.x + (point->y * motion.y - point->x * motion.z));
  }
}

/// One round of projected Gauss-Seidel over the points of the lanes that are not `solved`.
static inline void mo_sweep_points(mo_contact_group *group, const mo_normal_block *normals,
                                   const mo_normal_goals *goals, mo_i32x4 solved, int n,
                                   mo_f32x4 speeds[4], mo_f32x4 changes[4]) {
  mo_f32x4 zero = mo_f32x4_zero(), soft = mo_f32x4_splat(goals->spring->softness);
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_i32x4 is_rigid = goals->is_rigid | (point->separation > zero);
    mo_f32x4 kept = mo_f32x4_select(is_rigid, mo_f32x4_splat(1.0f), soft);
    mo_f32x4 wanted = mo_f32x4_max(kept * (point->impulse - point->mass * speeds[i]), zero);
    mo_f32x4 change = wanted - point->impulse;
    changes[i] = mo_f32x4_select(solved, changes[i], change);
    if (n > 1) { // a single point has no block of normals
      mo_push_later(group, &normals->k, n, i, change, speeds);
    }
  }
}

/// The speeds at the points that the normals shall bring to zero.
static inline void mo_normal_speeds(const mo_contact_group *group, const mo_normal_goals *goals,
                                    int n, const mo_frame_motion *m, mo_f32x4 speeds[4]) {
  for (int i = 0; i < n; i++) {
    speeds[i] = mo_motion_at_point(&group->points[i], m, n) + goals->biases[i];
  }
}

/// Whether no point of four contacts carries load or is to get some: a sweep over their normals
/// changes nothing.
static inline bool mo_stay_open(const mo_contact_group *group, int n, const mo_f32x4 speeds[4]) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_i32x4 open = mo_i32x4_splat(-1);
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    open &= ((speeds[i] >= zero) & (point->impulse == zero)) | (point->mass <= zero);
  }
  return mo_i32x4_bits(open) == 15;
}

/// Sets the changes of the impulses at all points, from the motion `m` of the start of the sweep.
static inline void mo_solve_normals(mo_contact_group *group, const mo_normal_goals *goals, int n,
                                    const mo_frame_motion *m, mo_f32x4 speeds[4],
                                    mo_f32x4 changes[4]) {
  const mo_normal_block *normals = mo_group_normals(group);
  mo_i32x4 solved = mo_i32x4_splat(0);
  for (int i = 0; i < n; i++) {
    changes[i] = mo_f32x4_zero();
  }
  if (n > 2) {
    solved = mo_solve_together(group, normals, goals, m, speeds, n, changes);
  }
  if (mo_i32x4_bits(solved) != 15) {
    mo_sweep_points(group, normals, goals, solved, n, speeds, changes);
  }
}
