/// The search for contacts that are none of the union of what they touch (union_contacts.h),
/// whoever keeps them. Private to src/step.
///
/// Of each contact that may be void all others of its mover are asked. All contacts are judged
/// before one is changed.
#pragma once

#include "step/union_contacts.h"

/// A contact as the union sees it. Arrays are of A and B.
typedef struct mo_union_touch {
  uint32_t slots[2], shapes[2];
  mo_vec3 normal; ///< unit, from A to B
  uint32_t point_count;
  const void *contact; ///< the caller's
} mo_union_touch;

/// Reads the first points of a contact on one of its sides, world.
typedef void mo_union_read_points(const mo_world *world, const mo_union_touch *touch, uint32_t side,
                                  uint32_t count, mo_vec3 *out);

/// A contact that may be changed, and by whom it was.
typedef struct mo_union_change {
  mo_union_touch touch;
  uint32_t contact; ///< as the caller knows it
  uint32_t sides;   ///< bits: of the movers, to each of which it may be void
  uint32_t side;    ///< of the mover to which it is
  mo_union_verdict verdict;
  mo_union_turn turn;
} mo_union_change;

/// A contact at its mover.
typedef struct mo_mover_touch {
  uint32_t next; ///< 1 + the index of the next one of the mover; or the end of its list
  uint32_t side; ///< of the mover
  mo_union_touch touch;
} mo_mover_touch;

typedef struct mo_void_search {
  const mo_world *world;
  mo_union_read_points *read_points;
  mo_union_change *changes;
  uint32_t change_count;
  /// Per slot 1 + the index of its first contact, or the end; 0: it is no mover. A body has many
  /// more pairs that are near, which these lists pass over.
  uint32_t *firsts;
  mo_mover_touch *touches;
  uint32_t touch_count;
} mo_void_search;

/// Begins a search among so many contacts, of which at most some may be changed. Returns false
/// without memory.
bool mo_void_search_begin(mo_world *world, size_t contacts, size_t candidates,
                          mo_union_read_points *read_points, mo_void_search *out);
/// Adds a contact that may be void.
void mo_void_search_add(mo_void_search *search, const mo_union_touch *touch, uint32_t contact);
/// Whether a body is the mover of a contact that may be void.
static inline bool mo_void_search_has_mover(const mo_void_search *search, uint32_t slot) {
  return search->firsts[slot] != 0;
}
/// Links a contact to those of its bodies that are movers, once all that may be void are added.
void mo_void_search_link(mo_void_search *search, const mo_union_touch *touch);
/// Sets what the contacts that were added are.
void mo_void_search_judge(mo_void_search *search);
