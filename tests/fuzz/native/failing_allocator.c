#include "failing_allocator.h"

#include "moreau.h"

#include <stdlib.h>

// More than any sequence needs: what asks for more is refused as by a machine without it.
#define MOST_BYTES ((size_t)64 << 20)

static struct {
  bool is_armed, is_lasting;
  uint32_t left;
} state;

static void *allocate(size_t bytes, void *user) {
  (void)user;
  if (state.is_armed && state.left == 0) {
    state.is_armed = state.is_lasting;
    return NULL;
  }
  state.left -= state.is_armed;
  return bytes > MOST_BYTES ? NULL : malloc(bytes);
}

static void release(void *memory, void *user) {
  (void)user;
  free(memory);
}

void failing_allocator_install(void) { mo_set_allocator(allocate, release, NULL); }

void failing_allocator_arm(uint32_t count, bool is_lasting) {
  state.is_armed = true;
  state.is_lasting = is_lasting;
  state.left = count;
}

void failing_allocator_disarm(void) { state.is_armed = false; }
