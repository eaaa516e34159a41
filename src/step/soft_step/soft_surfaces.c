#include "step/soft_step/soft_surfaces.h"

#include "step/contact_function.h"

#include <string.h>

// The velocity of the surface of B against that of A, m/s, world: as the user's function left it.
static mo_vec3 slide_of(const mo_world *world, const mo_pair *pair) {
  return mo_step_has_asked(world, pair->contact)
             ? world->contact_rule.answers[pair->contact].surface_velocity
             : mo_world_surface_velocity(world, pair->slot_a, pair->slot_b);
}

// Whether a surface moves or resists rolling and spinning, or one has moved: what the record keeps
// of it is of the last step.
static bool is_listed(const mo_contact_record *record, mo_vec3 slide) {
  return record->rolling_friction > 0.0 || record->spinning_friction > 0.0 ||
         !mo_v3_equal(slide, mo_v3_zero()) ||
         !mo_v3_equal(mo_v3_from_floats(record->slide), mo_v3_zero());
}

bool mo_soft_surfaces_list(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  if (world->surface_count == 0 && !world->contact_rule.function) {
    return true;
  }
  uint32_t most = mo_pair_store_contact_count(&world->pairs);
  step->surfaces = MO_ARENA_TAKE_RAW(&world->step_arena, mo_substep_surface, most);
  for (uint32_t c = 0; step->surfaces && c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &world->pairs.colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      const mo_pair *pair = &colour->contacts[i].pair;
      const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
      mo_vec3 slide = slide_of(world, pair);
      if (!is_listed(record, slide)) {
        continue;
      }
      mo_substep_surface *item = &step->surfaces[step->surface_count++];
      *item = (mo_substep_surface){.colour = c,
                                   .index = i,
                                   .contact = pair->contact,
                                   .rolling = (float)record->rolling_friction,
                                   .spinning = (float)record->spinning_friction};
      mo_v3_to_floats(slide, item->slide);
      memcpy(item->start_twist, record->start_twist, sizeof item->start_twist);
    }
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
