#include "memory/union_find.h"

void mo_union_find_reset(uint32_t *parents, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    parents[i] = i;
  }
}

uint32_t mo_union_find_root(uint32_t *parents, uint32_t body) {
  while (parents[body] != body) {
    parents[body] = parents[parents[body]]; // path halving
    body = parents[body];
  }
  return body;
}

void mo_union_find_join(uint32_t *parents, uint32_t body_a, uint32_t body_b) {
  uint32_t a = mo_union_find_root(parents, body_a), b = mo_union_find_root(parents, body_b);
  // The lower index stays, so the order of joins does not matter.
  if (a < b) {
    parents[b] = a;
  } else {
    parents[a] = b;
  }
}
