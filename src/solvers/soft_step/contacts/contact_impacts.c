#include "solvers/soft_step/contacts/contact_normals.h"

/// An impulse is an impact's if it is this many times what the contact carried before. Loads that
/// build up in a stack, and those of a heap that fluctuate from substep to substep, grow by less:
/// cut at 1.25, a wall of 820 cubes takes seconds longer to come to rest.
#define IMPACT_RATIO 2.0f
/// Part of a contact's impulses in a step: an impact stops at least as much.
#define LEAST_IMPACT 0.02f

mo_f32x4 mo_group_load_before(const mo_contact_solve *solve, const mo_contact_group *group) {
  const mo_substep_contact *contacts = solve->step->colours[group->colour].contacts;
  const mo_substep_settings *settings = &solve->step->settings;
  mo_f32x4 sums[4];
  for (uint32_t i = 0; i < 4; i++) { // points that a contact does not have carried nothing
    sums[i] = mo_f32x4_load(contacts[group->contacts[i]].normal_impulses);
  }
  mo_f32x4_transpose(&sums[0], &sums[1], &sums[2], &sums[3]);
  mo_f32x4 scale = mo_f32x4_splat((float)(settings->impulse_scale / settings->substeps));
  return scale * ((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

/// The motion of a body at the start of the step.
static const mo_motion *start_motion(const mo_substep_solver *step, uint32_t slot) {
  uint32_t body = step->starts ? step->indices[slot] : 0;
  return body > 0 ? &step->starts[body] : &step->motions[slot];
}

/// The motions in the frames at the start of the step. Unused lanes repeat the first.
static mo_frame_motion start_of(const mo_contact_solve *solve, const mo_contact_group *group,
                                const mo_substep_contact *contacts) {
  mo_f32x4 apart[4], spin_a[4], spin_b[4];
  for (uint32_t i = 0; i < 4; i++) {
    const mo_pair *pair = &contacts[group->contacts[i]].pair;
    const mo_motion *a = start_motion(solve->step, pair->slot_a),
                    *b = start_motion(solve->step, pair->slot_b);
    apart[i] = mo_row_of(b->linear_velocity) - mo_row_of(a->linear_velocity);
    spin_a[i] = mo_row_of(a->angular_velocity);
    spin_b[i] = mo_row_of(b->angular_velocity);
  }
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  return mo_frame_motion_of(group, &f, mo_lanes_of_rows(apart[0], apart[1], apart[2], apart[3]),
                            mo_lanes_of_rows(spin_a[0], spin_a[1], spin_a[2], spin_a[3]),
                            mo_lanes_of_rows(spin_b[0], spin_b[1], spin_b[2], spin_b[3]));
}

/// The largest impulse that stops what a point approached by at the start of the step.
static mo_f32x4 impacts_of(const mo_contact_solve *solve, const mo_contact_group *group) {
  mo_frame_motion m = start_of(solve, group, solve->step->colours[group->colour].contacts);
  mo_f32x4 largest = mo_f32x4_zero();
  for (uint32_t k = 0; k < group->point_count; k++) {
    const mo_group_point *point = &group->points[k];
    mo_f32x4 speed = mo_motion_at_point(point, &m, (int)group->point_count);
    largest = mo_f32x4_max(largest, -point->mass * speed);
  }
  return largest;
}

void mo_group_forget_impacts(const mo_contact_solve *solve, mo_contact_group *group,
                             mo_f32x4 before) {
  mo_f32x4 zero = mo_f32x4_zero(), last = zero, earlier = zero;
  for (uint32_t k = 0; k < group->point_count; k++) {
    last += group->points[k].impulse;
    earlier += group->points[k].total - group->points[k].impulse;
  }
  mo_f32x4 lasting = before;
  uint32_t substeps = solve->step->settings.substeps;
  if (substeps > 1) {
    mo_f32x4 share = mo_f32x4_splat(1.0f / (float)(substeps - 1));
    lasting = mo_f32x4_min(lasting, mo_f32x4_max(share * earlier, zero));
  }
  mo_i32x4 is_impact = last > mo_f32x4_splat(IMPACT_RATIO) * lasting;
  if (mo_i32x4_bits(is_impact) == 0) {
    return;
  }
  // What stops nothing may be a load that is put on: it may have no past, and grow.
  mo_f32x4 stopped = impacts_of(solve, group);
  mo_i32x4 stops = stopped > mo_f32x4_splat(LEAST_IMPACT) * (earlier + last);
  is_impact &= stops | (before > zero);
  lasting *= mo_f32x4_select(stops, mo_f32x4_splat(1.0f), mo_f32x4_splat(IMPACT_RATIO));
  mo_f32x4 kept = mo_f32x4_select(is_impact, lasting / last, mo_f32x4_splat(1.0f));
  for (uint32_t k = 0; k < group->point_count; k++) {
    group->points[k].impulse *= kept;
  }
  group->patch.impulse = mo_vec3x4_scale(kept, group->patch.impulse);
}
