#include "collision/broad/pair_limit.h"

#include <math.h>
#include <string.h>

// Pairs that a proxy may have with larger ones, and the mean cost of proxies beyond which a broad
// phase begins to refuse any. Balls of one size have 6 each in a dense heap (12 touch each of
// them), boxes with their margins 13; 2000 sticks 20 times as long as thick in a loose heap 95, as
// boxes of slanted sticks are mostly empty.
#define PAIRS_PER_SHAPE 128u
// Pairs for which one counts whose shapes are within each other: a proxy may have 16 of these, of
// which each would be pushed out of all others anyway.
#define PAIRS_PER_WITHIN 8u
// Limits after which a list of candidates is shortened while a search still adds to it.
#define LIMITS_AT_ONCE 2u

static uint64_t limit_of(const mo_broad_phase *bp) {
  return (uint64_t)PAIRS_PER_SHAPE * (bp->proxies_count - bp->free_ids_count);
}

// --- one pair --------------------------------------------------------------------------------

static float size_of(const mo_aabb *box) {
  return (box->upper[0] - box->lower[0]) + (box->upper[1] - box->lower[1]) +
         (box->upper[2] - box->lower[2]);
}

// Whether a pair counts at `a`, the lower id, and not at `b`.
static bool counts_at_first(const mo_broad_phase *bp, uint32_t a, uint32_t b) {
  return !(size_of(&bp->boxes[b]) < size_of(&bp->boxes[a]));
}

static uint32_t cost_of(const mo_pair_search *search, uint32_t a, uint32_t b) {
  const mo_pair_rules *rules = &search->rules;
  const mo_proxy *proxies = search->bp->proxies;
  bool is_within = rules->are_within && rules->are_within(rules->user, &proxies[a], &proxies[b]);
  return is_within ? PAIRS_PER_WITHIN : 1;
}

// The place of a pair among those of a proxy: 0 for what does not move, else it ascends with the
// distance of the middles of the boxes.
static uint32_t rank_of(const mo_broad_phase *bp, uint32_t a, uint32_t b) {
  if (bp->proxies[a].kind != MO_TREE_DYNAMIC || bp->proxies[b].kind != MO_TREE_DYNAMIC) {
    return 0;
  }
  float square = 0.0f;
  for (int axis = 0; axis < 3; axis++) {
    float twice = (bp->boxes[a].lower[axis] + bp->boxes[a].upper[axis]) -
                  (bp->boxes[b].lower[axis] + bp->boxes[b].upper[axis]);
    square += twice * twice;
  }
  if (!(square < INFINITY)) {
    return UINT32_MAX;
  }
  uint32_t bits; // those of positive numbers ascend with them
  memcpy(&bits, &square, sizeof bits);
  return bits + 1;
}

bool mo_pair_limit_refuses(const mo_broad_phase *bp, uint32_t a, uint32_t b) {
  if (!bp->refused_from) {
    return false;
  }
  bool at_first = counts_at_first(bp, a, b);
  uint64_t from = bp->refused_from[at_first ? a : b];
  return from != UINT64_MAX && mo_sort_key(rank_of(bp, a, b), at_first ? b : a) >= from;
}

// --- what was found --------------------------------------------------------------------------

// Counts the pairs of the set. Returns false without memory.
static bool begin(const mo_pair_search *search) {
  mo_broad_phase *bp = search->bp;
  bp->spent = MO_ARENA_TAKE(&bp->work, uint32_t, bp->proxies_count);
  bp->refused_from = MO_ARENA_TAKE_RAW(&bp->work, uint64_t, bp->proxies_count);
  if (!bp->spent || !bp->refused_from) {
    return false;
  }
  for (uint32_t a = 0; a < bp->proxies_count; a++) {
    bp->refused_from[a] = UINT64_MAX;
    uint32_t count = 0;
    const mo_partner *partners =
        bp->proxies[a].is_alive ? mo_pair_set_partners(&bp->pairs, a, &count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t b = partners[i].proxy;
      if (a < b) {
        bp->spent[counts_at_first(bp, a, b) ? a : b] += cost_of(search, a, b);
      }
    }
  }
  return true;
}

// Makes an entry per candidate, in the order of the proxies at which they count, and there in the
// order in which they are taken. Returns false without memory.
static bool sort_by_rank(mo_broad_phase *bp) {
  if (!MO_ARENA_RESERVE(&bp->work, bp, ranks, bp->found_count)) {
    return false;
  }
  for (uint32_t i = 0; i < bp->found_count; i++) {
    uint32_t a = (uint32_t)(bp->found[i] >> 32), b = (uint32_t)bp->found[i];
    bool at_first = counts_at_first(bp, a, b);
    bp->ranks[i] = (mo_sort_entry){.key = mo_sort_key(at_first ? a : b, rank_of(bp, a, b)),
                                   .value = at_first ? b : a};
  }
  mo_sort(bp->ranks, bp->found_count);
  return true;
}

// Takes the first candidates of one proxy, up to what it may have. Because it takes none behind one
// that is too much, it is the same whether all candidates are there or some were refused before.
static void take_first(const mo_pair_search *search, const mo_sort_entry *ranks, uint32_t count) {
  mo_broad_phase *bp = search->bp;
  uint32_t proxy = (uint32_t)(ranks->key >> 32), spent = bp->spent[proxy];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t other = ranks[i].value;
    uint32_t a = proxy < other ? proxy : other, b = proxy < other ? other : proxy;
    spent += cost_of(search, a, b);
    if (spent > PAIRS_PER_SHAPE) {
      bp->refused_from[proxy] = mo_sort_key((uint32_t)ranks[i].key, other);
      return;
    }
    bp->found[bp->found_count++] = (uint64_t)a << 32 | b;
  }
}

static bool shorten(const mo_pair_search *search) {
  mo_broad_phase *bp = search->bp;
  if ((!bp->spent && !begin(search)) || !sort_by_rank(bp)) {
    return false;
  }
  uint32_t count = bp->found_count, end;
  bp->found_count = 0;
  for (uint32_t first = 0; first < count; first = end) {
    end = first + 1;
    while (end < count && bp->ranks[end].key >> 32 == bp->ranks[first].key >> 32) {
      end++;
    }
    take_first(search, &bp->ranks[first], end - first);
  }
  return true;
}

bool mo_pair_limit_make_room(const mo_pair_search *search) {
  return search->bp->found_count < LIMITS_AT_ONCE * limit_of(search->bp) || shorten(search);
}

// Whether the pairs are more than the limit. Those of the set count for one here, those that were
// found for what they cost if that can make a difference: then hundreds came at once.
static bool is_exceeded(const mo_pair_search *search) {
  const mo_broad_phase *bp = search->bp;
  uint64_t limit = limit_of(bp), count = bp->pairs.count + bp->found_in_all;
  if (count > limit || bp->pairs.count + PAIRS_PER_WITHIN * bp->found_in_all <= limit) {
    return count > limit;
  }
  for (uint32_t i = 0; i < bp->found_count; i++) {
    count += cost_of(search, (uint32_t)(bp->found[i] >> 32), (uint32_t)bp->found[i]) - 1;
  }
  return count > limit;
}

bool mo_pair_limit_apply(const mo_pair_search *search) {
  mo_broad_phase *bp = search->bp;
  if (!is_exceeded(search)) {
    return true;
  }
  if (!shorten(search)) {
    return false;
  }
  uint64_t refused = bp->found_in_all - bp->found_count;
  bp->refused_count = refused < UINT32_MAX ? (uint32_t)refused : UINT32_MAX;
  return true;
}
