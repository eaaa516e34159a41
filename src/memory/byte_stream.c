#include "memory/byte_stream.h"

#include "math/simd.h"
#include "memory/array.h"
#include "memory/word_hash.h"

#include <assert.h>
#include <string.h>

// --- writing ---------------------------------------------------------------------------------

// Makes room for `count` bytes more than there are. Returns false without memory.
static bool grow(mo_byte_writer *w, size_t count) {
  if (w->has_failed || count > UINT32_MAX / 2 - w->bytes_count ||
      !MO_RESERVE(w, bytes, w->bytes_count + (uint32_t)count)) {
    w->has_failed = true;
  }
  return !w->has_failed;
}

static inline bool has_room(mo_byte_writer *w, size_t count) {
  return count <= w->bytes_capacity - w->bytes_count || grow(w, count);
}

unsigned char *mo_write_room(mo_byte_writer *w, size_t count) {
  if (!has_room(w, count)) {
    return NULL;
  }
  unsigned char *at = w->bytes + w->bytes_count;
  w->bytes_count += (uint32_t)count;
  return at;
}

void mo_write_bytes(mo_byte_writer *w, const void *bytes, size_t count) {
  unsigned char *at = mo_write_room(w, count);
  if (at && count > 0) {
    memcpy(at, bytes, count);
  }
}

void mo_write_word(mo_byte_writer *w, uint32_t word) { mo_write_bytes(w, &word, sizeof word); }
void mo_write_long(mo_byte_writer *w, uint64_t number) {
  mo_write_bytes(w, &number, sizeof number);
}

// --- records ---------------------------------------------------------------------------------

void mo_record_memory_begin(mo_record_memory *memory) {
  memory->bytes_used = 0;
  for (uint32_t i = 0; i < MO_STREAM_TYPES; i++) {
    memory->packings[i] = NULL;
  }
}

// The first record of a type differs from zeros.
static const mo_record_packing *begin_type(mo_record_memory *memory, const mo_record_type *type) {
  if (type->index == 0) {
    mo_record_find_packing(type, &memory->other);
    return &memory->other;
  }
  const mo_record_packing *packing = mo_record_packing_of(type);
  uint32_t bytes = mo_record_chunk_bytes(packing);
  assert(bytes <= MO_RECORD_MEMORY_BYTES - memory->bytes_used);
  memory->packings[type->index] = packing;
  memory->last[type->index] = memset(memory->bytes + memory->bytes_used, 0, bytes);
  memory->bytes_used += bytes;
  return packing;
}

static const mo_record_packing *packing_of(mo_record_memory *memory, const mo_record_type *type) {
  const mo_record_packing *packing = type->index > 0 ? memory->packings[type->index] : NULL;
  return packing ? packing : begin_type(memory, type);
}

// Writes records whole.
static void write_plain(mo_byte_writer *w, const mo_record_packing *packing,
                        const unsigned char *record, size_t count) {
  unsigned char *at = mo_write_room(w, count * packing->size);
  for (size_t i = 0; at && i < count; i++, record += packing->record_size, at += packing->size) {
    mo_record_pack(packing, record, at);
  }
}

// Writes what differs from the last record, which each one replaces.
static void write_differences(mo_byte_writer *w, const mo_record_packing *packing,
                              unsigned char *last, const unsigned char *record, size_t count) {
  uint32_t room = mo_record_changes_room(packing);
  for (size_t i = 0; i < count && has_room(w, room); i++, record += packing->record_size) {
    unsigned char *end = mo_record_write_changes(packing, record, last, w->bytes + w->bytes_count);
    w->bytes_count = (uint32_t)(end - w->bytes);
  }
}

static void add_to_stream(mo_byte_writer *w, const mo_record_packing *packing,
                          mo_record_stream *stream, const unsigned char *record, size_t count) {
  for (size_t i = 0; i < count && !w->has_failed; i++, record += packing->record_size) {
    w->has_failed = !mo_record_stream_add(stream, packing, record);
  }
}

void mo_write_records(mo_byte_writer *w, const mo_record_type *type, const void *records,
                      size_t count) {
  if (mo_record_is_dense(type)) {
    mo_write_bytes(w, records, count * type->size);
    return;
  }
  const mo_record_packing *packing = packing_of(w->memory, type);
  if (w->streams && type->index > 0) {
    add_to_stream(w, packing, &w->streams->items[type->index], records, count);
  } else if (type->is_varied) {
    write_plain(w, packing, records, count);
  } else {
    write_differences(w, packing, w->memory->last[type->index], records, count);
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

// Words of a chunk, and what may be read behind them.
#define HALF_WORDS 4
#define WORDS_ROOM (MO_RECORD_CHUNK + HALF_WORDS * 4)

// Changes the words of a chunk that differ from the last record.
static void read_chunk(mo_byte_reader *r, int mask, unsigned char *last) {
  int low = mask & 15, high = mask >> HALF_WORDS;
  size_t low_bytes = 4 * (size_t)mo_i32x4_count(low);
  size_t count = low_bytes + 4 * (size_t)mo_i32x4_count(high);
  bool has_room = mo_reader_plain_rest(r) >= WORDS_ROOM;
  const unsigned char *from = next(r, count);
  unsigned char words[WORDS_ROOM] = {0};
  if (from && !has_room) {
    from = memcpy(words, from, count);
  }
  if (from) {
    mo_i32x4 first = mo_i32x4_load_some(from, mo_i32x4_load(last), low);
    mo_i32x4 second =
        mo_i32x4_load_some(from + low_bytes, mo_i32x4_load(last + sizeof first), high);
    memcpy(last, &first, sizeof first);
    memcpy(last + sizeof first, &second, sizeof second);
  }
}

static void read_difference(mo_byte_reader *r, const mo_record_packing *packing,
                            unsigned char *last, void *record) {
  size_t chunks = mo_record_chunk_bytes(packing) / MO_RECORD_CHUNK;
  const unsigned char *mask = next(r, chunks);
  for (size_t i = 0; mask && i < chunks; i++) {
    if (mask[i]) {
      read_chunk(r, mask[i], last + i * MO_RECORD_CHUNK);
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
