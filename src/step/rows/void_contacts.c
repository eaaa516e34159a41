/// Contacts of the row solvers that are none of the union of what they touch (union_contacts.h).
#include "step/stages.h"
#include "step/union_contacts.h"

// What the row solvers know.
typedef struct row_stage {
  const mo_world *world;
  const mo_contact *contacts;
  const mo_vec3 *on_fixed;
  uint32_t *firsts, *next; // per slot and per contact, 1 + index
} row_stage;

static void read_row(const row_stage *s, uint32_t at, int side, mo_union_contact *out) {
  const mo_world *world = s->world;
  const mo_contact *c = &s->contacts[at];
  const mo_vec3 *on_fixed = &s->on_fixed[(size_t)MO_MANIFOLD_POINTS * at];
  uint32_t slots[2] = {c->slot_a, c->slot_b}, shapes[2] = {c->shape_a, c->shape_b};
  mo_union_place(world, slots[side], shapes[side], &out->mover, &out->mover_at);
  mo_union_place(world, slots[!side], shapes[!side], &out->fixed, &out->fixed_at);
  out->normal = side == 0 ? mo_neg(c->normal) : c->normal;
  out->point_count = c->point_count;
  for (uint32_t p = 0; p < c->point_count; p++) {
    out->points[p] = on_fixed[p];
  }
}

// Whether another contact of the mover counts for a contact: it is one with the same solid, and
// with what the narrow phase has not compared it with.
static bool counts(const mo_world *world, const mo_contact *c, int side, const mo_contact *other,
                   int own) {
  uint32_t fixed = side == 0 ? c->slot_b : c->slot_a, shape = side == 0 ? c->shape_b : c->shape_a;
  uint32_t theirs = own == 0 ? other->slot_b : other->slot_a;
  bool is_same = fixed == theirs && shape == (own == 0 ? other->shape_b : other->shape_a);
  return mo_union_has_both(world, fixed, theirs) &&
         !(is_same && mo_union_is_settled(world->bodies[fixed].shapes[shape].shape));
}

static mo_union_verdict judge(const row_stage *s, uint32_t at, int side, mo_union_turn *turn) {
  const mo_world *world = s->world;
  const mo_contact *c = &s->contacts[at];
  uint32_t slot = side == 0 ? c->slot_a : c->slot_b;
  mo_union_judgement judgement;
  mo_union_begin(world, slot, side == 0 ? c->slot_b : c->slot_a, &judgement);
  bool is_read = false, is_void = false;
  for (uint32_t o = s->firsts[slot]; o > 0 && !is_void; o = s->next[o - 1]) {
    const mo_contact *other = &s->contacts[o - 1];
    int own = other->slot_a == slot ? 0 : 1;
    double sign = own == side ? 1.0 : -1.0;
    if (other == c || sign * mo_dot(c->normal, other->normal) > MO_UNION_SAME_NORMAL ||
        !counts(world, c, side, other, own)) {
      continue;
    }
    if (!is_read) {
      read_row(s, at, side, &judgement.contact);
      is_read = true;
    }
    mo_union_contact k;
    read_row(s, o - 1, own, &k);
    is_void = mo_union_judge(&judgement, &k);
  }
  *turn = judgement.turn;
  return judgement.verdict;
}

// Gives a contact the normal of the union. Its impulse acts half-way to the surface, which is not
// the one that the narrow phase has found.
static void turn_contact(const mo_world *world, const mo_union_turn *turn, mo_contact *contact) {
  bool moves_a = mo_world_is_dynamic(world, contact->slot_a);
  contact->normal = moves_a ? mo_neg(turn->normal) : turn->normal;
  contact->point_count = 1;
  contact->points[0].position = mo_lerp(turn->on_mover, turn->on_fixed, 0.5);
  contact->points[0].separation = turn->separation;
}

bool mo_step_drop_void_contacts(mo_world *world, mo_contact *contacts, const mo_vec3 *on_fixed,
                                uint32_t count) {
  mo_arena *arena = &world->step_arena;
  row_stage lists = {.world = world,
                     .contacts = contacts,
                     .on_fixed = on_fixed,
                     .firsts = MO_ARENA_TAKE(arena, uint32_t, world->ids.slot_count + 1),
                     .next = MO_ARENA_TAKE(arena, uint32_t, count + 1)};
  mo_union_verdict *verdicts = MO_ARENA_TAKE_RAW(arena, mo_union_verdict, count + 1);
  mo_union_turn *turns = MO_ARENA_TAKE_RAW(arena, mo_union_turn, count + 1);
  if (!lists.firsts || !lists.next || !verdicts || !turns) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    int side = mo_union_moving_side(world, contacts[i].slot_a, contacts[i].slot_b);
    if (side >= 0) {
      uint32_t slot = side == 0 ? contacts[i].slot_a : contacts[i].slot_b;
      lists.next[i] = lists.firsts[slot];
      lists.firsts[slot] = i + 1;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    int side = mo_union_moving_side(world, contacts[i].slot_a, contacts[i].slot_b);
    verdicts[i] = side >= 0 ? judge(&lists, i, side, &turns[i]) : MO_UNION_KEPT;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (verdicts[i] == MO_UNION_VOID) {
      contacts[i].point_count = 0;
    } else if (verdicts[i] == MO_UNION_TURNED) {
      turn_contact(world, &turns[i], &contacts[i]);
    }
  }
  return true;
}
