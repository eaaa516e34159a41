#include "memory/record.h"

#include "memory/hash.h"

// Reads a number of 1, 2, 4 or 8 bytes. It reads no byte more, because the rest of a word may be
// padding.
static uint64_t read_number(const unsigned char *at, uint32_t size) {
  uint8_t byte;
  uint16_t half;
  uint32_t word;
  uint64_t number = 0;
  switch (size) {
  case sizeof byte:
    memcpy(&byte, at, sizeof byte);
    return byte;
  case sizeof half:
    memcpy(&half, at, sizeof half);
    return half;
  case sizeof word:
    memcpy(&word, at, sizeof word);
    return word;
  default:
    memcpy(&number, at, sizeof number);
    return number;
  }
}

static void hash_field(const mo_field *field, const unsigned char *record, uint64_t *hash) {
  const unsigned char *at = record + field->offset;
  for (uint32_t i = 0; i < field->byte_count; i += field->item_size) {
    mo_hash_bytes(hash, read_number(at + i, field->item_size), field->item_size);
  }
}

void mo_record_hash(const mo_record_type *type, const void *records, size_t count, uint64_t *hash) {
  const unsigned char *record = records;
  for (size_t i = 0; i < count; i++, record += type->size) {
    for (uint32_t f = 0; f < type->field_count; f++) {
      hash_field(&type->fields[f], record, hash);
    }
  }
}

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

#define GROUP sizeof(uint64_t)

static uint32_t filled_up(uint32_t size) { return (uint32_t)((size + GROUP - 1) / GROUP * GROUP); }

// Where the bytes of a field begin in the packed record.
static uint32_t add_to_spans(mo_record_packing *packing, const mo_field *field) {
  mo_record_span *last = packing->span_count > 0 ? &packing->spans[packing->span_count - 1] : NULL;
  if (!last || last->offset + last->size != field->offset) {
    last = &packing->spans[packing->span_count++];
    *last = (mo_record_span){field->offset, 0};
  }
  uint32_t at = packing->size - filled_up(last->size) + last->size;
  packing->size = at + field->byte_count;
  last->size += field->byte_count;
  packing->size += filled_up(last->size) - last->size;
  return at;
}

void mo_record_find_packing(const mo_record_type *type, mo_record_packing *out) {
  *out = (mo_record_packing){0};
  for (uint32_t f = 0; f < type->field_count; f++) {
    const mo_field *field = &type->fields[f];
    uint32_t at = add_to_spans(out, field);
    for (uint32_t i = 0; field->is_flag && i < field->byte_count; i++) {
      out->flags[out->flag_count++] = (uint16_t)(at + i);
    }
  }
}

// A call of memcpy with a length that is not known takes longer than most pieces.
static inline const unsigned char *copy_groups(unsigned char *to, const unsigned char *from,
                                               size_t count) {
  for (; count >= 4; count -= 4, to += 4 * GROUP, from += 4 * GROUP) {
    uint64_t groups[4];
    memcpy(groups, from, sizeof groups);
    memcpy(to, groups, sizeof groups);
  }
  for (; count > 0; count--, to += GROUP, from += GROUP) {
    memcpy(to, from, GROUP);
  }
  return from;
}

// The last bytes of a piece, with zeros behind them.
static inline uint64_t read_rest(const unsigned char *from, size_t size) {
  uint64_t group = 0;
  uint32_t at = 0;
  if (size & 4u) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    group = word;
    at = sizeof word;
  }
  for (; at < size; at++) {
    group |= (uint64_t)from[at] << (8 * at);
  }
  return group;
}

void mo_record_pack(const mo_record_packing *packing, const void *record, unsigned char *packed) {
  for (uint32_t i = 0; i < packing->span_count; i++) {
    const mo_record_span *span = &packing->spans[i];
    size_t groups = span->size / GROUP, rest = span->size % GROUP;
    const unsigned char *from = (const unsigned char *)record + span->offset;
    from = copy_groups(packed, from, groups);
    packed += groups * GROUP;
    if (rest > 0) {
      uint64_t group = read_rest(from, rest);
      memcpy(packed, &group, GROUP);
      packed += GROUP;
    }
  }
}

static inline void write_rest(unsigned char *to, const unsigned char *from, size_t size) {
  uint32_t at = 0;
  if (size & 4u) {
    memcpy(to, from, 4);
    at = 4;
  }
  for (; at < size; at++) {
    to[at] = from[at];
  }
}

bool mo_record_unpack(const mo_record_packing *packing, const unsigned char *packed, void *record) {
  unsigned all_flags = 0;
  for (uint32_t i = 0; i < packing->flag_count; i++) {
    all_flags |= packed[packing->flags[i]];
  }
  if (all_flags > 1) {
    return false;
  }
  for (uint32_t i = 0; i < packing->span_count; i++) {
    const mo_record_span *span = &packing->spans[i];
    size_t groups = span->size / GROUP;
    unsigned char *to = (unsigned char *)record + span->offset;
    packed = copy_groups(to, packed, groups);
    write_rest(to + groups * GROUP, packed, span->size % GROUP);
    packed += span->size % GROUP > 0 ? GROUP : 0;
  }
  return true;
}
