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

// --- without gaps ----------------------------------------------------------------------------

uint32_t mo_record_packed_size(const mo_record_type *type) {
  uint32_t size = 0;
  for (uint32_t f = 0; f < type->field_count; f++) {
    size += type->fields[f].byte_count;
  }
  return size;
}

static void add_span(mo_record_packing *packing, const mo_field *field) {
  mo_record_span *last = packing->span_count > 0 ? &packing->spans[packing->span_count - 1] : NULL;
  if (last && last->offset + last->size == field->offset) {
    last->size += field->byte_count;
  } else {
    packing->spans[packing->span_count++] = (mo_record_span){field->offset, field->byte_count};
  }
}

void mo_record_find_packing(const mo_record_type *type, mo_record_packing *out) {
  *out = (mo_record_packing){0};
  for (uint32_t f = 0; f < type->field_count; f++) {
    const mo_field *field = &type->fields[f];
    add_span(out, field);
    for (uint32_t i = 0; field->is_flag && i < field->byte_count; i++) {
      out->flags[out->flag_count++] = (uint16_t)(out->size + i);
    }
    out->size += field->byte_count;
  }
}

// Copies word by word: a call of memcpy with a length that is not known takes longer than most
// pieces.
static inline void copy(unsigned char *to, const unsigned char *from, uint32_t size) {
  uint32_t at = 0;
  for (; at + 32 <= size; at += 32) {
    memcpy(to + at, from + at, 32);
  }
  for (; at + 8 <= size; at += 8) {
    memcpy(to + at, from + at, 8);
  }
  for (; at + 4 <= size; at += 4) {
    memcpy(to + at, from + at, 4);
  }
  for (; at < size; at++) {
    to[at] = from[at];
  }
}

void mo_record_pack(const mo_record_packing *packing, const void *record, unsigned char *packed) {
  for (uint32_t i = 0; i < packing->span_count; i++) {
    const mo_record_span *span = &packing->spans[i];
    copy(packed, (const unsigned char *)record + span->offset, span->size);
    packed += span->size;
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
    copy((unsigned char *)record + span->offset, packed, span->size);
    packed += span->size;
  }
  return true;
}
