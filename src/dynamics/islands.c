#include "dynamics/islands.h"

void mo_islands_reset(uint32_t *parents, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    parents[i] = i;
  }
}

uint32_t mo_islands_find(uint32_t *parents, uint32_t body) {
  while (parents[body] != body) {
    parents[body] = parents[parents[body]]; // path halving
    body = parents[body];
  }
  return body;
}

void mo_islands_join(uint32_t *parents, uint32_t body_a, uint32_t body_b) {
  uint32_t a = mo_islands_find(parents, body_a), b = mo_islands_find(parents, body_b);
  // The lower index wins, so that the order of joins does not show.
  if (a < b) {
    parents[b] = a;
  } else {
    parents[a] = b;
  }
}
