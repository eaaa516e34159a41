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
  mo_arena_reset(arena); // to one block
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

static void free_arenas(void) {
  mo_arena_block *blocks[PLACES];
  mo_lock_take(&scratch.lock);
  uint32_t count = scratch.count;
  for (uint32_t i = 0; i < count; i++) {
    blocks[i] = scratch.blocks[i];
  }
  scratch.count = 0;
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
  free_arenas();
  free_journals();
}
