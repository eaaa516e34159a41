/*
 * The two stacks under a call: the module's own, in its memory, and the host's, which JavaScript
 * shares with compiled code. Part of the wasm module only.
 *
 * The host's stack may end at the entry of any function, with a RangeError that no code of the
 * engine sees: its functions are left in the middle, and what they were about to write, to unlock
 * and to pop stays as it is. So JavaScript makes sure of enough room before it enters the engine
 * (bindings/core/engine.mjs), and a call that would run out of it is refused before it has begun.
 */
#include "export.h"

#include <stdint.h>

typedef uint32_t lanes __attribute__((vector_size(16)));

// A frame of the host's stack holds these: 8 KB.
#define LANES_PER_FRAME 512

/* Takes `frames` frames of the host's stack at once and gives them back. Hosts look at the size of
 * a frame before they enter a function: where that much is not left, they throw a RangeError. What
 * makes the frames large is never done: `never` is 0, which no compiler can know. */
EXPORT(uint32_t, stack_need, uint32_t frames, lanes *never) {
  if (frames > 1) {
    frames = js_stack_need(frames - 1, never);
  }
  if (never) {
    lanes held[LANES_PER_FRAME];
#pragma clang loop unroll(full)
    for (int i = 0; i < LANES_PER_FRAME; i++) {
      held[i] = never[i];
    }
    lanes sum = {js_stack_need(frames, never + 1)};
#pragma clang loop unroll(full)
    for (int i = LANES_PER_FRAME - 1; i >= 0; i--) {
      sum ^= held[i];
    }
    *never = sum;
  }
  return frames;
}

EXPORT(uint32_t, stack_save, void) {
  uint32_t position;
  __asm__ volatile(".globaltype __stack_pointer, i32\n"
                   "global.get __stack_pointer\n"
                   "local.set %0"
                   : "=r"(position));
  return position;
}

EXPORT(void, stack_restore, uint32_t position) {
  __asm__ volatile(".globaltype __stack_pointer, i32\n"
                   "local.get %0\n"
                   "global.set __stack_pointer"
                   :
                   : "r"(position));
}
