/// Bytes that are written one after the other, and read back with all bounds checked.
///
/// Numbers are little-endian, as WebAssembly has them, and so is every machine that this engine is
/// built for. A record is written as its difference from the last one of its type: a bit for each
/// word of 4 bytes, and the words that differ. Bodies and contacts are much alike, so many
/// words do not. Records that differ in most words are written whole. Bytes that were read may come
/// from anywhere: a reader that met its end gives zeros from then on.
#pragma once

#include "memory/record_streams.h"

/// More than the packed records of all types with an index have together.
#define MO_RECORD_MEMORY_BYTES 8192

/// The last record of each type and how it is packed.
typedef struct mo_record_memory {
  const mo_record_packing *packings[MO_STREAM_TYPES]; ///< null: not asked for yet
  mo_record_packing other;                            ///< of the last type without an index
  unsigned char *last[MO_STREAM_TYPES];               ///< of those that were asked for
  uint32_t bytes_used;
  unsigned char bytes[MO_RECORD_MEMORY_BYTES];
} mo_record_memory;

/// Forgets all types. Takes no time for those that do not come.
void mo_record_memory_begin(mo_record_memory *memory);

/// Begins as zeros, but for `memory`, which is needed to write records.
typedef struct mo_byte_writer {
  unsigned char *bytes; ///< owned
  uint32_t bytes_count, bytes_capacity;
  bool has_failed; ///< there was no memory: what was written is of no use
  mo_record_memory *memory;
  mo_record_streams *streams; ///< where records with an index go instead; null: to the bytes
} mo_byte_writer;

/// Room for `count` bytes, which the caller writes; null without memory.
unsigned char *mo_write_room(mo_byte_writer *writer, size_t count);
void mo_write_bytes(mo_byte_writer *writer, const void *bytes, size_t count);
void mo_write_word(mo_byte_writer *writer, uint32_t word);
void mo_write_long(mo_byte_writer *writer, uint64_t number);
/// `count` records of an array.
void mo_write_records(mo_byte_writer *writer, const mo_record_type *type, const void *records,
                      size_t count);

typedef struct mo_byte_reader {
  const unsigned char *bytes;
  size_t count, at;
  /// Why the bytes are refused, as the end of a message; null while they are good. The first reason
  /// stays.
  const char *problem;
  mo_record_memory *memory;
  mo_record_streams *streams; ///< where records with an index are; null: in the bytes
} mo_byte_reader;

/// Bytes that are left, without those of streams.
static inline size_t mo_reader_plain_rest(const mo_byte_reader *reader) {
  return reader->count - reader->at;
}
/// Bytes that are left.
static inline size_t mo_reader_rest(const mo_byte_reader *reader) {
  return mo_reader_plain_rest(reader) +
         (reader->streams ? mo_record_streams_rest(reader->streams) : 0);
}
/// Refuses the bytes, unless they are refused already. Returns false.
bool mo_reader_refuse(mo_byte_reader *reader, const char *problem);
/// Refuses them if the condition does not hold. Returns whether they are good so far.
static inline bool mo_reader_expect(mo_byte_reader *reader, bool condition, const char *problem) {
  return condition ? !reader->problem : mo_reader_refuse(reader, problem);
}
void mo_read_bytes(mo_byte_reader *reader, void *out, size_t count);
uint32_t mo_read_word(mo_byte_reader *reader);
uint64_t mo_read_long(mo_byte_reader *reader);
/// A length of a list whose items have at least `least_bytes` bytes each. Refuses lengths for which
/// too few bytes are left, so that no memory is taken for them, and gives 0 then.
uint32_t mo_read_count(mo_byte_reader *reader, size_t least_bytes);
/// The twin of mo_write_records. Only the fields of the records are written.
void mo_read_records(mo_byte_reader *reader, const mo_record_type *type, void *records,
                     size_t count);

/// A checksum of bytes: 64 bits, by words of 8 bytes. A change within one of these words always
/// changes it. It is no protection against bytes that were made to deceive.
uint64_t mo_checksum(const void *bytes, size_t count);
