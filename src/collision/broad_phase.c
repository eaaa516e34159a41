#include "collision/broad_phase.h"

#include "memory/allocator.h"
#include "memory/array.h"
#include "memory/sort.h"

#include <string.h>

// A proxy that is this many times longer than the mean movable one is kept out of the sweep: every
// proxy beside it would be tested against it anyway, and it would stay open for all of them.
#define WIDE_FACTOR 16.0
// Insertion sort may move this many places per item before heap sort takes over: what bodies move
// in a step is far below.
#define MOVES_PER_ITEM 16

// A swept proxy: its interval on the sweep axis (index 0) and on the other two.
struct mo_sweep_item {
  double lower[3], upper[3];
  uint32_t proxy;
  bool movable;
};

// --- the axis --------------------------------------------------------------------------------

static double component(mo_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static bool is_bounded(const mo_proxy *proxy) {
  return mo_v3_is_finite(proxy->bounds.lower) && mo_v3_is_finite(proxy->bounds.upper);
}

// The axis along which the centres of the movable proxies spread most, and their mean length along
// it.
static int choose_axis(const mo_broad_phase *bp, double *mean_length) {
  mo_vec3 sum = mo_v3_zero(), squares = mo_v3_zero(), lengths = mo_v3_zero(), origin = mo_v3_zero();
  double count = 0.0;
  for (uint32_t i = 0; i < bp->proxies_count; i++) {
    const mo_proxy *proxy = &bp->proxies[i];
    if (!proxy->movable || !is_bounded(proxy)) {
      continue;
    }
    // Relative to the first centre, so that a scene far from the origin loses no digits.
    mo_vec3 centre = mo_lerp(proxy->bounds.lower, proxy->bounds.upper, 0.5);
    origin = count == 0.0 ? centre : origin;
    mo_vec3 d = mo_sub(centre, origin);
    sum = mo_add(sum, d);
    squares = mo_add(squares, mo_v3(d.x * d.x, d.y * d.y, d.z * d.z));
    lengths = mo_add(lengths, mo_sub(proxy->bounds.upper, proxy->bounds.lower));
    count += 1.0;
  }
  int axis = 0;
  double most = -1.0;
  for (int i = 0; i < 3 && count > 0.0; i++) {
    double variance = component(squares, i) - mo_square(component(sum, i)) / count;
    if (variance > most) {
      most = variance;
      axis = i;
    }
  }
  *mean_length = count > 0.0 ? component(lengths, axis) / count : 0.0;
  return axis;
}

static bool is_wide(const mo_proxy *proxy, int axis, double mean_length) {
  return !(component(proxy->bounds.upper, axis) - component(proxy->bounds.lower, axis) <=
           WIDE_FACTOR * mean_length);
}

// --- the order along the axis ----------------------------------------------------------------

static bool precedes(const mo_sweep_item *a, const mo_sweep_item *b) {
  return a->lower[0] < b->lower[0] || (a->lower[0] == b->lower[0] && a->proxy < b->proxy);
}

// Sorts what is nearly sorted. False, with the items in some order, if there is more to do than
// expected.
static bool insertion_sort(mo_sweep_item *items, uint32_t count) {
  uint64_t moves_left = (uint64_t)MOVES_PER_ITEM * count;
  for (uint32_t i = 1; i < count; i++) {
    if (!precedes(&items[i], &items[i - 1])) {
      continue;
    }
    mo_sweep_item item = items[i];
    uint32_t j = i;
    for (; j > 0 && precedes(&item, &items[j - 1]) && moves_left > 0; j--, moves_left--) {
      items[j] = items[j - 1];
    }
    items[j] = item;
    if (moves_left == 0) {
      return false;
    }
  }
  return true;
}

static mo_sweep_item make_item(const mo_broad_phase *bp, uint32_t index, int axis) {
  const mo_proxy *proxy = &bp->proxies[index];
  mo_sweep_item item = {.proxy = index, .movable = proxy->movable};
  for (int i = 0; i < 3; i++) {
    item.lower[i] = component(proxy->bounds.lower, (axis + i) % 3);
    item.upper[i] = component(proxy->bounds.upper, (axis + i) % 3);
  }
  return item;
}

// Sorts what is in any order.
static void sort_anew(mo_broad_phase *bp, int axis) {
  for (uint32_t i = 0; i < bp->items_count; i++) {
    const mo_sweep_item *item = &bp->items[i];
    bp->keys[i] = (mo_sort_entry){mo_sort_key_of_double(item->lower[0]), item->proxy};
  }
  mo_sort(bp->keys, bp->items_count);
  for (uint32_t i = 0; i < bp->items_count; i++) {
    bp->items[i] = make_item(bp, bp->keys[i].value, axis);
  }
}

// Splits the proxies into swept and wide ones and sorts the swept ones, beginning from the order of
// the last step.
static bool sort_items(mo_broad_phase *bp) {
  if (!MO_RESERVE(bp, order, bp->proxies_count) || !MO_RESERVE(bp, items, bp->proxies_count) ||
      !MO_RESERVE(bp, keys, bp->proxies_count) || !MO_RESERVE(bp, wide, bp->proxies_count)) {
    return false;
  }
  if (bp->order_count != bp->proxies_count) {
    for (uint32_t i = 0; i < bp->proxies_count; i++) {
      bp->order[i] = i;
    }
    bp->order_count = bp->proxies_count;
  }
  double mean_length;
  int axis = choose_axis(bp, &mean_length);
  bp->items_count = bp->wide_count = 0;
  for (uint32_t i = 0; i < bp->order_count; i++) {
    uint32_t index = bp->order[i];
    if (is_wide(&bp->proxies[index], axis, mean_length)) {
      bp->wide[bp->wide_count++] = index;
    } else {
      bp->items[bp->items_count++] = make_item(bp, index, axis);
    }
  }
  if (!insertion_sort(bp->items, bp->items_count)) {
    sort_anew(bp, axis);
  }
  for (uint32_t i = 0; i < bp->items_count; i++) {
    bp->order[i] = bp->items[i].proxy;
  }
  for (uint32_t i = 0; i < bp->wide_count; i++) {
    bp->order[bp->items_count + i] = bp->wide[i];
  }
  return true;
}

// --- pairs -----------------------------------------------------------------------------------

static bool add_pair(mo_broad_phase *bp, uint32_t i, uint32_t j) {
  if (bp->unsorted_count == bp->unsorted_capacity &&
      !MO_RESERVE(bp, unsorted, bp->unsorted_count + 1)) {
    return false;
  }
  bp->unsorted[bp->unsorted_count++] = i < j ? (mo_proxy_pair){i, j} : (mo_proxy_pair){j, i};
  return true;
}

static bool sweep(mo_broad_phase *bp) {
  const mo_sweep_item *items = bp->items, *end = items + bp->items_count;
  for (const mo_sweep_item *p = items; p < end; p++) {
    for (const mo_sweep_item *q = p + 1; q < end && q->lower[0] <= p->upper[0]; q++) {
      // One branch for all comparisons: each alone is a coin toss to the CPU, together they nearly
      // always fail. A difference is at most zero exactly where the comparison holds, for infinite
      // bounds too.
      double gap_1 = mo_max(p->lower[1] - q->upper[1], q->lower[1] - p->upper[1]);
      double gap_2 = mo_max(p->lower[2] - q->upper[2], q->lower[2] - p->upper[2]);
      bool overlap = mo_max(gap_1, gap_2) <= 0.0;
      if (overlap && (p->movable || q->movable) && !add_pair(bp, p->proxy, q->proxy)) {
        return false;
      }
    }
  }
  return true;
}

// The few wide proxies are tested against all swept ones and the wide ones before them, as `order`
// lists them.
static bool test_wide(mo_broad_phase *bp) {
  for (uint32_t i = 0; i < bp->wide_count; i++) {
    const mo_proxy *wide = &bp->proxies[bp->wide[i]];
    for (uint32_t j = 0; j < bp->items_count + i; j++) {
      const mo_proxy *other = &bp->proxies[bp->order[j]];
      bool meet =
          (wide->movable || other->movable) && mo_bounds_overlap(wide->bounds, other->bounds);
      if (meet && !add_pair(bp, bp->wide[i], bp->order[j])) {
        return false;
      }
    }
  }
  return true;
}

// Moves pairs to `out`, stably in the order of one of their indices (counting sort).
static void sort_by(mo_broad_phase *bp, const mo_proxy_pair *in, mo_proxy_pair *out, bool by_a) {
  uint32_t *starts = bp->starts;
  memset(starts, 0, ((size_t)bp->proxies_count + 1) * sizeof *starts);
  for (uint32_t i = 0; i < bp->unsorted_count; i++) {
    starts[(by_a ? in[i].a : in[i].b) + 1]++;
  }
  for (uint32_t i = 0; i < bp->proxies_count; i++) {
    starts[i + 1] += starts[i];
  }
  for (uint32_t i = 0; i < bp->unsorted_count; i++) {
    out[starts[by_a ? in[i].a : in[i].b]++] = in[i];
  }
}

static bool sort_pairs(mo_broad_phase *bp) {
  if (!MO_RESERVE(bp, pairs, bp->unsorted_count) || !MO_RESERVE(bp, spare, bp->unsorted_count) ||
      !MO_RESERVE(bp, starts, bp->proxies_count + 1)) {
    return false;
  }
  sort_by(bp, bp->unsorted, bp->spare, false);
  sort_by(bp, bp->spare, bp->pairs, true);
  bp->pairs_count = bp->unsorted_count;
  return true;
}

// --- interface -------------------------------------------------------------------------------

void mo_broad_phase_reset(mo_broad_phase *bp) {
  bp->proxies_count = 0;
  bp->pairs_count = 0;
}

bool mo_broad_phase_insert(mo_broad_phase *bp, mo_proxy proxy) {
  if (bp->proxies_count == UINT32_MAX - 1 || !MO_RESERVE(bp, proxies, bp->proxies_count + 1)) {
    return false;
  }
  bp->proxies[bp->proxies_count++] = proxy;
  return true;
}

bool mo_broad_phase_find_pairs(mo_broad_phase *bp) {
  bp->pairs_count = 0;
  bp->unsorted_count = 0;
  return sort_items(bp) && sweep(bp) && test_wide(bp) && sort_pairs(bp);
}

void mo_broad_phase_free(mo_broad_phase *bp) {
  mo_release(bp->proxies);
  mo_release(bp->pairs);
  mo_release(bp->unsorted);
  mo_release(bp->spare);
  mo_release(bp->starts);
  mo_release(bp->order);
  mo_release(bp->items);
  mo_release(bp->keys);
  mo_release(bp->wide);
  *bp = (mo_broad_phase){0};
}
