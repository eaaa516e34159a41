/// Frames of four contacts: the normal and both tangents at the friction centre. Private to the
/// solver.
///
/// In its frame, the relative motion of a contact's bodies is six numbers, and so is any impulse
/// between them. A point at (x, y) of the contact plane has the row (1, y, -x): it multiplies the
/// motion along the normal and about both tangents.
#pragma once

#include "solvers/soft_step/contacts/contact_groups.h"

/// Axes, world.
typedef struct mo_frame_axes {
  mo_vec3x4 n, t1, t2;
} mo_frame_axes;

/// A motion (of B relative to A, m/s or m, rad/s or rad) or an impulse (on B, N s and N m s).
typedef struct mo_frame_motion {
  mo_f32x4 along_n, along_1, along_2;
  mo_f32x4 about_n, about_1, about_2;
} mo_frame_motion;

/// Tangents without a branch (Duff et al. 2017, "Building an Orthonormal Basis, Revisited").
static inline mo_frame_axes mo_frame_axes_of(mo_vec3x4 n) {
  mo_f32x4 one = mo_f32x4_splat(1.0f);
  mo_f32x4 sign = mo_f32x4_select(n.z < mo_f32x4_zero(), -one, one);
  mo_f32x4 a = -one / (sign + n.z), b = n.x * n.y * a;
  return (mo_frame_axes){
      n, {one + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

static inline mo_vec3x4 mo_frame_to_world(const mo_frame_axes *f, mo_f32x4 n, mo_f32x4 t1,
                                          mo_f32x4 t2) {
  return mo_vec3x4_add_scaled(mo_vec3x4_add_scaled(mo_vec3x4_scale(n, f->n), t1, f->t1), t2, f->t2);
}

/// Row `b` minus row `a` in each lane.
static inline mo_vec3x4 mo_gather_differences(const float *rows, uint32_t stride,
                                              const uint32_t a[4], const uint32_t b[4]) {
  mo_f32x4 d[4];
  for (int i = 0; i < 4; i++) {
    d[i] =
        mo_f32x4_load(rows + (size_t)b[i] * stride) - mo_f32x4_load(rows + (size_t)a[i] * stride);
  }
  return mo_lanes_of_rows(d[0], d[1], d[2], d[3]);
}

/// The relative motions, from the difference of the linear motions and from the angular ones.
static inline __attribute__((always_inline)) mo_frame_motion
mo_frame_motion_of(const mo_contact_group *group, const mo_frame_axes *f, mo_vec3x4 apart,
                   mo_vec3x4 spin_a, mo_vec3x4 spin_b) {
  mo_vec3x4 along = mo_vec3x4_add(apart, mo_vec3x4_sub(mo_vec3x4_cross(spin_b, group->arm_b),
                                                       mo_vec3x4_cross(spin_a, group->arm_a)));
  mo_vec3x4 about = mo_vec3x4_sub(spin_b, spin_a);
  return (mo_frame_motion){mo_vec3x4_dot(f->n, along),  mo_vec3x4_dot(f->t1, along),
                           mo_vec3x4_dot(f->t2, along), mo_vec3x4_dot(f->n, about),
                           mo_vec3x4_dot(f->t1, about), mo_vec3x4_dot(f->t2, about)};
}

/// The same, from a linear row and the following angular row of each body.
static inline __attribute__((always_inline)) mo_frame_motion
mo_frame_gather_from(const mo_contact_group *group, const mo_frame_axes *f, const float *rows,
                     uint32_t stride) {
  mo_vec3x4 spin_a = mo_gather_rows(rows + 4, stride, group->a);
  mo_vec3x4 spin_b = mo_gather_rows(rows + 4, stride, group->b);
  return mo_frame_motion_of(group, f, mo_gather_differences(rows, stride, group->a, group->b),
                            spin_a, spin_b);
}

/// The same from two rows of mo_solver_body.
static inline __attribute__((always_inline)) mo_frame_motion
mo_frame_gather(const mo_contact_group *group, const mo_frame_axes *f, const float *rows) {
  return mo_frame_gather_from(group, f, rows, MO_FLOATS_OF(mo_solver_body));
}

/// The changes of the relative velocities by forces in a substep.
static inline mo_frame_motion mo_frame_gains(const mo_contact_solve *solve,
                                             const mo_contact_group *group,
                                             const mo_frame_axes *f) {
  return mo_frame_gather_from(group, f, solve->step->masses->linear_gain,
                              MO_FLOATS_OF(mo_solver_mass));
}

static inline void mo_add_rows(float *rows, uint32_t stride, const uint32_t indices[4], int written,
                               mo_vec3x4 change) {
  mo_f32x4 none = mo_f32x4_zero();
  mo_f32x4_transpose(&change.x, &change.y, &change.z, &none);
  const mo_f32x4 changes[4] = {change.x, change.y, change.z, none};
  for (int i = 0; i < 4; i++) {
    float *row = rows + (size_t)indices[i] * stride;
    if (written & 1 << i) {
      mo_f32x4_store(row, mo_f32x4_load(row) + changes[i]);
    }
  }
}

/// Adds a normal impulse at a point.
static inline void mo_frame_push_at(const mo_group_point *point, mo_f32x4 impulse,
                                    mo_frame_motion *p) {
  p->along_n += impulse;
  p->about_1 += point->y * impulse;
  p->about_2 -= point->x * impulse;
}

/// Adds the change of velocity by impulses and torques on B, world, to a linear row and the
/// following angular row of each body.
static inline __attribute__((always_inline)) void
mo_frame_push_world(const mo_contact_group *group, const mo_frame_masses *masses, mo_vec3x4 impulse,
                    mo_vec3x4 torque_a, mo_vec3x4 torque_b, float *rows, uint32_t stride) {
  mo_vec3x4 push_a = mo_moving_part(&masses->a, impulse);
  mo_vec3x4 push_b = mo_moving_part(&masses->b, impulse);
  mo_vec3x4 spin_a = mo_mass_lanes_turn(&masses->a, mo_moving_part(&masses->a, torque_a));
  mo_vec3x4 spin_b = mo_mass_lanes_turn(&masses->b, mo_moving_part(&masses->b, torque_b));
  int write_a = mo_written_lanes(&masses->a), write_b = mo_written_lanes(&masses->b);
  mo_add_rows(rows, stride, group->a, write_a, mo_vec3x4_scale(-masses->a.inverse_mass, push_a));
  mo_add_rows(rows + 4, stride, group->a, write_a, mo_vec3x4_scale(mo_f32x4_splat(-1.0f), spin_a));
  mo_add_rows(rows, stride, group->b, write_b, mo_vec3x4_scale(masses->b.inverse_mass, push_b));
  mo_add_rows(rows + 4, stride, group->b, write_b, spin_b);
}

/// The same by the impulses of contacts with `n` points. A single point has no torque about the
/// centre, and without friction there is nothing along the tangents and about the normal.
static inline __attribute__((always_inline)) void
mo_frame_push(const mo_contact_group *group, const mo_frame_axes *f, const mo_frame_masses *masses,
              const mo_frame_motion *p, int n, bool has_friction, float *rows, uint32_t stride) {
  mo_vec3x4 impulse = has_friction ? mo_frame_to_world(f, p->along_n, p->along_1, p->along_2)
                                   : mo_vec3x4_scale(p->along_n, f->n);
  mo_vec3x4 torque_a = mo_vec3x4_cross(group->arm_a, impulse);
  mo_vec3x4 torque_b = mo_vec3x4_cross(group->arm_b, impulse);
  if (n > 1) {
    mo_vec3x4 torque =
        has_friction ? mo_frame_to_world(f, p->about_n, p->about_1, p->about_2)
                     : mo_vec3x4_add_scaled(mo_vec3x4_scale(p->about_1, f->t1), p->about_2, f->t2);
    torque_a = mo_vec3x4_add(torque_a, torque);
    torque_b = mo_vec3x4_add(torque_b, torque);
  }
  mo_frame_push_world(group, masses, impulse, torque_a, torque_b, rows, stride);
}
