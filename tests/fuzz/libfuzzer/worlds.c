/* libFuzzer over sequences of calls of the C interface: the bytes are those of tests/fuzz/native.
 */
#include "sequence.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  sequence_options options = {0};
  if (size > SEQUENCE_MOST_BYTES) {
    return -1; // not worth keeping
  }
  sequence_result result = sequence_run(bytes, size, &options);
  if (result.failure) {
    fprintf(stderr, "%s (%.9g) after call %u: fuzz-worlds --read FILE shows the calls\n",
            result.failure, result.value, result.record);
    abort();
  }
  return 0;
}
