/// Copies of records of some hundred bytes at most, of which steps make thousands.
///
/// To copy so few bytes, the C library, or the instruction of WebAssembly, takes longer for the
/// call than for the bytes.
#pragma once

#include <stddef.h>
#include <string.h>

/// Copies `size` bytes between two places that do not overlap.
static inline void mo_copy_record(void *to, const void *from, size_t size) {
  unsigned char *out = to;
  const unsigned char *in = from;
  for (; size >= 16; size -= 16, out += 16, in += 16) {
    memcpy(out, in, 16);
  }
  for (; size >= 4; size -= 4, out += 4, in += 4) {
    memcpy(out, in, 4);
  }
  for (; size > 0; size--) {
    *out++ = *in++;
  }
}
