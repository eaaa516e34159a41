/// Frames of a world as differences. A frame is a snapshot whose records lie in streams.
#include "memory/allocator.h"
#include "memory/stream_delta.h"
#include "report/snapshot_format.h"
#include "world/checks.h"

// What begins the bytes of a frame. Frames are known by their checksums.
typedef struct frame_header {
  uint64_t before; // the frame that it is the difference from; 0: none, it is a key
} frame_header;

struct mo_delta_coder {
  mo_record_streams held, spare;
  uint64_t name; // of the frame that is held: its checksum; 0: there is none
  mo_byte_writer writer;
};

mo_delta_coder *mo_delta_coder_create(void) { return mo_allocate(sizeof(mo_delta_coder)); }

void mo_delta_coder_destroy(mo_delta_coder *coder) {
  if (coder) {
    mo_record_streams_free(&coder->held);
    mo_record_streams_free(&coder->spare);
    mo_release(coder->writer.bytes);
    mo_release(coder);
  }
}

static void swap(mo_record_streams *a, mo_record_streams *b) {
  mo_record_streams kept = *a;
  *a = *b;
  *b = kept;
}

// Writes the difference of `spare` from the frame that is held, or as a key.
static void write_frame(mo_delta_coder *coder, bool is_key) {
  static const mo_record_streams nothing;
  mo_byte_writer *w = &coder->writer;
  w->bytes_count = 0;
  w->has_failed = false;
  const frame_header header = {is_key ? 0 : coder->name};
  mo_write_bytes(w, &header, sizeof header);
  mo_write_stream_delta(w, is_key ? &nothing : &coder->held, &coder->spare);
  coder->name = w->has_failed ? 0 : mo_checksum(w->bytes, w->bytes_count);
  mo_write_long(w, coder->name);
}

mo_result mo_delta_coder_write(mo_delta_coder *coder, mo_world *world, bool is_key, mo_bytes *out) {
  static const char *const function = "mo_delta_coder_write";
  mo_bytes plain;
  mo_record_streams_clear(&coder->spare);
  MO_RETURN_IF_REFUSED(mo_snapshot_write(world, function, false, &coder->spare, &plain));
  bool has_memory = mo_record_streams_set_plain(&coder->spare, plain.bytes, (uint32_t)plain.count);
  write_frame(coder, is_key || coder->name == 0);
  swap(&coder->held, &coder->spare);
  if (!has_memory || coder->writer.has_failed) {
    coder->name = 0;
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory for the bytes");
  }
  *out = (mo_bytes){coder->writer.bytes, coder->writer.bytes_count};
  return MO_OK;
}

// Whether the bytes are those of a frame that follows the one that is held, or of a key.
static bool is_next(const mo_delta_coder *coder, const void *bytes, size_t count, uint64_t *name,
                    frame_header *header) {
  if (count < sizeof *header + sizeof *name) {
    return false;
  }
  size_t rest = count - sizeof *name;
  memcpy(header, bytes, sizeof *header);
  memcpy(name, (const unsigned char *)bytes + rest, sizeof *name);
  return *name == mo_checksum(bytes, rest) &&
         (header->before == 0 || header->before == coder->name);
}

mo_result mo_delta_coder_read(mo_delta_coder *coder, const void *bytes, size_t count) {
  uint64_t name;
  frame_header header;
  if (!is_next(coder, bytes, count, &name, &header)) {
    return MO_ERROR_BAD_SNAPSHOT;
  }
  mo_byte_reader r = {.bytes = bytes, .count = count - sizeof name, .at = sizeof header};
  if (header.before == 0) {
    mo_record_streams_clear(&coder->held);
  }
  bool has_memory = mo_read_stream_delta(&r, &coder->held, &coder->spare);
  coder->name = has_memory && !r.problem ? name : 0;
  if (!has_memory) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  return r.problem ? MO_ERROR_BAD_SNAPSHOT : MO_OK;
}

mo_result mo_delta_coder_restore(mo_delta_coder *coder, mo_world *world,
                                 const mo_restore_options *options) {
  static const char *const function = "mo_delta_coder_restore";
  if (coder->name == 0) {
    return mo_world_refuse_text(world, MO_ERROR_BAD_SNAPSHOT, function, "there is no frame");
  }
  mo_record_streams_rewind(&coder->held);
  const mo_bytes plain = {coder->held.items[0].bytes, coder->held.plain_count};
  return mo_snapshot_read(world, function, plain, &coder->held, options);
}
