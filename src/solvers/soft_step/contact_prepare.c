#include "solvers/soft_step/friction_disc.h"

/// Least weight of a point in the friction centre, relative to one that just touches.
#define LEAST_WEIGHT 0.01f

// --- frames ----------------------------------------------------------------------------------

/// Tangents by the rule of mo_tangent_basis.
static inline void set_tangents(mo_contact_group *group) {
  mo_vec3x4 n = group->normal;
  mo_f32x4 ax = mo_f32x4_abs(n.x), ay = mo_f32x4_abs(n.y), az = mo_f32x4_abs(n.z);
  mo_i32x4 is_x = (ax <= ay) & (ax <= az), is_y = ~is_x & (ay <= az), is_z = ~(is_x | is_y);
  mo_f32x4 one = mo_f32x4_splat(1.0f);
  mo_vec3x4 axis = {mo_f32x4_keep(is_x, one), mo_f32x4_keep(is_y, one), mo_f32x4_keep(is_z, one)};
  mo_vec3x4 t = mo_vec3x4_add_scaled(axis, -mo_vec3x4_dot(axis, n), n);
  group->tangent_1 = mo_vec3x4_scale(one / mo_f32x4_sqrt(mo_vec3x4_dot(t, t)), t);
  group->tangent_2 = mo_vec3x4_cross(n, group->tangent_1);
}

// --- points ----------------------------------------------------------------------------------

/// What of the prepare lives no longer than the prepare.
typedef struct group_frames {
  const mo_soft_contact *contacts[4];
  mo_f32x4 separations[4];          // of the points
  mo_vec3x4 arms_a[4], arms_b[4];   // of the points
  mo_vec3x4 spins_a[4], spins_b[4]; // I^-1 (r x n)
  mo_f32x4 weights[4];
  mo_vec3x4 tangent_impulse; // stored, world
  mo_f32x4 restitution;
} group_frames;

static inline mo_i32x4 used_lanes(const mo_contact_group *group, const group_frames *f, int point) {
  mo_i32x4 used;
  for (uint32_t i = 0; i < 4; i++) {
    used[i] = i < group->lanes && (uint32_t)point < f->contacts[i]->point_count ? -1 : 0;
  }
  return used;
}

static inline void prepare_point(const mo_contact_solve *solve, mo_contact_group *group,
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
  mo_vec3x4 arm_a = {mo_f32x4_keep(used, head[0]), mo_f32x4_keep(used, head[1]),
                     mo_f32x4_keep(used, head[2])};
  mo_vec3x4 arm_b = {mo_f32x4_keep(used, head[3]), mo_f32x4_keep(used, tail[0]),
                     mo_f32x4_keep(used, tail[1])};
  f->arms_a[i] = arm_a;
  f->arms_b[i] = arm_b;

  mo_group_point *point = &group->points[i];
  mo_vec3x4 turn_a = mo_vec3x4_cross(arm_a, group->normal);
  mo_vec3x4 turn_b = mo_vec3x4_cross(arm_b, group->normal);
  mo_f32x4 separation = mo_f32x4_keep(used, f->separations[i]);
  f->spins_a[i] = mo_mass_lanes_turn(&group->mass_a, turn_a);
  f->spins_b[i] = mo_mass_lanes_turn(&group->mass_b, turn_b);
  mo_f32x4 k = group->mass_a.inverse_mass + group->mass_b.inverse_mass +
               mo_row_coupling(turn_a, f->spins_a[i], turn_b, f->spins_b[i]);
  point->turn_a = turn_a;
  point->turn_b = turn_b;
  point->start_separation = point->separation = separation;
  point->mass = mo_f32x4_keep(used, mo_inverse_or_zero(k));
  point->impulse = mo_f32x4_keep(used, tail[2]) * mo_f32x4_splat(solve->warm_scale);
  point->total = point->rebound = point->lever = mo_f32x4_zero();

  // deep points carry more, those at the margin next to nothing
  mo_f32x4 margin = mo_f32x4_splat(solve->friction_margin);
  f->weights[i] =
      mo_f32x4_keep(used, mo_f32x4_max(margin - separation, mo_f32x4_splat(LEAST_WEIGHT) * margin));
}

/// K of the normal rows of two points of a contact.
static inline void set_coupling(mo_contact_group *group, const group_frames *f, int n) {
  mo_f32x4 *coupling = mo_group_coupling(group);
  mo_f32x4 linear = group->mass_a.inverse_mass + group->mass_b.inverse_mass;
  for (int i = 1; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    for (int j = 0; j < i; j++) {
      *coupling++ =
          linear + mo_row_coupling(point->turn_a, f->spins_a[j], point->turn_b, f->spins_b[j]);
    }
  }
}

/// The speed that points which approach fast enough shall leave with.
static void set_rebounds(const mo_contact_solve *solve, mo_contact_group *group,
                         const group_frames *f, int n) {
  const mo_soft_body *bodies = solve->step->bodies;
  mo_velocity_lanes a = mo_gather_velocities(bodies, group->a);
  mo_velocity_lanes b = mo_gather_velocities(bodies, group->b);
  mo_f32x4 linear = mo_vec3x4_dot(group->normal, mo_vec3x4_sub(b.linear, a.linear));
  mo_f32x4 threshold = mo_f32x4_splat(solve->restitution_threshold);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    mo_f32x4 approach =
        mo_vec3x4_dot(point->turn_a, a.angular) - mo_vec3x4_dot(point->turn_b, b.angular) - linear;
    mo_i32x4 fast = (approach > threshold) & (point->mass > mo_f32x4_zero());
    point->rebound = mo_f32x4_keep(fast, f->restitution * approach);
    group->bounces |= mo_i32x4_bits(point->rebound > mo_f32x4_zero()) != 0;
  }
}

// --- friction --------------------------------------------------------------------------------

/// The friction centre, how far the points are from it, and the twist about it.
static inline void set_center(mo_contact_group *group, const group_frames *f, int n) {
  mo_vec3x4 arm_a = mo_vec3x4_scale(f->weights[0], f->arms_a[0]);
  mo_vec3x4 arm_b = mo_vec3x4_scale(f->weights[0], f->arms_b[0]);
  mo_f32x4 sum = f->weights[0];
  for (int i = 1; i < n; i++) {
    arm_a = mo_vec3x4_add_scaled(arm_a, f->weights[i], f->arms_a[i]);
    arm_b = mo_vec3x4_add_scaled(arm_b, f->weights[i], f->arms_b[i]);
    sum += f->weights[i];
  }
  mo_f32x4 inverse_sum = mo_inverse_or_zero(sum);
  group->patch.arm_a = mo_vec3x4_scale(inverse_sum, arm_a);
  group->patch.arm_b = mo_vec3x4_scale(inverse_sum, arm_b);
  for (int i = 0; i < n && n > 1; i++) {
    mo_vec3x4 d = mo_vec3x4_sub(f->arms_a[i], group->patch.arm_a);
    mo_vec3x4 across = mo_vec3x4_cross(group->normal, d);
    group->points[i].lever = mo_f32x4_keep(group->points[i].mass > mo_f32x4_zero(),
                                           mo_f32x4_sqrt(mo_vec3x4_dot(across, across)));
  }
}

static inline void set_twist(mo_contact_group *group) {
  mo_vec3x4 n = group->normal;
  mo_vec3x4 spin_a = mo_mass_lanes_turn(&group->mass_a, n);
  mo_vec3x4 spin_b = mo_mass_lanes_turn(&group->mass_b, n);
  const mo_group_disc *disc = &group->patch;
  mo_vec3x4 velocity =
      mo_vec3x4_add(mo_vec3x4_cross(spin_b, disc->arm_b), mo_vec3x4_cross(spin_a, disc->arm_a));
  group->twist_mass = mo_inverse_or_zero(mo_vec3x4_dot(n, spin_a) + mo_vec3x4_dot(n, spin_b));
  group->twist_1 = mo_vec3x4_dot(group->tangent_1, velocity);
  group->twist_2 = mo_vec3x4_dot(group->tangent_2, velocity);
}

static inline void set_tangent_impulse(mo_contact_group *group, mo_group_disc *disc,
                                       mo_vec3x4 impulse) {
  disc->impulse_1 = mo_vec3x4_dot(group->tangent_1, impulse);
  disc->impulse_2 = mo_vec3x4_dot(group->tangent_2, impulse);
  disc->total_1 = disc->total_2 = mo_f32x4_zero();
}

/// Friction per point: the impulses of the last step are shared out by the load.
static void set_discs(mo_contact_group *group, const group_frames *f) {
  mo_f32x4 load = mo_f32x4_zero(), lever_load = mo_f32x4_zero();
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_point *point = &group->points[i];
    load += point->impulse;
    lever_load += point->impulse * point->lever * point->lever;
  }
  mo_f32x4 share = mo_inverse_or_zero(load);
  mo_f32x4 spin = group->twist_impulse * mo_inverse_or_zero(lever_load);
  for (uint32_t i = 0; i < group->point_count; i++) {
    mo_group_disc *disc = &group->discs[i];
    mo_f32x4 impulse = group->points[i].impulse;
    disc->arm_a = f->arms_a[i];
    disc->arm_b = f->arms_b[i];
    mo_disc_prepare(group, disc);
    mo_vec3x4 around =
        mo_vec3x4_cross(group->normal, mo_vec3x4_sub(disc->arm_a, group->patch.arm_a));
    mo_vec3x4 p = mo_vec3x4_scale(share * impulse, f->tangent_impulse);
    set_tangent_impulse(group, disc, mo_vec3x4_add_scaled(p, spin * impulse, around));
  }
}

// --- warm start ------------------------------------------------------------------------------

/// Impulse on B of friction at a disc, added with its torques.
static inline void add_disc(const mo_contact_group *group, const mo_group_disc *disc,
                            mo_vec3x4 *impulse, mo_vec3x4 *torque_a, mo_vec3x4 *torque_b) {
  mo_vec3x4 p = mo_vec3x4_add_scaled(mo_vec3x4_scale(disc->impulse_1, group->tangent_1),
                                     disc->impulse_2, group->tangent_2);
  *impulse = mo_vec3x4_add(*impulse, p);
  *torque_a = mo_vec3x4_add(*torque_a, mo_vec3x4_cross(disc->arm_a, p));
  *torque_b = mo_vec3x4_add(*torque_b, mo_vec3x4_cross(disc->arm_b, p));
}

/// Adds the change of velocity by the impulses that the step starts with.
static inline void carry_warm_start(const mo_contact_solve *solve, const mo_contact_group *group,
                                    int n) {
  mo_f32x4 sum = mo_f32x4_zero();
  // with friction per point the twist is in the impulses of the points
  mo_f32x4 twist = group->discs ? sum : group->twist_impulse;
  mo_vec3x4 torque_a = mo_vec3x4_scale(twist, group->normal), torque_b = torque_a;
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    sum += point->impulse;
    torque_a = mo_vec3x4_add_scaled(torque_a, point->impulse, point->turn_a);
    torque_b = mo_vec3x4_add_scaled(torque_b, point->impulse, point->turn_b);
  }
  mo_vec3x4 impulse = mo_vec3x4_scale(sum, group->normal);
  if (group->discs) {
    for (int i = 0; i < n; i++) {
      add_disc(group, &group->discs[i], &impulse, &torque_a, &torque_b);
    }
  } else {
    add_disc(group, &group->patch, &impulse, &torque_a, &torque_b);
  }

  float *linear = solve->carry->linear, *angular = solve->carry->angular;
  const uint32_t *a = group->a, *b = group->b, stride = MO_SOFT_CARRY_STRIDE;
  mo_vec3x4 v = mo_gather_rows(linear, stride, a), w = mo_gather_rows(angular, stride, a);
  v = mo_vec3x4_add_scaled(v, -group->mass_a.inverse_mass, impulse);
  w = mo_vec3x4_sub(w, mo_mass_lanes_turn(&group->mass_a, torque_a));
  mo_scatter_rows(linear, stride, a, v);
  mo_scatter_rows(angular, stride, a, w);
  v = mo_gather_rows(linear, stride, b), w = mo_gather_rows(angular, stride, b);
  v = mo_vec3x4_add_scaled(v, group->mass_b.inverse_mass, impulse);
  w = mo_vec3x4_add(w, mo_mass_lanes_turn(&group->mass_b, torque_b));
  mo_scatter_rows(linear, stride, b, v);
  mo_scatter_rows(angular, stride, b, w);
}

// --- groups ----------------------------------------------------------------------------------

/// Bodies, frames and what is one per contact.
static inline void prepare_head(const mo_contact_solve *solve, mo_contact_group *group,
                                group_frames *f) {
  const mo_soft_step *step = solve->step;
  mo_f32x4 normal[4], tangent[4];
  for (uint32_t i = 0; i < 4; i++) {
    const mo_soft_contact *contact = f->contacts[i];
    bool used = i < group->lanes;
    group->a[i] = used ? step->indices[contact->pair.slot_a] : 0;
    group->b[i] = used ? step->indices[contact->pair.slot_b] : 0;
    // a normal is followed by the coefficient of friction, a tangent by the twist
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
  group->mass_a = mo_gather_masses(step->masses, group->a);
  group->mass_b = mo_gather_masses(step->masses, group->b);
  group->friction = normal[3];
  set_tangents(group);

  mo_f32x4 zero = mo_f32x4_zero(), scale = mo_f32x4_splat(solve->warm_scale);
  f->tangent_impulse = mo_vec3x4_scale(scale, (mo_vec3x4){tangent[0], tangent[1], tangent[2]});
  mo_i32x4 moves = (group->mass_a.inverse_mass > zero) | (group->mass_b.inverse_mass > zero);
  f->tangent_impulse = (mo_vec3x4){mo_f32x4_keep(moves, f->tangent_impulse.x),
                                   mo_f32x4_keep(moves, f->tangent_impulse.y),
                                   mo_f32x4_keep(moves, f->tangent_impulse.z)};
  group->twist_impulse = mo_f32x4_keep(moves, scale * tangent[3]);
  group->twist_total = zero;
  mo_i32x4 both = (group->mass_a.inverse_mass > zero) & (group->mass_b.inverse_mass > zero);
  group->push_rate = mo_f32x4_select(both, mo_f32x4_splat(solve->push_rate),
                                     mo_f32x4_splat(solve->static_push_rate));
  group->softness = mo_f32x4_select(both, mo_f32x4_splat(solve->softness),
                                    mo_f32x4_splat(solve->static_softness));
}

static inline void prepare(const mo_contact_solve *solve, mo_contact_group *group,
                           const mo_soft_contact *contacts, int n) {
  group_frames f;
  for (uint32_t i = 0; i < 4; i++) {
    f.contacts[i] = &contacts[i < group->lanes ? i : 0]; // what unused lanes read has no effect
  }
  prepare_head(solve, group, &f);
  for (int i = 0; i < n; i++) {
    prepare_point(solve, group, &f, i);
  }
  set_coupling(group, &f, n);
  set_center(group, &f, n);
  mo_disc_prepare(group, &group->patch);
  set_tangent_impulse(group, &group->patch, f.tangent_impulse);
  if (n > 1) {
    set_twist(group);
  } else {
    group->twist_impulse = mo_f32x4_zero();
  }
  if (group->discs) {
    set_discs(group, &f);
  }
  group->bounces = 0;
  if (mo_i32x4_bits(f.restitution > mo_f32x4_zero()) != 0) {
    set_rebounds(solve, group, &f, n);
  }
  carry_warm_start(solve, group, n);
}

void mo_contacts_prepare(mo_contact_solve *solve, uint32_t colour, uint32_t first, uint32_t last) {
  const mo_soft_contact *contacts = solve->step->colours[colour].contacts;
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = solve->colours[colour].groups[i];
    switch (group->point_count) {
    case 1:
      prepare(solve, group, &contacts[group->first], 1);
      break;
    case 2:
      prepare(solve, group, &contacts[group->first], 2);
      break;
    default:
      prepare(solve, group, &contacts[group->first], 4);
      break;
    }
  }
}
