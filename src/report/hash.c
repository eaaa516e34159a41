/// A hash of the state of a world.
#include "memory/record_streams.h"
#include "memory/word_hash.h"
#include "world/state_fields.h"

typedef struct hashing {
  mo_word_hash hash;
  mo_record_packing packings[MO_STREAM_TYPES]; // by the index of the type; size 0: not found yet
} hashing;

static void add(void *context, const mo_record_type *type, const void *records, size_t count) {
  hashing *h = context;
  if (mo_record_is_dense(type)) {
    mo_word_hash_add(&h->hash, records, count * type->size);
    return;
  }
  mo_record_packing *packing = &h->packings[type->index];
  if (count > 0 && (packing->size == 0 || type->index == 0)) {
    mo_record_find_packing(type, packing);
  }
  const unsigned char *record = records;
  for (size_t i = 0; i < count; i++, record += type->size) {
    unsigned char packed[MO_STREAM_RECORD_BYTES];
    mo_record_pack(packing, record, packed);
    mo_word_hash_add(&h->hash, packed, packing->size);
  }
}

uint64_t mo_world_hash(const mo_world *world) {
  hashing h;
  h.hash = mo_word_hash_begin();
  for (int i = 0; i < MO_STREAM_TYPES; i++) {
    h.packings[i].size = 0;
  }
  mo_world_visit_state(world, add, &h);
  return mo_word_hash_end(&h.hash);
}
