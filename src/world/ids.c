/// Ids are made from slots, and checked, at the interface of the engine. Inside it uses slots.
#include "world/checks.h"

uint16_t mo_next_world_tag(void) {
  static uint16_t last;
  last = last == UINT16_MAX ? 1 : (uint16_t)(last + 1);
  return last;
}

uint16_t mo_world_tag(const mo_world *world) { return world->tag; }

// An id of any kind.
typedef struct any_id {
  uint32_t slot; ///< MO_NO_SLOT: the id is null
  uint16_t world, generation;
} any_id;

static any_id of_body(mo_body_id id) {
  return (any_id){mo_body_id_slot(id), id.world, id.generation};
}
static any_id of_constraint(mo_constraint_id id) {
  return (any_id){mo_constraint_id_slot(id), id.world, id.generation};
}
static any_id of_potential(mo_potential_id id) {
  return (any_id){mo_potential_id_slot(id), id.world, id.generation};
}

// --- making ----------------------------------------------------------------------------------

static bool has_life(const mo_id_pool *pool, uint32_t slot) {
  return slot < pool->slot_count && pool->alive[slot];
}

mo_body_id mo_world_body_in_slot(const mo_world *world, uint32_t slot) {
  return has_life(&world->ids, slot)
             ? (mo_body_id){slot + 1, world->tag, world->ids.generation[slot]}
             : MO_NULL_BODY_ID;
}

mo_constraint_id mo_world_constraint_in_slot(const mo_world *world, uint32_t slot) {
  return has_life(&world->constraint_ids, slot)
             ? (mo_constraint_id){slot + 1, world->tag, world->constraint_ids.generation[slot]}
             : MO_NULL_CONSTRAINT_ID;
}

mo_potential_id mo_world_potential_in_slot(const mo_world *world, uint32_t slot) {
  return has_life(&world->potential_ids, slot)
             ? (mo_potential_id){slot + 1, world->tag, world->potential_ids.generation[slot]}
             : MO_NULL_POTENTIAL_ID;
}

// --- checks ----------------------------------------------------------------------------------

static mo_result look_up(const mo_world *world, const mo_id_pool *pool, any_id id) {
  if (id.slot != MO_NO_SLOT && id.world != world->tag) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  return mo_id_pool_is_alive(pool, id.slot, id.generation) ? MO_OK : MO_ERROR_STALE_HANDLE;
}

// The same, and records the refusal.
static mo_result check(mo_world *world, const mo_id_pool *pool, const char *function,
                       const char *argument, any_id id) {
  mo_result result = look_up(world, pool, id);
  return result == MO_OK
             ? MO_OK
             : mo_world_refuse_id(world, result, function, argument, id.slot, id.generation);
}

mo_result mo_check_body_id(mo_world *world, const char *function, const char *argument,
                           mo_body_id id) {
  return check(world, &world->ids, function, argument, of_body(id));
}

mo_result mo_check_body(mo_world *world, mo_body_id id, const char *function) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  return mo_check_body_id(world, function, "body", id);
}

mo_result mo_check_constraint_id(mo_world *world, const char *function, mo_constraint_id id) {
  return check(world, &world->constraint_ids, function, "constraint", of_constraint(id));
}

mo_result mo_check_potential_id(mo_world *world, const char *function, mo_potential_id id) {
  return check(world, &world->potential_ids, function, "potential", of_potential(id));
}

mo_result mo_find_body(const mo_world *world, mo_body_id id) {
  return look_up(world, &world->ids, of_body(id));
}

mo_result mo_find_constraint(const mo_world *world, mo_constraint_id id) {
  return look_up(world, &world->constraint_ids, of_constraint(id));
}

bool mo_body_is_alive(const mo_world *world, mo_body_id id) {
  return mo_find_body(world, id) == MO_OK;
}

bool mo_constraint_is_alive(const mo_world *world, mo_constraint_id id) {
  return mo_find_constraint(world, id) == MO_OK;
}

bool mo_potential_is_alive(const mo_world *world, mo_potential_id id) {
  return look_up(world, &world->potential_ids, of_potential(id)) == MO_OK;
}
