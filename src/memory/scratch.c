#include "memory/scratch.h"

#include "memory/lock.h"

// Arenas and journals that wait, of each: more than there are threads (parallel/pool.h) or steps
// within functions of the user within steps.
#define PLACES 64u
// More than what differs between the steps of a small world, so that these allocate nothing: worlds
// share it, so it need not be little.
#define FIRST_BYTES ((size_t)16 * 1024)

static struct {
  mo_lock lock;
  mo_arena_block *blocks[PLACES];
  uint32_t count;
  mo_arena_block *sized[PLACES]; // of mo_scratch_give_like
  uint32_t sized_count;
  mo_journal journals[PLACES]; // closed
  uint32_t journal_count;
} scratch = {.lock = MO_LOCK_INIT};

void mo_scratch_take(mo_arena *arena) {
  if (arena->block) {
    return; // a step that was abandoned has left it
  }
  mo_lock_take(&scratch.lock);
  if (scratch.count > 0) {
    arena->block = scratch.blocks[--scratch.count];
  }
  mo_lock_give(&scratch.lock);
  mo_arena_prepare(arena, FIRST_BYTES);
}

void mo_scratch_give(mo_arena *arena) {
  mo_arena_settle(arena); // to one block
  mo_arena_block *block = arena->block;
  mo_lock_take(&scratch.lock);
  bool has_place = scratch.count < PLACES;
  if (has_place && block) {
    scratch.blocks[scratch.count++] = block;
  }
  mo_lock_give(&scratch.lock);
  if (has_place) {
    arena->block = NULL;
  }
}

// A size that stands for all that differ from it by less than an eighth.
static size_t size_class(size_t bytes) {
  size_t step = 8;
  while (bytes / step >= 16) {
    step *= 2;
  }
  return (bytes + step - 1) / step * step;
}

static size_t class_of(mo_arena_block *block) {
  return size_class(mo_arena_capacity(&(mo_arena){.block = block}));
}

// Removes the last block of that list of a class, or else, if it may be, the last smaller one;
// null: neither.
static mo_arena_block *take_sized(size_t bytes, bool or_smaller) {
  uint32_t best = PLACES;
  bool fits = false;
  for (uint32_t i = scratch.sized_count; i-- > 0 && !fits;) {
    size_t capacity = class_of(scratch.sized[i]);
    fits = capacity == bytes;
    best = fits || (or_smaller && best == PLACES && capacity < bytes) ? i : best;
  }
  if (best == PLACES) {
    return NULL;
  }
  mo_arena_block *block = scratch.sized[best];
  scratch.sized[best] = scratch.sized[--scratch.sized_count];
  return block;
}

void mo_scratch_take_like(mo_arena *arena, const mo_arena *last) {
  size_t bytes = size_class(mo_arena_capacity(last));
  if (arena->block || bytes == 0) {
    return;
  }
  mo_lock_take(&scratch.lock);
  arena->block = take_sized(bytes, false);
  if (!arena->block) {
    bytes = size_class(mo_arena_need(last)); // the other of the two may have shrunk first
    arena->block = take_sized(bytes, true);
  }
  mo_lock_give(&scratch.lock);
  if (arena->block && class_of(arena->block) < bytes) {
    // What has become too small for its world is replaced, so that it does not wait for ever.
    mo_arena smaller = {.block = arena->block};
    mo_arena_free(&smaller);
    arena->block = NULL;
  }
  mo_arena_prepare(arena, bytes);
}

void mo_scratch_give_like(mo_arena *arena) {
  mo_arena_settle(arena); // to one block
  mo_lock_take(&scratch.lock);
  if (arena->block && scratch.sized_count < PLACES) {
    scratch.sized[scratch.sized_count++] = arena->block;
    arena->block = NULL;
  }
  mo_lock_give(&scratch.lock);
}

void mo_scratch_take_notes(mo_journal *journal) {
  mo_lock_take(&scratch.lock);
  if (!journal->bytes && scratch.journal_count > 0) {
    *journal = scratch.journals[--scratch.journal_count];
  }
  mo_lock_give(&scratch.lock);
}

void mo_scratch_give_notes(mo_journal *journal) {
  mo_lock_take(&scratch.lock);
  if (journal->bytes && scratch.journal_count < PLACES) {
    scratch.journals[scratch.journal_count++] = *journal;
    *journal = (mo_journal){0};
  }
  mo_lock_give(&scratch.lock);
}

// Empties a list of blocks, and then frees them: the heap is not called with the lock held.
static void free_blocks(mo_arena_block **list, uint32_t *list_count) {
  mo_arena_block *blocks[PLACES];
  mo_lock_take(&scratch.lock);
  uint32_t count = *list_count;
  for (uint32_t i = 0; i < count; i++) {
    blocks[i] = list[i];
  }
  *list_count = 0;
  mo_lock_give(&scratch.lock);
  for (uint32_t i = 0; i < count; i++) {
    mo_arena_free(&(mo_arena){.block = blocks[i]});
  }
}

static void free_journals(void) {
  mo_journal journals[PLACES];
  mo_lock_take(&scratch.lock);
  uint32_t count = scratch.journal_count;
  for (uint32_t i = 0; i < count; i++) {
    journals[i] = scratch.journals[i];
  }
  scratch.journal_count = 0;
  mo_lock_give(&scratch.lock);
  for (uint32_t i = 0; i < count; i++) {
    mo_journal_free(&journals[i]);
  }
}

void mo_scratch_free(void) {
  free_blocks(scratch.blocks, &scratch.count);
  free_blocks(scratch.sized, &scratch.sized_count);
  free_journals();
}
