/// Contacts of the row solvers that are none of the union of what they touch.
#include "step/void_contacts.h"
#include "step/stages.h"

// A contact with its points on both shapes.
typedef struct placed_contact {
  const mo_contact *contact;
  const mo_vec3 *on_shapes; // on A, and then on B
} placed_contact;

static mo_union_touch read(const mo_world *world, const void *contact) {
  (void)world;
  const mo_contact *c = ((const placed_contact *)contact)->contact;
  return (mo_union_touch){{c->shape_a, c->shape_b}, c->normal, c->point_count};
}

static void read_points(const mo_world *world, const void *contact, uint32_t side,
                        mo_union_contact *out) {
  (void)world;
  const placed_contact *placed = contact;
  for (uint32_t p = 0; p < out->point_count; p++) {
    out->points[p] = placed->on_shapes[side * MO_MANIFOLD_POINTS + p];
  }
}

// Gives a contact the normal of the union. Its impulse acts half-way to the surface, which is not
// the one that the narrow phase has found.
static void turn_contact(const mo_union_change *c, mo_contact *contact) {
  const mo_union_turn *turn = &c->turn;
  contact->normal = c->side == 0 ? mo_neg(turn->normal) : turn->normal;
  contact->point_count = 1;
  contact->points[0].position = mo_lerp(turn->on_mover, turn->on_fixed, 0.5);
  contact->points[0].separation = turn->separation;
}

bool mo_step_drop_void_contacts(mo_world *world, mo_contact *contacts, const mo_vec3 *on_shapes,
                                uint32_t count) {
  mo_void_search s;
  placed_contact *all = MO_ARENA_TAKE_RAW(&world->step_arena, placed_contact, (size_t)count + 1);
  mo_union_reader reader = {read, read_points};
  if (!all || !mo_void_search_begin(world, count, count, reader, &s)) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    all[i] = (placed_contact){&contacts[i], &on_shapes[(size_t)(2 * MO_MANIFOLD_POINTS) * i]};
    mo_void_search_add(&s, contacts[i].slot_a, contacts[i].slot_b, &all[i], i);
  }
  for (uint32_t i = 0; i < count; i++) {
    mo_void_search_link(&s, contacts[i].slot_a, contacts[i].slot_b, &all[i]);
  }
  mo_void_search_judge(&s);
  for (uint32_t i = 0; i < s.change_count; i++) {
    mo_contact *contact = &contacts[s.changes[i].number];
    if (s.changes[i].verdict == MO_UNION_VOID) {
      contact->point_count = 0;
    } else if (s.changes[i].verdict == MO_UNION_TURNED) {
      turn_contact(&s.changes[i], contact);
    }
  }
  return true;
}
