/// Ids that never come back: 20 bits of slot, 12 bits of generation.
///
/// Generations of a slot run from 1 to 4095; a slot that has used them all is retired. The free
/// list is last in, first out, so the same calls give the same ids.
#pragma once

#include "moreau.h"

#define MO_ID_SLOT_BITS 20u
#define MO_ID_MAX_SLOTS (1u << MO_ID_SLOT_BITS)
#define MO_ID_MAX_GENERATION 4095u

typedef struct mo_id_pool {
  uint16_t *generation; ///< per slot: of its living id, or of the last one it had
  uint32_t generation_capacity;
  uint8_t *alive;
  uint32_t alive_capacity;
  uint32_t *free_slots; ///< stack; room for every slot, so that giving back never allocates
  uint32_t free_slots_capacity;
  uint32_t free_slots_count;
  uint32_t slot_count; ///< slots ever used
  uint32_t alive_count;
} mo_id_pool;

/// A new id. MO_NULL_ID without memory or free slots (`result` says which).
uint32_t mo_id_pool_take(mo_id_pool *pool, mo_result *result);
/// Ends an id that is alive.
void mo_id_pool_give_back(mo_id_pool *pool, uint32_t id);
bool mo_id_pool_is_alive(const mo_id_pool *pool, uint32_t id);
/// The living id in a slot, or MO_NULL_ID.
uint32_t mo_id_pool_in_slot(const mo_id_pool *pool, uint32_t slot);
void mo_id_pool_free(mo_id_pool *pool);
