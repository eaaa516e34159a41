/// A hash of bytes by words of 8, several times as fast as one byte by byte: the same on every
/// machine.
///
/// Four sums take every fourth word of a call, so that no multiplication waits for the one before
/// it. Each is a bijection of the word that it takes: a change of one word always changes the hash.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MO_WORD_HASH_SUMS 4

typedef struct mo_word_hash {
  uint64_t sums[MO_WORD_HASH_SUMS];
} mo_word_hash;

// An odd number with well mixed bits: 2^64 over the golden ratio.
#define MO_WORD_HASH_MULTIPLIER 0x9e3779b97f4a7c15u

static inline mo_word_hash mo_word_hash_begin(void) { return (mo_word_hash){{1, 2, 3, 4}}; }

/// The rotation takes the highest bits, which a product keeps to themselves, to lower ones: numbers
/// that change their signs do not make good for each other.
static inline uint64_t mo_word_hash_turn(uint64_t sum, uint64_t word) {
  uint64_t product = (sum ^ word) * MO_WORD_HASH_MULTIPLIER;
  return product << 27 | product >> 37;
}

/// The last words are filled up with zeros: how many bytes there are has to follow from others.
static inline void mo_word_hash_add(mo_word_hash *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  mo_word_hash h = *hash;
  uint64_t words[MO_WORD_HASH_SUMS];
  for (; count >= sizeof words; count -= sizeof words, at += sizeof words) {
    memcpy(words, at, sizeof words);
    for (int i = 0; i < MO_WORD_HASH_SUMS; i++) {
      h.sums[i] = mo_word_hash_turn(h.sums[i], words[i]);
    }
  }
  int next = 0;
  for (; count >= sizeof *words; count -= sizeof *words, at += sizeof *words, next++) {
    memcpy(words, at, sizeof *words);
    h.sums[next] = mo_word_hash_turn(h.sums[next], words[0]);
  }
  if (count > 0) {
    words[0] = 0;
    memcpy(words, at, count);
    h.sums[next] = mo_word_hash_turn(h.sums[next], words[0]);
  }
  *hash = h;
}

/// For sums that are few: each bit of the word changes bits above and below it.
static inline uint64_t mo_word_hash_mix(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * MO_WORD_HASH_MULTIPLIER;
  return sum ^ sum >> 32;
}

static inline uint64_t mo_word_hash_end(const mo_word_hash *hash) {
  uint64_t whole = 0;
  for (int i = 0; i < MO_WORD_HASH_SUMS; i++) {
    whole = mo_word_hash_mix(mo_word_hash_mix(whole, hash->sums[i]), 1);
  }
  return whole;
}
