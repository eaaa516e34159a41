/// Pairs of shapes that touch or overlap, and how they differ from those of the step before.
/// Private to src.
///
/// A step lists what touches in it, in any order. Sorted, the list is walked together with that of
/// the step before, and what is in one of them alone has begun or ended. So no event depends on how
/// long the records of contacts live: destroyed bodies, changed filters, sleep and other solvers
/// need nothing of their own. Contacts count once however many parts of the shapes touch.
#pragma once

#include "collision/narrow/manifold.h"
#include "moreau.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mo_world mo_world;

typedef struct mo_touch {
  uint64_t slots; ///< of the bodies, the lower first
  uint32_t proxy_a, proxy_b;
  uint16_t generation_a, generation_b; ///< of the proxies
  uint32_t shape_a, shape_b;           ///< indices in the bodies
  mo_body_id body_a, body_b;
  /// Features of points that were pushed, as many as there is room for.
  uint32_t pushed_count;
  uint32_t pushed[MO_MANIFOLD_POINTS];
  // While the list is new:
  uint32_t contact; ///< its record
  bool has_more;    ///< more points were pushed than there is room for
  double impulse;   ///< N s: with which they were, in all
} mo_touch;

/// Begins as zeros.
typedef struct mo_touches {
  mo_touch *items; ///< of the last step, ascending
  uint32_t items_count, items_capacity;
  mo_touch *fresh; ///< of this step
  uint32_t fresh_count, fresh_capacity;
  mo_touch *room; ///< in which they are sorted
  uint32_t room_capacity;
} mo_touches;

/// A place in both lists.
typedef struct mo_touch_walk {
  mo_touches *touches;
  uint32_t old, fresh; ///< next in each
  uint32_t kept;       ///< how many of `fresh` have been walked, each pair once
} mo_touch_walk;

/// A pair of both lists or of one.
typedef struct mo_touch_change {
  const mo_touch *before; ///< null: it begins
  mo_touch *now;          ///< null: it ended
  const mo_touch *parts;  ///< all of `fresh` that belong to it; the first becomes `now`
  uint32_t part_count;
} mo_touch_change;

void mo_touches_free(mo_touches *touches);
/// Makes room for a list of `count`. Returns false without memory.
bool mo_touches_reserve(mo_touches *touches, uint32_t count);
/// Adds a pair to the new list; there must be room.
mo_touch *mo_touches_add(mo_touches *touches, const mo_world *world, uint32_t proxy_a,
                         uint32_t proxy_b);
/// Notes that a point of a touch is pushed with an impulse above 0 N s.
void mo_touch_push(mo_touch *touch, uint32_t feature, double impulse);
/// Adds to the pushes of a touch those of another one of the same shapes.
void mo_touch_join(mo_touch *touch, const mo_touch *other);
/// Whether points of a touch are pushed that were not pushed before. Of a touch with more such
/// points than there is room for, some seem to be new in each step.
bool mo_touch_has_new_pushes(const mo_touch *now, const mo_touch *before);

/// Sorts the new list and begins to walk both.
/// @param order room for twice as many numbers as there are new ones
mo_touch_walk mo_touches_begin(mo_touches *touches, uint64_t *order);
/// The next pair; false: there is none, and the new list has replaced the old one.
bool mo_touches_next(mo_touch_walk *walk, mo_touch_change *out);
