#include "memory/stream_delta.h"

#include <string.h>

#define WORD 4u
#define LARGEST_RECORD (MO_STREAM_RECORD_WORDS * 8u)
/// A record that has less than one third of its words from its source may have a better one.
#define POOR_PART 3u
/// Where nothing better was found, as of poses, which change in all of their words, more and more
/// such records are let pass before the next is looked after: so many at the most.
#define LONGEST_PAUSE 16u

// --- sources ---------------------------------------------------------------------------------

// A stream as it was and as it is now.
typedef struct pairing {
  const unsigned char *before;
  uint32_t before_count; // bytes
  const unsigned char *now;
  uint32_t size; // bytes of a record
  int64_t shift; // bytes from a record to its source
} pairing;

// How far sources are looked for, and in which steps.
typedef struct neighbourhood {
  uint32_t unit; // bytes
  int32_t radius;
} neighbourhood;

// In the first stream things of all sizes come and go. The largest are the places of bodies that
// have come to rest.
static neighbourhood neighbourhood_of(uint32_t stream, uint32_t size) {
  return stream == 0 ? (neighbourhood){1, 72} : (neighbourhood){size, 8};
}

static bool is_inside(const pairing *p, int64_t from) {
  return from >= 0 && from + p->size <= p->before_count;
}

// What the record at a place is compared with. Beyond the end of the stream as it was, records are
// compared with the one that precedes them.
static const unsigned char *source_of(const pairing *p, uint32_t at) {
  static const unsigned char zeros[LARGEST_RECORD];
  int64_t from = at + p->shift;
  if (is_inside(p, from)) {
    return p->before + from;
  }
  return at >= p->size ? p->now + at - p->size : zeros;
}

// Words that two records have in common.
static uint32_t count_equal(const unsigned char *a, const unsigned char *b, uint32_t size) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < size; i += WORD) {
    uint32_t of_a, of_b;
    memcpy(&of_a, a + i, WORD);
    memcpy(&of_b, b + i, WORD);
    count += of_a == of_b;
  }
  return count;
}

static bool is_poor(const pairing *p, uint32_t equal) { return equal * POOR_PART < p->size / WORD; }

// By how many units the shift should change for a record that has `most` words from its source.
static int32_t find_shift(const pairing *p, uint32_t at, neighbourhood near, uint32_t most) {
  int32_t best = 0;
  for (int32_t change = -near.radius; change <= near.radius; change++) {
    int64_t from = at + p->shift + (int64_t)change * near.unit;
    uint32_t count = is_inside(p, from) ? count_equal(p->now + at, p->before + from, p->size) : 0;
    if (count > most) {
      most = count;
      best = change;
    }
  }
  return best;
}

// How many poor records are still let pass, and how many will be after the next look in vain.
typedef struct patience {
  uint32_t left, next;
} patience;

static int32_t choose_shift(const pairing *p, uint32_t at, neighbourhood near, patience *pause) {
  uint32_t equal = count_equal(p->now + at, source_of(p, at), p->size);
  if (!is_poor(p, equal)) {
    return 0;
  }
  if (pause->left > 0) {
    pause->left--;
    return 0;
  }
  int32_t change = find_shift(p, at, near, equal);
  uint32_t longer = 2 * pause->next + 1;
  pause->next = change ? 0 : longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
  pause->left = pause->next;
  return change;
}

// --- writing ---------------------------------------------------------------------------------

// Seven bits per byte, the lowest first; the highest bit says that there are more.
static void write_count(mo_byte_writer *w, uint32_t count) {
  unsigned char bytes[5];
  uint32_t used = 0;
  do {
    bytes[used++] = (unsigned char)((count & 0x7fu) | (count > 0x7fu ? 0x80u : 0u));
    count >>= 7;
  } while (count > 0);
  mo_write_bytes(w, bytes, used);
}

// A bit for each word of the record, and the words that differ from the source.
static void write_record(mo_byte_writer *w, const unsigned char *record,
                         const unsigned char *source, uint32_t size) {
  unsigned char bytes[LARGEST_RECORD + LARGEST_RECORD / WORD / 8 + 1];
  uint32_t words = size / WORD, masks = (words + 7) / 8;
  unsigned char *to = bytes + masks;
  memset(bytes, 0, masks);
  for (uint32_t i = 0; i < words; i++) {
    uint32_t now, before;
    memcpy(&now, record + (size_t)i * WORD, WORD);
    memcpy(&before, source + (size_t)i * WORD, WORD);
    uint32_t differs = now != before;
    bytes[i / 8] |= (unsigned char)(differs << (i % 8));
    memcpy(to, &now, WORD);
    to += differs * WORD;
  }
  mo_write_bytes(w, bytes, (size_t)(to - bytes));
}

// Returns whether every record has its source at its own place.
static bool write_changes(mo_byte_writer *w, pairing *p, uint32_t count, neighbourhood near) {
  uint32_t equal = 0;
  bool is_aligned = true;
  patience pause = {0};
  for (uint32_t at = 0; at < count; at += p->size) {
    if (memcmp(p->now + at, source_of(p, at), p->size) == 0) {
      equal++;
      continue;
    }
    int32_t change = choose_shift(p, at, near, &pause);
    p->shift += (int64_t)change * near.unit;
    is_aligned = is_aligned && p->shift == 0;
    write_count(w, equal);
    equal = 0;
    mo_write_bytes(w, &(int8_t){(int8_t)change}, 1);
    write_record(w, p->now + at, source_of(p, at), p->size);
  }
  if (equal > 0) {
    write_count(w, equal);
  }
  return is_aligned;
}

static void write_stream(mo_byte_writer *w, uint32_t index, const mo_record_stream *before,
                         const mo_record_stream *now) {
  write_count(w, now->bytes_count);
  if (now->bytes_count == 0) {
    return;
  }
  write_count(w, now->record_size);
  uint32_t at = w->bytes_count;
  mo_write_bytes(w, &(bool){false}, 1);
  pairing p = {before->bytes, before->bytes_count, now->bytes, now->record_size, 0};
  bool is_aligned =
      write_changes(w, &p, now->bytes_count, neighbourhood_of(index, now->record_size));
  if (!w->has_failed) {
    w->bytes[at] = is_aligned;
  }
}

void mo_write_stream_delta(mo_byte_writer *w, const mo_record_streams *before,
                           const mo_record_streams *now) {
  write_count(w, now->plain_count);
  for (uint32_t i = 0; i < MO_STREAM_TYPES; i++) {
    write_stream(w, i, &before->items[i], &now->items[i]);
  }
}

// --- reading ---------------------------------------------------------------------------------

static const char *const damaged = "a difference is damaged";

static uint32_t read_count(mo_byte_reader *r) {
  uint64_t count = 0;
  for (uint32_t shift = 0; shift < 35; shift += 7) {
    unsigned char byte;
    mo_read_bytes(r, &byte, 1);
    count |= (uint64_t)(byte & 0x7fu) << shift;
    if (byte < 0x80) {
      break;
    }
  }
  return mo_reader_expect(r, count <= UINT32_MAX, damaged) ? (uint32_t)count : 0;
}

// Changes the words of a record that differ from its source.
static void read_record(mo_byte_reader *r, unsigned char *record, uint32_t size) {
  unsigned char mask[LARGEST_RECORD / WORD / 8];
  uint32_t words = size / WORD, changed = 0;
  mo_read_bytes(r, mask, (words + 7) / 8);
  for (uint32_t i = 0; i < words; i++) {
    changed += mask[i / 8] >> (i % 8) & 1u;
  }
  if (!mo_reader_expect(r, (size_t)changed * WORD <= mo_reader_plain_rest(r), damaged)) {
    return;
  }
  for (uint32_t i = 0; i < words; i++) {
    if (mask[i / 8] >> (i % 8) & 1u) {
      memcpy(record + (size_t)i * WORD, r->bytes + r->at, WORD);
      r->at += WORD;
    }
  }
}

// Copies records from their sources. Those that lie there already are left out.
static void copy_sources(const pairing *p, unsigned char *now, uint32_t at, uint32_t end) {
  if (p->before == now && p->shift == 0 && end <= p->before_count) {
    return;
  }
  for (; at < end; at += p->size) {
    memmove(now + at, source_of(p, at), p->size);
  }
}

static void read_changes(mo_byte_reader *r, uint32_t index, pairing *p, mo_record_stream *now) {
  neighbourhood near = neighbourhood_of(index, p->size);
  uint32_t at = 0, count = now->bytes_count;
  while (at < count && !r->problem) {
    uint64_t end = at + (uint64_t)read_count(r) * p->size;
    if (!mo_reader_expect(r, end <= count, damaged)) {
      return;
    }
    copy_sources(p, now->bytes, at, (uint32_t)end);
    at = (uint32_t)end;
    if (at < count) {
      int8_t change;
      mo_read_bytes(r, &change, 1);
      p->shift += (int64_t)change * near.unit;
      copy_sources(p, now->bytes, at, at + p->size);
      read_record(r, now->bytes + at, p->size);
      at += p->size;
    }
  }
}

static bool is_good_size(uint32_t count, uint32_t size) {
  return size > 0 && size <= LARGEST_RECORD && size % WORD == 0 && count % size == 0;
}

static void swap(mo_record_stream *a, mo_record_stream *b) {
  mo_record_stream kept = *a;
  *a = *b;
  *b = kept;
}

// Where records have moved, the new ones are made beside the old ones, otherwise in their place.
static bool read_stream(mo_byte_reader *r, uint32_t index, mo_record_stream *stream,
                        mo_record_stream *spare) {
  uint32_t count = read_count(r);
  if (count == 0) {
    stream->bytes_count = 0;
    return true;
  }
  uint32_t size = read_count(r), before_count = stream->bytes_count;
  unsigned char is_aligned;
  mo_read_bytes(r, &is_aligned, 1);
  if (!mo_reader_expect(r, is_good_size(count, size), damaged)) {
    return true;
  }
  if (!is_aligned) {
    swap(stream, spare);
  }
  if (!mo_record_stream_resize(stream, count)) {
    return false;
  }
  stream->record_size = size;
  pairing p = {is_aligned ? stream->bytes : spare->bytes, before_count, stream->bytes, size, 0};
  read_changes(r, index, &p, stream);
  return true;
}

bool mo_read_stream_delta(mo_byte_reader *r, mo_record_streams *streams, mo_record_streams *spare) {
  streams->plain_count = read_count(r);
  bool has_memory = true;
  for (uint32_t i = 0; i < MO_STREAM_TYPES && has_memory && !r->problem; i++) {
    has_memory = read_stream(r, i, &streams->items[i], &spare->items[i]);
  }
  mo_reader_expect(r, streams->plain_count <= streams->items[0].bytes_count, damaged);
  return has_memory;
}
