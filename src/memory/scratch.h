/// Working memory that worlds lend to each other. A step needs much of it and none of it outlasts
/// the step, so that thousands of worlds need as many arenas as there are threads, and find them in
/// the cache.
#pragma once

#include "memory/arena.h"
#include "memory/journal.h"

/// Gives an arena without memory what another one has given back, if there is some.
void mo_scratch_take(mo_arena *arena);
/// The same for an arena whose content is going to replace that of `last`: what it gets has about
/// the size of `last`, so that no small world keeps what a large one gave back.
void mo_scratch_take_like(mo_arena *arena, const mo_arena *last);
/// Takes the memory of an arena, whose content is lost, for others. Its count of refusals stays.
void mo_scratch_give(mo_arena *arena);
/// The same for one of mo_scratch_take_like.
void mo_scratch_give_like(mo_arena *arena);
/// The same for the notes of a journal: before it is opened, and after it was closed.
void mo_scratch_take_notes(mo_journal *journal);
void mo_scratch_give_notes(mo_journal *journal);
/// Frees all memory that nobody uses.
void mo_scratch_free(void);
