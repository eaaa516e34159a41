#include "solvers/substep/friction_disc.h"

/// The smallest weight of a point in the friction centre, relative to one that just touches.
#define LEAST_WEIGHT 0.01f

/// Working data of the preparation.
typedef struct group_frames {
  const mo_substep_contact *contacts[4];
  mo_frame_axes axes;
  mo_frame_masses masses;
  mo_f32x4 separations[4];        // of the points
  mo_vec3x4 arms_a[4], arms_b[4]; // of the points
  mo_f32x4 tangent_1, tangent_2;  // stored impulse
  mo_f32x4 restitution;
} group_frames;

// --- bodies and points -----------------------------------------------------------------------

/// Reads the bodies, the frames and what each contact has one of.
static inline void prepare_head(const mo_contact_solve *solve, mo_contact_group *group,
                                group_frames *f) {
  const mo_substep_solver *step = solve->step;
  mo_f32x4 normal[4], tangent[4];
  for (uint32_t i = 0; i < 4; i++) {
    const mo_substep_contact *contact = f->contacts[i];
    bool used = i < group->lanes;
    group->a[i] = used ? step->indices[contact->pair.slot_a] : 0;
    group->b[i] = used ? step->indices[contact->pair.slot_b] : 0;
    // the coefficient of friction follows a normal, the twist follows a tangent
    normal[i] = mo_f32x4_load(contact->normal);
    tangent[i] = mo_f32x4_load(contact->start_tangent);
    f->separations[i] = mo_f32x4_load(contact->separations);
    f->restitution[i] = used ? contact->restitution : 0.0f;
  }
  mo_f32x4_transpose(&normal[0], &normal[1], &normal[2], &normal[3]);
  mo_f32x4_transpose(&tangent[0], &tangent[1], &tangent[2], &tangent[3]);
  mo_f32x4_transpose(&f->separations[0], &f->separations[1], &f->separations[2],
                     &f->separations[3]);
  group->normal = (mo_vec3x4){normal[0], normal[1], normal[2]};
  group->friction = normal[3];
  f->axes = mo_frame_axes_of(group->normal);
  group->mass_a = mo_gather_masses(step->masses, group->a);
  group->mass_b = mo_gather_masses(step->masses, group->b);
  f->masses = mo_frame_gather_masses(step, group);

  mo_f32x4 zero = mo_f32x4_zero(), scale = mo_f32x4_splat(solve->warm_scale);
  mo_i32x4 moves = (f->masses.a.inverse_mass > zero) | (f->masses.b.inverse_mass > zero);
  mo_vec3x4 impulse = {mo_f32x4_keep(moves, scale * tangent[0]),
                       mo_f32x4_keep(moves, scale * tangent[1]),
                       mo_f32x4_keep(moves, scale * tangent[2])};
  f->tangent_1 = mo_vec3x4_dot(f->axes.t1, impulse);
  f->tangent_2 = mo_vec3x4_dot(f->axes.t2, impulse);
  group->twist_impulse = mo_f32x4_keep(moves, scale * tangent[3]);
  group->twist_total = zero;
}

static inline mo_i32x4 used_lanes(const mo_contact_group *group, const group_frames *f, int point) {
  mo_i32x4 used;
  for (uint32_t i = 0; i < 4; i++) {
    used[i] = i < group->lanes && (uint32_t)point < f->contacts[i]->point_count ? -1 : 0;
  }
  return used;
}

/// Reads a point. Until K is known, `mass` is 1 for a point and 0 for none.
static inline void read_point(const mo_contact_solve *solve, mo_contact_group *group,
                              group_frames *f, int i) {
  mo_f32x4 head[4], tail[4];
  for (int lane = 0; lane < 4; lane++) {
    // a point begins with its arms, then the impulse and the feature
    const float *point = f->contacts[lane]->points[i].arm_a;
    head[lane] = mo_f32x4_load(point);
    tail[lane] = mo_f32x4_load(point + 4);
  }
  mo_f32x4_transpose(&head[0], &head[1], &head[2], &head[3]);
  mo_f32x4_transpose(&tail[0], &tail[1], &tail[2], &tail[3]);
  mo_i32x4 used = used_lanes(group, f, i);
  f->arms_a[i] = (mo_vec3x4){mo_f32x4_keep(used, head[0]), mo_f32x4_keep(used, head[1]),
                             mo_f32x4_keep(used, head[2])};
  f->arms_b[i] = (mo_vec3x4){mo_f32x4_keep(used, head[3]), mo_f32x4_keep(used, tail[0]),
                             mo_f32x4_keep(used, tail[1])};
  mo_group_point *point = &group->points[i];
  point->start_separation = point->separation = mo_f32x4_keep(used, f->separations[i]);
  point->mass = mo_f32x4_keep(used, mo_f32x4_splat(1.0f));
  point->impulse = mo_f32x4_keep(used, tail[2]) * mo_f32x4_splat(solve->warm_scale);
  point->total = mo_f32x4_zero();
}

/// Sets the friction centre, in which deep points count more and those at the margin almost
/// nothing, and then the positions of the points relative to it.
static inline void set_center(const mo_contact_solve *solve, mo_contact_group *group,
                              const group_frames *f, int n) {
  mo_f32x4 zero = mo_f32x4_zero(), margin = mo_f32x4_splat(solve->friction_margin), sum = zero;
  mo_vec3x4 arm_a = {zero, zero, zero}, arm_b = arm_a;
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 weight = point->mass * mo_f32x4_max(margin - point->separation,
                                                 mo_f32x4_splat(LEAST_WEIGHT) * margin);
    arm_a = mo_vec3x4_add_scaled(arm_a, weight, f->arms_a[i]);
    arm_b = mo_vec3x4_add_scaled(arm_b, weight, f->arms_b[i]);
    sum += weight;
  }
  mo_f32x4 inverse_sum = mo_inverse_or_zero(sum);
  group->arm_a = mo_vec3x4_scale(inverse_sum, arm_a);
  group->arm_b = mo_vec3x4_scale(inverse_sum, arm_b);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    point->x = point->y = zero;
    if (n > 1) {
      mo_vec3x4 from_center = mo_vec3x4_sub(f->arms_a[i], group->arm_a);
      point->x = point->mass * mo_vec3x4_dot(f->axes.t1, from_center);
      point->y = point->mass * mo_vec3x4_dot(f->axes.t2, from_center);
    }
  }
}

// --- K ---------------------------------------------------------------------------------------

/// K of a contact in its frame: the change of relative motion along and about the axes n, t1, t2 by
/// impulses along and torques about them. The first two blocks are symmetric.
typedef struct frame_coupling {
  mo_f32x4 along_along[3][3];
  mo_f32x4 about_about[3][3];
  mo_f32x4 about_along[3][3]; ///< spin about the first axis per impulse along the second
} frame_coupling;

static void frame_coupling_of(const mo_contact_group *group, const group_frames *f,
                              frame_coupling *k) {
  const mo_frame_masses *masses = &f->masses;
  const mo_vec3x4 axes[3] = {f->axes.n, f->axes.t1, f->axes.t2};
  mo_f32x4 linear = masses->a.inverse_mass + masses->b.inverse_mass;
  mo_vec3x4 turns_a[3], turns_b[3];
  for (int j = 0; j < 3; j++) {
    turns_a[j] = mo_vec3x4_cross(group->arm_a, axes[j]);
    turns_b[j] = mo_vec3x4_cross(group->arm_b, axes[j]);
    mo_vec3x4 spin_a = mo_mass_lanes_turn(&masses->a, turns_a[j]);
    mo_vec3x4 spin_b = mo_mass_lanes_turn(&masses->b, turns_b[j]);
    mo_vec3x4 spin = mo_vec3x4_add(spin_a, spin_b);
    mo_vec3x4 torque_spin = mo_vec3x4_add(mo_mass_lanes_turn(&masses->a, axes[j]),
                                          mo_mass_lanes_turn(&masses->b, axes[j]));
    for (int i = 0; i < 3; i++) {
      k->about_along[i][j] = mo_vec3x4_dot(axes[i], spin);
    }
    for (int i = 0; i <= j; i++) {
      mo_f32x4 along = mo_vec3x4_dot(turns_a[i], spin_a) + mo_vec3x4_dot(turns_b[i], spin_b);
      k->along_along[i][j] = k->along_along[j][i] = along;
      k->about_about[i][j] = k->about_about[j][i] = mo_vec3x4_dot(axes[i], torque_spin);
    }
    k->along_along[j][j] += linear;
  }
}

/// Effective masses of the normal rows (1, y, -x), and the couplings between them.
static inline void set_normal_masses(mo_contact_group *group, const frame_coupling *k, int n) {
  mo_f32x4 *coupling = mo_group_coupling(group);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    mo_f32x4 along = k->along_along[0][0], about_1 = k->about_along[1][0],
             about_2 = k->about_along[2][0], own = along;
    if (n > 1) {
      along += point->y * k->about_along[1][0] - point->x * k->about_along[2][0];
      about_1 += point->y * k->about_about[1][1] - point->x * k->about_about[1][2];
      about_2 += point->y * k->about_about[1][2] - point->x * k->about_about[2][2];
      own = along + (point->y * about_1 - point->x * about_2);
    }
    point->mass *= mo_inverse_or_zero(own);
    for (int j = 0; j < i; j++) {
      const mo_group_point *other = &group->points[j];
      *coupling++ = point->mass * (along + (other->y * about_1 - other->x * about_2));
    }
  }
}

static inline void set_friction_masses(mo_contact_group *group, const frame_coupling *k, int n) {
  mo_disc_prepare(&group->patch, k->along_along[1][1], k->along_along[1][2], k->along_along[2][2]);
  group->normal_to_1 =
      (mo_vec3x4){k->along_along[1][0], k->about_along[1][1], k->about_along[2][1]};
  group->normal_to_2 =
      (mo_vec3x4){k->along_along[2][0], k->about_along[1][2], k->about_along[2][2]};
  group->normal_to_twist =
      (mo_vec3x4){k->about_along[0][0], k->about_about[0][1], k->about_about[0][2]};
  group->twist_mass = mo_f32x4_zero();
  group->twist_to_1 = k->about_along[0][1];
  group->twist_to_2 = k->about_along[0][2];
  if (n > 1) {
    group->twist_mass = mo_inverse_or_zero(k->about_about[0][0]);
  }
}

// --- rare cases ------------------------------------------------------------------------------

/// Sets the separating speeds of points that approach fast enough.
static void set_rebounds(const mo_contact_solve *solve, mo_contact_group *group,
                         const group_frames *f) {
  mo_f32x4 *rebounds = mo_group_rebounds(group);
  mo_frame_motion m = mo_frame_gather(group, &f->axes, solve->step->bodies->linear_velocity);
  mo_f32x4 threshold = mo_f32x4_splat(solve->restitution_threshold);
  rebounds[group->point_count] = f->restitution;
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 approach = point->x * m.about_2 - point->y * m.about_1 - m.along_n;
    mo_i32x4 fast = (approach > threshold) & (point->mass > mo_f32x4_zero());
    rebounds[i] = mo_f32x4_keep(fast, f->restitution * approach);
    group->bounces |= mo_i32x4_bits(rebounds[i] > mo_f32x4_zero()) != 0;
  }
}

static inline void set_tangent_impulse(mo_group_disc *disc, mo_f32x4 along_1, mo_f32x4 along_2) {
  disc->impulse_1 = along_1;
  disc->impulse_2 = along_2;
  disc->total_1 = disc->total_2 = mo_f32x4_zero();
}

/// Friction per point: divides the impulses of the last step by load, but no point starts with more
/// friction than its load allows. The friction centre moves from step to step. A twist that distant
/// points could carry would be far too large if only near ones are left.
static void set_discs(mo_contact_group *group, const frame_coupling *k) {
  mo_f32x4 load = mo_f32x4_zero(), lever_load = mo_f32x4_zero();
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    load += point->impulse;
    lever_load += point->impulse * (point->x * point->x + point->y * point->y);
  }
  mo_f32x4 share = mo_inverse_or_zero(load), two = mo_f32x4_splat(2.0f);
  mo_f32x4 spin = group->twist_impulse / mo_f32x4_max(lever_load, mo_f32x4_splat(MO_DISC_TINY));
  mo_f32x4 to_1 = group->twist_to_1, to_2 = group->twist_to_2, twist = k->about_about[0][0];
  for (uint32_t i = 0; i < group->point_count; i++) {
    mo_group_disc *disc = &group->discs[i];
    const mo_group_point *point = &group->points[i];
    mo_f32x4 x = point->x, y = point->y;
    mo_disc_prepare(disc, k->along_along[1][1] - two * y * to_1 + y * y * twist,
                    k->along_along[1][2] + x * to_1 - y * to_2 - x * y * twist,
                    k->along_along[2][2] + two * x * to_2 + x * x * twist);
    mo_f32x4 along_1 = point->impulse * (share * group->patch.impulse_1 - spin * y);
    mo_f32x4 along_2 = point->impulse * (share * group->patch.impulse_2 + spin * x);
    mo_f32x4 scale = mo_disc_scale(group->friction * point->impulse, along_1, along_2);
    set_tangent_impulse(disc, scale * along_1, scale * along_2);
  }
}

// --- groups ----------------------------------------------------------------------------------

/// Adds the change of velocity by the impulses from which the step starts.
static inline void carry_warm_start(const mo_contact_solve *solve, const mo_contact_group *group,
                                    const group_frames *f, int n) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_frame_motion p = {
      zero, group->patch.impulse_1, group->patch.impulse_2, group->twist_impulse, zero, zero};
  if (group->discs) {
    p.along_1 = p.along_2 = p.about_n = zero;
    for (int i = 0; i < n; i++) {
      const mo_group_disc *disc = &group->discs[i];
      p.along_1 += disc->impulse_1;
      p.along_2 += disc->impulse_2;
      p.about_n += group->points[i].x * disc->impulse_2 - group->points[i].y * disc->impulse_1;
    }
  }
  for (int i = 0; i < n; i++) {
    mo_frame_push_at(&group->points[i], group->points[i].impulse, &p);
  }
  mo_frame_push(group, &f->axes, &f->masses, &p, n, solve->carry->linear, MO_SUBSTEP_CARRY_STRIDE);
}

static void prepare(const mo_contact_solve *solve, mo_contact_group *group) {
  int n = (int)group->point_count;
  const mo_substep_contact *contacts = solve->step->colours[group->colour].contacts;
  group_frames f;
  frame_coupling k;
  for (uint32_t i = 0; i < 4; i++) {
    f.contacts[i] = &contacts[group->contacts[i]]; // data of unused lanes has no effect
  }
  prepare_head(solve, group, &f);
  for (int i = 0; i < n; i++) {
    read_point(solve, group, &f, i);
  }
  set_center(solve, group, &f, n);
  frame_coupling_of(group, &f, &k);
  set_normal_masses(group, &k, n);
  set_friction_masses(group, &k, n);
  set_tangent_impulse(&group->patch, f.tangent_1, f.tangent_2);
  if (n == 1) {
    group->twist_impulse = mo_f32x4_zero();
  }
  if (group->discs) {
    set_discs(group, &k);
  }
  group->bounces = 0;
  if (mo_i32x4_bits(f.restitution > mo_f32x4_zero()) != 0) {
    set_rebounds(solve, group, &f);
  }
  carry_warm_start(solve, group, &f, n);
}

void mo_contacts_prepare(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i++) {
    prepare(solve, solve->groups[i]);
  }
}
