#include "memory/record.h"

#include "math/simd.h"

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
    mo_i32x4 first = mo_i32x4_load(from), second = mo_i32x4_load(from + 2 * GROUP);
    memcpy(to, &first, sizeof first);
    memcpy(to + 2 * GROUP, &second, sizeof second);
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

// The bits of a mask, eight of which are a byte.
typedef struct bit_writer {
  unsigned char *to;
  uint32_t bits, count; // that wait for their byte
} bit_writer;

static inline void put_bits(bit_writer *w, uint32_t bits, uint32_t count) {
  w->bits |= bits << w->count;
  w->count += count;
  if (w->count >= 8) {
    *w->to++ = (unsigned char)w->bits;
    w->bits >>= 8;
    w->count -= 8;
  }
}

static inline void put_byte(bit_writer *w, uint32_t bits) {
  w->bits |= bits << w->count;
  *w->to++ = (unsigned char)w->bits;
  w->bits >>= 8;
}

static inline void replace_group(unsigned char *packed, uint64_t now, bit_writer *mask) {
  uint64_t before;
  memcpy(&before, packed, GROUP);
  memcpy(packed, &now, GROUP);
  uint64_t both = now ^ before;
  put_bits(mask, (uint32_t)((uint32_t)both != 0) | (uint32_t)(both >> 32 != 0) << 1, 2);
}

// Two groups. Bit i: word i has changed.
static inline uint32_t replace_pair(unsigned char *packed, const unsigned char *from) {
  mo_i32x4 now = mo_i32x4_load(from), before = mo_i32x4_load(packed);
  memcpy(packed, &now, sizeof now);
  return (uint32_t)mo_i32x4_bits(now != before);
}

// Returns the end of the piece in the packed record.
static inline unsigned char *replace_span(unsigned char *packed, const unsigned char *from,
                                          size_t size, bit_writer *mask) {
  for (; size >= 4 * GROUP; size -= 4 * GROUP, from += 4 * GROUP, packed += 4 * GROUP) {
    uint32_t first = replace_pair(packed, from);
    put_byte(mask, first | replace_pair(packed + 2 * GROUP, from + 2 * GROUP) << 4);
  }
  if (size >= 2 * GROUP) {
    put_bits(mask, replace_pair(packed, from), 4);
    size -= 2 * GROUP, from += 2 * GROUP, packed += 2 * GROUP;
  }
  if (size >= GROUP) {
    uint64_t group;
    memcpy(&group, from, GROUP);
    replace_group(packed, group, mask);
    size -= GROUP, from += GROUP, packed += GROUP;
  }
  if (size > 0) {
    replace_group(packed, read_rest(from, size), mask);
    packed += GROUP;
  }
  return packed;
}

void mo_record_replace(const mo_record_packing *packing, const void *record, unsigned char *packed,
                       unsigned char *mask) {
  bit_writer writer = {0};
  writer.to = mask;
  for (uint32_t i = 0; i < packing->span_count; i++) {
    const mo_record_span *span = &packing->spans[i];
    packed =
        replace_span(packed, (const unsigned char *)record + span->offset, span->size, &writer);
  }
  if (writer.count > 0) {
    *writer.to = (unsigned char)writer.bits;
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
