#include "memory/stream_delta.h"

#include <string.h>

#define WORD 4u
#define LARGEST_RECORD ((uint32_t)MO_STREAM_RECORD_BYTES)
#define MASK_BYTES (LARGEST_RECORD / WORD / 8)
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

// Whether two records are equal. The C library of WebAssembly compares byte by byte.
static bool is_equal(const unsigned char *a, const unsigned char *b, uint32_t size) {
  uint32_t differs = 0;
  for (uint32_t i = 0; i < size && !differs; i += 8 * WORD) {
    uint32_t end = i + 8 * WORD < size ? i + 8 * WORD : size;
    for (uint32_t k = i; k < end; k += WORD) {
      uint32_t of_a, of_b;
      memcpy(&of_a, a + k, WORD);
      memcpy(&of_b, b + k, WORD);
      differs |= of_a ^ of_b;
    }
  }
  return differs == 0;
}

// How many words of two records differ.
static uint32_t count_different(const unsigned char *a, const unsigned char *b, uint32_t size) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < size; i += WORD) {
    uint32_t of_a, of_b;
    memcpy(&of_a, a + i, WORD);
    memcpy(&of_b, b + i, WORD);
    count += of_a != of_b;
  }
  return count;
}

// By how many units the shift should change for a record of which `least` words differ from its
// source.
static int32_t find_shift(const pairing *p, uint32_t at, neighbourhood near, uint32_t least) {
  int32_t best = 0;
  for (int32_t change = -near.radius; change <= near.radius; change++) {
    int64_t from = at + p->shift + (int64_t)change * near.unit;
    uint32_t count =
        is_inside(p, from) ? count_different(p->now + at, p->before + from, p->size) : UINT32_MAX;
    if (count < least) {
      least = count;
      best = change;
    }
  }
  return best;
}

// How many poor records are still let pass, and how many will be after the next look in vain.
typedef struct patience {
  uint32_t left, next;
} patience;

// The same, where it is worth a look.
static int32_t choose_shift(const pairing *p, uint32_t at, neighbourhood near, uint32_t differing,
                            patience *pause) {
  if (differing * WORD < p->size - p->size / POOR_PART) {
    return 0;
  }
  if (pause->left > 0) {
    pause->left--;
    return 0;
  }
  int32_t change = find_shift(p, at, near, differing);
  uint32_t longer = 2 * pause->next + 1;
  pause->next = change ? 0 : longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
  pause->left = pause->next;
  return change;
}

// --- writing ---------------------------------------------------------------------------------

#define COUNT_BYTES 5u

// Seven bits per byte, the lowest first; the highest bit says that there are more. Returns the end.
static unsigned char *put_count(unsigned char *to, uint32_t count) {
  for (; count > 0x7fu; count >>= 7) {
    *to++ = (unsigned char)((count & 0x7fu) | 0x80u);
  }
  *to++ = (unsigned char)count;
  return to;
}

static void write_count(mo_byte_writer *w, uint32_t count) {
  unsigned char bytes[COUNT_BYTES];
  mo_write_bytes(w, bytes, (size_t)(put_count(bytes, count) - bytes));
}

// A bit for each word of a record, and the words that differ from the source. Returns the end,
// behind which it has used one word more.
static unsigned char *put_record(unsigned char *to, const unsigned char *record,
                                 const unsigned char *source, uint32_t size) {
  uint32_t words = size / WORD;
  unsigned char *mask = to;
  to += (words + 7) / 8;
  for (uint32_t first = 0; first < words; first += 8) {
    uint32_t bits = 0, end = first + 8 < words ? first + 8 : words;
    for (uint32_t i = first; i < end; i++) {
      uint32_t now, before;
      memcpy(&now, record + (size_t)i * WORD, WORD);
      memcpy(&before, source + (size_t)i * WORD, WORD);
      uint32_t differs = now != before;
      bits |= differs << (i - first);
      memcpy(to, &now, WORD);
      to += (size_t)differs * WORD;
    }
    *mask++ = (unsigned char)bits;
  }
  return to;
}

// Writes a record that differs from its source, after `equal` ones that do not. Changes the shift.
static void write_changed(mo_byte_writer *w, pairing *p, uint32_t at, uint32_t equal,
                          neighbourhood near, patience *pause) {
  unsigned char bytes[COUNT_BYTES + 1 + MASK_BYTES + LARGEST_RECORD + WORD];
  unsigned char *to = put_count(bytes, equal), *start = to + 1;
  const unsigned char *record = p->now + at;
  unsigned char *end = put_record(start, record, source_of(p, at), p->size);
  uint32_t differing = ((uint32_t)(end - start) - (p->size / WORD + 7) / 8) / WORD;
  int32_t change = choose_shift(p, at, near, differing, pause);
  if (change != 0) {
    p->shift += (int64_t)change * near.unit;
    end = put_record(start, record, source_of(p, at), p->size);
  }
  *to = (unsigned char)(int8_t)change;
  mo_write_bytes(w, bytes, (size_t)(end - bytes));
}

// Returns whether every record has its source at its own place.
static bool write_changes(mo_byte_writer *w, pairing *p, uint32_t count, neighbourhood near) {
  uint32_t equal = 0;
  bool is_aligned = true;
  patience pause = {0};
  for (uint32_t at = 0; at < count; at += p->size) {
    if (is_equal(p->now + at, source_of(p, at), p->size)) {
      equal++;
      continue;
    }
    write_changed(w, p, at, equal, near, &pause);
    is_aligned = is_aligned && p->shift == 0;
    equal = 0;
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
  unsigned char mask[MASK_BYTES];
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
