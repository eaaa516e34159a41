#include "world/transaction.h"

#include "world/activity.h"

// Notes of the fields below: fewer than so many bytes.
#define FLAG_BYTES (6 * MO_NOTE_BYTES(sizeof(uint32_t)) + MO_NOTE_BYTES(sizeof(mo_kept_rows)))

// Flags and counts that several stages write.
static bool note_flags(mo_world *world) {
  mo_journal *journal = &world->journal;
  if (!mo_journal_reserve(journal, FLAG_BYTES)) {
    return false;
  }
  MO_NOTE(journal, world->awake_count);
  MO_NOTE(journal, world->has_woken);
  MO_NOTE(journal, world->has_fallen_asleep);
  MO_NOTE(journal, world->has_activity_changed);
  MO_NOTE(journal, world->has_stale_pairs);
  MO_NOTE(journal, world->kept);
  return true;
}

bool mo_world_begin_transaction(mo_world *world) {
  mo_journal_open(&world->journal);
  mo_broad_phase_begin_changes(&world->broad_phase);
  return note_flags(world) && mo_pair_store_note_counts(&world->pairs);
}

void mo_world_end_transaction(mo_world *world, bool take_back) {
  mo_journal_close(&world->journal, take_back);
  mo_broad_phase_end_changes(&world->broad_phase, take_back);
  if (take_back) {
    // The list of those who are awake follows from who is.
    world->awake_is_stale = true;
    mo_world_list_awake(world);
    mo_world_forget_joints(world);
  }
}
