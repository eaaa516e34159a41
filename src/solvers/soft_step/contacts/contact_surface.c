#include "solvers/soft_step/contacts/contact_surface.h"

// --- groups ----------------------------------------------------------------------------------

// Per contact, colour by colour: one more than the index of its item; 0: none. Null without memory.
static uint32_t *items_of_contacts(const mo_substep_solver *step,
                                   uint32_t firsts[MO_SUBSTEP_COLOURS]) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    firsts[c] = count;
    count += step->colours[c].contacts_count;
  }
  uint32_t *items = MO_ARENA_TAKE(step->arena, uint32_t, count);
  for (uint32_t i = 0; items && i < step->surface_count; i++) {
    items[firsts[step->surfaces[i].colour] + step->surfaces[i].index] = i + 1;
  }
  return items;
}

// Gives a surface room for its bends. Returns false without memory.
static bool make_bends(const mo_substep_solver *step, mo_contact_surface *s) {
  if (!s->bends) {
    s->bends = MO_ARENA_TAKE(step->arena, mo_vec3x4, (size_t)step->settings.substeps + 1);
  }
  return s->bends != NULL;
}

bool mo_contact_surfaces_find(mo_contact_solve *solve) {
  const mo_substep_solver *step = solve->step;
  uint32_t firsts[MO_SUBSTEP_COLOURS], next = 1;
  for (uint32_t i = 0; i < mo_contacts_group_count(solve); i++) {
    solve->groups[i]->surface = 0;
  }
  if (step->surface_count == 0) {
    return true;
  }
  const uint32_t *items = items_of_contacts(step, firsts);
  solve->surfaces = MO_ARENA_TAKE(step->arena, mo_contact_surface, step->surface_count + 1);
  if (!items || !solve->surfaces) {
    return false;
  }
  for (uint32_t i = 0; i < mo_contacts_group_count(solve); i++) {
    mo_contact_group *group = solve->groups[i];
    for (uint32_t lane = 0; lane < group->lanes; lane++) {
      uint32_t item = items[firsts[group->colour] + group->contacts[lane]];
      if (item > 0) {
        group->surface = group->surface ? group->surface : next++;
        mo_contact_surface *surface = &solve->surfaces[group->surface];
        surface->items[lane] = item;
        if (step->surfaces[item - 1].bends && !make_bends(step, surface)) {
          return false;
        }
      }
    }
  }
  return true;
}

// --- impulses --------------------------------------------------------------------------------

// Adds the change of spin by torques about the axes, to a row of each body.
static void push(const mo_contact_group *group, const mo_frame_axes *f, mo_vec3x4 impulse,
                 float *spins, uint32_t stride) {
  mo_vec3x4 torque = mo_frame_to_world(f, impulse.z, impulse.x, impulse.y);
  const mo_frame_masses *masses = &group->masses;
  mo_vec3x4 spin_a = mo_mass_lanes_turn(&masses->a, mo_moving_part(&masses->a, torque));
  mo_vec3x4 spin_b = mo_mass_lanes_turn(&masses->b, mo_moving_part(&masses->b, torque));
  mo_add_rows(spins, stride, group->a, mo_written_lanes(&masses->a),
              mo_vec3x4_scale(mo_f32x4_splat(-1.0f), spin_a));
  mo_add_rows(spins, stride, group->b, mo_written_lanes(&masses->b), spin_b);
}

// Moves impulses to within their bounds.
static mo_vec3x4 within_bounds(const mo_contact_surface *s, mo_f32x4 load, mo_vec3x4 impulse) {
  mo_f32x4 rolling = s->rolling * load, spinning = s->spinning * load;
  mo_f32x4 scale = mo_friction_scale(rolling, impulse.x * impulse.x + impulse.y * impulse.y);
  return (mo_vec3x4){scale * impulse.x, scale * impulse.y,
                     mo_f32x4_clamp(impulse.z, -spinning, spinning)};
}

// The component of a vector along an axis of a lane.
static float along(const mo_vec3x4 *axis, int lane, const float v[3]) {
  return axis->x[lane] * v[0] + axis->y[lane] * v[1] + axis->z[lane] * v[2];
}

static void put_item(const mo_substep_surface *item, const mo_frame_axes *f, float warm_scale,
                     int lane, mo_contact_surface *s) {
  const float *slide = item->slide, *twist = item->start_twist;
  s->slide_1[lane] = along(&f->t1, lane, slide);
  s->slide_2[lane] = along(&f->t2, lane, slide);
  s->rolling[lane] = item->rolling;
  s->spinning[lane] = item->spinning;
  s->impulse.x[lane] = warm_scale * along(&f->t1, lane, twist);
  s->impulse.y[lane] = warm_scale * along(&f->t2, lane, twist);
  s->impulse.z[lane] = warm_scale * along(&f->n, lane, twist);
}

static void put_bends(const mo_substep_surface *item, const mo_frame_axes *f, uint32_t substeps,
                      int lane, mo_vec3x4 *bends) {
  for (uint32_t i = 0; i <= substeps; i++) {
    const float *b = &item->bends[3 * (size_t)i];
    bends[i].x[lane] = along(&f->n, lane, b);
    bends[i].y[lane] = along(&f->t1, lane, b);
    bends[i].z[lane] = along(&f->t2, lane, b);
  }
}

void mo_contact_surface_prepare(const mo_contact_solve *solve, mo_contact_group *group,
                                const mo_frame_axes *f, const mo_symmetric_lanes *k) {
  mo_contact_surface *s = &solve->surfaces[group->surface];
  for (int lane = 0; lane < 4; lane++) {
    const mo_substep_solver *step = solve->step;
    const mo_substep_surface *item = s->items[lane] ? &step->surfaces[s->items[lane] - 1] : NULL;
    if (item) {
      put_item(item, f, solve->warm_scale, lane, s);
    }
    if (item && item->bends) {
      put_bends(item, f, step->settings.substeps, lane, s->bends);
    }
  }
  s->roll = mo_slipping_point_of((mo_tangents){s->impulse.x, s->impulse.y}, mo_f32x4_zero(), k->xx,
                                 k->xy, k->yy);
  s->spin_mass = mo_inverse_or_zero(k->zz);
  s->load = mo_group_load(group);
  s->impulse = within_bounds(s, s->load, s->impulse);
  push(group, f, s->impulse, solve->carry->angular, MO_FLOATS_OF(mo_substep_carry));
}

// The impulse that would stop the rolling, or if that is beyond the bound, one that opposes it.
static mo_vec3x4 wanted(const mo_contact_surface *s, mo_f32x4 load, const mo_frame_motion *m) {
  mo_slipping_point roll = s->roll;
  roll.impulse = (mo_tangents){s->impulse.x, s->impulse.y};
  roll.limit = s->rolling * load;
  mo_tangents rolling = mo_slipping_point_step(&roll, (mo_tangents){m->about_1, m->about_2});
  mo_f32x4 most = s->spinning * load, spinning = s->impulse.z - s->spin_mass * m->about_n;
  return (mo_vec3x4){rolling.x, rolling.y, mo_f32x4_clamp(spinning, -most, most)};
}

void mo_contact_surface_resist(const mo_contact_solve *solve, mo_contact_group *group) {
  mo_contact_surface *s = &solve->surfaces[group->surface];
  mo_frame_axes f = mo_frame_axes_of(group->normal);
  float *rows = solve->step->bodies->linear_velocity;
  mo_frame_motion m = mo_frame_gather(group, &f, rows);
  mo_vec3x4 now = wanted(s, s->load, &m), change = mo_vec3x4_sub(now, s->impulse);
  s->impulse = now;
  s->total = mo_vec3x4_add(s->total, now);
  push(group, &f, change, rows + 4, MO_FLOATS_OF(mo_solver_body));
}

void mo_contact_surface_take_load(const mo_contact_solve *solve, const mo_contact_group *group) {
  solve->surfaces[group->surface].load = mo_group_load(group);
}

static void put_world(const mo_frame_axes *f, mo_vec3x4 about, int lane, float out[3]) {
  mo_vec3x4 v = mo_frame_to_world(f, about.z, about.x, about.y);
  out[0] = v.x[lane];
  out[1] = v.y[lane];
  out[2] = v.z[lane];
}

// The slide that is told is that of the last substep, with which the bodies end.
static void add_last_bend(const mo_contact_solve *solve, mo_substep_surface *item) {
  uint32_t n = solve->step->settings.substeps;
  for (uint32_t i = 0; i < 3; i++) {
    item->slide[i] += solve->inverse_h * (item->bends[3 * n + i] - item->bends[3 * n - 3 + i]);
  }
}

void mo_contact_surfaces_store(const mo_contact_solve *solve) {
  for (uint32_t i = 0; solve->surfaces && i < mo_contacts_group_count(solve); i++) {
    const mo_contact_group *group = solve->groups[i];
    const mo_contact_surface *s = &solve->surfaces[group->surface];
    for (uint32_t lane = 0; group->surface && lane < group->lanes; lane++) {
      if (s->items[lane]) {
        mo_substep_surface *item = &solve->step->surfaces[s->items[lane] - 1];
        mo_frame_axes f = mo_frame_axes_of(group->normal);
        if (item->bends && !item->arms_move) {
          add_last_bend(solve, item);
        }
        put_world(&f, s->impulse, (int)lane, item->start_twist);
        put_world(&f, s->total, (int)lane, item->twist);
      }
    }
  }
}
