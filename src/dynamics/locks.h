/// Axes of the world along which a body cannot move and about which it cannot turn.
///
/// A lock is a constraint, solved exactly and before all others: for impulses, a body with locked
/// rotation has the inverse inertia P (P^T I P)^-1 P^T, where the columns of P are the free axes.
/// Rows of I^-1 that are set to zero would leave out the torque of the lock. A locked translation
/// takes the locked components out of forces and of the rows of constraints.
#pragma once

#include "dynamics/body.h"

/// Bits of mo_body.locks: three axes of translation, then three of rotation.
#define MO_LOCKED_TRANSLATION 7u
#define MO_LOCKED_ROTATION 56u

/// A vector without its components along locked axes.
/// @param axes bits of x, y and z
static inline mo_vec3 mo_lock_vector(uint32_t axes, mo_vec3 v) {
  return mo_v3(axes & 1u ? 0.0 : v.x, axes & 2u ? 0.0 : v.y, axes & 4u ? 0.0 : v.z);
}
static inline mo_vec3 mo_lock_translation(const mo_body *body, mo_vec3 v) {
  return mo_lock_vector(body->locks & MO_LOCKED_TRANSLATION, v);
}
static inline mo_vec3 mo_lock_rotation(const mo_body *body, mo_vec3 v) {
  return mo_lock_vector(body->locks >> 3, v);
}

/// P (P^T I P)^-1 P^T.
/// @param inertia world axes, positive definite or zero
/// @param axes bits of the locked axes
mo_mat3 mo_locked_inverse_inertia(mo_mat3 inertia, uint32_t axes);

/// Gives the mass of a body the inverse inertia that its locks leave it in its pose, in body axes.
/// To be called after its pose, its inertia or its locks changed. The gyroscopic torque of a body
/// whose rotation is locked is left out of `is_isotropic`: mo_body_keep_momentum has it.
void mo_body_apply_locks(mo_body *body, const mo_motion *motion);

/// The velocities that the locks leave: those after their impulses.
void mo_body_lock_velocities(const mo_body *body, mo_motion *motion);

/// The spin of a body with locks after it turned: about free axes its angular momentum is kept.
/// @param before the orientation with which the spin of `motion` was found
void mo_body_keep_momentum(const mo_body *body, mo_quat before, mo_motion *motion);
