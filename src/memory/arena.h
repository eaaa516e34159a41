/// Scratch memory for the length of one step: taken by moving a mark, given back all at once.
///
/// An arena that overflows takes further blocks from the heap; the next reset replaces them by one
/// block that would have held all, so a steady state allocates nothing.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct mo_arena_block mo_arena_block;

typedef struct mo_arena {
  mo_arena_block *block; ///< the newest, linked to the older ones
  size_t used_bytes;     ///< since the last reset
  size_t limit_bytes;    ///< beyond which nothing more is given; 0: none
  uint32_t refusals;     ///< how often the heap gave nothing that was taken from the arena
} mo_arena;

/// `count` zeroed items of `item_size` bytes, 16-byte aligned; null without memory. Zero items give
/// a valid pointer.
void *mo_arena_take(mo_arena *arena, size_t count, size_t item_size);
/// The same without the zeroing, for large arrays of which every item is written before it is read.
void *mo_arena_take_raw(mo_arena *arena, size_t count, size_t item_size);
/// A matrix of doubles, not zeroed; null without memory, also where the product of its sizes is
/// more than a size_t holds.
double *mo_arena_take_matrix(mo_arena *arena, size_t rows, size_t columns);
/// Forgets everything taken. Keeps the memory.
void mo_arena_reset(mo_arena *arena);
void mo_arena_free(mo_arena *arena);

#define MO_ARENA_TAKE(arena, type, count) ((type *)mo_arena_take((arena), (count), sizeof(type)))
#define MO_ARENA_TAKE_RAW(arena, type, count)                                                      \
  ((type *)mo_arena_take_raw((arena), (count), sizeof(type)))
