#include "step/soft_step/soft_surfaces.h"

#include "step/carriers.h"
#include "step/contact_function.h"

#include <string.h>

// The velocity of the surface of B against that of A, m/s, world: as the user's function left it,
// and along the surfaces.
static mo_vec3 slide_of(const mo_world *world, const mo_substep_contact *contact) {
  const mo_pair *pair = &contact->pair;
  mo_vec3 slide = mo_step_has_asked(world, pair->contact)
                      ? world->contact_rule.answers[pair->contact].surface_velocity
                      : mo_world_surface_velocity(world, pair->slot_a, pair->slot_b);
  mo_vec3 normal = mo_v3_from_floats(contact->normal);
  return mo_add_scaled(slide, -mo_dot(normal, slide), normal);
}

// Whether a surface moves or resists rolling and spinning, or one has moved: what the record keeps
// of it is of the last step.
static bool is_listed(const mo_contact_record *record, mo_vec3 slide) {
  return record->rolling_friction > 0.0 || record->spinning_friction > 0.0 ||
         !mo_v3_equal(slide, mo_v3_zero()) ||
         !mo_v3_equal(mo_v3_from_floats(record->slide), mo_v3_zero());
}

// The turn of a body until the start of substep i.
static mo_vec3 turn_until(const mo_soft_step *s, uint32_t slot, uint32_t i) {
  uint32_t index = s->soft->indices[slot];
  const float *gain = s->soft->masses[index].angular_gain;
  double h = s->dt / s->substeps;
  double gains = s->world->bodies[slot].type == MO_BODY_KINEMATIC ? 0.5 * i * (i + 1.0) : 0.0;
  mo_vec3 spin = mo_v3_from_floats(s->soft->step.bodies[index].angular_velocity);
  return mo_add_scaled(mo_scale(h * i, spin), h * gains, mo_v3_from_floats(gain));
}

// The mean of the arms of the points.
static mo_vec3 mean_arm(const mo_substep_contact *contact, bool of_b) {
  mo_vec3 sum = mo_v3_zero();
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_substep_point *point = &contact->points[i];
    sum = mo_add(sum, mo_v3_from_floats(of_b ? point->arm_b : point->arm_a));
  }
  return mo_scale(1.0 / contact->point_count, sum);
}

static bool bends(const mo_soft_step *s, const mo_substep_contact *contact) {
  const mo_pair *pair = &contact->pair;
  const mo_proxy *proxies = s->world->broad_phase.proxies;
  mo_carried_contact carried = {pair->slot_a, pair->slot_b, proxies[pair->proxy_a].shape,
                                proxies[pair->proxy_b].shape, contact->point_count};
  return mo_carriers_bend(&s->soft->carriers, s->world, &carried);
}

// The bends of a contact's place. Returns null without memory.
static const float *bends_of(const mo_soft_step *s, const mo_substep_contact *contact) {
  float *all = MO_ARENA_TAKE(&s->world->step_arena, float, 3 * ((size_t)s->substeps + 1));
  mo_vec3 arm_a = mean_arm(contact, false), arm_b = mean_arm(contact, true);
  for (uint32_t i = 1; all && i <= s->substeps; i++) {
    mo_vec3 a = mo_bend_of(turn_until(s, contact->pair.slot_a, i), arm_a);
    mo_vec3 b = mo_bend_of(turn_until(s, contact->pair.slot_b, i), arm_b);
    mo_v3_to_floats(mo_sub(b, a), &all[3 * (size_t)i]);
  }
  return all;
}

bool mo_soft_surfaces_list(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  if (world->surface_count == 0 && !world->contact_rule.function && !s->soft->carriers.of_islands) {
    return true;
  }
  uint32_t most = mo_pair_store_contact_count(&world->pairs);
  step->surfaces = MO_ARENA_TAKE_RAW(&world->step_arena, mo_substep_surface, most);
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c;
       step->surfaces && (c = mo_pair_store_next(&world->pairs, &walk));) {
    const mo_contact_record *record = mo_pair_record(&world->pairs, &c->pair);
    mo_vec3 slide = slide_of(world, c);
    bool is_bent = bends(s, c);
    if (!is_bent && !is_listed(record, slide)) {
      continue;
    }
    mo_substep_surface *item = &step->surfaces[step->surface_count++];
    *item = (mo_substep_surface){.colour = walk.colour,
                                 .index = walk.next - 1,
                                 .contact = c->pair.contact,
                                 .rolling = (float)record->rolling_friction,
                                 .spinning = (float)record->spinning_friction,
                                 .bends = is_bent ? bends_of(s, c) : NULL};
    if (is_bent && !item->bends) {
      return false;
    }
    mo_v3_to_floats(slide, item->slide);
    memcpy(item->start_twist, record->start_twist, sizeof item->start_twist);
  }
  return step->surfaces != NULL;
}

void mo_soft_surfaces_keep(const mo_soft_step *s) {
  mo_world *world = s->world;
  const mo_substep_solver *step = &s->soft->step;
  for (uint32_t i = 0; i < step->surface_count; i++) {
    const mo_substep_surface *item = &step->surfaces[i];
    mo_contact_record *record = &world->pairs.records.records[item->contact];
    memcpy(record->start_twist, item->start_twist, sizeof item->start_twist);
    memcpy(record->twist, item->twist, sizeof item->twist);
    memcpy(record->slide, item->slide, sizeof item->slide);
  }
}
