/// Persistent islands: groups of bodies that contacts and joints link, kept from step to step.
///
/// Links only ever join islands. When a link is removed the island becomes loose: it may have
/// fallen apart. This is checked when it matters, by separating all of its bodies and joining them
/// again.
#pragma once

#include "memory/journal.h"

/// Per body slot; begins as zeros. Only slots that were added are in an island.
typedef struct mo_island_sets {
  uint32_t *names; ///< the member that names the island
  uint32_t names_capacity;
  uint32_t *next, *before; ///< ring of the members
  uint32_t next_capacity, before_capacity;
  uint32_t *sizes; ///< at the name: number of members
  uint32_t sizes_capacity;
  uint8_t *loose; ///< at the name: a link was removed
  uint32_t loose_capacity;
  mo_journal *journal; ///< records joins and loosening in the running step; or null
} mo_island_sets;

/// Makes room for slots below `slot_count`. Returns false without memory.
bool mo_island_sets_reserve(mo_island_sets *sets, uint32_t slot_count);
void mo_island_sets_free(mo_island_sets *sets);

/// Makes a body an island of its own.
void mo_island_sets_add(mo_island_sets *sets, uint32_t slot);
/// Removes a body from its island, which becomes loose.
void mo_island_sets_remove(mo_island_sets *sets, uint32_t slot);
/// Members of the island of a body.
static inline uint32_t mo_island_sets_size(const mo_island_sets *sets, uint32_t slot) {
  return sets->sizes[sets->names[slot]];
}
/// Makes room in the journal for joining the islands of two bodies or loosening both. Returns false
/// without memory.
bool mo_island_sets_reserve_notes(mo_island_sets *sets, uint32_t slot_a, uint32_t slot_b);
/// Joins two islands. The smaller one takes the name of the larger.
void mo_island_sets_join(mo_island_sets *sets, uint32_t slot_a, uint32_t slot_b);
/// Makes every member of an island an island of its own.
void mo_island_sets_take_apart(mo_island_sets *sets, uint32_t slot);

/// Marks the island as loose because a link of the body was removed.
static inline void mo_island_sets_loosen(mo_island_sets *sets, uint32_t slot) {
  MO_NOTE_ITEM(sets->journal, sets->loose, sets->names[slot]);
  sets->loose[sets->names[slot]] = 1;
}
