/// The difference between two sequences of records: a delta encoding.
///
/// Each record is compared with one of the frame before, its source: the one at the same place of
/// its stream, or, after records were added or taken away before it, the one as many places further
/// as fits best. Records that are equal to their sources are counted; of others there are the words
/// of 4 bytes that differ. Numbers that move at all change in almost all of their lower half, so
/// shorter words would save nothing.
#pragma once

#include "memory/byte_stream.h"

/// Writes `now` as its difference from `before`. Where nothing is before, records are compared with
/// the one that precedes them.
void mo_write_stream_delta(mo_byte_writer *writer, const mo_record_streams *before,
                           const mo_record_streams *now);
/// Makes the streams what they were after `streams` when mo_write_stream_delta was called.
/// @param spare working memory
/// @return false without memory; the streams are of no use then, as after bytes that the reader
/// refuses
bool mo_read_stream_delta(mo_byte_reader *reader, mo_record_streams *streams,
                          mo_record_streams *spare);
