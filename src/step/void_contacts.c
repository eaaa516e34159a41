#include "step/void_contacts.h"

// Ends the list of a mover.
#define END UINT32_MAX

bool mo_void_search_begin(mo_world *world, size_t contacts, size_t candidates,
                          mo_union_reader reader, mo_void_search *out) {
  mo_arena *arena = &world->step_arena;
  *out = (mo_void_search){
      .world = world,
      .reader = reader,
      .changes = MO_ARENA_TAKE_RAW(arena, mo_union_change, candidates + 1),
      .firsts = MO_ARENA_TAKE(arena, uint32_t, world->ids.slot_count + 1),
      .contacts = MO_ARENA_TAKE_RAW(arena, mo_mover_contact, 2 * contacts + 1),
  };
  return out->changes && out->firsts && out->contacts;
}

void mo_void_search_add(mo_void_search *s, uint32_t slot_a, uint32_t slot_b, const void *contact,
                        uint32_t number) {
  uint32_t sides = mo_union_moving_sides(s->world, slot_a, slot_b);
  mo_union_change *added = &s->changes[s->change_count];
  added->slots[0] = slot_a;
  added->slots[1] = slot_b;
  added->contact = contact;
  added->number = number;
  added->sides = sides;
  added->verdict = MO_UNION_KEPT;
  for (uint32_t side = 0; side < 2; side++) {
    if (sides >> side & 1) {
      s->firsts[added->slots[side]] = END;
    }
  }
  s->change_count += sides != 0;
}

// A contact and its mover, while it is judged.
typedef struct mover_touch {
  uint32_t mover, fixed, side; // slots, and which of both the mover is
  const void *contact;
  mo_union_touch touch;
} mover_touch;

static mover_touch touch_of(const mo_void_search *s, uint32_t mover, const mo_mover_contact *of) {
  return (mover_touch){mover, of->fixed, of->side, of->contact,
                       s->reader.read(s->world, of->contact)};
}

// Reads a contact with the first `most` of its points.
static void read(const mo_void_search *s, const mover_touch *of, uint32_t most,
                 mo_union_contact *out) {
  const uint32_t *shapes = of->touch.shapes;
  mo_union_set_shapes(s->world, of->mover, shapes[of->side], of->fixed, shapes[1 - of->side], out);
  out->normal = of->side == 0 ? mo_neg(of->touch.normal) : of->touch.normal;
  out->point_count = of->touch.point_count < most ? of->touch.point_count : most;
  s->reader.read_points(s->world, of->contact, 1 - of->side, out);
  mo_union_bring_back(s->world, out);
}

// Whether another contact of the mover counts for a contact: it is with what the narrow phase has
// not compared it with, and not of the same plane.
static bool counts(const mo_world *world, const mover_touch *c, const mover_touch *o) {
  uint32_t shape = c->touch.shapes[1 - c->side];
  bool is_same = c->fixed == o->fixed && shape == o->touch.shapes[1 - o->side];
  return !(is_same && mo_union_is_settled(world->bodies[c->fixed].shapes[shape].shape)) &&
         !mo_union_has_one_plane(c->touch.normal, c->touch.point_count,
                                 c->side == o->side ? o->touch.normal : mo_neg(o->touch.normal));
}

// Takes in what the contact of a judgement is because of another one with the same solid. Returns
// whether it is void.
static bool compare(const mo_void_search *s, uint32_t mover, const mo_mover_contact *one,
                    const mo_mover_contact *other, mo_union_judgement *out) {
  mover_touch c = touch_of(s, mover, one), o = touch_of(s, mover, other);
  mo_union_contact k;
  if (!counts(s->world, &c, &o)) {
    return false;
  }
  if (out->contact.point_count == 0) {
    read(s, &c, MO_MANIFOLD_POINTS, &out->contact);
  }
  read(s, &o, 1, &k);
  return mo_union_judge(out, &k);
}

// Judges a contact for the mover on one of its sides.
static void judge_for(const mo_void_search *s, uint32_t side, mo_union_change *change) {
  uint32_t mover = change->slots[side];
  mo_mover_contact one = {
      .side = side, .fixed = change->slots[1 - side], .contact = change->contact};
  mo_union_judgement judgement;
  mo_union_begin(s->world, &judgement);
  bool is_void = false;
  for (uint32_t at = s->firsts[mover]; at != END && !is_void; at = s->contacts[at - 1].next) {
    const mo_mover_contact *other = &s->contacts[at - 1];
    is_void = other->contact != one.contact &&
              mo_union_has_both(s->world, one.fixed, other->fixed) &&
              compare(s, mover, &one, other, &judgement);
  }
  change->side = side;
  change->verdict = judgement.verdict;
  if (judgement.verdict == MO_UNION_TURNED) {
    change->turn = judgement.turn;
  }
}

// Whether a mover has more than one contact.
static bool has_others(const mo_void_search *s, uint32_t mover) {
  uint32_t first = s->firsts[mover];
  return first != END && s->contacts[first - 1].next != END;
}

void mo_void_search_judge(mo_void_search *s) {
  for (uint32_t i = 0; i < s->change_count; i++) {
    mo_union_change *change = &s->changes[i];
    for (uint32_t side = 0; side < 2 && change->verdict == MO_UNION_KEPT; side++) {
      if (change->sides >> side & 1 && has_others(s, change->slots[side])) {
        judge_for(s, side, change);
      }
    }
  }
}
