/// What presses against a body, from the contacts of both kinds of solvers.
#include "batch/channel.h"

// A body, who may press, and what is known so far.
typedef struct press {
  uint32_t slot, other;
  mo_vec3 impulse; // N s, on the body
  bool is_pressed;
} press;

// 1: the body is B of a contact of interest; -1: it is A; 0: none of both.
static double side_of(const press *p, uint32_t slot_a, uint32_t slot_b) {
  if (slot_b == p->slot && (p->other == MO_NO_SLOT || p->other == slot_a)) {
    return 1.0;
  }
  return slot_a == p->slot && (p->other == MO_NO_SLOT || p->other == slot_b) ? -1.0 : 0.0;
}

static void add_rows(press *p, const mo_contact *contact) {
  double side = side_of(p, contact->slot_a, contact->slot_b);
  for (uint32_t k = 0; side != 0.0 && k < contact->point_count; k++) {
    const mo_contact_point_state *point = &contact->points[k];
    mo_vec3 on_b = mo_add_scaled(point->tangent_impulse, point->normal_impulse, contact->normal);
    p->impulse = mo_add_scaled(p->impulse, side, on_b);
    p->is_pressed = p->is_pressed || point->normal_impulse > 0.0;
  }
}

static void add_soft(press *p, const mo_substep_contact *contacts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const mo_substep_contact *contact = &contacts[i];
    double side = side_of(p, contact->pair.slot_a, contact->pair.slot_b), sum = 0.0;
    for (uint32_t k = 0; side != 0.0 && k < contact->point_count; k++) {
      sum += contact->normal_impulses[k];
    }
    if (side != 0.0) {
      mo_vec3 on_b = mo_add_scaled(mo_v3_from_floats(contact->tangent_impulse), sum,
                                   mo_v3_from_floats(contact->normal));
      p->impulse = mo_add_scaled(p->impulse, side, on_b);
      p->is_pressed = p->is_pressed || sum > 0.0;
    }
  }
}

bool mo_body_is_pressed(const mo_world *world, uint32_t slot, uint32_t other, mo_vec3 *force) {
  press p = {.slot = slot, .other = other};
  const mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    add_rows(&p, &world->contacts[i]);
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    add_soft(&p, pairs->colours[c].contacts, pairs->colours[c].contacts_count);
  }
  add_soft(&p, pairs->asleep_contacts, pairs->asleep_contacts_count);
  double dt = world->last_step.dt;
  *force = dt > 0.0 ? mo_scale(1.0 / dt, p.impulse) : mo_v3_zero();
  return p.is_pressed;
}
