#include "step/transaction.h"

#include "world/activity.h"
#include "world/constraints.h"

static mo_world_before save_fields(const mo_world *world) {
  return (mo_world_before){.pairs = mo_pair_store_counts(&world->pairs),
                           .awake_count = world->awake_count,
                           .has_woken = world->has_woken,
                           .has_fallen_asleep = world->has_fallen_asleep,
                           .has_activity_changed = world->has_activity_changed,
                           .has_dead_pairs = world->has_dead_pairs,
                           .has_stale_pairs = world->has_stale_pairs,
                           .last_step = world->last_step};
}

static void restore_fields(mo_world *world, const mo_world_before *before) {
  mo_pair_store_restore(&world->pairs, &before->pairs);
  world->awake_count = before->awake_count;
  world->has_woken = before->has_woken;
  world->has_fallen_asleep = before->has_fallen_asleep;
  world->has_activity_changed = before->has_activity_changed;
  world->has_dead_pairs = before->has_dead_pairs;
  world->has_stale_pairs = before->has_stale_pairs;
  world->last_step = before->last_step;
}

bool mo_world_begin_transaction(mo_world *world) {
  world->before = MO_ARENA_TAKE_RAW(&world->step_arena, mo_world_before, 1);
  if (!world->before) {
    return false;
  }
  *world->before = save_fields(world);
  mo_journal_open(&world->journal);
  mo_broad_phase_begin_changes(&world->broad_phase);
  return true;
}

void mo_world_abandon_call(mo_world *world) {
  if (world->journal.is_open) {
    mo_world_end_transaction(world, true);
  }
  world->is_locked = false;
  world->query_hits_count = 0;
}

void mo_world_end_transaction(mo_world *world, bool take_back) {
  mo_journal_close(&world->journal, take_back);
  mo_broad_phase_end_changes(&world->broad_phase, take_back);
  if (!take_back) {
    return;
  }
  restore_fields(world, world->before);
  mo_world_forget_breaks(world);
  mo_world_forget_joints(world);
  // The list of awake bodies is rebuilt from the flags.
  world->awake_is_stale = true;
  mo_world_list_awake(world);
}
