/// Decisions of a fuzzer, drawn from bytes: those of a record first, then numbers made from it.
///
/// A sequence is a list of records of one size, one per operation, so that leaving one out leaves
/// the others what they are.
#pragma once

#include "moreau.h"

#define RECORD_BYTES 16

typedef struct choices {
  uint8_t record[RECORD_BYTES];
  uint32_t used;      ///< bytes of the record
  uint64_t state;     ///< of the generator that goes on after the record
  uint32_t wild_part; ///< of 256: how many of the numbers are extreme
} choices;

/// Begins with a record; bytes that the input lacks are 0.
choices choices_begin(const uint8_t *bytes, size_t size, uint32_t wild_part);

/// The next of a stream of 64-bit numbers (splitmix64, Steele, Lea and Flood 2014).
uint64_t random_next(uint64_t *state);

uint32_t choose_byte(choices *c);
/// 0 to count - 1; count at most 65536.
uint32_t choose_below(choices *c, uint32_t count);
/// True in `part` of 256 cases.
bool choose_if(choices *c, uint32_t part);
/// From -scale to scale; now and then an extreme number, also one that is not finite.
double choose_number(choices *c, double scale);
/// Likewise from 0 to scale.
double choose_positive(choices *c, double scale);
mo_vec3 choose_vec3(choices *c, double scale);
/// Of any length; sometimes the identity.
mo_quat choose_quat(choices *c);
mo_pose choose_pose(choices *c, double scale);
