#include "solvers/soft_step/contact_groups.h"

// --- layout ----------------------------------------------------------------------------------

/// How many lanes of a group of this colour are used.
static uint32_t colour_lanes(uint32_t colour) { return colour + 1 < MO_SOFT_COLOURS ? 4 : 1; }

/// Slots for points of a group: as many as its largest contact has, of 1, 2 and 4.
static uint32_t group_points(const mo_soft_contact *contacts, uint32_t lanes) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < lanes; i++) {
    most = contacts[i].point_count > most ? contacts[i].point_count : most;
  }
  return most > 2 ? 4 : most > 1 ? 2 : 1;
}

static size_t group_bytes(uint32_t points) {
  return sizeof(mo_contact_group) + points * sizeof(mo_group_point) +
         (size_t)points * (points - 1) / 2 * sizeof(mo_f32x4);
}

/// Counts groups, their bytes and their points.
static void measure(const mo_soft_step *step, size_t *groups, size_t *bytes, size_t *points) {
  *groups = *bytes = *points = 0;
  for (uint32_t c = 0; c < MO_SOFT_COLOURS; c++) {
    const mo_soft_colour *colour = &step->colours[c];
    uint32_t lanes = colour_lanes(c);
    for (uint32_t i = 0; i < colour->contacts_count; i += lanes) {
      uint32_t rest = colour->contacts_count - i;
      uint32_t n = group_points(&colour->contacts[i], rest < lanes ? rest : lanes);
      *groups += 1;
      *bytes += group_bytes(n);
      *points += n;
    }
  }
}

bool mo_contacts_lay_out(mo_contact_solve *solve, const mo_soft_step *step) {
  size_t group_count, bytes, point_count;
  measure(step, &group_count, &bytes, &point_count);
  mo_contact_group **groups = MO_ARENA_TAKE_RAW(step->arena, mo_contact_group *, group_count);
  char *memory = mo_arena_take_raw(step->arena, bytes, 1);
  mo_group_disc *discs = MO_ARENA_TAKE_RAW(step->arena, mo_group_disc,
                                           step->settings.friction_per_point ? point_count : 0);
  solve->carry = MO_ARENA_TAKE(step->arena, mo_soft_carry, step->body_count);
  if (!groups || !memory || !discs || !solve->carry) {
    return false;
  }
  for (uint32_t c = 0; c < MO_SOFT_COLOURS; c++) {
    const mo_soft_colour *colour = &step->colours[c];
    uint32_t lanes = colour_lanes(c);
    solve->colours[c] = (mo_group_colour){groups, 0};
    for (uint32_t i = 0; i < colour->contacts_count; i += lanes) {
      uint32_t rest = colour->contacts_count - i;
      mo_contact_group *group = (mo_contact_group *)(void *)memory;
      group->lanes = rest < lanes ? rest : lanes;
      group->point_count = group_points(&colour->contacts[i], group->lanes);
      group->first = i;
      group->discs = NULL;
      if (step->settings.friction_per_point) {
        group->discs = discs;
        discs += group->point_count;
      }
      memory += group_bytes(group->point_count);
      *groups++ = group;
      solve->colours[c].count++;
    }
  }
  return true;
}

// --- results ---------------------------------------------------------------------------------

/// Friction of all points as one impulse at the centre and a twist about it.
static void sum_discs(mo_contact_group *group) {
  mo_group_disc *patch = &group->patch;
  patch->impulse_1 = patch->impulse_2 = patch->total_1 = patch->total_2 = mo_f32x4_zero();
  group->twist_impulse = group->twist_total = mo_f32x4_zero();
  for (uint32_t i = 0; i < group->point_count; i++) {
    const mo_group_disc *disc = &group->discs[i];
    mo_vec3x4 around = mo_vec3x4_cross(group->normal, mo_vec3x4_sub(disc->arm_a, patch->arm_a));
    mo_f32x4 lever_1 = mo_vec3x4_dot(around, group->tangent_1);
    mo_f32x4 lever_2 = mo_vec3x4_dot(around, group->tangent_2);
    patch->impulse_1 += disc->impulse_1;
    patch->impulse_2 += disc->impulse_2;
    patch->total_1 += disc->total_1;
    patch->total_2 += disc->total_2;
    group->twist_impulse += disc->impulse_1 * lever_1 + disc->impulse_2 * lever_2;
    group->twist_total += disc->total_1 * lever_1 + disc->total_2 * lever_2;
  }
}

/// Writes a tangent impulse and, after it, the twist of each lane.
static void store_friction(const mo_contact_group *group, mo_f32x4 along_1, mo_f32x4 along_2,
                           mo_f32x4 twist, float *const out[4]) {
  mo_vec3x4 tangent =
      mo_vec3x4_add_scaled(mo_vec3x4_scale(along_1, group->tangent_1), along_2, group->tangent_2);
  mo_f32x4 rows[4] = {tangent.x, tangent.y, tangent.z, twist};
  mo_f32x4_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
  for (uint32_t i = 0; i < group->lanes; i++) {
    mo_f32x4_store(out[i], rows[i]);
  }
}

static void store(mo_contact_group *group, mo_soft_contact *contacts) {
  if (group->discs) {
    sum_discs(group);
  }
  float *starts[4] = {0}, *totals[4] = {0};
  for (uint32_t i = 0; i < group->lanes; i++) {
    starts[i] = contacts[i].start_tangent;
    totals[i] = contacts[i].tangent_impulse;
    for (uint32_t k = 0; k < contacts[i].point_count; k++) {
      contacts[i].points[k].start_impulse = group->points[k].impulse[i];
      contacts[i].normal_impulses[k] = group->points[k].total[i];
      contacts[i].separations[k] = group->points[k].separation[i];
    }
  }
  const mo_group_disc *patch = &group->patch;
  store_friction(group, patch->impulse_1, patch->impulse_2, group->twist_impulse, starts);
  store_friction(group, patch->total_1, patch->total_2, group->twist_total, totals);
}

void mo_contacts_store(mo_contact_solve *solve, uint32_t colour, uint32_t first, uint32_t last) {
  mo_soft_contact *contacts = solve->step->colours[colour].contacts;
  for (uint32_t i = first; i < last; i++) {
    mo_contact_group *group = solve->colours[colour].groups[i];
    store(group, &contacts[group->first]);
  }
}
