/// A hash of the state of a world.
#include "memory/record_streams.h"
#include "memory/word_hash.h"
#include "world/state_fields.h"

// Packed records are taken together: a few large ones, many small ones.
#define PACKED_BYTES (4 * MO_STREAM_RECORD_BYTES)

typedef struct hashing {
  mo_word_hash hash;
  const mo_record_packing *packings[MO_STREAM_TYPES]; // by the index; null: not asked for yet
  mo_record_packing other;                            // of the last type without an index
} hashing;

static const mo_record_packing *packing_of(hashing *h, const mo_record_type *type) {
  if (type->index == 0) {
    mo_record_find_packing(type, &h->other);
    return &h->other;
  }
  const mo_record_packing **packing = &h->packings[type->index];
  *packing = *packing ? *packing : mo_record_packing_of(type);
  return *packing;
}

static void add(void *context, const mo_record_type *type, const void *records, size_t count) {
  hashing *h = context;
  if (mo_record_is_dense(type)) {
    mo_word_hash_add(&h->hash, records, count * type->size);
    return;
  }
  const mo_record_packing *packing = packing_of(h, type);
  unsigned char packed[PACKED_BYTES];
  const unsigned char *record = records;
  size_t most = PACKED_BYTES / packing->size;
  while (count > 0) {
    size_t n = count < most ? count : most;
    for (size_t i = 0; i < n; i++, record += type->size) {
      mo_record_pack(packing, record, packed + i * packing->size);
    }
    mo_word_hash_add(&h->hash, packed, n * packing->size);
    count -= n;
  }
}

uint64_t mo_world_hash(const mo_world *world) {
  hashing h;
  h.hash = mo_word_hash_begin();
  for (int i = 0; i < MO_STREAM_TYPES; i++) {
    h.packings[i] = NULL;
  }
  mo_world_visit_state(world, add, &h);
  return mo_word_hash_end(&h.hash);
}
