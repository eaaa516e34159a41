#include "solvers/soft_step/contacts/contact_motion.h"
#include "solvers/soft_step/contacts/contact_rebound.h"

// --- points ----------------------------------------------------------------------------------

/// Updates the separations, which the next solve with bias reads again.
static inline void update_separations(const mo_contact_solve *solve, mo_contact_group *group,
                                      const mo_frame_axes *f, int n) {
  mo_frame_motion displacement = mo_frame_gather(group, f, solve->step->bodies->displacement);
  const mo_vec3x4 *bends = mo_contact_bends(solve, group);
  if (bends) {
    displacement.along_n += bends[solve->substep + 1].x;
  }
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    point->separation = point->start_separation + mo_motion_at_point(point, &displacement, n);
  }
}

// --- friction --------------------------------------------------------------------------------

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

/// Sets what the normal rows ask for: an open point may close within the substep. With bias, a
/// touching one is pushed softly, at a limited speed.
static inline void set_goals(const mo_contact_solve *solve, mo_contact_group *group, int n,
                             bool bounces, bool relaxes, mo_normal_goals *goals) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_f32x4 inverse_h = mo_f32x4_splat(solve->inverse_h);
  mo_f32x4 push_rate = mo_f32x4_splat(solve->spring.push_rate);
  mo_f32x4 push_limit = mo_f32x4_splat(-solve->push_limit);
  mo_i32x4 some_open = mo_i32x4_splat(0), some_touch = some_open;
  for (int i = 0; i < n; i++) {
    mo_f32x4 s = group->points[i].separation;
    mo_i32x4 is_open = s > zero, is_point = group->points[i].mass > zero;
    goals->biases[i] = mo_f32x4_max(s, zero) * inverse_h;
    if (!relaxes) {
      goals->biases[i] += mo_f32x4_max(push_rate * mo_f32x4_min(s, zero), push_limit);
    }
    some_open |= is_open & is_point;
    some_touch |= ~is_open & is_point;
  }
  goals->has_bias = !relaxes || mo_i32x4_bits(some_open) != 0;
  goals->is_soft = relaxes ? mo_i32x4_splat(0) : some_touch;
  goals->is_rigid = mo_i32x4_splat(relaxes ? -1 : 0);
  goals->spring = &solve->spring;
  goals->is_even = ~(some_open & some_touch);
  if (bounces && !relaxes && group->strikes) {
    mo_rebounds_set_goals(group, n, goals);
  }
}

/// Friction at the impulses of this sweep.
static inline void relax_friction(mo_contact_group *group, int n, mo_frame_motion *m,
                                  mo_frame_motion *p) {
  mo_f32x4 load = mo_f32x4_zero();
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    point->total += point->impulse;
    load += point->impulse;
  }
  couple_friction(group, p, n, m);
  mo_vec3x4 change = mo_contact_friction(group, n, load, m);
  p->along_1 = change.x;
  p->along_2 = change.y;
  p->about_n = change.z;
}

/// The change of the motion by the normal impulses and, without bias, by friction.
static inline __attribute__((always_inline)) mo_frame_motion
solve_rows(const mo_contact_solve *solve, mo_contact_group *group, const mo_normal_goals *goals,
           int n, bool bounces, bool relaxes, mo_frame_motion m, mo_f32x4 speeds[4]) {
  mo_f32x4 zero = mo_f32x4_zero(), changes[4];
  mo_frame_motion p = {zero, zero, zero, zero, zero, zero};
  mo_solve_normals(group, goals, n, &m, speeds, changes);
  for (int i = 0; i < n; i++) {
    group->points[i].impulse += changes[i];
    mo_frame_push_at(&group->points[i], changes[i], &p);
  }
  if (bounces && group->strikes) {
    mo_rebounds_count_work(solve, group, &p, m, relaxes);
  }
  if (relaxes) {
    mo_contact_add_slide(solve, group, &m);
    relax_friction(group, n, &m, &p);
  }
  return p;
}

/// Whether some contact has friction to lose.
static inline bool has_friction(const mo_contact_group *group) {
  mo_vec3x4 impulse = group->patch.impulse;
  mo_f32x4 zero = mo_f32x4_zero();
  return mo_i32x4_bits((impulse.x != zero) | (impulse.y != zero) | (impulse.z != zero)) != 0;
}

/// Four contacts that are open and stay so end with their speeds: what has no load has no friction.
/// Inlined for every number of points and both kinds, without which the loops over points would be
/// loops in memory, and without the calls of what bounces, for which all registers would be saved.
static inline __attribute__((always_inline)) void
sweep(const mo_contact_solve *solve, mo_contact_group *group, int n, bool bounces, bool relaxes) {
  mo_solver_body *bodies = solve->step->bodies;
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  if (relaxes) {
    update_separations(solve, group, &f, n);
  }
  mo_normal_goals goals;
  mo_f32x4 speeds[4];
  set_goals(solve, group, n, bounces, relaxes, &goals);
  mo_frame_motion m = mo_contact_motion(solve, group, &f);
  if (bounces && relaxes) {
    mo_rebounds_leave_to_next(solve, group, n, &m, &goals);
  }
  mo_normal_speeds(group, &goals, n, &m, speeds);
  if (group->starts_open && mo_stay_open(group, n, speeds) && !(relaxes && has_friction(group))) {
    return;
  }
  mo_frame_masses masses = group->masses;
  mo_frame_motion p = solve_rows(solve, group, &goals, n, bounces, relaxes, m, speeds);
  mo_frame_push(group, &f, &masses, &p, n, relaxes, bodies->linear_velocity,
                MO_FLOATS_OF(mo_solver_body));
}

MO_APART void sweep_bouncing(const mo_contact_solve *solve, mo_contact_group *group, int n,
                             bool relaxes) {
  sweep(solve, group, n, true, relaxes);
}

/// Friction under the normal impulses of a sweep with bias. It counts for the sweep that relaxes.
MO_APART void rub(const mo_contact_solve *solve, mo_contact_group *group) {
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_vec3x4 total = group->patch.total;
  mo_contact_rub(solve, group, &f, mo_group_load(group));
  group->patch.total = total;
}

/// The sweeps of a substep.
typedef enum sweep_kind { BIASED, BIASED_AGAIN, RELAXING } sweep_kind;

static void sweep_all(mo_contact_solve *solve, uint32_t first, uint32_t last, sweep_kind kind) {
  bool relaxes = kind == RELAXING;
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = solve->groups[i];
    if (kind == BIASED && group->bounces) {
      mo_rebounds_find(solve, group);
    }
    if (relaxes && group->surface) {
      mo_contact_surface_resist(solve, group);
    }
    if (group->bounces) {
      sweep_bouncing(solve, group, mo_group_room(group), relaxes);
    } else if (group->point_count > 2) {
      sweep(solve, group, 4, false, relaxes);
    } else {
      sweep(solve, group, (int)group->point_count, false, relaxes);
    }
    if (relaxes && group->surface) {
      mo_contact_surface_take_load(solve, group);
    }
  }
}

void mo_contacts_solve_biased(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  sweep_all(solve, first, last, BIASED);
}

void mo_contacts_solve_carried(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i++) {
    if (solve->groups[i]->is_carried) {
      sweep_all(solve, i, i + 1, BIASED_AGAIN);
      rub(solve, solve->groups[i]);
    }
  }
}

void mo_contacts_relax(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  sweep_all(solve, first, last, RELAXING);
}
