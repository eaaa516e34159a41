/// Contacts of soft-step that are none of the union of what they touch (union_contacts.h).
#include "step/fast/fast_contacts.h"
#include "step/union_contacts.h"

static const mo_substep_contact *manifold_of(const mo_world *world, uint32_t contact) {
  const mo_contact_record *record = &world->pairs.records.records[contact];
  bool has = record->flags & MO_CONTACT_NEAR && record->place >= MO_PLACE_COLOURS &&
             record->place < MO_PLACE_ASLEEP_CONTACTS;
  return has ? &world->pairs.colours[record->place - MO_PLACE_COLOURS].contacts[record->index]
             : NULL;
}

static void read(const mo_world *world, const mo_substep_contact *c, int side,
                 mo_union_contact *out) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  uint32_t slots[2] = {c->pair.slot_a, c->pair.slot_b};
  uint32_t shapes[2] = {proxies[c->pair.proxy_a].shape, proxies[c->pair.proxy_b].shape};
  mo_union_place(world, slots[side], shapes[side], &out->mover, &out->mover_at);
  mo_union_place(world, slots[!side], shapes[!side], &out->fixed, &out->fixed_at);
  out->size = mo_union_size(world, out->mover, slots[!side]);
  mo_vec3 normal = mo_normalize(mo_v3_from_floats(c->normal));
  out->normal = side == 0 ? mo_neg(normal) : normal;
  out->point_count = c->point_count;
  // Of an impact ahead the point on the mover is elsewhere now.
  mo_vec3 center = world->motions[slots[!side]].center_of_mass;
  for (uint32_t p = 0; p < c->point_count; p++) {
    mo_vec3 arm = mo_v3_from_floats(side == 0 ? c->points[p].arm_b : c->points[p].arm_a);
    out->points[p] = mo_add(center, arm);
  }
  mo_union_bring_back(world, slots[!side], out);
}

// Whether another contact of the mover counts for a contact: it is one with the same solid, and
// with what the narrow phase has not compared it with.
static bool counts(const mo_world *world, const mo_contact_record *record, int own, uint32_t fixed,
                   uint32_t settled_proxy) {
  uint32_t proxy = own == 0 ? record->proxy_b : record->proxy_a;
  return proxy != settled_proxy &&
         mo_union_has_both(world, fixed, own == 0 ? record->slot_b : record->slot_a);
}

// Asks the other contacts of the mover what a contact is.
static void ask_others(const mo_world *world, const mo_substep_contact *c, int side,
                       mo_union_judgement *judgement) {
  const mo_contact_store *store = &world->pairs.records;
  uint32_t slot = side == 0 ? c->pair.slot_a : c->pair.slot_b;
  uint32_t fixed = side == 0 ? c->pair.slot_b : c->pair.slot_a;
  uint32_t proxy = side == 0 ? c->pair.proxy_b : c->pair.proxy_a;
  const mo_placed_shape *shapes = world->bodies[fixed].shapes;
  bool is_settled = mo_union_is_settled(shapes[world->broad_phase.proxies[proxy].shape].shape);
  bool is_read = false, is_void = false;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT && !is_void;
       edge = store->edges[edge].next) {
    uint32_t other = mo_contact_of_edge(edge);
    const mo_contact_record *record = &store->records[other];
    int own = record->slot_a == slot ? 0 : 1;
    const mo_substep_contact *o = manifold_of(world, other);
    if (!o || o == c || !counts(world, record, own, fixed, is_settled ? proxy : UINT32_MAX)) {
      continue;
    }
    mo_vec3 normal = mo_v3_from_floats(c->normal), theirs = mo_v3_from_floats(o->normal);
    if (mo_union_has_one_plane(normal, c->point_count, own == side ? theirs : mo_neg(theirs))) {
      continue;
    }
    if (!is_read) {
      read(world, c, side, &judgement->contact);
      is_read = true;
    }
    mo_union_contact k;
    read(world, o, own, &k);
    is_void = mo_union_judge(judgement, &k);
  }
}

// What a contact is to the body on one of its sides.
static mo_union_verdict judge(const mo_world *world, const mo_substep_contact *c, int side,
                              mo_union_turn *turn) {
  uint32_t slot = side == 0 ? c->pair.slot_a : c->pair.slot_b;
  if (world->pairs.contact_counts[slot] < 2) {
    return MO_UNION_KEPT;
  }
  mo_union_judgement judgement;
  mo_union_begin(world, slot, side == 0 ? c->pair.slot_b : c->pair.slot_a, &judgement);
  ask_others(world, c, side, &judgement);
  *turn = judgement.turn;
  return judgement.verdict;
}

// A contact that is changed.
typedef struct change {
  uint32_t contact;
  int side; // of the mover
  mo_union_verdict verdict;
  mo_union_turn turn;
} change;

static void list_change(const mo_world *world, uint32_t contact, change *list, uint32_t *count) {
  const mo_substep_contact *c = manifold_of(world, contact);
  uint32_t sides = c ? mo_union_moving_sides(world, c->pair.slot_a, c->pair.slot_b) : 0;
  change *at = &list[*count];
  at->contact = contact;
  at->verdict = MO_UNION_KEPT;
  for (int side = 0; side < 2 && at->verdict == MO_UNION_KEPT; side++) {
    if (sides >> side & 1) {
      at->side = side;
      at->verdict = judge(world, c, side, &at->turn);
    }
  }
  *count += at->verdict != MO_UNION_KEPT;
}

// m: how far the bodies of a pair are displaced. With this allowance it is compared again as soon
// as one of them moves.
static double displacement_of(const mo_world *world, const mo_contact_record *record) {
  return world->displacements[record->slot_a] + world->displacements[record->slot_b];
}

// Gives a contact the normal of the union.
static bool turn_contact(mo_world *world, const change *c) {
  mo_pair_store *pairs = &world->pairs;
  const mo_contact_record *record = &pairs->records.records[c->contact];
  if (!mo_pair_store_reserve_notes(pairs, 1)) {
    return false;
  }
  mo_substep_contact *contact =
      mo_pair_store_change_contact(pairs, record->place - MO_PLACE_COLOURS, record->index);
  int side = c->side;
  const mo_union_turn *t = &c->turn;
  mo_manifold manifold = {.normal = side == 0 ? mo_neg(t->normal) : t->normal, .point_count = 1};
  manifold.points[0] = (mo_manifold_point){side == 0 ? t->on_mover : t->on_fixed,
                                           side == 0 ? t->on_fixed : t->on_mover, t->separation,
                                           contact->points[0].feature_id};
  mo_fast_contact_renew(world, &manifold, world->motions[record->slot_a].center_of_mass,
                        world->motions[record->slot_b].center_of_mass, contact);
  if (record->flags & MO_CONTACT_PART) {
    return mo_fast_compare_whole(world, record, displacement_of(world, record));
  }
  contact->pair.allowance = displacement_of(world, record);
  return true;
}

static bool apply(mo_world *world, const change *c) {
  const mo_contact_record *record = &world->pairs.records.records[c->contact];
  return c->verdict == MO_UNION_TURNED
             ? turn_contact(world, c)
             : mo_fast_contact_leave(world, c->contact, displacement_of(world, record));
}

bool mo_fast_contacts_drop_void(mo_world *world, const uint32_t *updated, uint32_t count) {
  change *list =
      MO_ARENA_TAKE_RAW(&world->step_arena, change, (size_t)MO_CONTACT_PARTS * count + 1);
  uint32_t found = 0;
  if (!list) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_record *record = &world->pairs.records.records[updated[i]];
    if (!(record->flags & MO_CONTACT_HAS_PARTS)) {
      list_change(world, updated[i], list, &found);
      continue;
    }
    uint32_t parts[MO_CONTACT_PARTS];
    mo_contact_store_list_parts(&world->pairs.records, record, parts);
    for (int k = 0; k < MO_CONTACT_PARTS; k++) {
      if (parts[k] != MO_NO_CONTACT) {
        list_change(world, parts[k], list, &found);
      }
    }
  }
  for (uint32_t i = 0; i < found; i++) {
    if (!apply(world, &list[i])) {
      return false;
    }
  }
  return true;
}
