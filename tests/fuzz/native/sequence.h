/// A sequence of calls of the C interface, decoded from bytes, and what must hold of it.
///
/// - No read or write out of bounds, no undefined behaviour (the sanitizers).
/// - No number that a user reads is NaN, and all memory is given back.
/// - A refused call leaves the hash of the world as it was; and the same sequence without the
///   refused calls, without read-outs and without failing allocations has the same hash after every
///   call, and after some more steps.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The first record says what the world is like, each of the others is a call.
#define SEQUENCE_MOST_BYTES ((size_t)16 * 257)

typedef struct sequence_options {
  bool is_verbose;        ///< prints every call before it is made
  bool skip_transactions; ///< does not look at what refused calls leave behind
} sequence_options;

typedef struct sequence_result {
  const char *failure; ///< what does not hold; null: all does
  double value;        ///< that shows it
  uint32_t record;     ///< after which call
  uint32_t done, refused, steps;
  uint64_t hash; ///< of the world at the end; 0 where it failed
} sequence_result;

sequence_result sequence_run(const uint8_t *bytes, size_t size, const sequence_options *options);
