#include "solvers/soft_step/contacts/contact_rebound.h"

#include "solvers/soft_step/contacts/contact_motion.h"

/// Sweeps of restitution over the points of a contact. Each sweep reduces what one point's rebound
/// takes from the others by a factor of about four.
#define RESTITUTION_SWEEPS 8

// --- a sweep -----------------------------------------------------------------------------------

void mo_rebounds_find(const mo_contact_solve *solve, mo_contact_group *group) {
  mo_group_rebound *rebound = mo_group_rebound_of(group);
  mo_f32x4 zero = mo_f32x4_zero(), threshold = mo_f32x4_splat(solve->restitution_threshold);
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_frame_motion m = mo_frame_gather(group, &f, solve->step->bodies->linear_velocity);
  mo_frame_motion gains = mo_frame_gains(solve, group, &f);
  int n = (int)group->point_count;
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 gain = -mo_motion_at_point(point, &gains, n);
    mo_f32x4 before = -mo_motion_at_point(point, &m, n) - gain;
    mo_i32x4 fast = (before > threshold) & (point->mass > zero) & (rebound->restitution > zero);
    mo_f32x4 speed =
        mo_rebound(rebound->restitution, before, gain, point->separation, solve->inverse_h);
    rebound->speeds[i] = mo_f32x4_max(rebound->speeds[i], mo_f32x4_keep(fast, speed));
    group->strikes |= mo_i32x4_bits(rebound->speeds[i] > zero) != 0;
  }
}

void mo_rebounds_set_goals(mo_contact_group *group, int n, mo_normal_goals *goals) {
  mo_f32x4 zero = mo_f32x4_zero();
  const mo_f32x4 *rebounds = mo_group_rebound_of(group)->speeds;
  mo_i32x4 rebound = mo_i32x4_splat(0);
  for (int i = 0; i < n; i++) {
    rebound |= rebounds[i] > zero;
  }
  for (int i = 0; i < n; i++) {
    goals->biases[i] =
        mo_f32x4_select(rebound, mo_f32x4_max(goals->biases[i], zero), goals->biases[i]);
  }
  goals->is_rigid |= rebound;
  goals->is_soft &= ~rebound;
}

void mo_rebounds_leave_to_next(const mo_contact_solve *solve, mo_contact_group *group, int n,
                               const mo_frame_motion *m, mo_normal_goals *goals) {
  mo_f32x4 zero = mo_f32x4_zero(), threshold = mo_f32x4_splat(solve->restitution_threshold);
  mo_i32x4 bounces = mo_group_rebound_of(group)->restitution > zero;
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_i32x4 is_far = (point->separation > zero) | (-mo_motion_at_point(point, m, n) > threshold);
    mo_i32x4 is_free = bounces & (point->impulse == zero) & is_far;
    goals->biases[i] =
        mo_f32x4_select(is_free, mo_f32x4_splat((float)MO_LARGEST_SINGLE), goals->biases[i]);
  }
}

/// J: of a motion to which the normal impulses p add theirs.
static mo_f32x4 work_along(const mo_frame_motion *m, const mo_frame_motion *p) {
  return p->along_n * m->along_n + p->about_1 * m->about_1 + p->about_2 * m->about_2;
}

/// J: of the motion that the normal impulses p make from rest.
static mo_f32x4 own_energy(mo_contact_group *group, const mo_frame_motion *p) {
  mo_f32x4 half = mo_f32x4_splat(0.5f);
  if (group->point_count == 1) {
    return half * p->along_n * p->along_n * mo_inverse_or_zero(group->points[0].mass);
  }
  mo_vec3x4 wrench = {p->along_n, p->about_1, p->about_2};
  return half * mo_vec3x4_dot(wrench, mo_symmetric_mul(&mo_group_normals(group)->k, wrench));
}

/// Adds `part` of what forces add in a substep.
static void add_gains(const mo_contact_solve *solve, const mo_contact_group *group,
                      const mo_frame_axes *f, float part, mo_frame_motion *m) {
  mo_frame_motion gains = mo_frame_gains(solve, group, f);
  mo_f32x4 by = mo_f32x4_splat(part);
  m->along_n += by * gains.along_n;
  m->about_1 += by * gains.about_1;
  m->about_2 += by * gains.about_2;
}

void mo_rebounds_count_work(const mo_contact_solve *solve, mo_contact_group *group,
                            const mo_frame_motion *p, mo_frame_motion m, bool relaxes) {
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  add_gains(solve, group, &f, relaxes ? 0.5f : -0.5f, &m);
  mo_group_rebound_of(group)->work += work_along(&m, p) + own_energy(group, p);
}

// --- after the sweeps ----------------------------------------------------------------------------

/// Adds the change of the motion by a normal impulse at a point of any group.
static inline void move_by_normal(mo_contact_group *group, const mo_group_point *point,
                                  mo_f32x4 impulse, mo_frame_motion *m) {
  if (group->point_count > 1) {
    mo_move_by_normal(&mo_group_normals(group)->k, point, impulse, m);
  } else {
    m->along_n += mo_inverse_or_zero(point->mass) * impulse;
  }
}

/// J: what forces have done since the deepest of the struck points passed the surface, where an
/// impact came late. On the way back they take it again.
static mo_f32x4 work_inside(const mo_contact_solve *solve, mo_contact_group *group,
                            const mo_frame_axes *f) {
  mo_f32x4 most = mo_f32x4_zero(), inverse_h = mo_f32x4_splat(solve->inverse_h);
  mo_frame_motion gains = mo_frame_gains(solve, group, f);
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 force = -mo_motion_at_point(point, &gains, (int)group->point_count) * point->mass;
    mo_f32x4 work = force * inverse_h * -point->separation;
    most = mo_f32x4_max(most, mo_f32x4_keep(point->impulse > mo_f32x4_zero(), work));
  }
  return most;
}

/// The part of the impulses q with which the bodies leave the surface with e^2 of the energy that
/// the contact has stopped (energetic restitution: Stronge, Impact Mechanics, 2000).
static mo_f32x4 returned_part(const mo_contact_solve *solve, mo_contact_group *group,
                              const mo_frame_axes *f, const mo_frame_motion *q, mo_frame_motion m) {
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  const mo_group_rebound *rebound = mo_group_rebound_of(group);
  add_gains(solve, group, f, 0.5f, &m);
  mo_f32x4 own = own_energy(group, q), along = work_along(&m, q), twice = own + own;
  mo_f32x4 left = mo_f32x4_min(along, zero), parts = mo_f32x4_max(along, zero);
  // 4 own times the energy; what is left of the approach is stopped by a part of q
  mo_f32x4 stopped = mo_f32x4_max(-rebound->work, zero) * (twice + twice) + left * left;
  mo_f32x4 inside = mo_f32x4_min(work_inside(solve, group, f) * (twice + twice), stopped);
  mo_f32x4 e = rebound->restitution, square = e * e;
  mo_f32x4 returned = square * stopped + mo_f32x4_max(one - square, zero) * inside;
  mo_f32x4 root = mo_f32x4_sqrt(parts * parts + returned);
  return (root - along) * mo_inverse_or_zero(twice);
}

/// Friction by the normal impulses of a rebound. Coulomb's law bounds friction by the whole normal
/// impulse of an impact, that of the restitution too (Brach, Mechanical Impact Dynamics,
/// 1991). Like the rebound it is no impulse from which the next step starts.
static mo_vec3x4 rub_rebound(const mo_contact_solve *solve, mo_contact_group *group,
                             const mo_frame_axes *f, const mo_f32x4 loads[4]) {
  mo_f32x4 zero = mo_f32x4_zero(), sum = zero, kept[4];
  mo_vec3x4 kept_friction = group->patch.impulse;
  uint32_t n = group->point_count;
  group->patch.impulse = (mo_vec3x4){zero, zero, zero};
  for (uint32_t i = 0; i < n; i++) {
    kept[i] = group->points[i].impulse;
    group->points[i].impulse = mo_f32x4_max(loads[i], zero);
    sum += group->points[i].impulse;
  }
  mo_vec3x4 change = mo_contact_rub(solve, group, f, sum);
  group->patch.impulse = kept_friction;
  for (uint32_t i = 0; i < n; i++) {
    group->points[i].impulse = kept[i];
  }
  return change;
}

/// The changes of the impulses of struck points, with which these have their rebounds.
static void find_rebound_impulses(mo_contact_group *group, mo_frame_motion m, mo_f32x4 changes[4]) {
  int n = (int)group->point_count;
  mo_f32x4 zero = mo_f32x4_zero();
  const mo_f32x4 *speeds = mo_group_rebound_of(group)->speeds;
  for (int sweep = 0; sweep < RESTITUTION_SWEEPS; sweep++) {
    for (int i = 0; i < n; i++) {
      const mo_group_point *point = &group->points[i];
      mo_i32x4 struck = (speeds[i] > zero) & (point->impulse > zero);
      mo_f32x4 old = point->impulse + changes[i];
      mo_f32x4 lacks = mo_motion_at_point(point, &m, n) - speeds[i];
      mo_f32x4 wanted = mo_f32x4_max(old - point->mass * lacks, point->impulse);
      mo_f32x4 change = mo_f32x4_keep(struck, wanted - old);
      changes[i] += change;
      move_by_normal(group, point, change, &m);
    }
  }
}

/// Lanes of which some point was struck.
static mo_i32x4 struck_lanes(mo_contact_group *group) {
  mo_f32x4 zero = mo_f32x4_zero();
  const mo_f32x4 *speeds = mo_group_rebound_of(group)->speeds;
  mo_i32x4 struck = mo_i32x4_splat(0);
  for (uint32_t i = 0; i < group->point_count; i++) {
    struck |= (speeds[i] > zero) & (group->points[i].impulse > zero);
  }
  return struck;
}

/// Takes the impulses of impacts out of those from which the next substep starts: they act once.
/// What they did stays in the velocities, as if no contact had done it.
static void end_impacts(const mo_contact_solve *solve, mo_contact_group *group,
                        const mo_frame_axes *f, mo_i32x4 struck, mo_frame_motion p) {
  int n = (int)group->point_count;
  mo_f32x4 zero = mo_f32x4_zero();
  mo_frame_masses masses = group->masses;
  mo_vec3x4 friction = group->patch.impulse;
  p.along_1 += mo_f32x4_keep(struck, friction.x);
  p.along_2 += mo_f32x4_keep(struck, friction.y);
  p.about_n += mo_f32x4_keep(struck, friction.z);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    mo_frame_push_at(point, mo_f32x4_keep(struck, point->impulse), &p);
    point->impulse = mo_f32x4_select(struck, zero, point->impulse);
  }
  group->patch.impulse =
      mo_vec3x4_select(struck, (mo_vec3x4){zero, zero, zero}, group->patch.impulse);
  mo_frame_push(group, f, &masses, &p, n, true, solve->carry->linear,
                MO_FLOATS_OF(mo_substep_carry));
}

static void restitute(const mo_contact_solve *solve, mo_contact_group *group, mo_i32x4 struck) {
  int n = (int)group->point_count;
  float *rows = solve->step->bodies->linear_velocity;
  mo_f32x4 zero = mo_f32x4_zero(), changes[4] = {zero, zero, zero, zero};
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_frame_masses masses = group->masses;
  mo_frame_motion m = mo_frame_gather(group, &f, rows);
  mo_frame_motion whole = {zero, zero, zero, zero, zero, zero}, p = whole;
  find_rebound_impulses(group, m, changes);
  for (int i = 0; i < n; i++) {
    mo_frame_push_at(&group->points[i], changes[i], &whole);
  }
  mo_f32x4 part = returned_part(solve, group, &f, &whole, m);
  for (int i = 0; i < n; i++) {
    changes[i] *= part;
    group->points[i].total += changes[i];
    mo_frame_push_at(&group->points[i], changes[i], &p);
  }
  mo_frame_push(group, &f, &masses, &p, n, false, rows, MO_FLOATS_OF(mo_solver_body));
  mo_vec3x4 friction = rub_rebound(solve, group, &f, changes);
  p.along_1 = friction.x;
  p.along_2 = friction.y;
  p.about_n = friction.z;
  end_impacts(solve, group, &f, struck, p);
}

/// The next substep has impacts of its own.
static void end_strikes(mo_contact_group *group) {
  mo_group_rebound *rebound = mo_group_rebound_of(group);
  rebound->work = mo_f32x4_zero();
  for (uint32_t i = 0; i < group->point_count; i++) {
    rebound->speeds[i] = mo_f32x4_zero();
  }
  group->strikes = false;
}

void mo_contacts_restitute(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = solve->groups[i];
    if (group->strikes) {
      mo_i32x4 struck = struck_lanes(group);
      if (mo_i32x4_bits(struck) != 0) {
        restitute(solve, group, struck);
      }
      end_strikes(group);
    }
  }
}
