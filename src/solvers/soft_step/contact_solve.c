#include "solvers/soft_step/friction_disc.h"

/// Sweeps of the restitution over the points of a contact: what one point's rebound takes from the
/// others is gone by a factor of some four per sweep.
#define RESTITUTION_SWEEPS 8

// --- velocities of a group -------------------------------------------------------------------

// Rows need the linear velocity of B relative to A only, so that is what is kept of it. The impulse
// is summed up and given to the bodies at the end.
typedef struct group_motion {
  mo_vec3x4 relative;       // v_B - v_A
  mo_vec3x4 spin_a, spin_b; // angular velocities
  mo_vec3x4 impulse;        // N s, on B
} group_motion;

static inline mo_f32x4 row_between(const float *a, const float *b) {
  return mo_f32x4_load(b) - mo_f32x4_load(a);
}

static inline group_motion motion_gather(const mo_soft_body *bodies,
                                         const mo_contact_group *group) {
  const uint32_t *a = group->a, *b = group->b;
  mo_f32x4 zero = mo_f32x4_zero();
  return (group_motion){
      mo_lanes_of_rows(row_between(bodies[a[0]].linear_velocity, bodies[b[0]].linear_velocity),
                       row_between(bodies[a[1]].linear_velocity, bodies[b[1]].linear_velocity),
                       row_between(bodies[a[2]].linear_velocity, bodies[b[2]].linear_velocity),
                       row_between(bodies[a[3]].linear_velocity, bodies[b[3]].linear_velocity)),
      mo_gather_rows(bodies->angular_velocity, MO_SOFT_BODY_STRIDE, a),
      mo_gather_rows(bodies->angular_velocity, MO_SOFT_BODY_STRIDE, b),
      {zero, zero, zero}};
}

static inline void rows_add(mo_soft_body *bodies, const uint32_t *indices, mo_vec3x4 change) {
  mo_f32x4 rows[4] = {change.x, change.y, change.z, mo_f32x4_zero()};
  mo_f32x4_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
  for (int i = 0; i < 4; i++) {
    if (mo_lane_is_written(indices[i])) {
      float *velocity = bodies[indices[i]].linear_velocity;
      mo_f32x4_store(velocity, mo_f32x4_load(velocity) + rows[i]);
    }
  }
}

static inline void motion_scatter(mo_soft_body *bodies, const mo_contact_group *group,
                                  const group_motion *m) {
  rows_add(bodies, group->a, mo_vec3x4_scale(-group->mass_a.inverse_mass, m->impulse));
  rows_add(bodies, group->b, mo_vec3x4_scale(group->mass_b.inverse_mass, m->impulse));
  mo_scatter_rows(bodies->angular_velocity, MO_SOFT_BODY_STRIDE, group->a, m->spin_a);
  mo_scatter_rows(bodies->angular_velocity, MO_SOFT_BODY_STRIDE, group->b, m->spin_b);
}

/// Adds an impulse on B, its torque impulse about A's centre to A (reversed), about B's to B.
static inline void motion_push(const mo_contact_group *group, group_motion *m, mo_vec3x4 impulse,
                               mo_vec3x4 torque_a, mo_vec3x4 torque_b) {
  mo_f32x4 inverse_mass = group->mass_a.inverse_mass + group->mass_b.inverse_mass;
  m->impulse = mo_vec3x4_add(m->impulse, impulse);
  m->relative = mo_vec3x4_add_scaled(m->relative, inverse_mass, impulse);
  m->spin_a = mo_vec3x4_sub(m->spin_a, mo_mass_lanes_turn(&group->mass_a, torque_a));
  m->spin_b = mo_vec3x4_add(m->spin_b, mo_mass_lanes_turn(&group->mass_b, torque_b));
}

/// Separating speeds of the first `n` points.
static inline void separating_speeds(const mo_contact_group *group, const group_motion *m, int n,
                                     mo_f32x4 *speeds) {
  mo_f32x4 linear = mo_vec3x4_dot(group->normal, m->relative);
  for (int i = 0; i < n; i++) {
    const mo_group_point *point = &group->points[i];
    speeds[i] = linear +
                (mo_vec3x4_dot(point->turn_b, m->spin_b) - mo_vec3x4_dot(point->turn_a, m->spin_a));
  }
}

/// Gives the bodies the changes of the normal impulses.
static inline void push_normals(const mo_contact_group *group, group_motion *m, int n,
                                const mo_f32x4 *changes) {
  mo_f32x4 sum = changes[0];
  mo_vec3x4 torque_a = mo_vec3x4_scale(changes[0], group->points[0].turn_a);
  mo_vec3x4 torque_b = mo_vec3x4_scale(changes[0], group->points[0].turn_b);
  for (int i = 1; i < n; i++) {
    sum += changes[i];
    torque_a = mo_vec3x4_add_scaled(torque_a, changes[i], group->points[i].turn_a);
    torque_b = mo_vec3x4_add_scaled(torque_b, changes[i], group->points[i].turn_b);
  }
  motion_push(group, m, mo_vec3x4_scale(sum, group->normal), torque_a, torque_b);
}

// --- solve with bias -------------------------------------------------------------------------

static inline void solve_biased(const mo_contact_solve *solve, mo_contact_group *group, int n) {
  mo_soft_body *bodies = solve->step->bodies;
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  mo_f32x4 inverse_h = mo_f32x4_splat(solve->inverse_h);
  mo_f32x4 push_limit = mo_f32x4_splat(-solve->push_limit);
  const mo_f32x4 *coupling = mo_group_coupling(group);

  group_motion m = motion_gather(bodies, group);
  mo_f32x4 speeds[4], changes[4];
  separating_speeds(group, &m, n, speeds);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    for (int j = 0; j < i; j++) {
      speeds[i] += *coupling++ * changes[j];
    }
    mo_f32x4 s = point->separation;
    // open: it may close within the substep. touching: a soft push, no faster than the limit
    mo_f32x4 open = mo_f32x4_max(s, zero) * inverse_h;
    mo_f32x4 push = mo_f32x4_max(group->push_rate * mo_f32x4_min(s, zero), push_limit);
    mo_f32x4 softness = mo_f32x4_select(s > zero, one, group->softness);
    mo_f32x4 old = point->impulse;
    mo_f32x4 wanted = old - point->mass * (speeds[i] + open + push);
    point->impulse = mo_f32x4_max(softness * wanted, zero);
    changes[i] = point->impulse - old;
  }
  push_normals(group, &m, n, changes);
  motion_scatter(bodies, group, &m);
}

void mo_contacts_solve_biased(mo_contact_solve *solve, uint32_t colour, uint32_t first,
                              uint32_t last) {
  mo_contact_group **groups = solve->colours[colour].groups;
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = groups[i];
    switch (group->point_count) {
    case 1:
      solve_biased(solve, group, 1);
      break;
    case 2:
      solve_biased(solve, group, 2);
      break;
    default:
      solve_biased(solve, group, 4);
      break;
    }
  }
}

// --- relax -----------------------------------------------------------------------------------

/// Separations at the positions of now, which the next solve with bias reads again.
static inline void update_separations(const mo_soft_body *bodies, mo_contact_group *group, int n) {
  const uint32_t *a = group->a, *b = group->b;
  mo_vec3x4 way =
      mo_lanes_of_rows(row_between(bodies[a[0]].displacement, bodies[b[0]].displacement),
                       row_between(bodies[a[1]].displacement, bodies[b[1]].displacement),
                       row_between(bodies[a[2]].displacement, bodies[b[2]].displacement),
                       row_between(bodies[a[3]].displacement, bodies[b[3]].displacement));
  mo_vec3x4 rotation_a = mo_gather_rows(bodies->rotation, MO_SOFT_BODY_STRIDE, a);
  mo_vec3x4 rotation_b = mo_gather_rows(bodies->rotation, MO_SOFT_BODY_STRIDE, b);
  mo_f32x4 linear = mo_vec3x4_dot(group->normal, way);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    point->separation =
        point->start_separation + linear +
        (mo_vec3x4_dot(point->turn_b, rotation_b) - mo_vec3x4_dot(point->turn_a, rotation_a));
  }
}

/// Friction of the whole contact: twist about the normal, then the disc at the centre.
static inline void relax_patch(mo_contact_group *group, group_motion *m, int n, mo_f32x4 load,
                               mo_f32x4 lever_load) {
  mo_group_disc *disc = &group->patch;
  mo_vec3x4 u = mo_vec3x4_add(m->relative, mo_vec3x4_sub(mo_vec3x4_cross(m->spin_b, disc->arm_b),
                                                         mo_vec3x4_cross(m->spin_a, disc->arm_a)));
  mo_f32x4 u1 = mo_vec3x4_dot(group->tangent_1, u), u2 = mo_vec3x4_dot(group->tangent_2, u);
  mo_vec3x4 twist = {mo_f32x4_zero(), mo_f32x4_zero(), mo_f32x4_zero()};
  if (n > 1) {
    mo_f32x4 speed = mo_vec3x4_dot(group->normal, mo_vec3x4_sub(m->spin_b, m->spin_a));
    mo_f32x4 limit = group->friction * lever_load, old = group->twist_impulse;
    group->twist_impulse = mo_f32x4_clamp(old - group->twist_mass * speed, -limit, limit);
    group->twist_total += group->twist_impulse;
    mo_f32x4 change = group->twist_impulse - old;
    u1 += group->twist_1 * change;
    u2 += group->twist_2 * change;
    twist = mo_vec3x4_scale(change, group->normal);
  }
  mo_disc_step(disc, group->friction * load, &u1, &u2);
  mo_vec3x4 impulse =
      mo_vec3x4_add_scaled(mo_vec3x4_scale(u1, group->tangent_1), u2, group->tangent_2);
  motion_push(group, m, impulse, mo_vec3x4_add(mo_vec3x4_cross(disc->arm_a, impulse), twist),
              mo_vec3x4_add(mo_vec3x4_cross(disc->arm_b, impulse), twist));
}

/// Friction of every point on its own.
static void relax_discs(mo_contact_group *group, group_motion *m) {
  for (uint32_t i = 0; i < group->point_count; i++) {
    mo_group_disc *disc = &group->discs[i];
    mo_vec3x4 u =
        mo_vec3x4_add(m->relative, mo_vec3x4_sub(mo_vec3x4_cross(m->spin_b, disc->arm_b),
                                                 mo_vec3x4_cross(m->spin_a, disc->arm_a)));
    mo_f32x4 u1 = mo_vec3x4_dot(group->tangent_1, u), u2 = mo_vec3x4_dot(group->tangent_2, u);
    mo_disc_step(disc, group->friction * group->points[i].impulse, &u1, &u2);
    mo_vec3x4 impulse =
        mo_vec3x4_add_scaled(mo_vec3x4_scale(u1, group->tangent_1), u2, group->tangent_2);
    motion_push(group, m, impulse, mo_vec3x4_cross(disc->arm_a, impulse),
                mo_vec3x4_cross(disc->arm_b, impulse));
  }
}

static inline void relax(const mo_contact_solve *solve, mo_contact_group *group, int n) {
  mo_soft_body *bodies = solve->step->bodies;
  mo_f32x4 zero = mo_f32x4_zero(), inverse_h = mo_f32x4_splat(solve->inverse_h);
  const mo_f32x4 *coupling = mo_group_coupling(group);

  update_separations(bodies, group, n);
  group_motion m = motion_gather(bodies, group);
  mo_f32x4 speeds[4], changes[4], load = zero, lever_load = zero;
  separating_speeds(group, &m, n, speeds);
  for (int i = 0; i < n; i++) {
    mo_group_point *point = &group->points[i];
    for (int j = 0; j < i; j++) {
      speeds[i] += *coupling++ * changes[j];
    }
    mo_f32x4 open = mo_f32x4_max(point->separation, zero) * inverse_h;
    mo_f32x4 old = point->impulse;
    point->impulse = mo_f32x4_max(old - point->mass * (speeds[i] + open), zero);
    point->total += point->impulse;
    changes[i] = point->impulse - old;
    load += point->impulse;
    lever_load += point->lever * point->impulse;
  }
  push_normals(group, &m, n, changes);
  if (group->discs) {
    relax_discs(group, &m);
  } else {
    relax_patch(group, &m, n, load, lever_load);
  }
  motion_scatter(bodies, group, &m);
}

void mo_contacts_relax(mo_contact_solve *solve, uint32_t colour, uint32_t first, uint32_t last) {
  mo_contact_group **groups = solve->colours[colour].groups;
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = groups[i];
    switch (group->point_count) {
    case 1:
      relax(solve, group, 1);
      break;
    case 2:
      relax(solve, group, 2);
      break;
    default:
      relax(solve, group, 4);
      break;
    }
  }
}

// --- restitution -----------------------------------------------------------------------------

static void restitute(const mo_contact_solve *solve, mo_contact_group *group) {
  mo_soft_body *bodies = solve->step->bodies;
  int n = (int)group->point_count;
  mo_f32x4 zero = mo_f32x4_zero();
  const mo_f32x4 *coupling = mo_group_coupling(group);
  group_motion m = motion_gather(bodies, group);
  mo_f32x4 speeds[4], changes[4] = {zero, zero, zero, zero};
  separating_speeds(group, &m, n, speeds);
  for (int sweep = 0; sweep < RESTITUTION_SWEEPS; sweep++) {
    for (int i = 0; i < n; i++) {
      mo_group_point *point = &group->points[i];
      mo_i32x4 struck = (point->rebound > zero) & (point->total > zero);
      mo_f32x4 old = point->impulse;
      mo_f32x4 wanted = mo_f32x4_max(old - point->mass * (speeds[i] - point->rebound), zero);
      mo_f32x4 change = mo_f32x4_keep(struck, wanted - old);
      point->impulse = old + change;
      changes[i] += change;
      speeds[i] += mo_f32x4_keep(point->mass > zero, change / point->mass);
      for (int j = 0; j < n; j++) {
        if (j != i) {
          int row = i > j ? i : j, column = i > j ? j : i;
          speeds[j] += coupling[row * (row - 1) / 2 + column] * change;
        }
      }
    }
  }
  for (int i = 0; i < n; i++) {
    group->points[i].total += changes[i];
  }
  push_normals(group, &m, n, changes);
  motion_scatter(bodies, group, &m);
}

void mo_contacts_restitute(mo_contact_solve *solve, uint32_t colour, uint32_t first,
                           uint32_t last) {
  mo_contact_group **groups = solve->colours[colour].groups;
  for (uint32_t i = first; i < last; i++) {
    if (groups[i]->bounces) {
      restitute(solve, groups[i]);
    }
  }
}
