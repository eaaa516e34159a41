/// Contacts whose bodies part although impulses start them: what a jam lets go.
#include "solvers/soft_step/contacts/contact_normals.h"

#include <stdatomic.h>

void mo_mean_start(const mo_contact_solve *solve, uint32_t i) {
  const mo_substep_solver *step = solve->step;
  const mo_solver_body *body = &step->bodies[i];
  const mo_substep_carry *carry = &solve->carry[i];
  mo_substep_mean *mean = &solve->means[i];
  mo_f32x4 half = mo_f32x4_splat(0.5f);
  mo_f32x4 v = mo_f32x4_load(body->linear_velocity), w = mo_f32x4_load(body->angular_velocity);
  mo_add_forces(step->masses, step->losses, i, &v, &w);
  mo_f32x4_store(mean->linear, v + half * mo_f32x4_load(carry->linear));
  mo_f32x4_store(mean->angular, w + half * mo_f32x4_load(carry->angular));
}

/// Marks a body, unless it is one that groups share, or in joints.
static void mark(const mo_contact_solve *solve, uint32_t body) {
  if (mo_solver_moves(solve->step, body)) {
    solve->is_thrown[body] = true;
  }
}

static bool is_in_joints(const mo_substep_solver *step, uint32_t body) {
  return step->in_joints && step->in_joints[body];
}

static void find_thrown(mo_contact_solve *solve, const mo_contact_group *group) {
  int n = (int)group->point_count;
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_frame_motion m =
      mo_frame_gather_from(group, &f, solve->means->linear, MO_FLOATS_OF(mo_substep_mean));
  mo_f32x4 work = mo_f32x4_zero(), parting = mo_f32x4_splat(solve->parting_speed);
  for (int k = 0; k < n; k++) {
    const mo_group_point *point = &group->points[k];
    work += point->impulse * (mo_motion_at_point(point, &m, n) - parting);
  }
  int thrown = mo_i32x4_bits(work > mo_f32x4_zero());
  for (uint32_t i = 0; thrown != 0 && i < group->lanes; i++) {
    uint32_t a = group->a[i], b = group->b[i];
    if (thrown & 1 << i && !is_in_joints(solve->step, a) && !is_in_joints(solve->step, b)) {
      mark(solve, a);
      mark(solve, b);
      atomic_store_explicit(&solve->throws, true, memory_order_relaxed);
    }
  }
}

void mo_contacts_find_thrown(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; i++) {
    if (!solve->groups[i]->starts_open) {
      find_thrown(solve, solve->groups[i]);
    }
  }
}

/// Takes the impulses of some lanes, and what they do to velocities, out of the warm start.
static void start_cold(const mo_contact_solve *solve, mo_contact_group *group, mo_i32x4 cold) {
  int n = (int)group->point_count;
  mo_f32x4 zero = mo_f32x4_zero();
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  mo_vec3x4 *friction = &group->patch.impulse;
  mo_frame_motion p = {zero,
                       -mo_f32x4_keep(cold, friction->x),
                       -mo_f32x4_keep(cold, friction->y),
                       -mo_f32x4_keep(cold, friction->z),
                       zero,
                       zero};
  for (int k = 0; k < n; k++) {
    mo_group_point *point = &group->points[k];
    mo_f32x4 change = -mo_f32x4_keep(cold, point->impulse);
    point->impulse += change;
    mo_frame_push_at(point, change, &p);
  }
  *friction = mo_vec3x4_add(*friction, (mo_vec3x4){p.along_1, p.along_2, p.about_n});
  mo_frame_push(group, &f, &group->masses, &p, n, true, solve->carry->linear,
                MO_FLOATS_OF(mo_substep_carry));
}

void mo_contacts_start_cold(mo_contact_solve *solve, uint32_t first, uint32_t last) {
  for (uint32_t g = first; g < last; g++) {
    mo_contact_group *group = solve->groups[g];
    mo_i32x4 cold = mo_i32x4_splat(0);
    for (uint32_t i = 0; i < group->lanes; i++) {
      cold[i] = solve->is_thrown[group->a[i]] || solve->is_thrown[group->b[i]] ? -1 : 0;
    }
    if (mo_i32x4_bits(cold) != 0) {
      start_cold(solve, group, cold);
    }
  }
}
