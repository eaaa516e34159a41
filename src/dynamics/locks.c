#include "dynamics/locks.h"

static double entry(const mo_mat3 *m, int row, int column) {
  const mo_vec3 *c = column == 0 ? &m->cx : column == 1 ? &m->cy : &m->cz;
  return row == 0 ? c->x : row == 1 ? c->y : c->z;
}

static void set_entry(mo_mat3 *m, int row, int column, double value) {
  mo_vec3 *c = column == 0 ? &m->cx : column == 1 ? &m->cy : &m->cz;
  *(row == 0 ? &c->x : row == 1 ? &c->y : &c->z) = value;
}

mo_mat3 mo_locked_inverse_inertia(mo_mat3 inertia, uint32_t axes) {
  int free[3], count = 0;
  for (int i = 0; i < 3; i++) {
    if (!(axes >> i & 1u)) {
      free[count++] = i;
    }
  }
  mo_mat3 out = mo_mat3_zero();
  if (!(mo_mat3_determinant(inertia) > 0.0) || count == 0) {
    return out;
  }
  if (count == 3) {
    return mo_mat3_inverse(inertia);
  }
  int i = free[0], j = free[count - 1];
  double a = entry(&inertia, i, i), b = entry(&inertia, i, j), c = entry(&inertia, j, j);
  if (count == 1) {
    set_entry(&out, i, i, 1.0 / a);
    return out;
  }
  double scale = 1.0 / (a * c - b * b);
  if (!(scale > 0.0 && scale < INFINITY)) {
    return out; // singular by round-off: an impulse turns it by almost nothing
  }
  set_entry(&out, i, i, scale * c);
  set_entry(&out, j, j, scale * a);
  set_entry(&out, i, j, -scale * b);
  set_entry(&out, j, i, -scale * b);
  return out;
}

void mo_body_apply_locks(mo_body *body, const mo_motion *motion) {
  uint32_t axes = body->locks >> 3;
  mo_mass_complete(&body->mass);
  if (axes == 0) {
    return;
  }
  mo_mat3 inertia = mo_motion_world_tensor(motion, body->mass.inertia);
  mo_motion back = {.orientation = mo_quat_conjugate(motion->orientation)};
  body->mass.inverse_inertia =
      mo_motion_world_tensor(&back, mo_locked_inverse_inertia(inertia, axes));
  body->mass.is_isotropic = true;
}

// The spin that locks leave of an angular momentum; where that overflows, the components of the
// spin about free axes.
static mo_vec3 free_spin(const mo_body *body, const mo_mat3 *inertia, mo_vec3 momentum,
                         mo_vec3 spin) {
  mo_vec3 kept = mo_mat3_mul(mo_locked_inverse_inertia(*inertia, body->locks >> 3), momentum);
  return mo_v3_is_finite(kept) ? kept : mo_lock_rotation(body, spin);
}

void mo_body_lock_velocities(const mo_body *body, mo_motion *motion) {
  uint32_t axes = body->locks >> 3;
  motion->linear_velocity = mo_lock_translation(body, motion->linear_velocity);
  if (axes) {
    mo_mat3 inertia = mo_motion_world_tensor(motion, body->mass.inertia);
    mo_vec3 momentum = mo_mat3_mul(inertia, motion->angular_velocity);
    motion->angular_velocity = free_spin(body, &inertia, momentum, motion->angular_velocity);
  }
}

// Whether a body turns about two axes: its inertia about them changes as it turns.
static bool has_two_axes(uint32_t axes) { return axes == 1 || axes == 2 || axes == 4; }

void mo_body_keep_momentum(const mo_body *body, mo_quat before, mo_motion *motion) {
  uint32_t axes = body->locks >> 3;
  motion->linear_velocity = mo_lock_translation(body, motion->linear_velocity);
  motion->angular_velocity = mo_lock_rotation(body, motion->angular_velocity);
  if (has_two_axes(axes)) {
    mo_motion old = {.orientation = before};
    mo_mat3 inertia = mo_motion_world_tensor(&old, body->mass.inertia);
    mo_vec3 momentum = mo_mat3_mul(inertia, motion->angular_velocity);
    mo_mat3 now = mo_motion_world_tensor(motion, body->mass.inertia);
    motion->angular_velocity = free_spin(body, &now, momentum, motion->angular_velocity);
  }
}
