/// The records that a writer was given, sorted by their types: one stream of each type, and one of
/// all other bytes. Records of two sequences that were written one after the other then lie side by
/// side, so that their difference is short (stream_delta.h).
#pragma once

#include "memory/record.h"

/// Types of records with an index: of 1 to MO_STREAM_TYPES - 1.
#define MO_STREAM_TYPES 32
/// The largest record without gaps, in bytes: a multiple of those that one byte of a mask stands
/// for.
#define MO_STREAM_RECORD_BYTES 1024

/// How records of a type with an index are packed. It is found once, and stays.
const mo_record_packing *mo_record_packing_of(const mo_record_type *type);

/// Records without gaps, each filled up with zeros to a multiple of 4 bytes.
typedef struct mo_record_stream {
  unsigned char *bytes; ///< owned
  uint32_t bytes_count, bytes_capacity;
  uint32_t record_size; ///< bytes, a multiple of 4; 0 while there is no record
  uint32_t read;        ///< bytes that a reader has taken
} mo_record_stream;

/// Begins as zeros.
typedef struct mo_record_streams {
  /// By the index of the type. The first one has the bytes that belong to no type.
  mo_record_stream items[MO_STREAM_TYPES];
  uint32_t plain_count; ///< bytes of the first one, without what fills its last record up
} mo_record_streams;

void mo_record_streams_free(mo_record_streams *streams);
/// Empties all, and keeps their memory.
void mo_record_streams_clear(mo_record_streams *streams);
/// Has readers begin again.
void mo_record_streams_rewind(mo_record_streams *streams);
/// Bytes of all types that no reader has taken.
size_t mo_record_streams_rest(const mo_record_streams *streams);
/// Gives a stream this content, without memory for which it returns false.
bool mo_record_stream_resize(mo_record_stream *stream, uint32_t bytes_count);
/// Adds a record. Returns false without memory.
bool mo_record_stream_add(mo_record_stream *stream, const mo_record_packing *packing,
                          const void *record);
/// The next record, or null where there is none of this packing.
const unsigned char *mo_record_stream_next(mo_record_stream *stream,
                                           const mo_record_packing *packing);
/// Makes the first stream these bytes. Returns false without memory.
bool mo_record_streams_set_plain(mo_record_streams *streams, const void *bytes, uint32_t count);
