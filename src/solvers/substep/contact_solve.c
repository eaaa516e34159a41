#include "solvers/substep/friction_disc.h"

/// Sweeps of restitution over the points of a contact. Each sweep reduces what one point's rebound
/// takes from the others by a factor of about four.
#define RESTITUTION_SWEEPS 8

// --- points ----------------------------------------------------------------------------------

/// Motion along the normal at one of `n` points.
static inline mo_f32x4 at_point(const mo_group_point *point, const mo_frame_motion *m, int n) {
  mo_f32x4 motion = m->along_n;
  if (n > 1) {
    motion += point->y * m->about_1 - point->x * m->about_2;
  }
  return motion;
}

/// Updates the separations, which the next solve with bias reads again.
static inline void update_separations(const mo_solver_body *bodies, mo_contact_group *group,
                                      const mo_frame_axes *f, int n) {
  mo_frame_motion displacement = mo_frame_gather(group, f, bodies->displacement);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    point->separation = point->start_separation + at_point(point, &displacement, n);
  }
}

/// Sets the spring of touching points, or none.
static inline void find_spring(const mo_contact_solve *solve, const mo_frame_masses *masses,
                               mo_f32x4 *push_rate, mo_f32x4 *softness) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_i32x4 both = (masses->a.inverse_mass > zero) & (masses->b.inverse_mass > zero);
  *push_rate = mo_f32x4_select(both, mo_f32x4_splat(solve->moving.push_rate),
                               mo_f32x4_splat(solve->beside_static.push_rate));
  *softness = mo_f32x4_select(both, mo_f32x4_splat(solve->moving.softness),
                              mo_f32x4_splat(solve->beside_static.softness));
}

// --- friction --------------------------------------------------------------------------------

/// Friction of the whole contact: first the twist about the normal, then the disc at the centre.
static inline void relax_patch(mo_contact_group *group, mo_frame_motion *m, mo_frame_motion *p,
                               int n, mo_f32x4 lever_load) {
  if (n > 1) {
    mo_f32x4 limit = group->friction * lever_load, old = group->twist_impulse;
    group->twist_impulse = mo_f32x4_clamp(old - group->twist_mass * m->about_n, -limit, limit);
    group->twist_total += group->twist_impulse;
    p->about_n = group->twist_impulse - old;
    m->along_1 += group->twist_to_1 * p->about_n;
    m->along_2 += group->twist_to_2 * p->about_n;
  }
}

/// Friction of every point on its own.
static void relax_discs(mo_contact_group *group, mo_frame_motion *m, mo_frame_motion *p) {
  const mo_group_disc *patch = &group->patch; // it holds the inverse of K
  mo_f32x4 scale =
      mo_inverse_or_zero(patch->mass_11 * patch->mass_22 - patch->mass_12 * patch->mass_12);
  mo_f32x4 k11 = scale * patch->mass_22, k22 = scale * patch->mass_11;
  mo_f32x4 k12 = -scale * patch->mass_12, k_twist = mo_inverse_or_zero(group->twist_mass);
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 u1 = m->along_1 - point->y * m->about_n, u2 = m->along_2 + point->x * m->about_n;
    mo_disc_step(&group->discs[i], group->friction * point->impulse, &u1, &u2);
    mo_f32x4 twist = point->x * u2 - point->y * u1;
    p->along_1 += u1;
    p->along_2 += u2;
    p->about_n += twist;
    m->along_1 += k11 * u1 + k12 * u2 + group->twist_to_1 * twist;
    m->along_2 += k12 * u1 + k22 * u2 + group->twist_to_2 * twist;
    m->about_n += group->twist_to_1 * u1 + group->twist_to_2 * u2 + k_twist * twist;
  }
}

/// Adds the change by the normal impulses `p` to the motion that friction sees.
static inline void couple_friction(const mo_contact_group *group, const mo_frame_motion *p, int n,
                                   mo_frame_motion *m) {
  m->along_1 += group->normal_to_1.x * p->along_n;
  m->along_2 += group->normal_to_2.x * p->along_n;
  if (n > 1) {
    m->along_1 += group->normal_to_1.y * p->about_1 + group->normal_to_1.z * p->about_2;
    m->along_2 += group->normal_to_2.y * p->about_1 + group->normal_to_2.z * p->about_2;
    mo_vec3x4 normal = {p->along_n, p->about_1, p->about_2};
    m->about_n += mo_vec3x4_dot(group->normal_to_twist, normal);
  }
}

// --- a sweep ---------------------------------------------------------------------------------

/// Limits rebounds of points that have not been hit yet to the speed with which they are hit: other
/// impulses and its inertia may have turned the body since the start of the step.
MO_APART void limit_rebounds(const mo_contact_solve *solve, mo_contact_group *group) {
  mo_f32x4 *rebounds = mo_group_rebounds(group), zero = mo_f32x4_zero();
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_frame_motion m = mo_frame_gather(group, &f, solve->step->bodies->linear_velocity);
  int n = (int)group->point_count;
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 speed = rebounds[n] * mo_f32x4_max(-at_point(point, &m, n), zero);
    mo_i32x4 is_hit = point->total > zero;
    rebounds[i] = mo_f32x4_select(is_hit, rebounds[i], mo_f32x4_min(rebounds[i], speed));
  }
}

static void sweep(const mo_contact_solve *solve, mo_contact_group *group, int n, bool relaxes) {
  mo_solver_body *bodies = solve->step->bodies;
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  mo_f32x4 inverse_h = mo_f32x4_splat(solve->inverse_h);
  mo_f32x4 push_limit = mo_f32x4_splat(-solve->push_limit);
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_frame_masses masses = mo_frame_gather_masses(solve->step, group);
  mo_f32x4 push_rate = zero, soft = one;
  if (relaxes) {
    update_separations(bodies, group, &f, n);
  } else {
    find_spring(solve, &masses, &push_rate, &soft);
  }
  mo_frame_motion m = mo_frame_gather(group, &f, bodies->linear_velocity);
  mo_frame_motion p = {zero, zero, zero, zero, zero, zero};
  const mo_f32x4 *coupling = mo_group_coupling(group);
  mo_f32x4 changes[4], load = zero, lever_load = zero;
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    mo_f32x4 s = point->separation, old = point->impulse;
    // open: may close within the substep; touching: a soft push, limited in speed
    mo_f32x4 speed = at_point(point, &m, n) + mo_f32x4_max(s, zero) * inverse_h;
    if (!relaxes) {
      speed += mo_f32x4_max(push_rate * mo_f32x4_min(s, zero), push_limit);
    }
    mo_f32x4 wanted = old - point->mass * speed;
    for (int j = 0; j < i; j++) {
      wanted -= *coupling++ * changes[j];
    }
    if (!relaxes) {
      wanted *= mo_f32x4_select(s > zero, one, soft);
    }
    point->impulse = mo_f32x4_max(wanted, zero);
    changes[i] = point->impulse - old;
    mo_frame_push_at(point, changes[i], &p);
    if (relaxes) {
      point->total += point->impulse;
      load += point->impulse;
      if (n > 1) {
        mo_f32x4 lever = mo_f32x4_sqrt(point->x * point->x + point->y * point->y);
        lever_load += lever * point->impulse;
      }
    }
  }
  if (relaxes) {
    couple_friction(group, &p, n, &m);
    if (group->discs) {
      relax_discs(group, &m, &p);
    } else {
      relax_patch(group, &m, &p, n, lever_load);
      mo_disc_step(&group->patch, group->friction * load, &m.along_1, &m.along_2);
      p.along_1 = m.along_1;
      p.along_2 = m.along_2;
    }
  }
  mo_frame_push(group, &f, &masses, &p, n, bodies->linear_velocity, MO_SOLVER_BODY_STRIDE);
}

static void sweep_all(mo_contact_solve *solve, uint32_t first, uint32_t last, bool relaxes) {
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = solve->groups[i];
    if (!relaxes && group->bounces) {
      limit_rebounds(solve, group);
    }
    sweep(solve, group, (int)group->point_count, relaxes);
  }
}

void mo_contacts_solve_biased(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  sweep_all(solve, first, last, false);
}

void mo_contacts_relax(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  sweep_all(solve, first, last, true);
}

// --- restitution -----------------------------------------------------------------------------

/// The change of the motion along the normal at one point by a normal impulse at another one.
static inline mo_f32x4 coupling_of(const mo_contact_group *group, const mo_f32x4 *coupling, int i,
                                   int j) {
  int row = i > j ? i : j, column = i > j ? j : i;
  mo_f32x4 mass = group->points[row].mass;
  mo_f32x4 k = i == j ? mo_f32x4_splat(1.0f) : coupling[row * (row - 1) / 2 + column];
  return mo_f32x4_keep(mass > mo_f32x4_zero(), k / mass);
}

/// The energy, J, that impulses at the points take from a motion along the normals that they stop.
static mo_f32x4 energy_of(const mo_contact_group *group, const mo_f32x4 *coupling,
                          const mo_f32x4 impulses[4]) {
  int n = (int)group->point_count;
  mo_f32x4 twice = mo_f32x4_zero();
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      twice += impulses[i] * impulses[j] * coupling_of(group, coupling, i, j);
    }
  }
  return mo_f32x4_splat(0.5f) * twice;
}

/// The fraction of the rebound that needs no more energy than restitution returns of the approach.
/// The rebound speeds are those of the start of the step; since then the bodies have turned, and
/// other points have changed the motion.
static mo_f32x4 affordable_part(mo_contact_group *group, const mo_f32x4 *coupling,
                                const mo_f32x4 before[4], const mo_f32x4 changes[4]) {
  mo_f32x4 totals[4], zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f), work = zero;
  for (uint32_t i = 0; i < group->point_count; i++) {
    totals[i] = group->points[i].total;
    work += changes[i] * before[i];
  }
  mo_f32x4 given = mo_group_rebounds(group)[group->point_count] *
                   mo_group_rebounds(group)[group->point_count] *
                   energy_of(group, coupling, totals);
  // part^2 own + part work = given
  mo_f32x4 own = energy_of(group, coupling, changes);
  mo_f32x4 root =
      mo_f32x4_sqrt(mo_f32x4_max(work * work + mo_f32x4_splat(4.0f) * own * given, zero));
  mo_f32x4 part = mo_f32x4_splat(2.0f) * given * mo_inverse_or_zero(work + root);
  return mo_f32x4_select(own + work > given, mo_f32x4_min(part, one), one);
}

static void restitute(const mo_contact_solve *solve, mo_contact_group *group) {
  mo_solver_body *bodies = solve->step->bodies;
  int n = (int)group->point_count;
  mo_f32x4 zero = mo_f32x4_zero();
  const mo_f32x4 *coupling = mo_group_coupling(group), *rebounds = mo_group_rebounds(group);
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_frame_masses masses = mo_frame_gather_masses(solve->step, group);
  mo_frame_motion m = mo_frame_gather(group, &f, bodies->linear_velocity);
  mo_frame_motion p = {zero, zero, zero, zero, zero, zero};
  mo_f32x4 before[4] = {zero, zero, zero, zero}, speeds[4], changes[4] = {zero, zero, zero, zero};
  for (int i = 0; i < n; i++) {
    before[i] = speeds[i] = at_point(&group->points[i], &m, n);
  }
  for (int sweep = 0; sweep < RESTITUTION_SWEEPS; sweep++) {
    for (int i = 0; i < n; i++) {
      mo_group_point *point = &group->points[i];
      mo_i32x4 struck = (rebounds[i] > zero) & (point->total > zero);
      mo_f32x4 old = point->impulse + changes[i];
      mo_f32x4 wanted = mo_f32x4_max(old - point->mass * (speeds[i] - rebounds[i]), zero);
      mo_f32x4 change = mo_f32x4_keep(struck, wanted - old);
      changes[i] += change;
      for (int j = 0; j < n; j++) {
        speeds[j] += coupling_of(group, coupling, i, j) * change;
      }
    }
  }
  mo_f32x4 part = affordable_part(group, coupling, before, changes);
  for (int i = 0; i < n; i++) {
    mo_f32x4 change = part * changes[i];
    group->points[i].impulse += change;
    group->points[i].total += change;
    mo_frame_push_at(&group->points[i], change, &p);
  }
  mo_frame_push(group, &f, &masses, &p, n, bodies->linear_velocity, MO_SOLVER_BODY_STRIDE);
}

void mo_contacts_restitute(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  mo_contact_group **groups = solve->groups;
  for (uint32_t i = first; i < last; i++) {
    if (groups[i]->bounces) {
      restitute(solve, groups[i]);
    }
  }
}
