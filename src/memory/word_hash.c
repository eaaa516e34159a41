#include "memory/word_hash.h"

#include <string.h>

// The rotation takes the highest bits, which a product keeps to themselves, to lower ones: numbers
// that change their signs do not make good for each other.
static inline uint64_t turn(uint64_t sum, uint64_t word) {
  uint64_t product = (sum ^ word) * MO_WORD_HASH_MULTIPLIER;
  return product << 27 | product >> 37;
}

void mo_word_hash_add(mo_word_hash *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  mo_word_hash h = *hash;
  uint64_t word;
  for (; count >= sizeof h; count -= sizeof h) {
    for (int i = 0; i < MO_WORD_HASH_SUMS; i++, at += sizeof word) {
      memcpy(&word, at, sizeof word);
      h.sums[i] = turn(h.sums[i], word);
    }
  }
  *hash = h;
  uint64_t *sum = hash->sums;
  for (; count >= sizeof word; count -= sizeof word, at += sizeof word, sum++) {
    memcpy(&word, at, sizeof word);
    *sum = turn(*sum, word);
  }
  if (count > 0) {
    word = 0;
    memcpy(&word, at, count);
    *sum = turn(*sum, word);
  }
}
