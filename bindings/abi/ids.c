#include "ids.h"

// A stored id has the tag in the 16 bits above its number.
#define NUMBERS 0x1p48

static uint64_t untagged(js_id id) { return id >= 1.0 && id < NUMBERS ? (uint64_t)id : 0; }
static uint64_t tagged(const mo_world *world, js_id id) {
  uint64_t number = untagged(id);
  return number == 0 ? 0 : (uint64_t)mo_world_tag(world) << 48 | number;
}
static js_id number_of(uint64_t stored_id) { return (js_id)(stored_id & 0xFFFFFFFFFFFFu); }

mo_body_id untagged_body(js_id id) { return mo_body_id_load(untagged(id)); }
mo_body_id tagged_body(const mo_world *world, mo_body_id id) {
  return body_of(world, id_of_body(id));
}
mo_body_id body_of(const mo_world *world, js_id id) { return mo_body_id_load(tagged(world, id)); }
mo_constraint_id constraint_of(const mo_world *world, js_id id) {
  return mo_constraint_id_load(tagged(world, id));
}
mo_potential_id potential_of(const mo_world *world, js_id id) {
  return mo_potential_id_load(tagged(world, id));
}

js_id id_of_body(mo_body_id id) { return number_of(mo_body_id_store(id)); }
js_id id_of_constraint(mo_constraint_id id) { return number_of(mo_constraint_id_store(id)); }
js_id id_of_potential(mo_potential_id id) { return number_of(mo_potential_id_store(id)); }
