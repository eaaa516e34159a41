#include "world/island_sets.h"

#include "memory/allocator.h"
#include "memory/array.h"

bool mo_island_sets_reserve(mo_island_sets *sets, uint32_t slot_count) {
  return MO_RESERVE(sets, names, slot_count) && MO_RESERVE(sets, next, slot_count) &&
         MO_RESERVE(sets, before, slot_count) && MO_RESERVE(sets, sizes, slot_count) &&
         MO_RESERVE(sets, loose, slot_count);
}

void mo_island_sets_free(mo_island_sets *sets) {
  mo_release(sets->names);
  mo_release(sets->next);
  mo_release(sets->before);
  mo_release(sets->sizes);
  mo_release(sets->loose);
  *sets = (mo_island_sets){0};
}

void mo_island_sets_add(mo_island_sets *sets, uint32_t slot) {
  sets->names[slot] = slot;
  sets->next[slot] = sets->before[slot] = slot;
  sets->sizes[slot] = 1;
  sets->loose[slot] = 0;
}

// Renames all members of the ring of `first`.
static void rename_ring(mo_island_sets *sets, uint32_t first, uint32_t name) {
  uint32_t member = first;
  do {
    MO_NOTE_ITEM(sets->journal, sets->names, member);
    sets->names[member] = name;
    member = sets->next[member];
  } while (member != first);
}

void mo_island_sets_remove(mo_island_sets *sets, uint32_t slot) {
  uint32_t before = sets->before[slot], after = sets->next[slot];
  uint32_t name = sets->names[slot], size = sets->sizes[name];
  sets->next[before] = after;
  sets->before[after] = before;
  if (after != slot) {
    uint32_t heir = name == slot ? after : name;
    if (name == slot) {
      rename_ring(sets, after, heir);
    }
    sets->sizes[heir] = size - 1;
    sets->loose[heir] = 1;
  }
  mo_island_sets_add(sets, slot);
}

// Bytes that a join notes, in addition to a name per member of the smaller island: size, looseness
// and four links.
#define JOIN_BYTES (6 * MO_NOTE_BYTES(sizeof(uint32_t)))

bool mo_island_sets_reserve_notes(mo_island_sets *sets, uint32_t slot_a, uint32_t slot_b) {
  size_t a = mo_island_sets_size(sets, slot_a), b = mo_island_sets_size(sets, slot_b);
  return mo_journal_reserve(sets->journal,
                            (a < b ? a : b) * MO_NOTE_BYTES(sizeof(uint32_t)) + JOIN_BYTES);
}

static void note_join(mo_island_sets *sets, uint32_t stays, uint32_t goes) {
  MO_NOTE_ITEM(sets->journal, sets->sizes, stays);
  MO_NOTE_ITEM(sets->journal, sets->loose, stays);
  MO_NOTE_ITEM(sets->journal, sets->next, stays);
  MO_NOTE_ITEM(sets->journal, sets->before, sets->next[goes]);
  MO_NOTE_ITEM(sets->journal, sets->next, goes);
  MO_NOTE_ITEM(sets->journal, sets->before, sets->next[stays]);
}

void mo_island_sets_join(mo_island_sets *sets, uint32_t slot_a, uint32_t slot_b) {
  uint32_t a = sets->names[slot_a], b = sets->names[slot_b];
  if (a == b) {
    return;
  }
  // If the sizes are equal the lower name stays, so the order of the two bodies does not matter.
  bool b_stays = sets->sizes[b] > sets->sizes[a] || (sets->sizes[b] == sets->sizes[a] && b < a);
  uint32_t stays = b_stays ? b : a, goes = b_stays ? a : b;
  note_join(sets, stays, goes);
  rename_ring(sets, goes, stays);
  sets->sizes[stays] += sets->sizes[goes];
  sets->loose[stays] |= sets->loose[goes];
  uint32_t after_stays = sets->next[stays], after_goes = sets->next[goes];
  sets->next[stays] = after_goes;
  sets->before[after_goes] = stays;
  sets->next[goes] = after_stays;
  sets->before[after_stays] = goes;
}

void mo_island_sets_take_apart(mo_island_sets *sets, uint32_t slot) {
  uint32_t member = sets->next[slot];
  while (member != slot) {
    uint32_t after = sets->next[member];
    mo_island_sets_add(sets, member);
    member = after;
  }
  mo_island_sets_add(sets, slot);
}
