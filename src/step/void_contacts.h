/// The search for contacts that are none of the union of what they touch (union_contacts.h),
/// whoever keeps them. Private to src/step.
///
/// Of each contact that may be void all others of its mover are asked. All contacts are judged
/// before one is changed.
#pragma once

#include "step/union_contacts.h"

/// A contact as the union sees it. Arrays are of A and B.
typedef struct mo_union_touch {
  uint32_t shapes[2];
  mo_vec3 normal; ///< from A to B
  uint32_t point_count;
} mo_union_touch;

/// How the contacts of a solver are read.
typedef struct mo_union_reader {
  mo_union_touch (*read)(const mo_world *world, const void *contact);
  /// Sets the first points of a contact on one of its sides, world, and makes the normal unit.
  void (*read_points)(const mo_world *world, const void *contact, uint32_t side,
                      mo_union_contact *out);
} mo_union_reader;

/// A contact that may be changed, and by whom it was.
typedef struct mo_union_change {
  uint32_t slots[2];
  const void *contact; ///< the caller's
  uint32_t number;     ///< of the contact, as the caller knows it
  uint32_t sides;      ///< bits: of the movers, to each of which it may be void
  uint32_t side;       ///< of the mover to which it is
  mo_union_verdict verdict;
  mo_union_turn turn;
} mo_union_change;

/// A contact at its mover.
typedef struct mo_mover_contact {
  uint32_t next;  ///< 1 + the index of the next one of the mover; or the end of its list
  uint32_t side;  ///< of the mover
  uint32_t fixed; ///< slot: what it touches
  const void *contact;
} mo_mover_contact;

typedef struct mo_void_search {
  const mo_world *world;
  mo_union_reader reader;
  mo_union_change *changes;
  uint32_t change_count;
  /// Per slot 1 + the index of its first contact, or the end; 0: it is no mover. A body has many
  /// more pairs that are near, which these lists pass over.
  uint32_t *firsts;
  mo_mover_contact *contacts;
  uint32_t contact_count;
} mo_void_search;

/// Begins a search among so many contacts, of which at most some may be changed. Returns false
/// without memory.
bool mo_void_search_begin(mo_world *world, size_t contacts, size_t candidates,
                          mo_union_reader reader, mo_void_search *out);
/// Adds a contact of two bodies that may be void.
void mo_void_search_add(mo_void_search *search, uint32_t slot_a, uint32_t slot_b,
                        const void *contact, uint32_t number);
/// Links a contact to those of its bodies that are movers, once all that may be void are added.
static inline void mo_void_search_link(mo_void_search *s, uint32_t slot_a, uint32_t slot_b,
                                       const void *contact) {
  const uint32_t slots[2] = {slot_a, slot_b};
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t *first = &s->firsts[slots[side]];
    if (*first != 0) {
      s->contacts[s->contact_count++] = (mo_mover_contact){*first, side, slots[1 - side], contact};
      *first = s->contact_count;
    }
  }
}
/// Sets what the contacts that were added are.
void mo_void_search_judge(mo_void_search *search);
