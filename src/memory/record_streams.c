#include "memory/record_streams.h"

#include "memory/allocator.h"
#include "memory/array.h"
#include "memory/lock.h"

#include <string.h>

/// Bytes of a "record" of the first stream: what changes there is far apart.
#define PLAIN_RECORD 64u

static struct {
  mo_lock lock;
  mo_record_packing packings[MO_STREAM_TYPES]; // size 0: not found yet
} found = {.lock = MO_LOCK_INIT};

const mo_record_packing *mo_record_packing_of(const mo_record_type *type) {
  mo_record_packing *packing = &found.packings[type->index];
  mo_lock_take(&found.lock);
  if (packing->size == 0) {
    mo_record_find_packing(type, packing);
  }
  mo_lock_give(&found.lock);
  return packing;
}

static uint32_t filled_up(uint32_t size, uint32_t unit) { return (size + unit - 1) / unit * unit; }

void mo_record_streams_free(mo_record_streams *streams) {
  for (uint32_t i = 0; i < MO_STREAM_TYPES; i++) {
    mo_release(streams->items[i].bytes);
  }
  *streams = (mo_record_streams){0};
}

void mo_record_streams_clear(mo_record_streams *streams) {
  for (uint32_t i = 0; i < MO_STREAM_TYPES; i++) {
    streams->items[i].bytes_count = streams->items[i].read = 0;
  }
  streams->plain_count = 0;
}

void mo_record_streams_rewind(mo_record_streams *streams) {
  for (uint32_t i = 0; i < MO_STREAM_TYPES; i++) {
    streams->items[i].read = 0;
  }
}

size_t mo_record_streams_rest(const mo_record_streams *streams) {
  size_t rest = 0;
  for (uint32_t i = 1; i < MO_STREAM_TYPES; i++) {
    rest += streams->items[i].bytes_count - streams->items[i].read;
  }
  return rest;
}

bool mo_record_stream_resize(mo_record_stream *stream, uint32_t bytes_count) {
  if (!MO_RESERVE(stream, bytes, bytes_count)) {
    return false;
  }
  stream->bytes_count = bytes_count;
  return true;
}

bool mo_record_stream_add(mo_record_stream *stream, const mo_record_packing *packing,
                          const void *record) {
  uint32_t size = filled_up(packing->size, 4), at = stream->bytes_count;
  if (size > UINT32_MAX - at || !mo_record_stream_resize(stream, at + size)) {
    return false;
  }
  unsigned char *to = stream->bytes + at;
  stream->record_size = size;
  memset(to + size - 4, 0, 4);
  mo_record_pack(packing, record, to);
  return true;
}

const unsigned char *mo_record_stream_next(mo_record_stream *stream,
                                           const mo_record_packing *packing) {
  uint32_t size = filled_up(packing->size, 4);
  if (stream->record_size != size || stream->bytes_count - stream->read < size) {
    return NULL;
  }
  const unsigned char *at = stream->bytes + stream->read;
  stream->read += size;
  return at;
}

bool mo_record_streams_set_plain(mo_record_streams *streams, const void *bytes, uint32_t count) {
  mo_record_stream *plain = &streams->items[0];
  if (count > UINT32_MAX - PLAIN_RECORD ||
      !mo_record_stream_resize(plain, filled_up(count, PLAIN_RECORD))) {
    return false;
  }
  memcpy(plain->bytes, bytes, count);
  memset(plain->bytes + count, 0, plain->bytes_count - count);
  plain->record_size = PLAIN_RECORD;
  streams->plain_count = count;
  return true;
}
