/// Slots and their generations, from which ids are made.
///
/// A slot is allocated, used and freed. The number of its earlier uses is its generation. A slot
/// that has used up its generations is retired. The free list is last in, first out, so the same
/// calls give the same slots.
#pragma once

#include "moreau.h"

/// The engine's arrays by slot have up to 8 doubles per slot. With this many they fill 1 GiB, a
/// quarter of what a WebAssembly module can address.
#define MO_ID_MAX_SLOTS (1u << 24)
/// The last generation of a slot: ids have 16 bits for it.
#define MO_ID_MAX_GENERATION 65535u
/// Stands for no slot.
#define MO_NO_SLOT UINT32_MAX

typedef struct mo_id_pool {
  uint16_t *generation; ///< per slot: of its use, or of the next one if it is free
  uint32_t generation_capacity;
  uint8_t *alive;
  uint32_t alive_capacity;
  uint32_t *free_slots; ///< stack, with room for every slot, so that freeing never allocates
  uint32_t free_slots_capacity;
  uint32_t free_slots_count;
  uint32_t slot_count; ///< slots ever used
  uint32_t alive_count;
} mo_id_pool;

/// Allocates a slot. Returns MO_NO_SLOT without memory or free slots (`result` says which).
uint32_t mo_id_pool_take(mo_id_pool *pool, mo_result *result);
/// Frees a slot that is in use.
void mo_id_pool_give_back(mo_id_pool *pool, uint32_t slot);
/// Whether the slot, which may be any number, is in use with that generation.
bool mo_id_pool_is_alive(const mo_id_pool *pool, uint32_t slot, uint16_t generation);
/// Slots in use that follow each other, from `*slot` or the next one in use on, which it becomes.
/// Returns their number, 0 where there are no more.
uint32_t mo_id_pool_run(const mo_id_pool *pool, uint32_t *slot);
void mo_id_pool_free(mo_id_pool *pool);
