/// Contacts of the row solvers that are none of the union of what they touch.
#include "step/void_contacts.h"
#include "step/stages.h"

static void read_points(const mo_world *world, const mo_union_touch *touch, uint32_t side,
                        uint32_t count, mo_vec3 *out) {
  (void)world;
  const mo_vec3 *on_shapes = touch->contact;
  for (uint32_t p = 0; p < count; p++) {
    out[p] = on_shapes[side * MO_MANIFOLD_POINTS + p];
  }
}

static mo_union_touch touch_of(const mo_contact *c, const mo_vec3 *on_shapes) {
  return (mo_union_touch){.slots = {c->slot_a, c->slot_b},
                          .shapes = {c->shape_a, c->shape_b},
                          .normal = c->normal,
                          .point_count = c->point_count,
                          .contact = on_shapes};
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
  if (!mo_void_search_begin(world, count, count, read_points, &s)) {
    return false;
  }
  size_t stride = 2 * MO_MANIFOLD_POINTS;
  for (uint32_t i = 0; i < count; i++) {
    mo_union_touch touch = touch_of(&contacts[i], &on_shapes[stride * i]);
    mo_void_search_add(&s, &touch, i);
  }
  for (uint32_t i = 0; i < count; i++) {
    mo_union_touch touch = touch_of(&contacts[i], &on_shapes[stride * i]);
    mo_void_search_link(&s, &touch);
  }
  mo_void_search_judge(&s);
  for (uint32_t i = 0; i < s.change_count; i++) {
    mo_contact *contact = &contacts[s.changes[i].contact];
    if (s.changes[i].verdict == MO_UNION_VOID) {
      contact->point_count = 0;
    } else if (s.changes[i].verdict == MO_UNION_TURNED) {
      turn_contact(&s.changes[i], contact);
    }
  }
  return true;
}
