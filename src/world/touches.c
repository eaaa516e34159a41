#include "world/touches.h"

#include "memory/allocator.h"
#include "memory/array.h"
#include "memory/radix_sort.h"
#include "memory/sort.h"
#include "world/world.h"

#include <string.h>

void mo_touches_free(mo_touches *touches) {
  mo_release(touches->items);
  mo_release(touches->fresh);
  mo_release(touches->room);
  *touches = (mo_touches){0};
}

bool mo_touches_reserve(mo_touches *touches, uint32_t count) {
  return MO_RESERVE(touches, items, count) && MO_RESERVE(touches, fresh, count) &&
         MO_RESERVE(touches, room, count);
}

mo_touch *mo_touches_add(mo_touches *touches, const mo_world *world, uint32_t proxy_a,
                         uint32_t proxy_b) {
  const mo_proxy *a = &world->broad_phase.proxies[proxy_a],
                 *b = &world->broad_phase.proxies[proxy_b];
  mo_touch *touch = &touches->fresh[touches->fresh_count++];
  *touch = (mo_touch){.slots = mo_sort_key_of_both(a->slot, b->slot),
                      .proxy_a = proxy_a,
                      .proxy_b = proxy_b,
                      .generation_a = a->generation,
                      .generation_b = b->generation,
                      .shape_a = a->shape,
                      .shape_b = b->shape,
                      .body_a = mo_world_body_in_slot(world, a->slot),
                      .body_b = mo_world_body_in_slot(world, b->slot)};
  return touch;
}

// --- pushes ----------------------------------------------------------------------------------

void mo_touch_push(mo_touch *touch, uint32_t feature, double impulse) {
  touch->impulse += impulse;
  if (touch->pushed_count < MO_MANIFOLD_POINTS) {
    touch->pushed[touch->pushed_count++] = feature;
  } else {
    touch->has_more = true;
  }
}

void mo_touch_join(mo_touch *touch, const mo_touch *other) {
  double impulse = touch->impulse + other->impulse;
  for (uint32_t i = 0; i < other->pushed_count; i++) {
    mo_touch_push(touch, other->pushed[i], 0.0);
  }
  touch->has_more = touch->has_more || other->has_more;
  touch->impulse = impulse;
}

bool mo_touch_has_new_pushes(const mo_touch *now, const mo_touch *before) {
  for (uint32_t i = 0; i < now->pushed_count; i++) {
    bool is_known = false;
    for (uint32_t k = 0; k < before->pushed_count; k++) {
      is_known = is_known || before->pushed[k] == now->pushed[i];
    }
    if (!is_known) {
      return true;
    }
  }
  return now->has_more;
}

// --- order -----------------------------------------------------------------------------------

// By bodies, then by proxies: below zero if `a` is first.
static int compare(const mo_touch *a, const mo_touch *b) {
  if (a->slots != b->slots) {
    return a->slots < b->slots ? -1 : 1;
  }
  if (a->proxy_a != b->proxy_a) {
    return a->proxy_a < b->proxy_a ? -1 : 1;
  }
  return a->proxy_b == b->proxy_b ? 0 : a->proxy_b < b->proxy_b ? -1 : 1;
}

// Whether two touches of the same proxies are of the same shapes.
static bool are_same_shapes(const mo_touch *a, const mo_touch *b) {
  return a->generation_a == b->generation_a && a->generation_b == b->generation_b;
}

// Sorts the few touches of the same two bodies by insertion.
static void order_proxies(mo_touch *items, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    if (compare(&items[i - 1], &items[i]) <= 0) {
      continue; // most are in order, and a copy takes longer than this
    }
    mo_touch moved = items[i];
    uint32_t k = i;
    for (; k > 0 && compare(&moved, &items[k - 1]) < 0; k--) {
      items[k] = items[k - 1];
    }
    items[k] = moved;
  }
}

// Sorts indices of touches, in the lower halves of `items`, by 32 bits of their slots from bit
// `first_bit` on. Equal ones keep their order. Returns the sorted ones: `items` or `spare`.
static uint64_t *sort_indices(const mo_touches *touches, uint64_t *items, uint64_t *spare,
                              int first_bit) {
  uint64_t all_bits = 0;
  for (uint32_t i = 0; i < touches->fresh_count; i++) {
    uint64_t slot = touches->fresh[(uint32_t)items[i]].slots >> first_bit & UINT32_MAX;
    items[i] = slot << 32 | (uint32_t)items[i];
    all_bits |= slot;
  }
  int bit_count = 1;
  while (all_bits >> bit_count != 0) {
    bit_count++;
  }
  return mo_radix_sort(items, spare, touches->fresh_count, 32, bit_count);
}

// Makes the room the list and the list the room.
static void swap_room(mo_touches *t) {
  mo_touch *fresh = t->fresh;
  uint32_t capacity = t->fresh_capacity;
  t->fresh = t->room;
  t->fresh_capacity = t->room_capacity;
  t->room = fresh;
  t->room_capacity = capacity;
}

mo_touch_walk mo_touches_begin(mo_touches *touches, uint64_t *order) {
  uint32_t count = touches->fresh_count;
  if (count == 0) { // there may be no arrays
    return (mo_touch_walk){.touches = touches};
  }
  for (uint32_t i = 0; i < count; i++) {
    order[i] = i;
  }
  // By the higher slot first, then by the lower one, which counts more.
  uint64_t *items = sort_indices(touches, order, order + count, 0);
  items = sort_indices(touches, items, items == order ? order + count : order, 32);
  for (uint32_t i = 0; i < count; i++) {
    touches->room[i] = touches->fresh[(uint32_t)items[i]];
  }
  order_proxies(touches->room, count);
  swap_room(touches);
  return (mo_touch_walk){.touches = touches};
}

// --- walking ---------------------------------------------------------------------------------

static void replace_old(mo_touch_walk *walk) {
  mo_touches *t = walk->touches;
  mo_touch *items = t->items;
  uint32_t capacity = t->items_capacity;
  t->items = t->fresh;
  t->items_count = walk->kept;
  t->items_capacity = t->fresh_capacity;
  t->fresh = items;
  t->fresh_count = 0;
  t->fresh_capacity = capacity;
}

// Takes all new touches of the next pair together.
static void take_fresh(mo_touch_walk *walk, mo_touch_change *out) {
  mo_touches *t = walk->touches;
  uint32_t first = walk->fresh;
  while (walk->fresh < t->fresh_count && compare(&t->fresh[walk->fresh], &t->fresh[first]) == 0) {
    walk->fresh++;
  }
  out->parts = &t->fresh[first];
  out->part_count = walk->fresh - first;
  out->now = &t->fresh[walk->kept++];
  if (out->now != out->parts) {
    *out->now = t->fresh[first];
  }
}

bool mo_touches_next(mo_touch_walk *walk, mo_touch_change *out) {
  mo_touches *t = walk->touches;
  bool has_old = walk->old < t->items_count, has_fresh = walk->fresh < t->fresh_count;
  *out = (mo_touch_change){0};
  if (!has_old && !has_fresh) {
    replace_old(walk);
    return false;
  }
  const mo_touch *old = has_old ? &t->items[walk->old] : NULL;
  const mo_touch *fresh = has_fresh ? &t->fresh[walk->fresh] : NULL;
  int order = !old ? 1 : !fresh ? -1 : compare(old, fresh);
  bool has_ended = order < 0 || (order == 0 && !are_same_shapes(old, fresh));
  if (has_ended || order == 0) {
    out->before = old;
    walk->old++;
  }
  if (!has_ended) {
    take_fresh(walk, out);
  }
  return true;
}
