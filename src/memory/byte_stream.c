#include "memory/byte_stream.h"

#include "memory/array.h"
#include "memory/word_hash.h"

#include <string.h>

// --- writing ---------------------------------------------------------------------------------

// Where the next `count` bytes go; null without memory.
static unsigned char *take(mo_byte_writer *w, size_t count) {
  bool has_room = count <= w->bytes_capacity - w->bytes_count;
  if (w->has_failed || count > UINT32_MAX / 2 - w->bytes_count ||
      !(has_room || MO_RESERVE(w, bytes, w->bytes_count + (uint32_t)count))) {
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

// Each byte of a mask stands for eight words. Behind its end a record goes on with zeros.
#define WORD_BYTES sizeof(uint32_t)
#define CHUNK_WORDS 8u
#define CHUNK_BYTES (CHUNK_WORDS * WORD_BYTES)

static size_t chunks_of(uint32_t size) { return (size + CHUNK_BYTES - 1) / CHUNK_BYTES; }

void mo_record_memory_begin(mo_record_memory *memory) {
  for (uint32_t i = 0; i < MO_STREAM_TYPES; i++) {
    memory->packings[i].size = 0;
  }
}

// How records of a type are packed. Those without an index share a place. The first record of a
// type differs from zeros.
static const mo_record_packing *packing_of(mo_record_memory *memory, const mo_record_type *type) {
  mo_record_packing *packing = &memory->packings[type->index];
  if (packing->size == 0 || type->index == 0) {
    mo_record_find_packing(type, packing);
    memset(memory->last[type->index], 0, chunks_of(packing->size) * CHUNK_BYTES);
  }
  return packing;
}

// Writes one record whole.
static void write_plain(mo_byte_writer *w, const mo_record_packing *packing, const void *record) {
  unsigned char *at = take(w, packing->size);
  if (at) {
    mo_record_pack(packing, record, at);
  }
}

// Writes the words of a chunk that are set in the mask. Returns the end of what it wrote, behind
// which it may have used one word more.
static unsigned char *write_chunk(unsigned char *to, const unsigned char *chunk, uint32_t mask) {
  if (mask == (1u << CHUNK_WORDS) - 1) {
    memcpy(to, chunk, CHUNK_BYTES);
    return to + CHUNK_BYTES;
  }
  for (uint32_t i = 0; i < CHUNK_WORDS; i++, mask >>= 1) {
    memcpy(to, chunk + i * WORD_BYTES, WORD_BYTES);
    to += (mask & 1u) * WORD_BYTES;
  }
  return to;
}

// Writes the mask and the words that differ from the last record, which this one replaces.
static void write_difference(mo_byte_writer *w, const mo_record_packing *packing,
                             unsigned char *last, const void *record) {
  size_t chunks = chunks_of(packing->size);
  unsigned char *mask = take(w, chunks * (1 + CHUNK_BYTES) + WORD_BYTES);
  if (!mask) {
    return;
  }
  mo_record_replace(packing, record, last, mask);
  unsigned char *to = mask + chunks;
  for (size_t i = 0; i < chunks; i++) {
    if (mask[i]) {
      to = write_chunk(to, last + i * CHUNK_BYTES, mask[i]);
    }
  }
  w->bytes_count = (uint32_t)(to - w->bytes);
}

static void add_to_stream(mo_byte_writer *w, const mo_record_packing *packing,
                          mo_record_stream *stream, const void *record) {
  w->has_failed = w->has_failed || !mo_record_stream_add(stream, packing, record);
}

void mo_write_records(mo_byte_writer *w, const mo_record_type *type, const void *records,
                      size_t count) {
  const unsigned char *record = records;
  if (mo_record_is_dense(type)) {
    mo_write_bytes(w, records, count * type->size);
    return;
  }
  const mo_record_packing *packing = packing_of(w->memory, type);
  for (size_t i = 0; i < count; i++, record += type->size) {
    if (w->streams && type->index > 0) {
      add_to_stream(w, packing, &w->streams->items[type->index], record);
    } else if (type->is_varied) {
      write_plain(w, packing, record);
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

static void read_plain(mo_byte_reader *r, const mo_record_packing *packing, void *record) {
  const unsigned char *packed = next(r, packing->size);
  if (packed) {
    mo_reader_expect(r, mo_record_unpack(packing, packed, record), bad_flag);
  }
}

// Changes the words of the last record that differ, in pairs, as they are copied from there.
static void read_chunk(mo_byte_reader *r, uint32_t mask, unsigned char *last) {
  for (; mask; mask >>= 2, last += 2 * WORD_BYTES) {
    uint32_t pair[2];
    memcpy(pair, last, sizeof pair);
    for (uint32_t i = 0; i < 2; i++) {
      if (mask >> i & 1u) {
        pair[i] = mo_read_word(r);
      }
    }
    uint64_t both = pair[0] | (uint64_t)pair[1] << 32;
    memcpy(last, &both, sizeof both);
  }
}

static void read_difference(mo_byte_reader *r, const mo_record_packing *packing,
                            unsigned char *last, void *record) {
  size_t chunks = chunks_of(packing->size);
  const unsigned char *mask = next(r, chunks);
  for (size_t i = 0; mask && i < chunks; i++) {
    if (mask[i]) {
      read_chunk(r, mask[i], last + i * CHUNK_BYTES);
    }
  }
  mo_reader_expect(r, mo_record_unpack(packing, last, record), bad_flag);
}

static void read_from_stream(mo_byte_reader *r, const mo_record_packing *packing,
                             mo_record_stream *stream, void *record) {
  const unsigned char *packed = mo_record_stream_next(stream, packing);
  if (mo_reader_expect(r, packed != NULL, "it has too few records")) {
    mo_reader_expect(r, mo_record_unpack(packing, packed, record), bad_flag);
  }
}

void mo_read_records(mo_byte_reader *r, const mo_record_type *type, void *records, size_t count) {
  unsigned char *record = records;
  if (mo_record_is_dense(type)) {
    mo_read_bytes(r, records, count * type->size);
    return;
  }
  const mo_record_packing *packing = packing_of(r->memory, type);
  for (size_t i = 0; i < count && !r->problem; i++, record += type->size) {
    if (r->streams && type->index > 0) {
      read_from_stream(r, packing, &r->streams->items[type->index], record);
    } else if (type->is_varied) {
      read_plain(r, packing, record);
    } else {
      read_difference(r, packing, r->memory->last[type->index], record);
    }
  }
}

// --- checksum --------------------------------------------------------------------------------

uint64_t mo_checksum(const void *bytes, size_t count) {
  mo_word_hash hash = mo_word_hash_begin();
  mo_word_hash_add(&hash, bytes, count);
  return mo_word_hash_mix(mo_word_hash_end(&hash), count);
}
