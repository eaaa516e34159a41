/// Friction of a contact, four contacts at a time. Private to the solver.
///
/// Each point has Coulomb friction, as much as its own load allows and against its own slip. What
/// the points can give together, a force and a twist, is the limit surface of the contact (Goyal,
/// Ruina and Papadopoulos 1991, "Planar sliding with dry friction"): a patch that slides and spins
/// cannot use all of its friction against both.
///
/// Only the sum over the points is kept, because it is what moves bodies: how points that stick
/// divide it is not determined. If all of them stick when it is divided by load, as in a rigid
/// patch under a pressure, the whole patch is stopped at once. Otherwise its points are solved one
/// after another.
#pragma once

#include "solvers/soft_step/contacts/contact_frame.h"

/// (N s)^2: the smallest square of an impulse that is divided by. It is far above the smallest
/// float, and far below any impulse that moves a body.
#define MO_FRICTION_TINY 1e-30f

/// Rounds over the points of a patch that does not stick as a whole. With one, heaps hardly
/// come to rest; what more than three gain cannot be told from chance.
#define MO_FRICTION_ROUNDS 3

/// The part of its friction by which some point of a patch must change for another round: half of
/// the third rounds are saved, and heaps come to rest as soon.
#define MO_LEAST_SLIP_CHANGE 0.1f

/// The part of the second moment of a load that must be about its centre to carry a twist: less is
/// round-off of single precision, or a load at one point.
#define MO_LEAST_SPREAD 1e-5f

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
  patch->slip_mass = mo_inverse_or_zero(mo_largest_eigenvalue(k->xx, k->xy, k->yy));
}

// --- one point -------------------------------------------------------------------------------

/// Numbers along both tangents.
typedef struct mo_tangents {
  mo_f32x4 x, y;
} mo_tangents;

/// Friction at a point that slips with the velocity u. The step is a multiple of the velocity,
/// which is then projected to the disc of radius `limit`: at the fixed point friction opposes the
/// slip only then.
static inline mo_tangents mo_point_slip(mo_tangents old, mo_tangents u, mo_f32x4 limit,
                                        mo_f32x4 mass) {
  mo_tangents slip = {old.x - mass * u.x, old.y - mass * u.y};
  mo_f32x4 scale = mo_friction_scale(limit, slip.x * slip.x + slip.y * slip.y);
  return (mo_tangents){scale * slip.x, scale * slip.y};
}

static inline mo_tangents mo_tangents_select(mo_i32x4 which, mo_tangents a, mo_tangents b) {
  return (mo_tangents){mo_f32x4_select(which, a.x, b.x), mo_f32x4_select(which, a.y, b.y)};
}

/// One step of friction of contacts of a single point against the velocity u, under the normal
/// impulse `load`. Nothing is about the normal. Returns the impulse that was added.
static inline mo_vec3x4 mo_point_step(mo_contact_group *group, mo_f32x4 load, mo_tangents u) {
  mo_friction_patch *patch = &group->patch;
  mo_tangents old = {patch->impulse.x, patch->impulse.y}, now = u;
  mo_f32x4 limit = group->friction * load;
  mo_factor_solve_two(&patch->mass, &now.x, &now.y);
  now = (mo_tangents){old.x - now.x, old.y - now.y};
  mo_i32x4 sticks = now.x * now.x + now.y * now.y <= limit * limit;
  // Without a branch: among balls that roll over each other it would be a guess.
  now = mo_tangents_select(sticks, now, mo_point_slip(old, u, limit, patch->slip_mass));
  patch->impulse.x = now.x;
  patch->impulse.y = now.y;
  patch->total.x += now.x;
  patch->total.y += now.y;
  return (mo_vec3x4){now.x - old.x, now.y - old.y, mo_f32x4_zero()};
}

// --- several points --------------------------------------------------------------------------

/// The load of the points of a patch.
typedef struct mo_patch_load {
  mo_tangents center;      ///< m, where it acts
  mo_f32x4 inverse_sum;    ///< 1/(N s)
  mo_f32x4 inverse_second; ///< of its second moment about the centre, 1/(N s m^2)
  mo_i32x4 spreads;        ///< it can carry a twist about the centre
} mo_patch_load;

static inline mo_patch_load mo_patch_load_of(const mo_contact_group *group, int n, mo_f32x4 sum) {
  mo_f32x4 inverse_sum = mo_inverse_or_zero(sum), x = mo_f32x4_zero(), y = x, second = x;
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 load_x = point->impulse * point->x, load_y = point->impulse * point->y;
    x += load_x;
    y += load_y;
    second += load_x * point->x + load_y * point->y;
  }
  mo_tangents center = {inverse_sum * x, inverse_sum * y};
  mo_f32x4 about_center = second - (center.x * x + center.y * y);
  mo_i32x4 spreads = about_center > mo_f32x4_splat(MO_LEAST_SPREAD) * second;
  return (mo_patch_load){center, inverse_sum,
                         mo_f32x4_keep(spreads, mo_inverse_or_zero(about_center)), spreads};
}

/// How the points of a patch divide an impulse by load, as a rigid patch under a pressure does:
/// per load, the point at (x, y) has (middle.x - spin y, middle.y + spin x).
typedef struct mo_patch_shares {
  mo_tangents middle;
  mo_f32x4 spin;
} mo_patch_shares;

static inline mo_patch_shares mo_patch_divide(const mo_patch_load *load, mo_vec3x4 impulse) {
  mo_tangents center = load->center;
  mo_f32x4 spin =
      load->inverse_second * (impulse.z - (center.x * impulse.y - center.y * impulse.x));
  return (mo_patch_shares){{load->inverse_sum * impulse.x + spin * center.y,
                            load->inverse_sum * impulse.y - spin * center.x},
                           spin};
}

static inline mo_tangents mo_patch_share(const mo_patch_shares *shares,
                                         const mo_group_point *point) {
  return (mo_tangents){shares->middle.x - shares->spin * point->y,
                       shares->middle.y + shares->spin * point->x};
}

/// Lanes whose loaded points all stick under an impulse that they divide by load.
static inline mo_i32x4 mo_patch_sticks(const mo_contact_group *group, int n,
                                       const mo_patch_load *load, mo_vec3x4 impulse) {
  mo_patch_shares shares = mo_patch_divide(load, impulse);
  mo_f32x4 limit = group->friction * group->friction, most = mo_f32x4_zero();
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_tangents share = mo_patch_share(&shares, point);
    mo_f32x4 beyond = share.x * share.x + share.y * share.y - limit;
    most = mo_f32x4_max(most, point->impulse * beyond);
  }
  return most <= mo_f32x4_zero();
}

/// A point of a patch that slips.
typedef struct mo_slipping_point {
  mo_tangents impulse;
  mo_f32x4 limit;                     ///< N s, of the impulse
  mo_f32x4 slip_mass;                 ///< kg, the inverse of the largest eigenvalue of K
  mo_f32x4 mass_xx, mass_xy, mass_yy; ///< kg, the inverse of K of its tangents
} mo_slipping_point;

/// A point with K = (xx, xy; xy, yy) of its tangents.
static inline mo_slipping_point mo_slipping_point_of(mo_tangents impulse, mo_f32x4 limit,
                                                     mo_f32x4 xx, mo_f32x4 xy, mo_f32x4 yy) {
  mo_f32x4 inverse = mo_inverse_or_zero(xx * yy - xy * xy);
  mo_f32x4 slip_mass = mo_inverse_or_zero(mo_largest_eigenvalue(xx, xy, yy));
  return (mo_slipping_point){impulse, limit, slip_mass, inverse * yy, -inverse * xy, inverse * xx};
}

/// Friction at one of several points that slips with the velocity u.
static inline mo_tangents mo_slipping_point_step(const mo_slipping_point *point, mo_tangents u) {
  mo_tangents old = point->impulse;
  mo_tangents stick = {old.x - (point->mass_xx * u.x + point->mass_xy * u.y),
                       old.y - (point->mass_xy * u.x + point->mass_yy * u.y)};
  mo_i32x4 sticks = stick.x * stick.x + stick.y * stick.y <= point->limit * point->limit;
  return mo_tangents_select(sticks, stick, mo_point_slip(old, u, point->limit, point->slip_mass));
}

/// Where an impulse along the tangents does not change the spin about the normal. About it K has
/// five numbers instead of nine, and so has each step of a point.
typedef struct mo_spin_center {
  mo_f32x4 x, y;           ///< m, from the friction centre
  mo_f32x4 xx, xy, yy, zz; ///< K there: 1/kg, of the twist 1/(kg m^2)
} mo_spin_center;

static inline mo_spin_center mo_spin_center_of(const mo_symmetric_lanes *k) {
  mo_f32x4 inverse = mo_inverse_or_zero(k->zz), x = -inverse * k->yz, y = inverse * k->xz;
  return (mo_spin_center){x, y, k->xx - y * k->xz, k->xy + x * k->xz, k->yy + x * k->yz, k->zz};
}

/// The impulse of a patch that slips with the velocity u: rounds of projected Gauss-Seidel over its
/// `n` points, from their shares of the old impulse. Points that no lane of `slips` presses are
/// left out. Inlined for every number of points, without which the points would be in memory.
static inline __attribute__((always_inline)) mo_vec3x4 mo_slip_points(const mo_contact_group *group,
                                                                      int n,
                                                                      const mo_patch_load *load,
                                                                      mo_i32x4 slips, mo_vec3x4 u) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_symmetric_lanes k = mo_factor_product(&group->patch.mass);
  mo_spin_center c = mo_spin_center_of(&k);
  mo_patch_shares shares = mo_patch_divide(load, group->patch.impulse);
  mo_slipping_point points[4];
  mo_tangents places[4];
  int presses[4];
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_tangents share = mo_patch_share(&shares, point);
    mo_f32x4 x = point->x - c.x, y = point->y - c.y, lever = y * c.zz;
    places[i] = (mo_tangents){x, y};
    presses[i] = mo_i32x4_bits(slips & (point->impulse > zero));
    points[i] =
        mo_slipping_point_of((mo_tangents){point->impulse * share.x, point->impulse * share.y},
                             group->friction * point->impulse, c.xx + y * lever, c.xy - x * lever,
                             c.yy + x * (x * c.zz));
  }
  u.x -= c.y * u.z;
  u.y += c.x * u.z;
  mo_i32x4 active = slips; // lanes that others do not keep busy
  for (int round = 0; round < MO_FRICTION_ROUNDS; round++) {
    mo_i32x4 moves = mo_i32x4_splat(0);
    for (int i = 0; i < n; i++) {
      if (presses[i] != 0) {
        mo_tangents at = places[i], old = points[i].impulse;
        mo_tangents now =
            mo_slipping_point_step(&points[i], (mo_tangents){u.x - at.y * u.z, u.y + at.x * u.z});
        now = mo_tangents_select(active, now, old);
        mo_f32x4 x = now.x - old.x, y = now.y - old.y;
        mo_f32x4 least = mo_f32x4_splat(MO_LEAST_SLIP_CHANGE) * points[i].limit;
        points[i].impulse = now;
        u.x += c.xx * x + c.xy * y;
        u.y += c.xy * x + c.yy * y;
        u.z += c.zz * (at.x * y - at.y * x);
        moves |= x * x + y * y > least * least;
      }
    }
    active &= moves;
    if (mo_i32x4_bits(active) == 0) {
      break;
    }
  }
  mo_vec3x4 sum = {zero, zero, zero};
  for (int i = 0; i < n; i++) {
    const mo_group_point *place = &group->points[i];
    mo_tangents impulse = points[i].impulse;
    sum = mo_vec3x4_add(
        sum, (mo_vec3x4){impulse.x, impulse.y, place->x * impulse.y - place->y * impulse.x});
  }
  return sum;
}

/// The same for a number of points that is known only here: one function for all, which no compiler
/// puts into the loop of a sweep, where its variables would push out those of the normals.
MO_APART mo_vec3x4 mo_patch_slip(const mo_contact_group *group, int n, const mo_patch_load *load,
                                 mo_i32x4 slips, mo_vec3x4 u) {
  return n > 2 ? mo_slip_points(group, 4, load, slips, u)
               : mo_slip_points(group, 2, load, slips, u);
}

/// The impulse of a patch whose load is at one place: a force there.
MO_APART mo_vec3x4 mo_patch_pivot(const mo_contact_group *group, mo_f32x4 sum,
                                  const mo_patch_load *load, mo_vec3x4 u) {
  mo_symmetric_lanes k = mo_factor_product(&group->patch.mass);
  mo_f32x4 x = load->center.x, y = load->center.y;
  mo_vec3x4 old = group->patch.impulse;
  mo_vec3x4 twist = {k.xz, k.yz, k.zz};
  u = mo_vec3x4_add_scaled(u, x * old.y - y * old.x - old.z, twist);
  mo_f32x4 xz = k.xz - y * k.zz;
  mo_slipping_point point = mo_slipping_point_of((mo_tangents){old.x, old.y}, group->friction * sum,
                                                 k.xx - y * (k.xz + xz), k.xy - y * k.yz + x * xz,
                                                 k.yy + x * (k.yz + k.yz + x * k.zz));
  mo_tangents now = mo_slipping_point_step(&point, (mo_tangents){u.x - y * u.z, u.y + x * u.z});
  return (mo_vec3x4){now.x, now.y, x * now.y - y * now.x};
}

/// One step of friction of contacts with `n` points, several, against the velocity u along the
/// tangents (x, y) and about the normal (z), under the normal impulses of the points, `sum` in all.
/// What has no load has no friction. Returns the impulse that was added.
static inline mo_vec3x4 mo_patch_step(mo_contact_group *group, int n, mo_f32x4 sum, mo_vec3x4 u) {
  mo_friction_patch *patch = &group->patch;
  mo_f32x4 zero = mo_f32x4_zero();
  mo_vec3x4 old = patch->impulse, now = mo_vec3x4_sub(old, mo_factor_solve(&patch->mass, u));
  mo_patch_load load = mo_patch_load_of(group, n, sum);
  mo_i32x4 presses = sum * sum > mo_f32x4_splat(MO_FRICTION_TINY);
  mo_i32x4 pivots = presses & ~load.spreads;
  mo_i32x4 slips = presses & load.spreads & ~mo_patch_sticks(group, n, &load, now);
  if (mo_i32x4_bits(slips) != 0) {
    mo_vec3x4 slip = mo_patch_slip(group, n, &load, slips, u);
    now = mo_vec3x4_select(slips, slip, now);
  }
  if (mo_i32x4_bits(pivots) != 0) {
    now = mo_vec3x4_select(pivots, mo_patch_pivot(group, sum, &load, u), now);
  }
  patch->impulse = mo_vec3x4_select(presses, now, (mo_vec3x4){zero, zero, zero});
  patch->total = mo_vec3x4_add(patch->total, patch->impulse);
  return mo_vec3x4_sub(patch->impulse, old);
}
