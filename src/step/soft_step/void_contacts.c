/// Contacts of soft-step that are none of the union of what they touch (union_contacts.h).
#include "step/soft_step/soft_contacts.h"
#include "step/union_contacts.h"

// Where soft-step keeps the manifold of a contact; null if it has none.
static const mo_substep_contact *manifold_of(const mo_world *world,
                                             const mo_contact_record *record) {
  bool has = record->flags & MO_CONTACT_NEAR && record->place >= MO_PLACE_COLOURS &&
             record->place < MO_PLACE_ASLEEP_CONTACTS;
  return has ? &world->pairs.colours[record->place - MO_PLACE_COLOURS].contacts[record->index]
             : NULL;
}

// A contact that may be changed, and by whom it was.
typedef struct change {
  uint32_t contact;
  uint32_t sides; // bits: of the movers, to each of which it may be void
  int side;       // of the mover to which it is
  mo_union_verdict verdict;
  mo_union_turn turn;
} change;

// A contact with a manifold, at its mover.
typedef struct mover_contact {
  uint32_t next;        // 1 + the index of the next one of the mover, or END
  uint32_t slot, proxy; // what it touches
  int side;             // of the mover
  const mo_substep_contact *contact;
} mover_contact;

#define END UINT32_MAX

typedef struct union_stage {
  const mo_world *world;
  change *changes;
  uint32_t count;
  // Per slot 1 + the index of its first contact, or END; 0: it is no mover. A body has many more
  // pairs that are near, which these lists pass over.
  uint32_t *firsts;
  mover_contact *contacts;
  uint32_t contacts_count;
} union_stage;

// --- the contacts of movers ------------------------------------------------------------------

static mover_contact mover_contact_of(const mo_substep_contact *c, int side) {
  const mo_pair *pair = &c->pair;
  return side == 0 ? (mover_contact){END, pair->slot_b, pair->proxy_b, side, c}
                   : (mover_contact){END, pair->slot_a, pair->proxy_a, side, c};
}

static uint32_t slot_of(const mo_substep_contact *c, int side) {
  return side == 0 ? c->pair.slot_a : c->pair.slot_b;
}

static void add_candidate(union_stage *s, uint32_t contact) {
  const mo_substep_contact *c = manifold_of(s->world, &s->world->pairs.records.records[contact]);
  uint32_t sides = c ? mo_union_moving_sides(s->world, c->pair.slot_a, c->pair.slot_b) : 0;
  for (int side = 0; side < 2; side++) {
    if (sides >> side & 1) {
      s->firsts[slot_of(c, side)] = END;
    }
  }
  change *added = &s->changes[s->count];
  added->contact = contact;
  added->sides = sides;
  added->verdict = MO_UNION_KEPT;
  s->count += sides != 0;
}

// Lists the contacts that were updated, parts among them.
static void list_candidates(union_stage *s, const uint32_t *updated, uint32_t count) {
  const mo_contact_store *store = &s->world->pairs.records;
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_record *record = &store->records[updated[i]];
    if (!(record->flags & MO_CONTACT_HAS_PARTS)) {
      add_candidate(s, updated[i]);
      continue;
    }
    uint32_t parts[MO_CONTACT_PARTS];
    mo_contact_store_list_parts(store, record, parts);
    for (int k = 0; k < MO_CONTACT_PARTS; k++) {
      if (parts[k] != MO_NO_CONTACT) {
        add_candidate(s, parts[k]);
      }
    }
  }
}

static void link_contact(union_stage *s, const mo_substep_contact *c) {
  for (int side = 0; side < 2; side++) {
    uint32_t *first = &s->firsts[slot_of(c, side)];
    if (*first != 0) {
      mover_contact *added = &s->contacts[s->contacts_count++];
      *added = mover_contact_of(c, side);
      added->next = *first;
      *first = s->contacts_count;
    }
  }
}

// Lists the contacts of the movers, updated or not.
static void link_contacts(union_stage *s) {
  for (uint32_t k = 0; k < MO_SUBSTEP_COLOURS; k++) {
    const mo_substep_colour *colour = &s->world->pairs.colours[k];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      link_contact(s, &colour->contacts[i]);
    }
  }
}

// --- what a contact is -------------------------------------------------------------------------

// Reads a contact with the first `most` of its points.
static void read(const mo_world *world, const mover_contact *at, uint32_t most,
                 mo_union_contact *out) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  const mo_substep_contact *c = at->contact;
  bool is_a = at->side == 0;
  uint32_t mover = is_a ? c->pair.proxy_a : c->pair.proxy_b;
  mo_union_set_shapes(world, proxies[mover].slot, proxies[mover].shape, at->slot,
                      proxies[at->proxy].shape, out);
  mo_vec3 normal = mo_normalize(mo_v3_from_floats(c->normal));
  out->normal = is_a ? mo_neg(normal) : normal;
  out->point_count = c->point_count < most ? c->point_count : most;
  // Of an impact ahead the point on the mover is elsewhere now.
  mo_vec3 center = world->motions[at->slot].center_of_mass;
  for (uint32_t p = 0; p < out->point_count; p++) {
    mo_vec3 arm = mo_v3_from_floats(is_a ? c->points[p].arm_b : c->points[p].arm_a);
    out->points[p] = mo_add(center, arm);
  }
  mo_union_bring_back(world, out);
}

// Whether both are with one shape, which the narrow phase has compared.
static bool is_settled(const mo_world *world, const mover_contact *c, const mover_contact *other) {
  uint32_t shape = world->broad_phase.proxies[c->proxy].shape;
  return c->proxy == other->proxy &&
         mo_union_is_settled(world->bodies[c->slot].shapes[shape].shape);
}

static bool is_of_plane(const mover_contact *c, const mover_contact *other) {
  mo_vec3 normal = mo_v3_from_floats(c->contact->normal),
          theirs = mo_v3_from_floats(other->contact->normal);
  return mo_union_has_one_plane(normal, c->contact->point_count,
                                c->side == other->side ? theirs : mo_neg(theirs));
}

// Takes in what a contact is because of another one. Returns whether it is void.
static bool compare(const mover_contact *c, const mover_contact *other, mo_union_judgement *out) {
  if (out->contact.point_count == 0) {
    read(out->world, c, MO_MANIFOLD_POINTS, &out->contact);
  }
  mo_union_contact k;
  read(out->world, other, 1, &k);
  return mo_union_judge(out, &k);
}

// Judges a contact for a mover by its other contacts with the same solid.
static void judge_for(const union_stage *s, const mover_contact *c, change *out) {
  const mo_world *world = s->world;
  mo_union_judgement judgement;
  mo_union_begin(world, &judgement);
  bool is_alone = mo_union_is_alone(world, c->slot), is_void = false;
  for (uint32_t at = s->firsts[slot_of(c->contact, c->side)]; at != END && !is_void;
       at = s->contacts[at - 1].next) {
    const mover_contact *o = &s->contacts[at - 1];
    bool is_of_solid =
        o->slot == c->slot || (!is_alone && mo_union_has_both(world, c->slot, o->slot));
    is_void = is_of_solid && o->contact != c->contact && !is_settled(world, c, o) &&
              !is_of_plane(c, o) && compare(c, o, &judgement);
  }
  if (judgement.verdict != MO_UNION_KEPT) {
    out->side = c->side;
    out->verdict = judgement.verdict;
    out->turn = judgement.turn;
  }
}

static void judge(const union_stage *s, change *out) {
  const mo_world *world = s->world;
  const mo_substep_contact *c = manifold_of(world, &world->pairs.records.records[out->contact]);
  for (int side = 0; side < 2 && out->verdict == MO_UNION_KEPT; side++) {
    if (out->sides >> side & 1 && world->pairs.contact_counts[slot_of(c, side)] > 1) {
      mover_contact at_mover = mover_contact_of(c, side);
      judge_for(s, &at_mover, out);
    }
  }
}

// --- changes -----------------------------------------------------------------------------------

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
  mo_soft_contact_renew(world, &manifold, world->motions[record->slot_a].center_of_mass,
                        world->motions[record->slot_b].center_of_mass, contact);
  if (record->flags & MO_CONTACT_PART) {
    return mo_soft_compare_whole(world, record, displacement_of(world, record));
  }
  contact->pair.allowance = displacement_of(world, record);
  return true;
}

static bool apply(mo_world *world, const change *c) {
  const mo_contact_record *record = &world->pairs.records.records[c->contact];
  return c->verdict == MO_UNION_KEPT ? true
         : c->verdict == MO_UNION_TURNED
             ? turn_contact(world, c)
             : mo_soft_contact_leave(world, c->contact, displacement_of(world, record));
}

static bool make_stage(mo_world *world, uint32_t most, union_stage *out) {
  mo_arena *arena = &world->step_arena;
  size_t contacts = mo_pair_store_contact_count(&world->pairs);
  *out = (union_stage){
      .world = world,
      .changes = MO_ARENA_TAKE_RAW(arena, change, (size_t)most + 1),
      .firsts = MO_ARENA_TAKE(arena, uint32_t, world->ids.slot_count + 1),
      .contacts = MO_ARENA_TAKE_RAW(arena, mover_contact, 2 * contacts + 1),
  };
  return out->changes && out->firsts && out->contacts;
}

bool mo_soft_contacts_drop_void(mo_world *world, const uint32_t *updated, uint32_t count) {
  union_stage s;
  if (count == 0) {
    return true;
  }
  if (!make_stage(world, MO_CONTACT_PARTS * count, &s)) {
    return false;
  }
  list_candidates(&s, updated, count);
  link_contacts(&s);
  for (uint32_t i = 0; i < s.count; i++) {
    judge(&s, &s.changes[i]);
  }
  // All are judged before one is changed.
  uint32_t done = 0;
  while (done < s.count && apply(world, &s.changes[done])) {
    done++;
  }
  return done == s.count;
}
