#include "memory/record.h"

#include "math/simd.h"

#include <assert.h>
#include <string.h>

bool mo_record_equal(const mo_record_type *type, const void *a, const void *b) {
  for (uint32_t f = 0; f < type->field_count; f++) {
    const mo_field *field = &type->fields[f];
    const unsigned char *at_a = (const unsigned char *)a + field->offset;
    const unsigned char *at_b = (const unsigned char *)b + field->offset;
    if (memcmp(at_a, at_b, field->byte_count) != 0) {
      return false;
    }
  }
  return true;
}

// --- packed ----------------------------------------------------------------------------------

uint32_t mo_record_packed_size(const mo_record_type *type) {
  uint32_t size = 0;
  for (uint32_t f = 0; f < type->field_count; f++) {
    size += type->fields[f].byte_count;
  }
  return size;
}

#define GROUP ((size_t)MO_RECORD_GROUP)
#define CHUNK ((size_t)MO_RECORD_CHUNK)
#define CHUNK_GROUPS (CHUNK / GROUP)
#define HALF (CHUNK / 2)

// Adds a piece of the record, or what follows after the fields that it had.
static void add_piece(mo_record_packing *packing, uint32_t offset, uint32_t size) {
  for (uint32_t at = 0; at < size; at += GROUP, packing->size += GROUP) {
    uint32_t group = packing->size / GROUP, rest = size - at;
    assert(group < MO_RECORD_GROUPS);
    packing->offsets[group] = (uint16_t)(offset + at);
    packing->lengths[group] = (uint8_t)(rest < GROUP ? rest : GROUP);
    packing->reads_beyond |= offset + at + GROUP > packing->record_size;
  }
}

static bool is_plain(const mo_record_packing *packing, uint32_t chunk) {
  const uint16_t *offsets = &packing->offsets[chunk * CHUNK_GROUPS];
  const uint8_t *lengths = &packing->lengths[chunk * CHUNK_GROUPS];
  bool plain = true;
  for (uint32_t i = 0; i < CHUNK_GROUPS; i++) {
    plain = plain && lengths[i] == GROUP && offsets[i] == offsets[0] + i * GROUP;
  }
  return plain;
}

void mo_record_find_packing(const mo_record_type *type, mo_record_packing *out) {
  *out = (mo_record_packing){.record_size = type->size, .reads_beyond = type->size < GROUP};
  for (uint32_t f = 0; f < type->field_count;) {
    uint32_t offset = type->fields[f].offset, size = 0;
    for (; f < type->field_count && type->fields[f].offset == offset + size; f++) {
      const mo_field *field = &type->fields[f];
      for (uint32_t i = 0; field->is_flag && i < field->byte_count; i++) {
        out->flags[out->flag_count++] = (uint16_t)(out->size + size + i);
      }
      size += field->byte_count;
    }
    add_piece(out, offset, size);
  }
  for (uint32_t c = 0; c < out->size / CHUNK; c++) {
    out->plain_chunks |= (uint32_t)is_plain(out, c) << c;
  }
}

// A chunk of a packed record.
typedef struct chunk {
  mo_i32x4 low, high;
} chunk;

static const uint64_t low_bytes[GROUP + 1] = {
    0,          0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    UINT64_MAX,
};

static inline uint64_t read_group(const mo_record_packing *packing, uint32_t group,
                                  const unsigned char *record) {
  uint64_t bytes;
  memcpy(&bytes, record + packing->offsets[group], sizeof bytes);
  return bytes & low_bytes[packing->lengths[group]];
}

static inline mo_i32x4 read_groups(const mo_record_packing *packing, uint32_t group,
                                   const unsigned char *record) {
  return (mo_i32x4)(mo_i64x2){(int64_t)read_group(packing, group, record),
                              (int64_t)read_group(packing, group + 1, record)};
}

// Behind the last group a chunk goes on with zeros.
static inline chunk read_chunk(const mo_record_packing *packing, uint32_t index,
                               const unsigned char *record) {
  uint32_t group = index * CHUNK_GROUPS;
  if (packing->plain_chunks >> index & 1u) {
    const unsigned char *from = record + packing->offsets[group];
    return (chunk){mo_i32x4_load(from), mo_i32x4_load(from + HALF)};
  }
  return (chunk){read_groups(packing, group, record), read_groups(packing, group + 2, record)};
}

static inline void store_chunk(unsigned char *to, chunk c) {
  memcpy(to, &c.low, HALF);
  memcpy(to + HALF, &c.high, HALF);
}

// Records of which groups are read or written beyond their end: a copy with room there.
#define WHOLE_BYTES 256
typedef struct whole_record {
  unsigned char bytes[WHOLE_BYTES + GROUP];
} whole_record;

static const unsigned char *make_whole(const mo_record_packing *packing, const void *record,
                                       whole_record *whole) {
  if (!packing->reads_beyond) {
    return record;
  }
  assert(packing->record_size <= WHOLE_BYTES);
  memset(whole->bytes + packing->record_size, 0, GROUP);
  return memcpy(whole->bytes, record, packing->record_size);
}

void mo_record_pack(const mo_record_packing *packing, const void *record, unsigned char *packed) {
  whole_record whole;
  const unsigned char *from = make_whole(packing, record, &whole);
  uint32_t chunks = packing->size / CHUNK;
  for (uint32_t i = 0; i < chunks; i++, packed += CHUNK) {
    store_chunk(packed, read_chunk(packing, i, from));
  }
  for (uint32_t group = chunks * CHUNK_GROUPS; group < packing->size / GROUP; group++) {
    uint64_t bytes = read_group(packing, group, from);
    memcpy(packed, &bytes, GROUP);
    packed += GROUP;
  }
}

unsigned char *mo_record_write_changes(const mo_record_packing *packing, const void *record,
                                       unsigned char *last, unsigned char *to) {
  whole_record whole;
  const unsigned char *from = make_whole(packing, record, &whole);
  uint32_t chunks = mo_record_chunk_bytes(packing) / CHUNK;
  unsigned char *mask = to;
  to += chunks;
  for (uint32_t i = 0; i < chunks; i++, last += CHUNK) {
    chunk now = read_chunk(packing, i, from);
    int low = mo_i32x4_bits(now.low != mo_i32x4_load(last));
    int high = mo_i32x4_bits(now.high != mo_i32x4_load(last + HALF));
    mask[i] = (unsigned char)(low | high << 4);
    if (mask[i]) {
      store_chunk(last, now);
      to = mo_i32x4_store_some(to, now.low, low);
      to = mo_i32x4_store_some(to, now.high, high);
    }
  }
  return to;
}

static inline void write_group(const mo_record_packing *packing, uint32_t group,
                               const unsigned char *packed, unsigned char *record) {
  unsigned char *to = record + packing->offsets[group];
  uint64_t bytes, others, kept = ~low_bytes[packing->lengths[group]];
  memcpy(&bytes, packed + group * GROUP, GROUP);
  memcpy(&others, to, GROUP);
  bytes = (bytes & ~kept) | (others & kept);
  memcpy(to, &bytes, GROUP);
}

static inline void write_chunk(const mo_record_packing *packing, uint32_t index,
                               const unsigned char *packed, unsigned char *record) {
  uint32_t group = index * CHUNK_GROUPS;
  if (packing->plain_chunks >> index & 1u) {
    memcpy(record + packing->offsets[group], packed + index * CHUNK, CHUNK);
    return;
  }
  for (uint32_t i = 0; i < CHUNK_GROUPS; i++) {
    write_group(packing, group + i, packed, record);
  }
}

static bool has_good_flags(const mo_record_packing *packing, const unsigned char *packed) {
  unsigned all = 0;
  for (uint32_t i = 0; i < packing->flag_count; i++) {
    all |= packed[packing->flags[i]];
  }
  return all <= 1;
}

bool mo_record_unpack(const mo_record_packing *packing, const unsigned char *packed, void *record) {
  if (!has_good_flags(packing, packed)) {
    return false;
  }
  whole_record whole;
  unsigned char *to = record;
  if (packing->reads_beyond) {
    make_whole(packing, record, &whole);
    to = whole.bytes;
  }
  uint32_t chunks = packing->size / CHUNK;
  for (uint32_t i = 0; i < chunks; i++) {
    write_chunk(packing, i, packed, to);
  }
  for (uint32_t group = chunks * CHUNK_GROUPS; group < packing->size / GROUP; group++) {
    write_group(packing, group, packed, to);
  }
  if (packing->reads_beyond) {
    memcpy(record, whole.bytes, packing->record_size);
  }
  return true;
}
