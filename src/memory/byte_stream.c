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
#define MASK_BYTES (MO_STREAM_RECORD_WORDS / 8u)

static uint32_t mask_bytes_of(uint32_t words) { return (words + 7) / 8; }

// Writes one record without gaps, for types that know no last one.
static void write_plain(mo_byte_writer *w, const mo_record_type *type, const void *record) {
  unsigned char *at = take(w, mo_record_packed_size(type));
  if (at) {
    mo_record_pack(type, record, at);
  }
}

// Writes the mask and the words that differ from the last record, which this one replaces.
static void write_difference(mo_byte_writer *w, const mo_record_type *type, const void *record) {
  uint64_t now[MO_STREAM_RECORD_WORDS], *last = w->memory->last[type->index];
  uint32_t size = mo_record_pack(type, record, (unsigned char *)now);
  uint32_t words = (size + WORD_BYTES - 1) / WORD_BYTES;
  memset((unsigned char *)now + size, 0, words * WORD_BYTES - size);
  uint32_t mask_bytes = mask_bytes_of(words);
  unsigned char *mask = take(w, mask_bytes + (size_t)words * WORD_BYTES);
  if (!mask) {
    return;
  }
  unsigned char *to = mask + mask_bytes;
  memset(mask, 0, mask_bytes);
  for (uint32_t i = 0; i < words; i++) {
    uint32_t differs = now[i] != last[i];
    mask[i / 8] |= (unsigned char)(differs << (i & 7u));
    memcpy(to, &now[i], WORD_BYTES);
    to += differs * WORD_BYTES;
    last[i] = now[i];
  }
  w->bytes_count = (uint32_t)(to - w->bytes);
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
  for (size_t i = 0; i < count; i++, record += type->size) {
    if (type->index == 0) {
      write_plain(w, type, record);
    } else {
      write_difference(w, type, record);
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
  if (!mo_reader_expect(r, count <= mo_reader_rest(r), "it ends too early")) {
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

static void read_plain(mo_byte_reader *r, const mo_record_type *type, void *record) {
  const unsigned char *packed = next(r, mo_record_packed_size(type));
  if (packed) {
    mo_reader_expect(r, mo_record_unpack(type, packed, record), bad_flag);
  }
}

static void read_difference(mo_byte_reader *r, const mo_record_type *type, uint32_t words,
                            void *record) {
  uint64_t *last = r->memory->last[type->index];
  unsigned char mask[MASK_BYTES];
  mo_read_bytes(r, mask, mask_bytes_of(words));
  for (uint32_t i = 0; i < words; i++) {
    if (mask[i / 8] >> (i & 7u) & 1u) {
      last[i] = mo_read_long(r);
    }
  }
  mo_reader_expect(r, mo_record_unpack(type, (const unsigned char *)last, record), bad_flag);
}

void mo_read_records(mo_byte_reader *r, const mo_record_type *type, void *records, size_t count) {
  unsigned char *record = records;
  if (is_dense(type)) {
    mo_read_bytes(r, records, count * type->size);
    return;
  }
  uint32_t words = (mo_record_packed_size(type) + WORD_BYTES - 1) / WORD_BYTES;
  for (size_t i = 0; i < count && !r->problem; i++, record += type->size) {
    if (type->index == 0) {
      read_plain(r, type, record);
    } else {
      read_difference(r, type, words, record);
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

uint64_t mo_checksum(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t sum = mix(0, count), word;
  for (; count >= sizeof word; count -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    sum = mix(sum, word);
  }
  word = 0;
  if (count > 0) {
    memcpy(&word, at, count);
  }
  return mix(sum, word);
}
