// Part of the wasm module for the fuzzer alone: malloc fails at random calls, the same ones for the
// same seed. The linker leads every call of malloc here, those of Qhull and of the bindings too.
#include "../../../bindings/abi/export.h"

#include <stddef.h>
#include <stdint.h>

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

static uint32_t state, period, failures;

// Xorshift of 32 bits (Marsaglia 2003).
static uint32_t random_number(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

void *__wrap_malloc(size_t bytes) {
  if (period > 0 && random_number() % period == 0) {
    failures++;
    return NULL;
  }
  return __real_malloc(bytes);
}

// From now on one call in `one_in` fails; 0: none does.
EXPORT(void, fail_allocations, uint32_t seed, uint32_t one_in) {
  state = seed | 1u;
  period = one_in;
}

// How many calls have failed since the start.
EXPORT(uint32_t, failed_allocations, void) { return failures; }
