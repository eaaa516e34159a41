#include "memory/array.h"

#include "memory/allocator.h"

#include <string.h>

// Items up to which arrays grow by a quarter: thousands of small worlds would hold what a larger
// growth leaves empty, and few items are quickly copied.
#define FEW_ITEMS 16u

bool mo_array_reserve(void **items, uint32_t *capacity, uint32_t needed, size_t item_size) {
  if (needed <= *capacity) {
    return true;
  }
  uint32_t part = *capacity <= FEW_ITEMS ? 4 : 2;
  uint64_t grown = (uint64_t)*capacity + *capacity / part, least = MO_CACHE_LINE / item_size;
  grown = grown < least ? least : grown;
  grown = grown < needed ? needed : grown;
  if (grown > UINT32_MAX || grown > SIZE_MAX / item_size) {
    return false;
  }
  void *bigger = mo_allocate((size_t)grown * item_size);
  if (!bigger) {
    return false;
  }
  if (*items) {
    memcpy(bigger, *items, (size_t)*capacity * item_size);
    mo_release(*items);
  }
  *items = bigger;
  *capacity = (uint32_t)grown;
  return true;
}
