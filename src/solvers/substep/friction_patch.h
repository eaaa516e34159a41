/// Friction of a contact as a whole, four contacts at a time. Private to the solver.
///
/// A patch that slides and spins cannot use all of its friction against both. What it can give lies
/// within its limit surface (Goyal, Ruina and Papadopoulos 1991, "Planar sliding with dry
/// friction"). Whether it sticks is decided by the ellipsoid around that surface with the semi-axes
/// mu N, mu N and mu N r, where r is the mean distance of the load from the centre (Howe and
/// Cutkosky 1996, "Practical force-motion models for sliding manipulation"). What
/// slips stays within the ellipsoid; if the settings ask for friction per point, the points of a
/// patch that slips fast give friction against their own velocities instead.
#pragma once

#include "solvers/substep/contact_frame.h"

/// (N s)^2: the smallest square of an impulse that is divided by. It is far above the smallest
/// float, and far below any impulse that moves a body.
#define MO_FRICTION_TINY 1e-30f

/// Slip of a patch, in units of the speed that its friction stops in a substep, above which each
/// point may have friction against its own slip. What is slower stops within a step of four
/// substeps.
#define MO_FAST_SLIP 4.0f

/// m^2: the smallest mean square of the distances of a load from its centre that can carry a twist:
/// within a tenth of a millimetre it is one point.
#define MO_LEAST_SPREAD 1e-8f

/// The factor by which an impulse of this squared length is scaled to lie within the radius
/// `limit`: 1 if it does.
static inline mo_f32x4 mo_friction_scale(mo_f32x4 limit, mo_f32x4 square) {
  mo_f32x4 length = mo_f32x4_sqrt(mo_f32x4_max(square, mo_f32x4_splat(MO_FRICTION_TINY)));
  return mo_f32x4_min(limit / length, mo_f32x4_splat(1.0f));
}

/// The largest eigenvalue of a symmetric 2 x 2 matrix.
static inline mo_f32x4 mo_largest_eigenvalue(mo_f32x4 xx, mo_f32x4 xy, mo_f32x4 yy) {
  mo_f32x4 half = mo_f32x4_splat(0.5f);
  mo_f32x4 mean = half * (xx + yy), apart = half * (xx - yy);
  return mean + mo_f32x4_sqrt(apart * apart + xy * xy);
}

/// Sets the masses from K of both tangents and the twist; that of the twist is 0 for a single
/// point.
static inline void mo_patch_prepare(mo_friction_patch *patch, const mo_symmetric_lanes *k) {
  patch->mass = mo_factor(*k);
  patch->slip_mobility = mo_largest_eigenvalue(k->xx, k->xy, k->yy);
  patch->slip_mass = mo_inverse_or_zero(patch->slip_mobility);
  patch->twist_mobility = k->zz;
}

/// The place at which the load of a patch acts, m along the tangents, and its second moment about
/// that place, N s m^2.
typedef struct mo_patch_load {
  mo_f32x4 x, y, second;
} mo_patch_load;

static inline mo_patch_load mo_patch_load_of(const mo_contact_group *group, mo_f32x4 share) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_patch_load load = {zero, zero, zero};
  for (uint32_t i = 0; i < group->point_count; i++) {
    load.x += share * group->points[i].impulse * group->points[i].x;
    load.y += share * group->points[i].impulse * group->points[i].y;
  }
  for (uint32_t i = 0; i < group->point_count; i++) {
    mo_f32x4 x = group->points[i].x - load.x, y = group->points[i].y - load.y;
    load.second += group->points[i].impulse * (x * x + y * y);
  }
  return load;
}

/// The impulse of a patch that slips with the velocity u along the tangents (x, y) and about the
/// normal (z), point by point. The old impulse is divided among the points by load, as if the patch
/// were rigid; the step of each point is a multiple of its own velocity, which is then projected to
/// its friction disc. So fast points oppose their velocity, and slow ones keep what they have.
static inline mo_vec3x4 mo_patch_slip(const mo_contact_group *group, mo_vec3x4 u, mo_f32x4 load,
                                      mo_f32x4 mobility) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_vec3x4 old = group->patch.impulse, sum = {zero, zero, zero};
  mo_f32x4 share = mo_inverse_or_zero(load), mass = mo_inverse_or_zero(mobility);
  mo_patch_load center = mo_patch_load_of(group, share);
  mo_f32x4 twist = old.z - (center.x * old.y - center.y * old.x); // about the load
  mo_f32x4 least = mo_f32x4_splat(MO_LEAST_SPREAD) * load;
  mo_i32x4 spreads = center.second > least;
  mo_f32x4 spin = mo_f32x4_keep(spreads, twist * mo_inverse_or_zero(center.second));
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 x = point->x, y = point->y, impulse = point->impulse, part = share * impulse;
    mo_f32x4 f1 = part * (old.x - mass * (u.x - y * u.z)) - (y - center.y) * (impulse * spin);
    mo_f32x4 f2 = part * (old.y - mass * (u.y + x * u.z)) + (x - center.x) * (impulse * spin);
    mo_f32x4 scale = mo_friction_scale(group->friction * impulse, f1 * f1 + f2 * f2);
    f1 *= scale;
    f2 *= scale;
    sum.x += f1;
    sum.y += f2;
    sum.z += x * f2 - y * f1;
  }
  return sum;
}

/// The impulse of a patch that slips as a whole, within the ellipsoid. The step is a multiple of
/// the velocity, which is then projected: at the fixed point friction opposes the slip only then.
static inline mo_vec3x4 mo_whole_slip(const mo_friction_patch *patch, mo_vec3x4 u, mo_f32x4 limit,
                                      mo_f32x4 reach, mo_f32x4 mobility) {
  mo_f32x4 mass = mo_inverse_or_zero(mobility), twist = mo_inverse_or_zero(reach);
  mo_vec3x4 old = patch->impulse;
  mo_vec3x4 slip = {old.x - mass * u.x, old.y - mass * u.y, old.z * twist - mass * reach * u.z};
  slip = mo_vec3x4_scale(mo_friction_scale(limit, mo_vec3x4_dot(slip, slip)), slip);
  slip.z *= reach;
  return slip;
}

/// One step of friction against the velocity u under the normal impulse `load`, with the mean
/// distance `reach` of the load, at several points. If the impulse that stops this velocity lies
/// inside the ellipsoid, it is used. Returns the impulse that was added.
static inline mo_vec3x4 mo_patch_step(mo_contact_group *group, mo_f32x4 load, mo_f32x4 reach,
                                      mo_vec3x4 u, bool per_point) {
  mo_friction_patch *patch = &group->patch;
  mo_f32x4 limit = group->friction * load;
  mo_vec3x4 old = patch->impulse;
  mo_vec3x4 stick = mo_vec3x4_sub(old, mo_factor_solve(&patch->mass, u));
  mo_f32x4 twist = stick.z * mo_inverse_or_zero(reach);
  mo_i32x4 sticks = stick.x * stick.x + stick.y * stick.y + twist * twist <= limit * limit;
  sticks &= (reach > mo_f32x4_zero()) | (stick.z == mo_f32x4_zero());
  if (mo_i32x4_bits(sticks) != 15) {
    mo_f32x4 mobility = mo_f32x4_max(patch->slip_mobility, reach * reach * patch->twist_mobility);
    mo_vec3x4 slip = mo_whole_slip(patch, u, limit, reach, mobility);
    if (per_point) {
      // Slower ones stop soon, and what is at rest in a heap shall not depend on how its load is
      // divided among the points, which changes from substep to substep.
      mo_f32x4 least = mo_f32x4_splat(MO_FAST_SLIP) * mobility * limit, turn = reach * u.z;
      mo_i32x4 fast = u.x * u.x + u.y * u.y + turn * turn > least * least;
      mo_vec3x4 by_points = mo_patch_slip(group, u, load, mobility);
      slip = (mo_vec3x4){mo_f32x4_select(fast, by_points.x, slip.x),
                         mo_f32x4_select(fast, by_points.y, slip.y),
                         mo_f32x4_select(fast, by_points.z, slip.z)};
    }
    stick = (mo_vec3x4){mo_f32x4_select(sticks, stick.x, slip.x),
                        mo_f32x4_select(sticks, stick.y, slip.y),
                        mo_f32x4_select(sticks, stick.z, slip.z)};
  }
  patch->impulse = stick;
  patch->total = mo_vec3x4_add(patch->total, stick);
  return mo_vec3x4_sub(stick, old);
}

/// The same at a single point, which is Coulomb's law: nothing is about the normal.
static inline mo_vec3x4 mo_point_step(mo_contact_group *group, mo_f32x4 load, mo_f32x4 u1,
                                      mo_f32x4 u2) {
  mo_friction_patch *patch = &group->patch;
  mo_f32x4 limit = group->friction * load, x = u1, y = u2;
  mo_vec3x4 old = patch->impulse;
  mo_factor_solve_two(&patch->mass, &x, &y);
  x = old.x - x;
  y = old.y - y;
  mo_i32x4 sticks = x * x + y * y <= limit * limit;
  // Without a branch: among balls that roll over each other it would be a guess.
  mo_f32x4 slip_1 = old.x - patch->slip_mass * u1, slip_2 = old.y - patch->slip_mass * u2;
  mo_f32x4 scale = mo_friction_scale(limit, slip_1 * slip_1 + slip_2 * slip_2);
  x = mo_f32x4_select(sticks, x, scale * slip_1);
  y = mo_f32x4_select(sticks, y, scale * slip_2);
  patch->impulse.x = x;
  patch->impulse.y = y;
  patch->total.x += x;
  patch->total.y += y;
  return (mo_vec3x4){x - old.x, y - old.y, mo_f32x4_zero()};
}
