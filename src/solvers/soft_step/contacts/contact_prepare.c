#include "solvers/soft_step/contacts/contact_normals.h"
#include "solvers/soft_step/contacts/contact_surface.h"
#include "solvers/soft_step/contacts/friction_patch.h"

#include <stdatomic.h>

/// The smallest weight of a point in the friction centre, relative to one that just touches.
#define LEAST_WEIGHT 0.01f

/// Working data of the preparation.
typedef struct group_frames {
  const mo_substep_contact *contacts[4];
  mo_frame_axes axes;
  mo_f32x4 separations[4];        // of the points
  mo_vec3x4 arms_a[4], arms_b[4]; // of the points
  mo_f32x4 tangent_1, tangent_2;  // stored impulse, N s
  mo_f32x4 twist;                 // stored impulse, N m s
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
  group->masses.a = mo_gather_masses(step->masses, group->a);
  group->masses.b = mo_gather_masses(step->masses, group->b);

  mo_f32x4 zero = mo_f32x4_zero(), scale = mo_f32x4_splat(solve->warm_scale);
  mo_i32x4 moves = (group->masses.a.inverse_mass > zero) | (group->masses.b.inverse_mass > zero);
  mo_vec3x4 impulse = {mo_f32x4_keep(moves, scale * tangent[0]),
                       mo_f32x4_keep(moves, scale * tangent[1]),
                       mo_f32x4_keep(moves, scale * tangent[2])};
  f->tangent_1 = mo_vec3x4_dot(f->axes.t1, impulse);
  f->tangent_2 = mo_vec3x4_dot(f->axes.t2, impulse);
  f->twist = mo_f32x4_keep(moves, scale * tangent[3]);
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
/// impulses along and torques about them. The first two blocks are symmetric. Contacts of a single
/// point need the first one alone, unless a torque resists rolling.
typedef struct frame_coupling {
  mo_f32x4 along_along[3][3];
  mo_f32x4 about_about[3][3];
  mo_f32x4 about_along[3][3]; ///< spin about the first axis per impulse along the second
} frame_coupling;

/// Sets what spins have to do with impulses along and torques about an axis.
static inline void couple_turns(const mo_frame_masses *masses, const mo_vec3x4 axes[3], int j,
                                mo_vec3x4 spin, frame_coupling *k) {
  mo_vec3x4 torque_spin = mo_vec3x4_add(mo_mass_lanes_turn(&masses->a, axes[j]),
                                        mo_mass_lanes_turn(&masses->b, axes[j]));
  for (int i = 0; i < 3; i++) {
    k->about_along[i][j] = mo_vec3x4_dot(axes[i], spin);
  }
  for (int i = 0; i <= j; i++) {
    k->about_about[i][j] = k->about_about[j][i] = mo_vec3x4_dot(axes[i], torque_spin);
  }
}

static void frame_coupling_of(const mo_contact_group *group, const group_frames *f, bool turns,
                              frame_coupling *k) {
  const mo_frame_masses *masses = &group->masses;
  const mo_vec3x4 axes[3] = {f->axes.n, f->axes.t1, f->axes.t2};
  mo_f32x4 linear = masses->a.inverse_mass + masses->b.inverse_mass;
  mo_vec3x4 turns_a[3], turns_b[3];
  for (int j = 0; j < 3; j++) {
    turns_a[j] = mo_vec3x4_cross(group->arm_a, axes[j]);
    turns_b[j] = mo_vec3x4_cross(group->arm_b, axes[j]);
    mo_vec3x4 spin_a = mo_mass_lanes_turn(&masses->a, turns_a[j]);
    mo_vec3x4 spin_b = mo_mass_lanes_turn(&masses->b, turns_b[j]);
    for (int i = 0; i <= j; i++) {
      mo_f32x4 along = mo_vec3x4_dot(turns_a[i], spin_a) + mo_vec3x4_dot(turns_b[i], spin_b);
      k->along_along[i][j] = k->along_along[j][i] = along;
    }
    k->along_along[j][j] += linear;
    if (turns) {
      couple_turns(masses, axes, j, mo_vec3x4_add(spin_a, spin_b), k);
    }
  }
}

/// Effective masses of the normal rows (1, y, -x) of several points.
static inline void set_normal_masses(mo_contact_group *group, const mo_symmetric_lanes *k, int n) {
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    mo_f32x4 y = point->y, x = -point->x;
    mo_f32x4 own = k->xx + (y * (k->xy + k->xy + y * k->yy + x * k->yz) +
                            x * (k->xz + k->xz + y * k->yz + x * k->zz));
    point->mass *= mo_inverse_or_zero(own);
  }
}

/// The sum over the points of m (1, y, -x) (1, y, -x)^T.
static inline mo_symmetric_lanes sum_places(const mo_contact_group *group) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_symmetric_lanes sum = {zero, zero, zero, zero, zero, zero};
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    mo_f32x4 mass = point->mass, y = mass * point->y, x = -mass * point->x;
    sum.xx += mass;
    sum.xy += y;
    sum.xz += x;
    sum.yy += y * point->y;
    sum.yz -= y * point->x;
    sum.zz -= x * point->x;
  }
  return sum;
}

/// The least 1/D of a factor: 0 if the matrix is singular.
static inline mo_f32x4 least_pivot(const mo_factor_lanes *k) {
  return mo_f32x4_min(mo_f32x4_min(k->xx, k->yy), k->zz);
}

/// (P + c K^-1)^-1.
static inline mo_symmetric_lanes soft_inverse(const mo_symmetric_lanes *places,
                                              const mo_symmetric_lanes *inverse_k, float c) {
  mo_f32x4 by = mo_f32x4_splat(c);
  mo_symmetric_lanes sum = {places->xx + by * inverse_k->xx, places->yy + by * inverse_k->yy,
                            places->zz + by * inverse_k->zz, places->xy + by * inverse_k->xy,
                            places->xz + by * inverse_k->xz, places->yz + by * inverse_k->yz};
  mo_factor_lanes factor = mo_factor(sum);
  return mo_factor_inverse(&factor);
}

/// Sets the block from which all normals of a contact are solved together.
static inline void set_normal_block(const mo_contact_solve *solve, mo_contact_group *group,
                                    const mo_symmetric_lanes *k) {
  mo_normal_block *normals = mo_group_normals(group);
  normals->k = *k;
  if (group->point_count < 3) {
    return;
  }
  mo_symmetric_lanes places = sum_places(group);
  mo_factor_lanes mass = mo_factor(*k), places_factor = mo_factor(places);
  mo_f32x4 least = mo_f32x4_min(least_pivot(&mass), least_pivot(&places_factor));
  normals->inverse_k = mo_factor_inverse(&mass);
  normals->inverse_places = mo_factor_inverse(&places_factor);
  normals->inverse_places.xx = mo_f32x4_keep(least > mo_f32x4_zero(), normals->inverse_places.xx);
  normals->inverse_soft = soft_inverse(&places, &normals->inverse_k, solve->spring.compliance);
}

/// K of the tangents and of the twist about the normal; a single point does not twist.
static inline mo_symmetric_lanes friction_mobility(const frame_coupling *k, int n) {
  mo_f32x4 zero = mo_f32x4_zero();
  bool twists = n > 1;
  return (mo_symmetric_lanes){k->along_along[1][1],
                              k->along_along[2][2],
                              twists ? k->about_about[0][0] : zero,
                              k->along_along[1][2],
                              twists ? k->about_along[0][1] : zero,
                              twists ? k->about_along[0][2] : zero};
}

static inline void set_friction_masses(mo_contact_group *group, const frame_coupling *k, int n) {
  mo_symmetric_lanes mobility = friction_mobility(k, n);
  mo_patch_prepare(&group->patch, &mobility);
  group->normal_to_1.x = k->along_along[1][0];
  group->normal_to_2.x = k->along_along[2][0];
  if (n > 1) {
    group->normal_to_1.y = k->about_along[1][1];
    group->normal_to_1.z = k->about_along[2][1];
    group->normal_to_2.y = k->about_along[1][2];
    group->normal_to_2.z = k->about_along[2][2];
    group->normal_to_twist =
        (mo_vec3x4){k->about_along[0][0], k->about_about[0][1], k->about_about[0][2]};
  }
}

/// Sets the impulses from which friction starts.
static inline void set_patch_impulse(mo_contact_group *group, const group_frames *f, int n) {
  mo_f32x4 zero = mo_f32x4_zero();
  group->patch.impulse = (mo_vec3x4){f->tangent_1, f->tangent_2, n > 1 ? f->twist : zero};
  group->patch.total = (mo_vec3x4){zero, zero, zero};
}

// --- rare cases ------------------------------------------------------------------------------

static bool is_carried(const bool *carried, const mo_contact_group *group) {
  bool is = false;
  for (uint32_t i = 0; carried && i < group->lanes; i++) {
    is = is || carried[group->a[i]] || carried[group->b[i]];
  }
  return is;
}

// --- groups ----------------------------------------------------------------------------------

/// Adds the change of velocity by the impulses from which the step starts.
static inline void carry_warm_start(const mo_contact_solve *solve, const mo_contact_group *group,
                                    const group_frames *f, int n) {
  mo_f32x4 zero = mo_f32x4_zero();
  mo_vec3x4 friction = group->patch.impulse;
  mo_frame_motion p = {zero, friction.x, friction.y, friction.z, zero, zero};
  for (int i = 0; i < n; i++) {
    mo_frame_push_at(&group->points[i], group->points[i].impulse, &p);
  }
  mo_frame_push(group, &f->axes, &group->masses, &p, n, true, solve->carry->linear,
                MO_FLOATS_OF(mo_substep_carry));
}

static inline bool starts_open(const mo_contact_group *group, int n) {
  mo_i32x4 loaded = mo_i32x4_splat(0);
  for (int i = 0; i < n; i++) {
    loaded |= group->points[i].impulse != mo_f32x4_zero();
  }
  return mo_i32x4_bits(loaded) == 0;
}

/// Sets the masses of normals and friction.
static inline void set_masses(const mo_contact_solve *solve, mo_contact_group *group,
                              const frame_coupling *k, int n) {
  if (n > 1) {
    mo_symmetric_lanes normals = {k->along_along[0][0], k->about_about[1][1], k->about_about[2][2],
                                  k->about_along[1][0], k->about_along[2][0], k->about_about[1][2]};
    set_normal_masses(group, &normals, n);
    set_normal_block(solve, group, &normals);
  } else {
    group->points[0].mass *= mo_inverse_or_zero(k->along_along[0][0]);
  }
  set_friction_masses(group, k, n);
}

/// Sets what few groups have: rebounds, further sweeps, surfaces that resist.
static inline void prepare_rare(const mo_contact_solve *solve, mo_contact_group *group,
                                const group_frames *f, const frame_coupling *k) {
  mo_group_rebound *rebound = mo_group_rebound_of(group);
  rebound->restitution = f->restitution;
  rebound->work = mo_f32x4_zero();
  for (uint32_t i = 0; i < group->point_count; i++) {
    rebound->speeds[i] = mo_f32x4_zero();
  }
  group->strikes = false;
  group->bounces = mo_i32x4_bits(f->restitution > mo_f32x4_zero()) != 0;
  group->is_carried = is_carried(solve->step->carried, group);
  if (group->surface) {
    mo_symmetric_lanes turns = {.xx = k->about_about[1][1],
                                .yy = k->about_about[2][2],
                                .zz = k->about_about[0][0],
                                .xy = k->about_about[1][2]};
    mo_contact_surface_prepare(solve, group, &f->axes, &turns);
  }
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
  group->starts_open = starts_open(group, n);
  set_center(solve, group, &f, n);
  frame_coupling_of(group, &f, n > 1 || group->surface, &k);
  set_masses(solve, group, &k, n);
  set_patch_impulse(group, &f, n);
  carry_warm_start(solve, group, &f, n);
  prepare_rare(solve, group, &f, &k);
}

void mo_contacts_prepare(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = solve->groups[i];
    prepare(solve, group);
    if (group->bounces) {
      atomic_store_explicit(&solve->bounces, true, memory_order_relaxed);
    }
  }
}
