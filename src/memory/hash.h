/// 64-bit FNV-1a (Fowler, Noll and Vo 1991), byte by byte from the lowest: the same on every
/// machine.
#pragma once

#include <stdint.h>
#include <string.h>

#define MO_HASH_START 0xcbf29ce484222325ull

static inline void mo_hash_bytes(uint64_t *hash, uint64_t word, int byte_count) {
  for (int i = 0; i < byte_count; i++) {
    *hash = (*hash ^ ((word >> (8 * i)) & 0xff)) * 0x100000001b3ull;
  }
}

static inline void mo_hash_u32(uint64_t *hash, uint32_t word) { mo_hash_bytes(hash, word, 4); }

static inline void mo_hash_u64(uint64_t *hash, uint64_t word) { mo_hash_bytes(hash, word, 8); }

/// Hashes the bits: 0.0 and -0.0 differ.
static inline void mo_hash_double(uint64_t *hash, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  mo_hash_u64(hash, bits);
}
