/// Random numbers of unit tests: the same everywhere.
#pragma once

#include <stdint.h>

/// The next number of a linear congruential generator (Knuth's MMIX constants).
static inline uint32_t random_bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

/// Uniform in [low, high).
static inline double random_in(uint64_t *state, double low, double high) {
  return low + (high - low) * (random_bits(state) / 2147483648.0);
}

static inline uint32_t random_below(uint64_t *state, uint32_t count) {
  return random_bits(state) % count;
}
