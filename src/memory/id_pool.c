#include "memory/id_pool.h"

#include "memory/allocator.h"
#include "memory/array.h"

static uint32_t id_of(const mo_id_pool *pool, uint32_t slot) {
  return ((uint32_t)pool->generation[slot] << MO_ID_SLOT_BITS) | slot;
}

uint32_t mo_id_pool_take(mo_id_pool *pool, mo_result *result) {
  uint32_t slot = pool->slot_count;
  if (pool->free_slots_count > 0) {
    slot = pool->free_slots[--pool->free_slots_count];
  } else {
    if (slot == MO_ID_MAX_SLOTS) {
      *result = MO_ERROR_CAPACITY;
      return MO_NULL_ID;
    }
    if (!MO_RESERVE(pool, generation, slot + 1) || !MO_RESERVE(pool, alive, slot + 1) ||
        !MO_RESERVE(pool, free_slots, slot + 1)) {
      *result = MO_ERROR_OUT_OF_MEMORY;
      return MO_NULL_ID;
    }
    pool->slot_count++;
  }
  pool->generation[slot]++;
  pool->alive[slot] = 1;
  pool->alive_count++;
  return id_of(pool, slot);
}

void mo_id_pool_give_back(mo_id_pool *pool, uint32_t id) {
  uint32_t slot = mo_id_slot(id);
  pool->alive[slot] = 0;
  pool->alive_count--;
  if (pool->generation[slot] < MO_ID_MAX_GENERATION) {
    pool->free_slots[pool->free_slots_count++] = slot;
  }
}

bool mo_id_pool_is_alive(const mo_id_pool *pool, uint32_t id) {
  uint32_t slot = mo_id_slot(id);
  return slot < pool->slot_count && pool->alive[slot] && id_of(pool, slot) == id;
}

uint32_t mo_id_pool_in_slot(const mo_id_pool *pool, uint32_t slot) {
  return slot < pool->slot_count && pool->alive[slot] ? id_of(pool, slot) : MO_NULL_ID;
}

void mo_id_pool_free(mo_id_pool *pool) {
  mo_release(pool->generation);
  mo_release(pool->alive);
  mo_release(pool->free_slots);
  *pool = (mo_id_pool){0};
}
