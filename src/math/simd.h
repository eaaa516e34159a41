/// Two lanes of doubles: what WebAssembly and the oldest x86-64 have. The one file with vector
/// types; the compilers lower the arithmetic to SSE2, NEON or wasm SIMD, lane by lane as IEEE 754
/// has it, so that all builds give the same bits.
#pragma once

#include <string.h>

typedef double mo_f64x2 __attribute__((vector_size(16), may_alias));

/// From any address.
static inline mo_f64x2 mo_f64x2_load(const double *p) {
  mo_f64x2 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// To any address.
static inline void mo_f64x2_store(double *p, mo_f64x2 v) { memcpy(p, &v, sizeof v); }
