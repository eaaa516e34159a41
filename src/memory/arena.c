#include "memory/arena.h"

#include "memory/allocator.h"
#include "memory/poison.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Enough for a step of an empty world, so that thousands of small worlds cost little. A world of
// thousands of bodies takes a few more blocks in its first step than it would with a larger one.
#define FIRST_BLOCK_BYTES ((size_t)256)

// Blocks up to this size do not shrink: what a world of some hundred bodies needs.
#define LEAST_LARGE_BYTES ((size_t)256 * 1024)
// A block whose use is less than the first fraction of it for many steps is replaced by one of so
// many times that use, which is then far from both ends: it neither grows nor shrinks soon.
#define QUIET_FRACTION 4
#define ROOM_ABOVE_USE 2
// Steps by which one of two arenas that take turns may shrink before the other.
#define TURN_STEPS 4u

struct mo_arena_block {
  mo_arena_block *older;
  size_t capacity;
  size_t used;
  size_t most_used;     // by any use since the last mo_arena_settle
  size_t quiet_most;    // the same over all quiet steps
  uint32_t quiet_steps; // in turn, that used little of it
};

static_assert(sizeof(mo_arena_block) <= MO_CACHE_LINE, "the content begins a line behind");

static unsigned char *block_content(mo_arena_block *block) {
  return (unsigned char *)block + MO_CACHE_LINE;
}

static mo_arena_block *block_create(size_t capacity, mo_arena_block *older) {
  mo_arena_block *block = mo_allocate(MO_CACHE_LINE + capacity);
  if (block) {
    block->older = older;
    block->capacity = capacity;
    mo_poison(block_content(block), capacity);
  }
  return block;
}

// Where an array of `bytes` begins in the content of a block.
static size_t place_of(const mo_arena_block *block, size_t bytes) {
  return bytes < MO_LEAST_LINED ? block->used
                                : (block->used + MO_CACHE_LINE - 1) & ~(MO_CACHE_LINE - 1);
}

static bool has_room(const mo_arena_block *block, size_t bytes) {
  size_t place = place_of(block, bytes);
  return place <= block->capacity && bytes + MO_RED_ZONE <= block->capacity - place;
}

void *mo_arena_take_raw(mo_arena *arena, size_t count, size_t item_size) {
  if (item_size != 0 && count > (SIZE_MAX / 2) / item_size) {
    return NULL;
  }
  size_t bytes = (count * item_size + 15) & ~(size_t)15;
  if (arena->limit_bytes != 0 && bytes > arena->limit_bytes - arena->used_bytes) {
    return NULL;
  }
  mo_arena_block *block = arena->block;
  if (!block || !has_room(block, bytes)) {
    // Grows by half of the total and not of the last block: otherwise one large array would leave
    // too little for larger ones.
    size_t capacity = arena->used_bytes / 2 + FIRST_BLOCK_BYTES, least = bytes + MO_RED_ZONE;
    block = block_create(capacity < least ? least : capacity, block);
    if (!block) {
      arena->refusals++;
      return NULL;
    }
    arena->block = block;
  }
  size_t place = place_of(block, bytes);
  block->used = place + bytes + MO_RED_ZONE;
  arena->used_bytes += bytes;
  mo_unpoison(block_content(block) + place, count * item_size);
  return block_content(block) + place;
}

void *mo_arena_take(mo_arena *arena, size_t count, size_t item_size) {
  void *memory = mo_arena_take_raw(arena, count, item_size);
  return memory ? memset(memory, 0, count * item_size) : NULL;
}

double *mo_arena_take_matrix(mo_arena *arena, size_t rows, size_t columns) {
  return columns <= SIZE_MAX / sizeof(double)
             ? mo_arena_take_raw(arena, rows, columns * sizeof(double))
             : NULL;
}

bool mo_arena_reserve(mo_arena *arena, void **items, uint32_t *capacity, uint32_t needed,
                      size_t item_size) {
  if (needed <= *capacity) {
    return true;
  }
  uint64_t doubled = 2 * (uint64_t)*capacity;
  uint32_t grown = doubled < needed || doubled > UINT32_MAX ? needed : (uint32_t)doubled;
  void *bigger = mo_arena_take_raw(arena, grown, item_size);
  if (!bigger) {
    return false;
  }
  if (*capacity > 0) {
    memcpy(bigger, *items, *capacity * item_size);
  }
  *items = bigger;
  *capacity = grown;
  return true;
}

static void release_blocks(mo_arena_block *block) {
  while (block) {
    mo_arena_block *older = block->older;
    mo_unpoison(block_content(block), block->capacity);
    mo_release(block);
    block = older;
  }
}

// Blocks that are replaced go first, so that what replaces them may lie in their memory: a module
// of WebAssembly never gives back what it has grown by. Without memory there is no block then.
static void replace_blocks(mo_arena *arena, size_t capacity) {
  release_blocks(arena->block);
  arena->block = block_create(capacity, NULL);
}

void mo_arena_reset(mo_arena *arena) {
  size_t used = arena->used_bytes;
  if (arena->block && arena->block->older) {
    // Several blocks were needed: from now on one block of their total size is used.
    replace_blocks(arena, mo_arena_capacity(arena));
  }
  if (arena->block) {
    arena->block->used = 0;
    arena->block->most_used = used > arena->block->most_used ? used : arena->block->most_used;
    mo_poison(block_content(arena->block), arena->block->capacity);
  }
  arena->used_bytes = 0;
}

void mo_arena_settle(mo_arena *arena) {
  mo_arena_reset(arena);
  mo_arena_block *block = arena->block;
  if (!block) {
    return;
  }
  if (block->most_used < block->capacity / QUIET_FRACTION) {
    block->quiet_steps++;
    block->quiet_most = block->most_used > block->quiet_most ? block->most_used : block->quiet_most;
  } else {
    block->quiet_steps = 0;
    block->quiet_most = 0;
  }
  block->most_used = 0;
  if (block->quiet_steps >= MO_QUIET_STEPS && mo_arena_need(arena) < block->capacity) {
    replace_blocks(arena, mo_arena_need(arena));
    mo_arena_reset(arena);
  }
}

size_t mo_arena_need(const mo_arena *arena) {
  const mo_arena_block *block = arena->block;
  size_t capacity = mo_arena_capacity(arena);
  if (!block || block->older || capacity <= LEAST_LARGE_BYTES ||
      block->quiet_steps + TURN_STEPS < MO_QUIET_STEPS) {
    return capacity;
  }
  size_t enough = ROOM_ABOVE_USE * block->quiet_most;
  return enough > LEAST_LARGE_BYTES ? enough : LEAST_LARGE_BYTES;
}

size_t mo_arena_capacity(const mo_arena *arena) {
  size_t whole = 0;
  for (const mo_arena_block *block = arena->block; block; block = block->older) {
    whole += block->capacity;
  }
  return whole;
}

void mo_arena_prepare(mo_arena *arena, size_t bytes) {
  if (!arena->block) {
    arena->block = block_create(bytes, NULL);
    if (arena->block) {
      arena->block->used = 0;
    }
  }
}

void mo_arena_free(mo_arena *arena) {
  release_blocks(arena->block);
  *arena = (mo_arena){0};
}
