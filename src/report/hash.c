/// A hash of the state of a world.
#include "memory/hash.h"
#include "world/state_fields.h"

static void add(void *context, const mo_record_type *type, const void *records, size_t count) {
  mo_record_hash(type, records, count, context);
}

uint64_t mo_world_hash(const mo_world *world) {
  uint64_t hash = MO_HASH_START;
  mo_world_visit_state(world, add, &hash);
  return hash;
}
