/// Contacts of the row solvers that are none of the union of what they touch (union_contacts.h).
#include "step/stages.h"
#include "step/union_contacts.h"

// What the row solvers know. A place of a contact is 2 times its index, and 1 more if B is the
// mover.
typedef struct row_stage {
  const mo_world *world;
  const mo_contact *contacts;
  const mo_vec3 *on_shapes;
  uint32_t *firsts, *next; // per slot and per place: 1 + a place
} row_stage;

// Reads a contact with the first `most` of its points.
static void read_row(const row_stage *s, uint32_t place, uint32_t most, mo_union_contact *out) {
  uint32_t at = place / 2, side = place % 2;
  const mo_contact *c = &s->contacts[at];
  const mo_vec3 *on_fixed = &s->on_shapes[(size_t)MO_MANIFOLD_POINTS * (2 * at + !side)];
  if (side == 0) {
    mo_union_set_shapes(s->world, c->slot_a, c->shape_a, c->slot_b, c->shape_b, out);
  } else {
    mo_union_set_shapes(s->world, c->slot_b, c->shape_b, c->slot_a, c->shape_a, out);
  }
  out->normal = side == 0 ? mo_neg(c->normal) : c->normal;
  out->point_count = c->point_count < most ? c->point_count : most;
  for (uint32_t p = 0; p < out->point_count; p++) {
    out->points[p] = on_fixed[p];
  }
  mo_union_bring_back(s->world, out);
}

// Whether another contact of the mover counts for a contact: it is one with the same solid, with
// what the narrow phase has not compared it with, and not of the same plane.
static bool counts(const row_stage *s, uint32_t place, uint32_t other) {
  const mo_contact *c = &s->contacts[place / 2], *o = &s->contacts[other / 2];
  uint32_t side = place % 2, own = other % 2;
  uint32_t fixed = side == 0 ? c->slot_b : c->slot_a, shape = side == 0 ? c->shape_b : c->shape_a;
  uint32_t theirs = own == 0 ? o->slot_b : o->slot_a;
  bool is_same = fixed == theirs && shape == (own == 0 ? o->shape_b : o->shape_a);
  return c != o && mo_union_has_both(s->world, fixed, theirs) &&
         !(is_same && mo_union_is_settled(s->world->bodies[fixed].shapes[shape].shape)) &&
         !mo_union_has_one_plane(c->normal, c->point_count,
                                 own == side ? o->normal : mo_neg(o->normal));
}

// Takes in what a contact is because of another one. Returns whether it is void.
static bool compare(const row_stage *s, uint32_t place, uint32_t other, mo_union_judgement *out) {
  if (out->contact.point_count == 0) {
    read_row(s, place, MO_MANIFOLD_POINTS, &out->contact);
  }
  mo_union_contact k;
  read_row(s, other, 1, &k);
  return mo_union_judge(out, &k);
}

// What a contact is to the body on one of its sides.
static mo_union_verdict judge(const row_stage *s, uint32_t place, mo_union_turn *turn) {
  const mo_contact *c = &s->contacts[place / 2];
  mo_union_judgement judgement;
  mo_union_begin(s->world, &judgement);
  bool is_void = false;
  for (uint32_t o = s->firsts[place % 2 == 0 ? c->slot_a : c->slot_b]; o > 0 && !is_void;
       o = s->next[o - 1]) {
    is_void = counts(s, place, o - 1) && compare(s, place, o - 1, &judgement);
  }
  *turn = judgement.turn;
  return judgement.verdict;
}

// A contact that is changed.
typedef struct change {
  uint32_t place;
  mo_union_verdict verdict;
  mo_union_turn turn;
} change;

// Gives a contact the normal of the union. Its impulse acts half-way to the surface, which is not
// the one that the narrow phase has found.
static void turn_contact(const change *c, mo_contact *contact) {
  const mo_union_turn *turn = &c->turn;
  contact->normal = c->place % 2 == 0 ? mo_neg(turn->normal) : turn->normal;
  contact->point_count = 1;
  contact->points[0].position = mo_lerp(turn->on_mover, turn->on_fixed, 0.5);
  contact->points[0].separation = turn->separation;
}

// Puts the places of contacts at which a body is the mover into its list.
static void list_places(const row_stage *s, uint32_t count) {
  for (uint32_t place = 0; place < 2 * count; place++) {
    const mo_contact *c = &s->contacts[place / 2];
    if (mo_union_moving_sides(s->world, c->slot_a, c->slot_b) >> place % 2 & 1) {
      uint32_t slot = place % 2 == 0 ? c->slot_a : c->slot_b;
      s->next[place] = s->firsts[slot];
      s->firsts[slot] = place + 1;
    }
  }
}

static void list_changes(const row_stage *s, uint32_t count, change *list, uint32_t *found) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t sides = mo_union_moving_sides(s->world, s->contacts[i].slot_a, s->contacts[i].slot_b);
    change *at = &list[*found];
    at->verdict = MO_UNION_KEPT;
    for (uint32_t side = 0; side < 2 && at->verdict == MO_UNION_KEPT; side++) {
      if (sides >> side & 1) {
        at->place = 2 * i + side;
        at->verdict = judge(s, at->place, &at->turn);
      }
    }
    *found += at->verdict != MO_UNION_KEPT;
  }
}

bool mo_step_drop_void_contacts(mo_world *world, mo_contact *contacts, const mo_vec3 *on_shapes,
                                uint32_t count) {
  mo_arena *arena = &world->step_arena;
  row_stage lists = {.world = world,
                     .contacts = contacts,
                     .on_shapes = on_shapes,
                     .firsts = MO_ARENA_TAKE(arena, uint32_t, world->ids.slot_count + 1),
                     .next = MO_ARENA_TAKE_RAW(arena, uint32_t, 2 * (size_t)count + 1)};
  change *changes = MO_ARENA_TAKE_RAW(arena, change, (size_t)count + 1);
  uint32_t found = 0;
  if (!lists.firsts || !lists.next || !changes) {
    return false;
  }
  list_places(&lists, count);
  list_changes(&lists, count, changes, &found);
  for (uint32_t i = 0; i < found; i++) {
    mo_contact *contact = &contacts[changes[i].place / 2];
    if (changes[i].verdict == MO_UNION_VOID) {
      contact->point_count = 0;
    } else {
      turn_contact(&changes[i], contact);
    }
  }
  return true;
}
