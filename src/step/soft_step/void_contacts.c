/// Contacts of soft-step that are none of the union of what they touch.
#include "step/void_contacts.h"
#include "step/soft_step/soft_contacts.h"

static mo_union_touch read(const mo_world *world, const void *contact) {
  const mo_substep_contact *c = contact;
  const mo_proxy *proxies = world->broad_phase.proxies;
  return (mo_union_touch){{proxies[c->pair.proxy_a].shape, proxies[c->pair.proxy_b].shape},
                          mo_v3_from_floats(c->normal),
                          c->point_count};
}

// Of an impact ahead the point on the mover is elsewhere now.
static void read_points(const mo_world *world, const void *contact, uint32_t side,
                        mo_union_contact *out) {
  const mo_substep_contact *c = contact;
  mo_vec3 center = world->motions[side == 0 ? c->pair.slot_a : c->pair.slot_b].center_of_mass;
  out->normal = mo_normalize(out->normal);
  for (uint32_t p = 0; p < out->point_count; p++) {
    const mo_substep_point *point = &c->points[p];
    out->points[p] = mo_add(center, mo_v3_from_floats(side == 0 ? point->arm_a : point->arm_b));
  }
}

static void add(mo_void_search *s, uint32_t contact) {
  const mo_pair_store *pairs = &s->world->pairs;
  const mo_contact_record *record = &pairs->records.records[contact];
  if (record->flags & MO_CONTACT_NEAR && mo_pair_place_has_manifold(record->place) &&
      record->place < MO_PLACE_ASLEEP_CONTACTS) {
    mo_void_search_add(s, record->slot_a, record->slot_b, mo_pair_store_manifold(pairs, record),
                       contact);
  }
}

// Adds the contacts that were updated, parts among them.
static void add_updated(mo_void_search *s, const uint32_t *updated, uint32_t count) {
  const mo_contact_store *store = &s->world->pairs.records;
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_record *record = &store->records[updated[i]];
    if (!(record->flags & MO_CONTACT_HAS_PARTS)) {
      add(s, updated[i]);
      continue;
    }
    uint32_t parts[MO_CONTACT_PARTS];
    mo_contact_store_list_parts(store, record, parts);
    for (int k = 0; k < MO_CONTACT_PARTS; k++) {
      if (parts[k] != MO_NO_CONTACT) {
        add(s, parts[k]);
      }
    }
  }
}

// Links the contacts of the movers, updated or not.
static void link_all(mo_void_search *s) {
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; (c = mo_pair_store_next(&s->world->pairs, &walk));) {
    mo_void_search_link(s, c->pair.slot_a, c->pair.slot_b, c);
  }
}

// m: how far the bodies of a pair are displaced. With this allowance it is compared again as soon
// as one of them moves.
static double displacement_of(const mo_world *world, const mo_contact_record *record) {
  return world->displacements[record->slot_a] + world->displacements[record->slot_b];
}

// Gives a contact the normal of the union.
static bool turn_contact(mo_world *world, const mo_union_change *c) {
  mo_pair_store *pairs = &world->pairs;
  const mo_contact_record *record = &pairs->records.records[c->number];
  if (!mo_pair_store_reserve_notes(pairs, 1)) {
    return false;
  }
  mo_substep_contact *contact =
      mo_pair_store_change_contact(pairs, record->place - MO_PLACE_COLOURS, record->index);
  bool is_a = c->side == 0;
  const mo_union_turn *t = &c->turn;
  mo_manifold manifold = {.normal = is_a ? mo_neg(t->normal) : t->normal, .point_count = 1};
  manifold.points[0] =
      (mo_manifold_point){is_a ? t->on_mover : t->on_fixed, is_a ? t->on_fixed : t->on_mover,
                          t->separation, contact->points[0].feature_id};
  mo_soft_contact_renew(world, &manifold, world->motions[record->slot_a].center_of_mass,
                        world->motions[record->slot_b].center_of_mass, contact);
  if (record->flags & MO_CONTACT_PART) {
    return mo_soft_compare_whole(world, record, displacement_of(world, record));
  }
  contact->pair.allowance = displacement_of(world, record);
  return true;
}

static bool apply(mo_world *world, const mo_union_change *c) {
  const mo_contact_record *record = &world->pairs.records.records[c->number];
  return c->verdict == MO_UNION_KEPT ? true
         : c->verdict == MO_UNION_TURNED
             ? turn_contact(world, c)
             : mo_soft_contact_leave(world, c->number, displacement_of(world, record));
}

bool mo_soft_contacts_drop_void(mo_world *world, const uint32_t *updated, uint32_t count) {
  mo_void_search s;
  if (count == 0) {
    return true;
  }
  if (!mo_void_search_begin(world, mo_pair_store_contact_count(&world->pairs),
                            (size_t)MO_CONTACT_PARTS * count, (mo_union_reader){read, read_points},
                            &s)) {
    return false;
  }
  add_updated(&s, updated, count);
  link_all(&s);
  mo_void_search_judge(&s);
  uint32_t done = 0;
  while (done < s.change_count && apply(world, &s.changes[done])) {
    done++;
  }
  return done == s.change_count;
}
