/// Working memory for one step: allocation moves a mark, and everything is freed at once.
///
/// An arena that overflows takes more blocks from the heap. The next reset replaces them by one
/// block of the total size, so in a steady state nothing is allocated. What uses little of a large
/// block for many steps gives it back for a smaller one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mo_arena_block mo_arena_block;

typedef struct mo_arena {
  mo_arena_block *block; ///< the newest block, linked to the older ones
  size_t used_bytes;     ///< since the last reset
  size_t limit_bytes;    ///< the most bytes that it gives; 0: no limit
  uint32_t refusals;     ///< how often the heap had no memory
} mo_arena;

/// `count` zeroed items of `item_size` bytes, aligned as by mo_allocate; null without memory. Zero
/// items give a valid pointer.
void *mo_arena_take(mo_arena *arena, size_t count, size_t item_size);
/// The same without zeroing, for large arrays whose items are all written before they are read.
void *mo_arena_take_raw(mo_arena *arena, size_t count, size_t item_size);
/// A matrix of doubles, not zeroed; null without memory, or if the product of its sizes overflows.
double *mo_arena_take_matrix(mo_arena *arena, size_t rows, size_t columns);
/// mo_array_reserve for an array in an arena, not zeroed: what it grows out of stays unused until
/// the arena is reset. A capacity of 0 is one without items.
bool mo_arena_reserve(mo_arena *arena, void **items, uint32_t *capacity, uint32_t needed,
                      size_t item_size);
/// Gives an arena without memory a first block of so many bytes; without memory it stays as it is.
void mo_arena_prepare(mo_arena *arena, size_t bytes);
/// Bytes of all of its blocks.
size_t mo_arena_capacity(const mo_arena *arena);
/// Frees all contents, and keeps the memory.
void mo_arena_reset(mo_arena *arena);
/// The same after a step: if MO_QUIET_STEPS of them in turn have used less than a quarter of a
/// large block, a smaller one replaces it.
void mo_arena_settle(mo_arena *arena);
/// The steps after which a block shrinks. Four seconds at 60 Hz: what comes and goes with the scene
/// of the moment should not allocate anew each time.
#define MO_QUIET_STEPS 240u
/// Bytes that a block of that size should have: its capacity, or less if it is about to shrink.
size_t mo_arena_need(const mo_arena *arena);
void mo_arena_free(mo_arena *arena);

/// mo_arena_reserve on the fields `owner->name` and `owner->name_capacity`.
#define MO_ARENA_RESERVE(arena, owner, name, needed)                                               \
  mo_arena_reserve((arena), (void **)&(owner)->name, &(owner)->name##_capacity, (needed),          \
                   sizeof *(owner)->name)
#define MO_ARENA_TAKE(arena, type, count) ((type *)mo_arena_take((arena), (count), sizeof(type)))
#define MO_ARENA_TAKE_RAW(arena, type, count)                                                      \
  ((type *)mo_arena_take_raw((arena), (count), sizeof(type)))
