#include "memory/id_pool.h"

#include "memory/allocator.h"
#include "memory/array.h"

uint32_t mo_id_pool_take(mo_id_pool *pool, mo_result *result) {
  uint32_t slot = pool->slot_count;
  if (pool->free_slots_count > 0) {
    slot = pool->free_slots[--pool->free_slots_count];
  } else {
    if (slot == MO_ID_MAX_SLOTS) {
      *result = MO_ERROR_CAPACITY;
      return MO_NO_SLOT;
    }
    if (!MO_RESERVE(pool, generation, slot + 1) || !MO_RESERVE(pool, alive, slot + 1) ||
        !MO_RESERVE(pool, free_slots, slot + 1)) {
      *result = MO_ERROR_OUT_OF_MEMORY;
      return MO_NO_SLOT;
    }
    pool->slot_count++;
  }
  pool->alive[slot] = 1;
  pool->alive_count++;
  return slot;
}

void mo_id_pool_give_back(mo_id_pool *pool, uint32_t slot) {
  pool->alive[slot] = 0;
  pool->alive_count--;
  if (pool->generation[slot] < MO_ID_MAX_GENERATION) {
    pool->generation[slot]++;
    pool->free_slots[pool->free_slots_count++] = slot;
  }
}

bool mo_id_pool_is_alive(const mo_id_pool *pool, uint32_t slot, uint16_t generation) {
  return slot < pool->slot_count && pool->alive[slot] && pool->generation[slot] == generation;
}

uint32_t mo_id_pool_run(const mo_id_pool *pool, uint32_t *slot) {
  while (*slot < pool->slot_count && !pool->alive[*slot]) {
    (*slot)++;
  }
  uint32_t end = *slot;
  while (end < pool->slot_count && pool->alive[end]) {
    end++;
  }
  return end - *slot;
}

void mo_id_pool_free(mo_id_pool *pool) {
  mo_release(pool->generation);
  mo_release(pool->alive);
  mo_release(pool->free_slots);
  *pool = (mo_id_pool){0};
}
