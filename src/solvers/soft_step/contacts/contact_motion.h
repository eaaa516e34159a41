/// The motion that contacts see, and the friction of one step. Private to the contacts.
#pragma once

#include "solvers/soft_step/contacts/contact_surface.h"
#include "solvers/soft_step/contacts/friction_patch.h"

/// How many points a group has room for: 1, 2 or 4. Points beyond those of a contact have no mass.
static inline int mo_group_room(const mo_contact_group *group) {
  return group->point_count > 2 ? 4 : (int)group->point_count;
}

/// What turning together bends the places of a group, or null.
static inline const mo_vec3x4 *mo_contact_bends(const mo_contact_solve *solve,
                                                const mo_contact_group *group) {
  return group->surface ? solve->surfaces[group->surface].bends : NULL;
}

/// The relative motion of a contact's places, with what they bend by in this substep.
static inline __attribute__((always_inline)) mo_frame_motion
mo_contact_motion(const mo_contact_solve *solve, const mo_contact_group *group,
                  const mo_frame_axes *f) {
  mo_frame_motion m = mo_frame_gather(group, f, solve->step->bodies->linear_velocity);
  const mo_vec3x4 *bends = mo_contact_bends(solve, group);
  if (__builtin_expect(bends != NULL, 0)) {
    mo_vec3x4 bend = mo_vec3x4_sub(bends[solve->substep + 1], bends[solve->substep]);
    mo_f32x4 inverse_h = mo_f32x4_splat(solve->inverse_h);
    m.along_n += inverse_h * bend.x;
    m.along_1 += inverse_h * bend.y;
    m.along_2 += inverse_h * bend.z;
  }
  return m;
}

/// Adds the velocity of the surfaces along each other to the motion that friction sees.
static inline void mo_contact_add_slide(const mo_contact_solve *solve,
                                        const mo_contact_group *group, mo_frame_motion *m) {
  if (group->surface) {
    const mo_contact_surface *surface = &solve->surfaces[group->surface];
    m->along_1 += surface->slide_1;
    m->along_2 += surface->slide_2;
  }
}

/// One step of friction under the impulses of the points, `load` in all.
static inline mo_vec3x4 mo_contact_friction(mo_contact_group *group, int n, mo_f32x4 load,
                                            const mo_frame_motion *m) {
  return n > 1 ? mo_patch_step(group, n, load, (mo_vec3x4){m->along_1, m->along_2, m->about_n})
               : mo_point_step(group, load, (mo_tangents){m->along_1, m->along_2});
}

/// Lets friction act on the bodies under the impulses of the points, `load` in all. Returns its
/// change.
static inline mo_vec3x4 mo_contact_rub(const mo_contact_solve *solve, mo_contact_group *group,
                                       const mo_frame_axes *f, mo_f32x4 load) {
  int n = mo_group_room(group);
  mo_f32x4 zero = mo_f32x4_zero();
  mo_frame_masses masses = group->masses;
  mo_frame_motion m = mo_contact_motion(solve, group, f);
  mo_contact_add_slide(solve, group, &m);
  mo_vec3x4 change = mo_contact_friction(group, n, load, &m);
  mo_frame_motion p = {zero, change.x, change.y, change.z, zero, zero};
  mo_frame_push(group, f, &masses, &p, n, true, solve->step->bodies->linear_velocity,
                MO_FLOATS_OF(mo_solver_body));
  return change;
}
