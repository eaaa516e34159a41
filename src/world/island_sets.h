/// Islands that persist: groups of bodies that contacts and joints link, kept from step to step.
///
/// Links only ever join islands. Where a link goes, the island is loose: it may have fallen apart,
/// which is looked into when somebody wants to know, by taking it apart and joining it anew.
#pragma once

#include "memory/journal.h"

/// Per body slot; begins as zeros. Only slots that were added are in an island.
typedef struct mo_island_sets {
  uint32_t *names; ///< the member that stands for the island
  uint32_t names_capacity;
  uint32_t *next, *before; ///< the members in a ring
  uint32_t next_capacity, before_capacity;
  uint32_t *sizes; ///< at the name: members
  uint32_t sizes_capacity;
  uint8_t *loose; ///< at the name: a link went
  uint32_t loose_capacity;
  mo_journal *journal; ///< of the running step, in which a join or a loosening is noted; or null
} mo_island_sets;

/// Room for slots below `slot_count`. False without memory.
bool mo_island_sets_reserve(mo_island_sets *sets, uint32_t slot_count);
void mo_island_sets_free(mo_island_sets *sets);

/// Makes a body an island of its own.
void mo_island_sets_add(mo_island_sets *sets, uint32_t slot);
/// Takes a body out of its island, which is loose then.
void mo_island_sets_remove(mo_island_sets *sets, uint32_t slot);
/// Members of the island of a body.
static inline uint32_t mo_island_sets_size(const mo_island_sets *sets, uint32_t slot) {
  return sets->sizes[sets->names[slot]];
}
/// Room in the journal for joining the islands of two bodies or loosening both. False without
/// memory.
bool mo_island_sets_reserve_notes(mo_island_sets *sets, uint32_t slot_a, uint32_t slot_b);
/// Makes one island of two: the smaller one takes the name of the larger.
void mo_island_sets_join(mo_island_sets *sets, uint32_t slot_a, uint32_t slot_b);
/// Makes every member of an island an island of its own.
void mo_island_sets_take_apart(mo_island_sets *sets, uint32_t slot);

/// A link of the body went.
static inline void mo_island_sets_loosen(mo_island_sets *sets, uint32_t slot) {
  MO_NOTE_ITEM(sets->journal, sets->loose, sets->names[slot]);
  sets->loose[sets->names[slot]] = 1;
}
