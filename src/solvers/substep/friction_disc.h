/// One step of friction at a place, four contacts at a time. Private to the solver.
#pragma once

#include "solvers/substep/contact_frame.h"

/// (N s)^2: the smallest square of an impulse that is divided by. It is far above the smallest
/// float, and far below any impulse that moves a body.
#define MO_DISC_TINY 1e-30f

/// Sets the masses of a disc from the K of both tangents.
static inline void mo_disc_prepare(mo_group_disc *disc, mo_f32x4 k11, mo_f32x4 k12, mo_f32x4 k22) {
  mo_f32x4 inverse_determinant = mo_inverse_or_zero(k11 * k22 - k12 * k12);
  disc->mass_11 = k22 * inverse_determinant;
  disc->mass_12 = -k12 * inverse_determinant;
  disc->mass_22 = k11 * inverse_determinant;
  mo_f32x4 half = mo_f32x4_splat(0.5f);
  mo_f32x4 mean = half * (k11 + k22), apart = half * (k11 - k22);
  disc->slip_mass = mo_inverse_or_zero(mean + mo_f32x4_sqrt(apart * apart + k12 * k12));
}

/// The factor by which an impulse along the tangents is scaled to lie within the disc of radius
/// `limit`: 1 if it does.
static inline mo_f32x4 mo_disc_scale(mo_f32x4 limit, mo_f32x4 impulse_1, mo_f32x4 impulse_2) {
  mo_f32x4 square = impulse_1 * impulse_1 + impulse_2 * impulse_2;
  mo_f32x4 length = mo_f32x4_sqrt(mo_f32x4_max(square, mo_f32x4_splat(MO_DISC_TINY)));
  return mo_f32x4_min(limit / length, mo_f32x4_splat(1.0f));
}

/// One step of friction against the velocity (u1, u2) along the tangents, within the disc of radius
/// `limit`. If the impulse that stops this velocity lies inside, it is used. Otherwise the step is
/// a multiple of the velocity, which is then projected: at the fixed point friction opposes the
/// slip only then. Sets (u1, u2) to the impulse that was added.
static inline void mo_disc_step(mo_group_disc *disc, mo_f32x4 limit, mo_f32x4 *u1, mo_f32x4 *u2) {
  mo_f32x4 old_1 = disc->impulse_1, old_2 = disc->impulse_2;
  mo_f32x4 stick_1 = old_1 - (disc->mass_11 * *u1 + disc->mass_12 * *u2);
  mo_f32x4 stick_2 = old_2 - (disc->mass_12 * *u1 + disc->mass_22 * *u2);
  mo_f32x4 slip_1 = old_1 - disc->slip_mass * *u1;
  mo_f32x4 slip_2 = old_2 - disc->slip_mass * *u2;
  mo_f32x4 scale = mo_disc_scale(limit, slip_1, slip_2);
  mo_i32x4 sticks = stick_1 * stick_1 + stick_2 * stick_2 <= limit * limit;
  disc->impulse_1 = mo_f32x4_select(sticks, stick_1, scale * slip_1);
  disc->impulse_2 = mo_f32x4_select(sticks, stick_2, scale * slip_2);
  disc->total_1 += disc->impulse_1;
  disc->total_2 += disc->impulse_2;
  *u1 = disc->impulse_1 - old_1;
  *u2 = disc->impulse_2 - old_2;
}
