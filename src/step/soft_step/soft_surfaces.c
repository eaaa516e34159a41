#include "step/soft_step/soft_surfaces.h"

#include "step/carriers.h"
#include "step/contact_function.h"
#include "step/soft_step/moving_arms.h"

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
  mo_place_arms arms = mo_place_arms_of(contact);
  for (uint32_t i = 1; all && i <= s->substeps; i++) {
    mo_vec3 a = mo_bend_of(turn_until(s, contact->pair.slot_a, i), arms.a);
    mo_vec3 b = mo_bend_of(turn_until(s, contact->pair.slot_b, i), arms.b);
    mo_v3_to_floats(mo_sub(b, a), &all[3 * (size_t)i]);
  }
  return all;
}

// --- the list --------------------------------------------------------------------------------

// A contact, in the order before the step.
typedef struct placed_contact {
  const mo_substep_contact *contact;
  uint32_t colour, index;
} placed_contact;

// Lists a contact that needs it; there is room. Returns false without memory, as do all below.
static bool list_contact(const mo_soft_step *s, placed_contact place, const mo_moving_arm *arm) {
  mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  const mo_substep_contact *c = place.contact;
  const mo_contact_record *record = mo_pair_record(&world->pairs, &c->pair);
  mo_vec3 slide = slide_of(world, c);
  bool is_bent = bends(s, c), arms_move = !is_bent && arm;
  if (!is_bent && !arms_move && !is_listed(record, slide)) {
    return true;
  }
  mo_substep_surface *item = &step->surfaces[step->surface_count++];
  *item = (mo_substep_surface){.colour = place.colour,
                               .index = place.index,
                               .contact = c->pair.contact,
                               .rolling = (float)record->rolling_friction,
                               .spinning = (float)record->spinning_friction,
                               .arms_move = arms_move,
                               .bends = is_bent     ? bends_of(s, c)
                                        : arms_move ? mo_moving_arm_ways(s, arm->acceleration)
                                                    : NULL};
  mo_v3_to_floats(slide, item->slide);
  memcpy(item->start_twist, record->start_twist, sizeof item->start_twist);
  return item->bends || (!is_bent && !arms_move);
}

// The arms that move in the step by contact.
static const mo_moving_arm **arms_by_contact(const mo_soft_step *s) {
  const mo_world *world = s->world;
  const mo_moving_arm **all = MO_ARENA_TAKE(&s->world->step_arena, const mo_moving_arm *,
                                            (size_t)world->pairs.records.records_count + 1);
  for (const mo_moving_arm *arm = s->arms; all && arm; arm = arm->next) {
    all[arm->contact] = arm;
  }
  return all;
}

static bool list_all(const mo_soft_step *s) {
  const mo_pair_store *pairs = &s->world->pairs;
  const mo_moving_arm **arms = arms_by_contact(s);
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; arms && (c = mo_pair_store_next(pairs, &walk));) {
    placed_contact place = {c, walk.colour, walk.next - 1};
    if (!list_contact(s, place, arms[c->pair.contact])) {
      return false;
    }
  }
  return arms != NULL;
}

static bool list_moving_arms(const mo_soft_step *s) {
  const mo_pair_store *pairs = &s->world->pairs;
  for (const mo_moving_arm *arm = s->arms; arm; arm = arm->next) {
    const mo_contact_record *record = &pairs->records.records[arm->contact];
    uint32_t colour = record->place - (uint32_t)MO_PLACE_COLOURS;
    if (colour < MO_SUBSTEP_COLOURS) {
      placed_contact place = {&pairs->colours[colour].contacts[record->index], colour,
                              record->index};
      if (!list_contact(s, place, arm)) {
        return false;
      }
    }
  }
  return true;
}

bool mo_soft_surfaces_list(mo_soft_step *s) {
  const mo_world *world = s->world;
  bool has_surfaces =
      world->surface_count > 0 || world->contact_rule.function || s->soft->carriers.of_islands;
  if (!has_surfaces && !s->arms) {
    return true;
  }
  uint32_t most = mo_pair_store_contact_count(&world->pairs);
  s->soft->step.surfaces = MO_ARENA_TAKE_RAW(&s->world->step_arena, mo_substep_surface, most);
  return s->soft->step.surfaces && (has_surfaces ? list_all(s) : list_moving_arms(s));
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
