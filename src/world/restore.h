/// Makes the state of a new world from bytes, in the order in which mo_world_visit_state gives its
/// records. Private to src.
///
/// The bytes may come from anywhere. Nothing is taken from them that could lead a step outside of
/// an array or round a list for ever: indices, lengths, lists and enumerations are checked here,
/// and numbers for being finite where the rest of the engine relies on it. A world that was refused
/// is to be destroyed. What follows from the state is not in the bytes, and is made again at the
/// end of each part.
#pragma once

#include "world/world.h"

/// What a reader has to know before the state itself.
typedef struct mo_restore_prelude {
  const uint16_t *proxy_generations;
  uint32_t proxy_count;
  const uint8_t *contact_flags; ///< per contact record
  uint32_t contact_count;
} mo_restore_prelude;

typedef struct mo_restore {
  mo_world *world; ///< new, with settings and tag
  /// The world that it replaces. A path shares a curve with the one that it had here, or with the
  /// path before it, where their points are the same: making one takes longer than all else.
  const mo_world *present;
  mo_curve *last_curve; ///< that was read; null: none yet
  mo_byte_reader in;
  bool has_memory;
  mo_restore_prelude prelude;
  const mo_known_shape *shapes; ///< ascending by content
  uint32_t shape_count;
  mo_arena arena; ///< for the time of the restoration
} mo_restore;

/// Whether all is well so far.
static inline bool mo_restore_is_good(const mo_restore *r) {
  return r->has_memory && !r->in.problem;
}
/// Notes that there is no memory where `got` is false. Returns mo_restore_is_good.
static inline bool mo_restore_got(mo_restore *r, bool got) {
  r->has_memory = r->has_memory && got;
  return mo_restore_is_good(r);
}
/// Refuses the bytes if the condition does not hold. Returns mo_restore_is_good.
static inline bool mo_restore_expect(mo_restore *r, bool condition, const char *problem) {
  return mo_reader_expect(&r->in, condition, problem) && r->has_memory;
}
/// Reads which ids are alive, and which come next.
void mo_restore_ids(mo_restore *r, mo_id_pool *ids);
/// Reads a list of indices below `limit` into an array with room for `room`; returns its length.
uint32_t mo_restore_indices(mo_restore *r, uint32_t *indices, uint32_t room, uint32_t limit);
/// The id of a body, alive or not, in one of the slots that the world has. Refuses others.
mo_body_id mo_restore_body_id(mo_restore *r, uint32_t slot, uint32_t generation);

/// Reads the shapes of all bodies, of which each slot has so many.
void mo_restore_shapes(mo_restore *r, const uint32_t *shape_counts);

// The parts, in the order of the bytes.

void mo_restore_bodies(mo_restore *r);
void mo_restore_constraints(mo_restore *r);
void mo_restore_potentials(mo_restore *r);
void mo_restore_pairs(mo_restore *r);
void mo_restore_contacts(mo_restore *r);
