#include "collision/broad/pair_set.h"

#include "memory/allocator.h"
#include "memory/array.h"

#include <string.h>

static uint32_t class_capacity(uint8_t size_class) {
  return size_class == 0 ? 0 : 2u << size_class;
}

static mo_partner *partners(const mo_pair_set *set, uint32_t proxy) {
  return set->pool + set->lists[proxy].first;
}

// --- blocks ----------------------------------------------------------------------------------

static void free_block(mo_pair_set *set, mo_partner_list *list) {
  if (list->size_class > 0) {
    set->pool[list->first].proxy = set->free_blocks[list->size_class];
    set->free_blocks[list->size_class] = list->first + 1;
  }
  list->first = 0;
  list->size_class = 0;
}

// Allocates a block of a size class and returns its index. Returns false without memory.
static bool take_block(mo_pair_set *set, uint8_t size_class, uint32_t *first) {
  if (set->free_blocks[size_class] > 0) {
    *first = set->free_blocks[size_class] - 1;
    set->free_blocks[size_class] = set->pool[*first].proxy;
    return true;
  }
  uint64_t needed = (uint64_t)set->pool_count + class_capacity(size_class);
  if (needed > UINT32_MAX || !MO_RESERVE(set, pool, (uint32_t)needed)) {
    return false;
  }
  *first = set->pool_count;
  set->pool_count = (uint32_t)needed;
  return true;
}

// Makes room for one more partner.
static bool reserve_partner(mo_pair_set *set, uint32_t proxy) {
  mo_partner_list *list = &set->lists[proxy];
  if (list->count < class_capacity(list->size_class)) {
    return true;
  }
  mo_partner_list bigger = {.count = list->count, .size_class = (uint8_t)(list->size_class + 1)};
  if (bigger.size_class >= MO_PARTNER_CLASSES - 1 ||
      !take_block(set, bigger.size_class, &bigger.first)) {
    return false;
  }
  if (list->count > 0) {
    memcpy(set->pool + bigger.first, set->pool + list->first, list->count * sizeof *set->pool);
  }
  free_block(set, list);
  *list = bigger;
  return true;
}

// --- entries ---------------------------------------------------------------------------------

// Removes entry `index` from the array of `proxy` only. The last entry replaces it. The block stays
// with the proxy, so that a removed pair can be restored without memory.
static void remove_entry(mo_pair_set *set, uint32_t proxy, uint32_t index) {
  mo_partner_list *list = &set->lists[proxy];
  mo_partner *entries = partners(set, proxy);
  uint32_t last = --list->count;
  if (index != last) {
    entries[index] = entries[last];
    partners(set, entries[index].proxy)[entries[index].mirror].mirror = index;
  }
}

// The index of b in the array of a, or its length.
static uint32_t find_entry(const mo_pair_set *set, uint32_t a, uint32_t b) {
  const mo_partner *entries = partners(set, a);
  uint32_t count = set->lists[a].count, i = 0;
  while (i < count && entries[i].proxy != b) {
    i++;
  }
  return i;
}

// --- interface -------------------------------------------------------------------------------

bool mo_pair_set_reserve_proxies(mo_pair_set *set, uint32_t proxy_count) {
  // One block from the start, so that no pointer into the pool is computed from null.
  return MO_RESERVE(set, pool, 1) && MO_RESERVE(set, lists, proxy_count);
}

bool mo_pair_set_add(mo_pair_set *set, uint32_t a, uint32_t b) {
  if (!reserve_partner(set, a) || !reserve_partner(set, b)) {
    return false;
  }
  uint32_t index_a = set->lists[a].count++, index_b = set->lists[b].count++;
  partners(set, a)[index_a] = (mo_partner){.proxy = b, .mirror = index_b};
  partners(set, b)[index_b] = (mo_partner){.proxy = a, .mirror = index_a};
  set->count++;
  return true;
}

bool mo_pair_set_has(const mo_pair_set *set, uint32_t a, uint32_t b) {
  bool a_is_short = set->lists[a].count < set->lists[b].count;
  uint32_t owner = a_is_short ? a : b;
  return find_entry(set, owner, a_is_short ? b : a) < set->lists[owner].count;
}

bool mo_pair_set_remove(mo_pair_set *set, uint32_t a, uint32_t b) {
  bool a_is_short = set->lists[a].count < set->lists[b].count;
  uint32_t owner = a_is_short ? a : b, other = a_is_short ? b : a;
  uint32_t index = find_entry(set, owner, other);
  if (index == set->lists[owner].count) {
    return false;
  }
  uint32_t mirror = partners(set, owner)[index].mirror;
  remove_entry(set, owner, index);
  remove_entry(set, other, mirror);
  set->count--;
  return true;
}

void mo_pair_set_remove_all(mo_pair_set *set, uint32_t proxy) {
  mo_partner_list *list = &set->lists[proxy];
  for (uint32_t i = 0; i < list->count; i++) {
    mo_partner partner = partners(set, proxy)[i];
    remove_entry(set, partner.proxy, partner.mirror);
  }
  set->count -= list->count;
  list->count = 0;
  free_block(set, list);
}

void mo_pair_set_free(mo_pair_set *set) {
  mo_release(set->lists);
  mo_release(set->pool);
  *set = (mo_pair_set){0};
}
