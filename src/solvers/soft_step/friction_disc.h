/// One step of friction at a place, four contacts at a time. Private to the solver.
#pragma once

#include "solvers/soft_step/contact_groups.h"

/// Smallest square of an impulse (N s)^2 that is divided by: far above the smallest float, far
/// below any impulse that moves a body.
#define MO_DISC_TINY 1e-30f

/// 1/x, or 0 where x is 0: a lane without a body that moves.
static inline mo_f32x4 mo_inverse_or_zero(mo_f32x4 x) {
  mo_i32x4 some = x > mo_f32x4_zero();
  mo_f32x4 one = mo_f32x4_splat(1.0f);
  return mo_f32x4_keep(some, one / mo_f32x4_select(some, x, one));
}

/// Change of the relative velocity along `at` of the row (turn_a, turn_b) per impulse of the row
/// that gave (spin_a, spin_b) = I^-1 (its turns); the linear part apart.
static inline mo_f32x4 mo_row_coupling(mo_vec3x4 turn_a, mo_vec3x4 spin_a, mo_vec3x4 turn_b,
                                       mo_vec3x4 spin_b) {
  return mo_vec3x4_dot(turn_a, spin_a) + mo_vec3x4_dot(turn_b, spin_b);
}

/// Sets the masses of a disc from its arms.
static inline void mo_disc_prepare(const mo_contact_group *group, mo_group_disc *disc) {
  mo_vec3x4 turn_a1 = mo_vec3x4_cross(disc->arm_a, group->tangent_1);
  mo_vec3x4 turn_a2 = mo_vec3x4_cross(disc->arm_a, group->tangent_2);
  mo_vec3x4 turn_b1 = mo_vec3x4_cross(disc->arm_b, group->tangent_1);
  mo_vec3x4 turn_b2 = mo_vec3x4_cross(disc->arm_b, group->tangent_2);
  mo_vec3x4 spin_a1 = mo_mass_lanes_turn(&group->mass_a, turn_a1);
  mo_vec3x4 spin_b1 = mo_mass_lanes_turn(&group->mass_b, turn_b1);
  mo_vec3x4 spin_a2 = mo_mass_lanes_turn(&group->mass_a, turn_a2);
  mo_vec3x4 spin_b2 = mo_mass_lanes_turn(&group->mass_b, turn_b2);
  mo_f32x4 linear = group->mass_a.inverse_mass + group->mass_b.inverse_mass;
  mo_f32x4 k11 = linear + mo_row_coupling(turn_a1, spin_a1, turn_b1, spin_b1);
  mo_f32x4 k12 = mo_row_coupling(turn_a2, spin_a1, turn_b2, spin_b1);
  mo_f32x4 k22 = linear + mo_row_coupling(turn_a2, spin_a2, turn_b2, spin_b2);

  mo_f32x4 inverse_determinant = mo_inverse_or_zero(k11 * k22 - k12 * k12);
  disc->mass_11 = k22 * inverse_determinant;
  disc->mass_12 = -k12 * inverse_determinant;
  disc->mass_22 = k11 * inverse_determinant;
  mo_f32x4 half = mo_f32x4_splat(0.5f);
  mo_f32x4 mean = half * (k11 + k22), apart = half * (k11 - k22);
  disc->slip_mass = mo_inverse_or_zero(mean + mo_f32x4_sqrt(apart * apart + k12 * k12));
}

/// One step: the velocity (u1, u2) along the tangents is answered within the disc of radius
/// `limit`. Where the impulse that stops it lies inside, that one is taken. Elsewhere the step must
/// be a multiple of the velocity before it is projected, or friction at rest in the iteration would
/// not oppose the slip. Sets (u1, u2) to the impulse that was added.
static inline void mo_disc_step(mo_group_disc *disc, mo_f32x4 limit, mo_f32x4 *u1, mo_f32x4 *u2) {
  mo_f32x4 old_1 = disc->impulse_1, old_2 = disc->impulse_2;
  mo_f32x4 stick_1 = old_1 - (disc->mass_11 * *u1 + disc->mass_12 * *u2);
  mo_f32x4 stick_2 = old_2 - (disc->mass_12 * *u1 + disc->mass_22 * *u2);
  mo_f32x4 slip_1 = old_1 - disc->slip_mass * *u1;
  mo_f32x4 slip_2 = old_2 - disc->slip_mass * *u2;
  mo_f32x4 square = mo_f32x4_max(slip_1 * slip_1 + slip_2 * slip_2, mo_f32x4_splat(MO_DISC_TINY));
  mo_f32x4 scale = mo_f32x4_min(limit / mo_f32x4_sqrt(square), mo_f32x4_splat(1.0f));
  mo_i32x4 sticks = stick_1 * stick_1 + stick_2 * stick_2 <= limit * limit;
  disc->impulse_1 = mo_f32x4_select(sticks, stick_1, scale * slip_1);
  disc->impulse_2 = mo_f32x4_select(sticks, stick_2, scale * slip_2);
  disc->total_1 += disc->impulse_1;
  disc->total_2 += disc->impulse_2;
  *u1 = disc->impulse_1 - old_1;
  *u2 = disc->impulse_2 - old_2;
}
