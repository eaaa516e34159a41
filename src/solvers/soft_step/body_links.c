#include "solvers/soft_step/body_links.h"

#include "memory/sort.h"

#include <string.h>

#define WORD_BITS 64u

bool mo_body_links_make(mo_body_links *links, const mo_body_end *ends, uint32_t end_count,
                        uint32_t item_count, uint32_t body_count, mo_arena *arena) {
  links->words = item_count / WORD_BITS + 1;
  links->due = MO_ARENA_TAKE(arena, uint64_t, links->words);
  links->firsts = MO_ARENA_TAKE(arena, uint32_t, (size_t)body_count + 2);
  links->items = MO_ARENA_TAKE_RAW(arena, uint32_t, end_count);
  if (!links->due || !links->firsts || !links->items) {
    return false;
  }
  // A place further on than the lists begin, so that filling them in moves the numbers there.
  uint32_t *places = links->firsts + 1;
  for (uint32_t i = 0; i < end_count; i++) {
    places[ends[i].body + 1]++;
  }
  mo_sum_counts(places, body_count);
  for (uint32_t i = 0; i < end_count; i++) {
    links->items[places[ends[i].body]++] = ends[i].item;
  }
  return true;
}

void mo_body_links_stir(mo_body_links *links, uint32_t body) {
  for (uint32_t i = links->firsts[body]; i < links->firsts[body + 1]; i++) {
    uint32_t item = links->items[i];
    links->due[item / WORD_BITS] |= (uint64_t)1 << (item % WORD_BITS);
  }
}

void mo_body_links_forget(mo_body_links *links) {
  memset(links->due, 0, links->words * sizeof *links->due);
}

uint32_t mo_body_links_next(mo_body_links *links, uint32_t *group) {
  uint32_t item = MO_LINKED_LANES * *group, word = item / WORD_BITS;
  uint64_t mask = ~(uint64_t)0 << (item % WORD_BITS);
  while (word < links->words && (links->due[word] & mask) == 0) {
    mask = ~(uint64_t)0;
    word++;
  }
  if (word >= links->words) {
    return 0;
  }
  uint32_t bit = (uint32_t)__builtin_ctzll(links->due[word] & mask);
  uint32_t first = bit - bit % MO_LINKED_LANES;
  uint64_t all = (((uint64_t)1 << MO_LINKED_LANES) - 1) << first;
  uint32_t lanes = (uint32_t)((links->due[word] & all) >> first);
  links->due[word] &= ~all;
  *group = (word * WORD_BITS + first) / MO_LINKED_LANES;
  return lanes;
}
