#include "memory/byte_stream.h"

#include "memory/array.h"

#include <string.h>

// --- writing ---------------------------------------------------------------------------------

// Where the next `count` bytes go; null without memory.
static unsigned char *take(mo_byte_writer *w, size_t count) {
  if (w->has_failed || count > UINT32_MAX / 2 - w->bytes_count ||
      !MO_RESERVE(w, bytes, w->bytes_count + (uint32_t)count)) {
    w->has_failed = true;
    return NULL;
  }
  unsigned char *at = w->bytes + w->bytes_count;
  w->bytes_count += (uint32_t)count;
  return at;
}

void mo_write_bytes(mo_byte_writer *w, const void *bytes, size_t count) {
  unsigned char *at = take(w, count);
  if (at && count > 0) {
    memcpy(at, bytes, count);
  }
}

void mo_write_word(mo_byte_writer *w, uint32_t word) { mo_write_bytes(w, &word, sizeof word); }
void mo_write_long(mo_byte_writer *w, uint64_t number) {
  mo_write_bytes(w, &number, sizeof number);
}

// --- records ---------------------------------------------------------------------------------

#define WORD_BYTES 8u

static uint32_t words_of(uint32_t size) { return (size + WORD_BYTES - 1) / WORD_BYTES; }
static uint32_t mask_bytes_of(uint32_t words) { return (words + 7) / 8; }

// How records of a type are packed. Those without an index share a place.
static const mo_record_packing *packing_of(mo_record_memory *memory, const mo_record_type *type) {
  mo_record_packing *packing = &memory->packings[type->index];
  if (packing->size == 0 || type->index == 0) {
    mo_record_find_packing(type, packing);
  }
  return packing;
}

// Writes one record without gaps, for types that know no last one.
static void write_plain(mo_byte_writer *w, const mo_record_packing *packing, const void *record) {
  unsigned char *at = take(w, packing->size);
  if (at) {
    mo_record_pack(packing, record, at);
  }
}

// Writes the mask and the words that differ from the last record, which this one replaces.
static void write_difference(mo_byte_writer *w, const mo_record_packing *packing, uint64_t *last,
                             const void *record) {
  uint64_t now[MO_STREAM_RECORD_WORDS];
  uint32_t words = words_of(packing->size), mask_bytes = mask_bytes_of(words);
  now[words - 1] = 0; // it may be filled in part
  mo_record_pack(packing, record, (unsigned char *)now);
  unsigned char *mask = take(w, mask_bytes + (size_t)words * WORD_BYTES);
  if (!mask) {
    return;
  }
  unsigned char *to = mask + mask_bytes;
  for (uint32_t first = 0; first < words; first += 8) {
    uint32_t bits = 0, end = first + 8 < words ? first + 8 : words;
    for (uint32_t i = first; i < end; i++) {
      uint32_t differs = now[i] != last[i];
      bits |= differs << (i - first);
      memcpy(to, &now[i], WORD_BYTES);
      to += (size_t)differs * WORD_BYTES;
      last[i] = now[i];
    }
    *mask++ = (unsigned char)bits;
  }
  w->bytes_count = (uint32_t)(to - w->bytes);
}

static void add_to_stream(mo_byte_writer *w, const mo_record_packing *packing,
                          mo_record_stream *stream, const void *record) {
  w->has_failed = w->has_failed || !mo_record_stream_add(stream, packing, record);
}

// Whether all bytes of the records are fields, in order: they are written as they are.
static bool is_dense(const mo_record_type *type) {
  return type->field_count == 1 && type->fields[0].byte_count == type->size;
}

void mo_write_records(mo_byte_writer *w, const mo_record_type *type, const void *records,
                      size_t count) {
  const unsigned char *record = records;
  if (is_dense(type)) {
    mo_write_bytes(w, records, count * type->size);
    return;
  }
  const mo_record_packing *packing = packing_of(w->memory, type);
  for (size_t i = 0; i < count; i++, record += type->size) {
    if (type->index == 0) {
      write_plain(w, packing, record);
    } else if (w->streams) {
      add_to_stream(w, packing, &w->streams->items[type->index], record);
    } else {
      write_difference(w, packing, w->memory->last[type->index], record);
    }
  }
}

// --- reading ---------------------------------------------------------------------------------

bool mo_reader_refuse(mo_byte_reader *r, const char *problem) {
  if (!r->problem) {
    r->problem = problem;
  }
  return false;
}

// The next `count` bytes, or null if there are fewer.
static const unsigned char *next(mo_byte_reader *r, size_t count) {
  if (!mo_reader_expect(r, count <= mo_reader_plain_rest(r), "it ends too early")) {
    return NULL;
  }
  const unsigned char *at = r->bytes + r->at;
  r->at += count;
  return at;
}

void mo_read_bytes(mo_byte_reader *r, void *out, size_t count) {
  const unsigned char *from = next(r, count);
  if (count > 0 && from) {
    memcpy(out, from, count);
  } else if (count > 0) {
    memset(out, 0, count);
  }
}

uint32_t mo_read_word(mo_byte_reader *r) {
  uint32_t word;
  mo_read_bytes(r, &word, sizeof word);
  return word;
}

uint64_t mo_read_long(mo_byte_reader *r) {
  uint64_t number;
  mo_read_bytes(r, &number, sizeof number);
  return number;
}

uint32_t mo_read_count(mo_byte_reader *r, size_t least_bytes) {
  uint32_t count = mo_read_word(r);
  bool fits = least_bytes == 0 || count <= mo_reader_rest(r) / least_bytes;
  return mo_reader_expect(r, fits, "a list is longer than the bytes that are left") ? count : 0;
}

static const char *const bad_flag = "a flag is neither 0 nor 1";

static void read_plain(mo_byte_reader *r, const mo_record_type *type,
                       const mo_record_packing *packing, void *record) {
  const unsigned char *packed = next(r, packing->size);
  if (packed) {
    mo_reader_expect(r, mo_record_unpack(type, packing, packed, record), bad_flag);
  }
}

static void read_difference(mo_byte_reader *r, const mo_record_type *type,
                            const mo_record_packing *packing, void *record) {
  uint64_t *last = r->memory->last[type->index];
  uint32_t words = words_of(packing->size);
  const unsigned char *mask = next(r, mask_bytes_of(words));
  for (uint32_t i = 0; mask && i < words; i++) {
    if (mask[i / 8] >> (i & 7u) & 1u) {
      last[i] = mo_read_long(r);
    }
  }
  mo_reader_expect(r, mo_record_unpack(type, packing, (const unsigned char *)last, record),
                   bad_flag);
}

static void read_from_stream(mo_byte_reader *r, const mo_record_type *type,
                             const mo_record_packing *packing, void *record) {
  mo_record_stream *stream = &r->streams->items[type->index];
  const unsigned char *packed = mo_record_stream_next(stream, packing);
  if (mo_reader_expect(r, packed != NULL, "it has too few records")) {
    mo_reader_expect(r, mo_record_unpack(type, packing, packed, record), bad_flag);
  }
}

void mo_read_records(mo_byte_reader *r, const mo_record_type *type, void *records, size_t count) {
  unsigned char *record = records;
  if (is_dense(type)) {
    mo_read_bytes(r, records, count * type->size);
    return;
  }
  const mo_record_packing *packing = packing_of(r->memory, type);
  for (size_t i = 0; i < count && !r->problem; i++, record += type->size) {
    if (type->index == 0) {
      read_plain(r, type, packing, record);
    } else if (r->streams) {
      read_from_stream(r, type, packing, record);
    } else {
      read_difference(r, type, packing, record);
    }
  }
}

// --- checksum --------------------------------------------------------------------------------

// An odd number with well mixed bits: 2^64 over the golden ratio.
#define MULTIPLIER 0x9e3779b97f4a7c15u

static uint64_t mix(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * MULTIPLIER;
  return sum ^ sum >> 32;
}

// Four sums over every fourth word do not wait for each other.
#define SUMS 4

uint64_t mo_checksum(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t sums[SUMS] = {1, 2, 3, 4}, words[SUMS], whole = mix(0, count);
  for (; count >= sizeof words; count -= sizeof words, at += sizeof words) {
    memcpy(words, at, sizeof words);
    for (int i = 0; i < SUMS; i++) {
      sums[i] = mix(sums[i], words[i]);
    }
  }
  memset(words, 0, sizeof words);
  memcpy(words, at, count);
  for (int i = 0; i < SUMS; i++) {
    whole = mix(mix(whole, sums[i]), words[i]);
  }
  return whole;
}
