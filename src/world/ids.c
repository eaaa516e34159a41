/// Ids are made from slots, and checked, at the interface of the engine. Inside it uses slots.
#include "world/checks.h"

uint16_t mo_next_world_tag(void) {
  static uint16_t last;
  last = last == UINT16_MAX ? 1 : (uint16_t)(last + 1);
  return last;
}

uint16_t mo_world_tag(const mo_world *world) { return world->tag; }

// --- making ----------------------------------------------------------------------------------

// The id of what lives in a slot, as it is stored; 0 where nothing does.
static uint64_t number_in(const mo_world *world, const mo_id_pool *pool, uint32_t slot) {
  return slot < pool->slot_count && pool->alive[slot]
             ? (uint64_t)world->tag << 48 | (uint64_t)pool->generation[slot] << 32 | (slot + 1)
             : 0;
}

mo_body_id mo_world_body_in_slot(const mo_world *world, uint32_t slot) {
  return mo_body_id_load(number_in(world, &world->ids, slot));
}

mo_constraint_id mo_world_constraint_in_slot(const mo_world *world, uint32_t slot) {
  return mo_constraint_id_load(number_in(world, &world->constraint_ids, slot));
}

mo_potential_id mo_world_potential_in_slot(const mo_world *world, uint32_t slot) {
  return mo_potential_id_load(number_in(world, &world->potential_ids, slot));
}

// --- checks ----------------------------------------------------------------------------------

// Ids of all kinds are stored alike, so one function looks them up.
static mo_result look_up(const mo_world *world, const mo_id_pool *pool, uint64_t number) {
  mo_body_id id = mo_body_id_load(number);
  if (!mo_body_id_is_null(id) && mo_body_id_world(id) != world->tag) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  bool is_alive = mo_id_pool_is_alive(pool, mo_body_id_slot(id), mo_body_id_generation(id));
  return is_alive ? MO_OK : MO_ERROR_STALE_HANDLE;
}

// The same, with the refusal recorded.
static mo_result check(mo_world *world, const mo_id_pool *pool, const char *function,
                       const char *argument, uint64_t number) {
  mo_result result = look_up(world, pool, number);
  mo_body_id id = mo_body_id_load(number);
  return result == MO_OK ? MO_OK
                         : mo_world_refuse_id(world, result, function, argument,
                                              mo_body_id_slot(id), mo_body_id_generation(id));
}

mo_result mo_check_body_id(mo_world *world, const char *function, const char *argument,
                           mo_body_id id) {
  return check(world, &world->ids, function, argument, mo_body_id_store(id));
}

mo_result mo_check_body(mo_world *world, mo_body_id id, const char *function) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  return mo_check_body_id(world, function, "body", id);
}

mo_result mo_check_constraint_id(mo_world *world, const char *function, mo_constraint_id id) {
  return check(world, &world->constraint_ids, function, "constraint", mo_constraint_id_store(id));
}

mo_result mo_check_joint_id(mo_world *world, const char *function, const char *argument,
                            mo_constraint_id id) {
  return check(world, &world->constraint_ids, function, argument, mo_constraint_id_store(id));
}

mo_result mo_check_potential_id(mo_world *world, const char *function, mo_potential_id id) {
  return check(world, &world->potential_ids, function, "potential", mo_potential_id_store(id));
}

mo_result mo_find_body(const mo_world *world, mo_body_id id) {
  return look_up(world, &world->ids, mo_body_id_store(id));
}

mo_result mo_find_constraint(const mo_world *world, mo_constraint_id id) {
  return look_up(world, &world->constraint_ids, mo_constraint_id_store(id));
}

bool mo_body_is_alive(const mo_world *world, mo_body_id id) {
  return mo_find_body(world, id) == MO_OK;
}

bool mo_constraint_is_alive(const mo_world *world, mo_constraint_id id) {
  return mo_find_constraint(world, id) == MO_OK;
}

bool mo_potential_is_alive(const mo_world *world, mo_potential_id id) {
  return look_up(world, &world->potential_ids, mo_potential_id_store(id)) == MO_OK;
}
