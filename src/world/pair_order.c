#include "world/pair_order.h"

mo_ordered_pair mo_ordered_pair_of(const mo_world *world, const mo_pair *pair, uint32_t value) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  return (mo_ordered_pair){.order = mo_pair_order_of(pair->slot_a, proxies[pair->proxy_a].shape,
                                                     pair->slot_b, proxies[pair->proxy_b].shape),
                           .value = value};
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Merges two sorted halves of [low, high).
static void merge(const mo_ordered_pair *from, mo_ordered_pair *to, uint32_t low, uint32_t middle,
                  uint32_t high) {
  for (uint32_t i = low, j = middle, k = low; k < high; k++) {
    bool is_left =
        i < middle && (j >= high || !mo_pair_order_precedes(from[j].order, from[i].order));
    to[k] = is_left ? from[i++] : from[j++];
  }
}

mo_ordered_pair *mo_pair_order_sort(mo_ordered_pair *items, mo_ordered_pair *spare,
                                    uint32_t count) {
  for (uint32_t width = 1; width < count; width *= 2) {
    for (uint32_t low = 0; low < count; low += 2 * width) {
      uint32_t middle = least(low + width, count);
      merge(items, spare, low, middle, least(middle + width, count));
    }
    mo_ordered_pair *swap = items;
    items = spare;
    spare = swap;
  }
  return items;
}
