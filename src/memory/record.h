/// The fields of a struct as data, so that one list of them serves all that needs every field
/// (hash, comparison, snapshot).
///
/// A list contains numbers and arrays of numbers. It leaves out pointers, and fields that only save
/// time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mo_field {
  uint32_t offset;     ///< bytes from the start of the record
  uint16_t item_size;  ///< bytes of a number: 1, 2, 4 or 8
  uint16_t byte_count; ///< of all numbers together
  bool is_flag;        ///< it is a bool: 0 or 1
} mo_field;

typedef struct mo_record_type {
  const char *name;
  uint32_t size; ///< bytes from one record of an array to the next
  uint32_t field_count;
  const mo_field *fields;
  uint32_t index; ///< of the type in streams (byte_stream.h), 1 or more; 0: it has none
  /// Whether most numbers differ from those of the last record of the type: a stream writes them
  /// all.
  bool is_varied;
} mo_record_type;

/// A field of `record` that consists of numbers of the type `number`: a single one, a vector or an
/// array.
#define MO_FIELD(record, member, number)                                                           \
  { offsetof(record, member), sizeof(number), sizeof(((record *)0)->member), false }
/// A field of the type bool.
#define MO_FLAG(record, member)                                                                    \
  { offsetof(record, member), 1, sizeof(((record *)0)->member), true }
/// The record type of the C type `record`, with the fields of the array `fields`.
#define MO_RECORD(record, fields)                                                                  \
  { #record, sizeof(record), sizeof(fields) / sizeof *(fields), fields, 0, true }
/// The same with an index for streams, which write what differs from the last record.
#define MO_STREAM_RECORD(record, fields, index)                                                    \
  { #record, sizeof(record), sizeof(fields) / sizeof *(fields), fields, index, false }
/// The same for records that differ in most of their numbers.
#define MO_VARIED_RECORD(record, fields, index)                                                    \
  { #record, sizeof(record), sizeof(fields) / sizeof *(fields), fields, index, true }

/// Whether all bytes of a record are one field, so that an array has no gaps.
static inline bool mo_record_is_dense(const mo_record_type *type) {
  return type->field_count == 1 && type->fields[0].byte_count == type->size;
}
/// Whether all fields of two records have the same bits.
bool mo_record_equal(const mo_record_type *type, const void *a, const void *b);

/// The most groups and the most flags of a record. A chunk of four groups is what a processor
/// compares at once, and what a byte of a mask stands for.
#define MO_RECORD_GROUP 8u
#define MO_RECORD_CHUNK 32u
#define MO_RECORD_GROUPS 128u
#define MO_RECORD_FLAGS 16

/// A record without what is between its fields: its pieces, which are fields that follow each other
/// in memory as they do in the list, each filled up with zeros to groups of 8 bytes. So what copies
/// it and what compares it go by the same words; a processor waits where a word was written in
/// other pieces than it is read.
typedef struct mo_record_packing {
  uint32_t size;         ///< bytes of all groups
  uint32_t record_size;  ///< bytes of the record with its gaps
  uint32_t plain_chunks; ///< bit i: chunk i is 32 bytes of the record that follow each other
  bool reads_beyond;     ///< the last group is read beyond the end of the record
  uint8_t flag_count;
  uint16_t flags[MO_RECORD_FLAGS];    ///< where flags are in the packed record
  uint16_t offsets[MO_RECORD_GROUPS]; ///< per group: where it begins in the record
  uint8_t lengths[MO_RECORD_GROUPS];  ///< per group: bytes of the record; zeros follow
} mo_record_packing;

/// Bytes of all fields of a record: a packed one has as many or more.
uint32_t mo_record_packed_size(const mo_record_type *type);
/// Finds the groups and flags of a record, of which there must not be more than the packing has
/// room for.
void mo_record_find_packing(const mo_record_type *type, mo_record_packing *out);
/// Bytes of the chunks of a packed record.
static inline uint32_t mo_record_chunk_bytes(const mo_record_packing *packing) {
  return (packing->size + MO_RECORD_CHUNK - 1) / MO_RECORD_CHUNK * MO_RECORD_CHUNK;
}
/// Packs the fields.
/// @param[out] packed packing->size bytes
void mo_record_pack(const mo_record_packing *packing, const void *record, unsigned char *packed);
/// Bytes that mo_record_write_changes may use.
static inline uint32_t mo_record_changes_room(const mo_record_packing *packing) {
  return mo_record_chunk_bytes(packing) / MO_RECORD_CHUNK * (1 + MO_RECORD_CHUNK) + 16;
}
/// Packs the fields over those of another record, and writes what has changed: a mask with a bit
/// for each word of 4 bytes, and the words that it names.
/// @param last the chunks of the other record, whose last one ends with zeros
/// @return the end of what was written
unsigned char *mo_record_write_changes(const mo_record_packing *packing, const void *record,
                                       unsigned char *last, unsigned char *to);
/// Reads them back. Other bytes of the record stay as they are. Returns false if a flag is neither
/// 0 nor 1, with the record as it was.
bool mo_record_unpack(const mo_record_packing *packing, const unsigned char *packed, void *record);
