#include "step/void_contacts.h"

// Ends the list of a mover.
#define END UINT32_MAX

bool mo_void_search_begin(mo_world *world, size_t contacts, size_t candidates,
                          mo_union_read_points *read_points, mo_void_search *out) {
  mo_arena *arena = &world->step_arena;
  *out = (mo_void_search){
      .world = world,
      .read_points = read_points,
      .changes = MO_ARENA_TAKE_RAW(arena, mo_union_change, candidates + 1),
      .firsts = MO_ARENA_TAKE(arena, uint32_t, world->ids.slot_count + 1),
      .touches = MO_ARENA_TAKE_RAW(arena, mo_mover_touch, 2 * contacts + 1),
  };
  return out->changes && out->firsts && out->touches;
}

void mo_void_search_add(mo_void_search *s, const mo_union_touch *touch, uint32_t contact) {
  uint32_t sides = mo_union_moving_sides(s->world, touch->slots[0], touch->slots[1]);
  for (uint32_t side = 0; side < 2; side++) {
    if (sides >> side & 1) {
      s->firsts[touch->slots[side]] = END;
    }
  }
  if (sides != 0) {
    mo_union_change *added = &s->changes[s->change_count++];
    added->touch = *touch;
    added->contact = contact;
    added->sides = sides;
    added->verdict = MO_UNION_KEPT;
  }
}

void mo_void_search_link(mo_void_search *s, const mo_union_touch *touch) {
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t *first = &s->firsts[touch->slots[side]];
    if (*first != 0) {
      s->touches[s->touch_count++] = (mo_mover_touch){*first, side, *touch};
      *first = s->touch_count;
    }
  }
}

// Reads a contact with the first `most` of its points, for the mover on one of its sides.
static void read(const mo_void_search *s, const mo_union_touch *touch, uint32_t side, uint32_t most,
                 mo_union_contact *out) {
  uint32_t fixed = 1 - side;
  mo_union_set_shapes(s->world, touch->slots[side], touch->shapes[side], touch->slots[fixed],
                      touch->shapes[fixed], out);
  out->normal = side == 0 ? mo_neg(touch->normal) : touch->normal;
  out->point_count = touch->point_count < most ? touch->point_count : most;
  s->read_points(s->world, touch, fixed, out->point_count, out->points);
  mo_union_bring_back(s->world, out);
}

// Whether another contact of the mover counts for a contact: it is one with the same solid, with
// what the narrow phase has not compared it with, and not of the same plane.
static bool counts(const mo_world *world, const mo_union_touch *c, uint32_t side,
                   const mo_mover_touch *other) {
  const mo_union_touch *o = &other->touch;
  uint32_t fixed = c->slots[1 - side], shape = c->shapes[1 - side];
  uint32_t theirs = o->slots[1 - other->side];
  bool is_same = fixed == theirs && shape == o->shapes[1 - other->side];
  return c->contact != o->contact && mo_union_has_both(world, fixed, theirs) &&
         !(is_same && mo_union_is_settled(world->bodies[fixed].shapes[shape].shape)) &&
         !mo_union_has_one_plane(c->normal, c->point_count,
                                 side == other->side ? o->normal : mo_neg(o->normal));
}

// Takes in what a contact is because of another one. Returns whether it is void.
static bool compare(const mo_void_search *s, const mo_union_touch *c, uint32_t side,
                    const mo_mover_touch *other, mo_union_judgement *out) {
  if (out->contact.point_count == 0) {
    read(s, c, side, MO_MANIFOLD_POINTS, &out->contact);
  }
  mo_union_contact k;
  read(s, &other->touch, other->side, 1, &k);
  return mo_union_judge(out, &k);
}

// Judges a contact for the mover on one of its sides.
static void judge_for(const mo_void_search *s, uint32_t side, mo_union_change *change) {
  const mo_union_touch *c = &change->touch;
  mo_union_judgement judgement;
  mo_union_begin(s->world, &judgement);
  bool is_void = false;
  for (uint32_t at = s->firsts[c->slots[side]]; at != END && !is_void;
       at = s->touches[at - 1].next) {
    const mo_mover_touch *other = &s->touches[at - 1];
    is_void = counts(s->world, c, side, other) && compare(s, c, side, other, &judgement);
  }
  change->side = side;
  change->verdict = judgement.verdict;
  change->turn = judgement.turn;
}

void mo_void_search_judge(mo_void_search *s) {
  for (uint32_t i = 0; i < s->change_count; i++) {
    mo_union_change *change = &s->changes[i];
    for (uint32_t side = 0; side < 2 && change->verdict == MO_UNION_KEPT; side++) {
      if (change->sides >> side & 1) {
        judge_for(s, side, change);
      }
    }
  }
}
